"""Run one `heed` command on this rank: `several_ranks.py NOTES COMMAND…`.

Noted are every file that the rank changed, and the threads that it still has when the command is done.
"""

import faulthandler
import json
import os
import sys
from pathlib import Path

import torch

from heed.cli.main import main

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = {"os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate"}
changed: list[str] = []


def notice(event: str, arguments: tuple[object, ...]) -> None:
    """Keep the path of everything that is opened for writing, made, renamed or removed."""
    if event in CHANGES or (event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING):
        changed.append(str(arguments[0]))


def threads() -> list[str]:
    """Return the names of this process's threads, those of C++ with them."""
    return sorted(path.read_text().strip() for path in Path("/proc/self/task").glob("*/comm"))


if __name__ == "__main__":
    notes, *sys.argv[1:] = sys.argv[1:]
    # Where the true gradient is zero, Adam makes whole steps out of rounding errors; in double precision it does not.
    torch.set_default_dtype(torch.float64)
    sys.addaudithook(notice)
    # Ranks that wait for each other for ever say where, and end.
    faulthandler.dump_traceback_later(120, exit=True)
    try:
        main()
    finally:
        Path(notes).with_suffix(f".{os.environ['RANK']}").write_text(
            json.dumps({"changed": changed, "threads": threads()})
        )
