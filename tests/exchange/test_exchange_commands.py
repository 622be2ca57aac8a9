"""`heed import` and `heed export` as a person meets them."""

import json
import sys
from pathlib import Path

import pytest
from foreign import publish

from heed.cli.main import main


def heed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["heed", *map(str, words)])
    with pytest.raises(SystemExit) as left:
        main()
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return int(left.value.code or 0), out, err


def test_a_model_comes_in_predicts_and_goes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    publish("DistilBertForSequenceClassification", tmp_path / "in")
    run, out = tmp_path / "run", tmp_path / "out"
    code, said, _ = heed(monkeypatch, capsys, "import", tmp_path / "in", "--out", run)
    assert code == 0
    assert f"{run}: a run of classify with " in said
    code, said, _ = heed(monkeypatch, capsys, "predict", run, "the house is small")
    assert (code, said.startswith("LABEL_")) == (0, True)
    code, said, _ = heed(monkeypatch, capsys, "export", run, "--to", "hf", "--out", out, "--json")
    assert (code, json.loads(said)["kind"]) == (0, "DistilBertForSequenceClassification")
    code, said, _ = heed(monkeypatch, capsys, "export", run, "--to", "hf", "--out", out, "--force")
    assert (code, said) == (0, f"{out}: DistilBertForSequenceClassification\n")


def test_what_is_worth_knowing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    publish("BertModel", tmp_path / "in")
    code, said, _ = heed(monkeypatch, capsys, "import", tmp_path / "in", "--out", tmp_path / "run")
    assert code == 0
    assert "it has no head: start a run from it with --from" in said
    code, _, err = heed(monkeypatch, capsys, "predict", tmp_path / "run", "the [MASK]")
    assert (code, err.count("heed: ")) == (2, 1)
    code, _, err = heed(monkeypatch, capsys, "resume", tmp_path / "run")
    assert (code, f"was imported from {tmp_path / 'in'}: it has no training to go on with" in err) == (2, True)
    code, said, _ = heed(monkeypatch, capsys, "import", tmp_path / "in", "--out", tmp_path / "run", "--force", "--json")
    assert (code, json.loads(said)["task"]) == (0, "pretrain")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("import", "nowhere", "--out", "run"), 2, "nowhere is not there"),
        (("export", "nowhere", "--to", "hf", "--out", "out"), 1, "There is no run at nowhere"),
    ],
)
def test_a_mistake_is_one_sentence(
    words: tuple[str, ...], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    found, _, err = heed(monkeypatch, capsys, *words)
    assert found == code
    assert message in err
    assert list(tmp_path.iterdir()) == []
