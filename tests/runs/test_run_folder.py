"""The run folder: made once, opened by name, and every small file in it read as it was written or not at all."""

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from faulty_disk import FaultyOs, failing_with, sample, standing_in

from heed.errors import MachineError, RunError
from heed.runs.folder import RunFolder, TokenizerTexts, create, open_run


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    made = create(tmp_path / "first")
    made.write_settings({"width": 8, "name": "nước"})
    return made


def test_settings_data_and_tokenizers_come_back(run: RunFolder) -> None:
    run.write_data_facts({"lines": 3, "cut": []})
    run.write_tokenizers(TokenizerTexts('{"a": 1}', '{"b": 2}'))
    again = open_run(run.path)
    assert again.read_settings() == {"width": 8, "name": "nước"}
    assert again.read_data_facts() == {"lines": 3, "cut": []}
    assert again.read_tokenizers() == TokenizerTexts('{"a": 1}', '{"b": 2}')


def test_json_is_sorted_indented_and_ends_in_a_newline(run: RunFolder) -> None:
    assert (run.path / "settings.json").read_text() == '{\n  "name": "nước",\n  "width": 8\n}\n'


def test_a_shared_tokenizer_takes_the_place_of_two(run: RunFolder) -> None:
    run.write_tokenizers(TokenizerTexts("one", "two"))
    run.write_tokenizers(TokenizerTexts("shared"))
    assert run.read_tokenizers() == TokenizerTexts("shared", None)
    assert not (run.path / "tokenizer.target.json").exists()


def test_a_lost_target_tokenizer_is_not_taken_for_a_shared_one(run: RunFolder) -> None:
    run.write_tokenizers(TokenizerTexts("one", "two"))
    (run.path / "tokenizer.target.json").unlink()
    with pytest.raises(RunError, match=r"tokenizer\.target\.json is missing"):
        run.read_tokenizers()


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("settings.json", RunFolder.read_settings),
        ("data.json", RunFolder.read_data_facts),
        ("tokenizer.json", RunFolder.read_tokenizers),
        ("finished.json", RunFolder.read_finished),
        ("digests.json", RunFolder.read_settings),
    ],
)
def test_any_flipped_bit_of_a_small_file_is_one_sentence(
    name: str, read: Callable[[RunFolder], object], run: RunFolder
) -> None:
    run.write_data_facts({"lines": 3})
    run.write_tokenizers(TokenizerTexts("một"))
    run.mark_finished({"reason": "steps"})
    data = (run.path / name).read_bytes()
    draw = random.Random(3)
    for _ in range(100):
        changed = bytearray(data)
        changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        (run.path / name).write_bytes(changed)
        with pytest.raises(RunError, match=name):
            read(run)


def test_a_run_is_not_made_over_another(run: RunFolder) -> None:
    with pytest.raises(RunError, match=r"first already holds a run.*heed resume .*--force.*--out"):
        create(run.path)
    assert run.read_settings()["width"] == 8


def test_force_empties_a_run_and_leaves_what_others_put_there(run: RunFolder) -> None:
    run.append_metrics({"step": 1})
    run.save_checkpoint(sample(1))
    run.write_best({}, {})
    run.mark_finished({})
    (run.path / "notes.txt").write_text("mine")
    create(run.path, force=True)
    assert sorted(path.name for path in run.path.iterdir()) == [".lock", "checkpoints", "digests.json", "notes.txt"]
    assert list((run.path / "checkpoints").iterdir()) == []
    assert not run.is_finished


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_that_is_not_a_run_is_never_taken(force: bool, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(RunError, match=r"not a run and not empty: it holds thesis\.tex"):
        create(tmp_path, force=force)
    with pytest.raises(RunError, match="is a file"):
        create(tmp_path / "thesis.tex", force=force)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_empty_folder_becomes_a_run(tmp_path: Path) -> None:
    assert create(tmp_path).path == tmp_path


def test_a_run_without_its_settings_is_not_emptied_unless_forced(run: RunFolder) -> None:
    run.save_checkpoint(sample(1))
    (run.path / "settings.json").unlink()
    with pytest.raises(RunError, match="already holds a run"):
        create(run.path)
    assert run.newest_checkpoint().checkpoint.step == 1


def test_a_run_that_was_killed_while_it_was_made_can_be_made_again(memory_path: Path) -> None:
    for number in range(1, 1000):
        faulty = FaultyOs(number, failing_with(5), lasting=True)
        path = memory_path / f"run-{number}"
        with standing_in(faulty):
            try:
                create(path).write_settings({"a": 1})
            except MachineError as error:
                assert str(path) in str(error) or str(memory_path) in str(error)
        if not (path / "settings.json").exists():
            create(path).write_settings({"a": 1})
        assert open_run(path).read_settings() == {"a": 1}
        if faulty.count < number:
            break
    assert number > 30


def test_settings_written_anew_are_the_old_or_the_new_after_any_error(run: RunFolder) -> None:
    seen = set()
    for number in range(1, 1000):
        run.write_settings({"value": "old"})
        faulty = FaultyOs(number, failing_with(5), lasting=True)
        with standing_in(faulty), suppress(MachineError):
            run.write_settings({"value": "new"})
        seen.add(str(run.read_settings()["value"]))
        if faulty.count < number:
            break
    assert seen == {"old", "new"}


def test_a_run_that_is_not_there_is_answered_with_the_nearest(run: RunFolder) -> None:
    with pytest.raises(RunError, match=rf"There is no run at .*frist\. Did you mean {run.path}\?"):
        open_run(run.path.with_name("frist"))
    with pytest.raises(RunError, match=rf"is not a run\. Did you mean {run.path}\?"):
        open_run(run.path.parent)
    with pytest.raises(RunError, match=r"There is no run at .*Give the folder"):
        open_run(run.path.with_name("zzzzzz"))


def test_a_file_that_was_never_written_is_told(run: RunFolder) -> None:
    with pytest.raises(RunError, match=r"data\.json was never written"):
        run.read_data_facts()


def test_a_run_is_finished_once_it_is_marked(run: RunFolder) -> None:
    assert not run.is_finished
    run.mark_finished({"reason": "budget", "step": 12})
    assert open_run(run.path).is_finished
    assert run.read_finished() == {"reason": "budget", "step": 12}


def test_a_run_that_never_had_a_score_can_be_finished(run: RunFolder) -> None:
    run.mark_finished({"best_score": float("-inf")})
    assert run.read_finished() == {"best_score": None}
