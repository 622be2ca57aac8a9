"""Examples: of every task, readable by its models, the same each time, and never from a file that a run names."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image
from serving_client import Served

from heed.runs.folder import RunFolder, create
from heed.serving.examples import COUNT, LONGEST, examples_of
from heed.serving.models import READS, Models, ServedRun
from heed.serving.requests import Picture

TASKS = ["classify", "pair", "tag", "answer", "translate", "write", "image", "caption", "vectors", "pretrain"]


def run_of(task: str, folder: Path, origin: str = "mine.csv") -> ServedRun:
    run = create(folder)
    run.write_data_facts({"origin": origin})
    return ServedRun("run", run, task)


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_a_few_examples_of_the_kind_that_it_reads(task: str, tmp_path: Path) -> None:
    found = examples_of(run_of(task, tmp_path / "run"))
    inputs = [each.input for each in found.examples]
    assert 3 <= len(inputs) <= COUNT and len(set(map(str, inputs))) == len(inputs)
    kinds = {"text": str, "pair": list, "picture": Picture}
    assert {type(each) for each in inputs} == {kinds[READS.get(task, "text")]}
    assert not found.own and found.origin.startswith("demo:")
    assert all(isinstance(each, Picture) or len(str(each)) <= LONGEST for each in inputs)


def test_examples_are_of_the_demo_that_the_run_was_trained_on(tmp_path: Path) -> None:
    vietnamese = examples_of(run_of("classify", tmp_path / "vi", "demo:reviews-vi"))
    english = examples_of(run_of("classify", tmp_path / "en", "demo:reviews"))
    assert vietnamese.own and vietnamese.origin == "demo:reviews-vi"
    assert not {str(each.input) for each in vietnamese.examples} & {str(each.input) for each in english.examples}


def test_a_run_with_data_of_its_own_offers_what_its_validations_showed(tmp_path: Path) -> None:
    run = run_of("classify", tmp_path / "run", "mine.csv")
    for step, source in enumerate(["Món này ngon.", "Món này ngon.", "x" * (LONGEST + 1), "Phục vụ chậm."], 1):
        run.folder.append_sample({"step": step, "source": source, "expected": "tốt", "predicted": "xấu"})
    found = examples_of(run)
    assert found.own and [each.input for each in found.examples] == ["Món này ngon.", "Phục vụ chậm."]
    assert {each.expected for each in found.examples} == {"tốt"}


@pytest.mark.parametrize("task", ["image", "classify"])
def test_examples_are_not_all_of_one_label(task: str, tmp_path: Path) -> None:
    labels = {example.expected for example in examples_of(run_of(task, tmp_path / "run")).examples}
    assert len(labels) == {"image": 5, "classify": 3}[task]


def test_a_gap_stands_for_the_word_that_is_expected(tmp_path: Path) -> None:
    for example in examples_of(run_of("pretrain", tmp_path / "run")).examples:
        assert str(example.input).count("[MASK]") == 1 and example.expected not in str(example.input).split()


def test_pictures_are_small_files_that_can_be_read(tmp_path: Path) -> None:
    for example in examples_of(run_of("image", tmp_path / "run")).examples:
        assert isinstance(example.input, Picture)
        picture = Image.open(io.BytesIO(base64.b64decode(example.input.picture)))
        assert picture.format == "PNG" and max(picture.size) <= 96


def test_a_run_without_facts_or_of_another_task_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    bare = RunFolder(tmp_path / "run")
    assert examples_of(ServedRun("run", bare, "classify")).examples
    assert examples_of(ServedRun("run", bare, "juggle")).examples == ()


def test_examples_are_there_before_the_model_is_and_can_be_asked(colours: Path, served: Served) -> None:
    early = Served(Models([colours])).get("/v1/examples/colours").json()
    assert early == served.get("/v1/examples/colours").json()
    texts = [each["input"] for each in early["examples"]]
    assert len(served.post("/v1/predict", {"model": "colours", "inputs": texts}).json()["results"]) == len(texts)


def test_examples_of_no_model_are_refused_with_its_name(served: Served) -> None:
    reply = served.get("/v1/examples/colour")
    assert reply.status_code == 404 and "no model 'colour'" in reply.json()["detail"]
