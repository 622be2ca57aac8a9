"""Serve runs with limits of one's own: serve_small.py LIMITS RUN... prints the port and serves on.

It ends as `heed serve` does: with exit code 0, also when a thread still computes.
"""

import json
import os
import sys
from pathlib import Path

from heed.serving.doors import doors_for
from heed.serving.limits import Limits
from heed.serving.server import Server, bind

if __name__ == "__main__":
    limits, *runs = sys.argv[1:]
    server = Server(
        [Path(run) for run in runs], bind("127.0.0.1", 0), doors_for("127.0.0.1"), Limits(**json.loads(limits))
    )
    sys.stdout.write(f"{server.address.port}\n")
    sys.stdout.flush()
    if not server.run():
        os._exit(0)
