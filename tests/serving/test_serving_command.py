"""`heed serve`: what it says before it serves, and what it refuses with one sentence."""

import json
import sys
from pathlib import Path

import pytest

from heed.cli.serve import serve
from heed.errors import DataError, MachineError, RunError, SettingsError, UsageError
from heed.serving.server import Server, bind


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Server]:
    """Return the servers that were run, which end at once."""
    run: list[Server] = []

    def end_at_once(server: Server) -> bool:
        run.append(server)
        return True

    monkeypatch.setattr(Server, "run", end_at_once)
    return run


def test_the_address_is_told_and_only_this_computer_is_served(
    colours: Path, told: list[Server], capsys: pytest.CaptureFixture[str]
) -> None:
    serve([colours], port=0)
    assert capsys.readouterr().out == f"Serving at {told[0].address} (stop with Ctrl-C)\n"
    assert told[0].address.host == "127.0.0.1" and told[0].address.port > 0


def test_bound_wider_a_token_is_made_and_told_once(
    colours: Path, told: list[Server], capsys: pytest.CaptureFixture[str]
) -> None:
    serve([colours], host="0.0.0.0", port=0)
    first, second = capsys.readouterr().out.splitlines()
    assert len(first.rpartition("Bearer ")[2]) > 40 and second.startswith("Serving at")


def test_for_programs_the_address_and_the_models_are_one_line_of_json(
    colours: Path, told: list[Server], capsys: pytest.CaptureFixture[str]
) -> None:
    serve([colours], port=0, json=True)
    assert json.loads(capsys.readouterr().out) == {
        "address": str(told[0].address),
        "token": None,
        "models": [{"name": "colours", "task": "classify", "reads": "text"}],
    }


def test_for_programs_a_token_that_was_made_is_told_and_one_of_a_file_is_not(
    colours: Path, told: list[Server], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve([colours], host="0.0.0.0", port=0, json=True)
    assert len(json.loads(capsys.readouterr().out)["token"]) > 40
    file = tmp_path / "token"
    file.write_text("0123456789abcdef\n")
    serve([colours], host="0.0.0.0", port=0, token_file=file, json=True)
    assert json.loads(capsys.readouterr().out)["token"] is None


def test_a_token_of_a_file_is_used_and_not_told(
    colours: Path, told: list[Server], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token"
    file.write_text("0123456789abcdef\n")
    serve([colours], host="0.0.0.0", port=0, token_file=file)
    assert "0123456789abcdef" not in capsys.readouterr().out
    file.write_text("short\n")
    with pytest.raises(UsageError, match="has 5 characters"):
        serve([colours], host="0.0.0.0", port=0, token_file=file)
    file.write_text("\n")
    with pytest.raises(DataError, match="token holds no token"):
        serve([colours], port=0, token_file=file)


def test_a_limit_can_be_set_and_one_that_there_is_not_is_refused(colours: Path, told: list[Server]) -> None:
    serve([colours], port=0, assignments=["limits.queue_requests=7", "limits.answer_seconds=1.5"])
    assert (told[0].limits.queue_requests, told[0].limits.answer_seconds) == (7, 1.5)
    with pytest.raises(SettingsError, match=r"queue_request.*Did you mean 'queue_requests'"):
        serve([colours], port=0, assignments=["limits.queue_request=7"])
    with pytest.raises(SettingsError, match=r"limits\.beams is 0"):
        serve([colours], port=0, assignments=["limits.beams=0"])


def test_a_folder_that_is_no_run_and_a_port_that_is_taken_are_refused(colours: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is not a run"):
        serve([tmp_path], port=0)
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(MachineError, match=f"The port {port} of 127.0.0.1 is taken"):
            serve([colours], port=port)


def test_without_the_extra_it_says_how_to_install_it(colours: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    for name in [name for name in sys.modules if name.startswith("heed.serving")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MachineError, match=r"needs fastapi, .* pip install 'heed\[serve\]'"):
        serve([colours])
