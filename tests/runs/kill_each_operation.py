"""Kill a save at its first, second, third … file operation, from every start; print how many there were of each.

Run as a program: it forks, which is safe only while torch has started no threads.
"""

import json
import os
import shutil
import sys
from pathlib import Path

from faulty_disk import STARTS, FaultyOs, Start, check_after, kill, standing_in

from heed.runs.checkpoint import save_checkpoint


def survives_every_kill(start: Start, work: Path) -> int:
    """Return how many operations the save has, once a kill before each of them has been survived."""
    pristine = work / "pristine"
    start.prepare(pristine)
    number = 0
    while True:
        number += 1
        folder = work / f"kill-{number}"
        shutil.copytree(pristine, folder)
        killed = killed_at(number, folder, start)
        check_after(folder, start)
        shutil.rmtree(folder)
        if not killed:
            return number - 1


def killed_at(number: int, folder: Path, start: Start) -> bool:
    """Save in a child that dies at that operation; return whether it came that far."""
    child = os.fork()
    if child == 0:
        with standing_in(FaultyOs(number, kill)):
            save_checkpoint(folder, start.saved, keep=1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, f"the child ended with {status}"
    return os.WIFSIGNALED(status)


if __name__ == "__main__":
    base = Path(sys.argv[1])
    counts = {}
    for name, one in STARTS.items():
        (base / name).mkdir()
        counts[name] = survives_every_kill(one, base / name)
    sys.stdout.write(json.dumps(counts))
