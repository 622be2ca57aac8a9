"""Replacing a file: the old one stays until the new one reads back as it was written."""

from pathlib import Path

import pytest

from heed.runs import durable


def test_a_file_that_reads_back_differently_does_not_replace_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.bin"
    durable.replace_file(path, b"old")
    monkeypatch.setattr(durable, "write_file", lambda path, data: path.write_bytes(data[:-1] + b"?"))
    with pytest.raises(OSError, match="reads back differently"):
        durable.replace_file(path, b"new")
    assert path.read_bytes() == b"old"
