"""A server under many clients: which statuses they get, how fast refusals come, how its memory grows, none crossed.

    python benchmarks/serve_load.py RUN [--clients 200] [--seconds 60]

RUN is a classifier or a translator. Every text has a mark, and every answer must hold the mark of its own request.
"""

import argparse
import asyncio
import json
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from http_clients import Asked, at, request, run_clients

WARM_UP = 5.0  # seconds until the memory is read for the first time


def main() -> None:
    """Start a server, ask it, stop it, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    command = [sys.executable, "-m", "heed", "serve", str(options.run), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            port = _port(server)
            _wait(port)
            name = options.run.resolve().name
            asyncio.run(_ask(port, name, options.clients, WARM_UP))
            before = resident(server.pid)
            seen = asyncio.run(_ask(port, name, options.clients, options.seconds))
            grown = resident(server.pid) - before
            started = time.monotonic()
            server.send_signal(signal.SIGTERM)
            code, took = server.wait(30), time.monotonic() - started
        finally:
            server.kill()
    _print(seen, options.seconds, grown)
    print(f"stopped with exit code {code} after {took:.1f} s")


async def _ask(port: int, model: str, clients: int, seconds: float) -> Asked:
    return await run_clients(
        port,
        clients,
        seconds,
        ask=lambda number: request(model, f"this is text number{number} of many"),
        own=lambda number, body: f"number{number} ".encode() in body and body.count(b"this is text") >= 1,
    )


def _port(server: "subprocess.Popen[str]") -> int:
    assert server.stdout is not None
    line = server.stdout.readline()
    if not line:
        raise SystemExit("the server did not start")
    return int(line.split()[2].rpartition(":")[2])


def _wait(port: int) -> None:
    while json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/health"))["loading"]:
        time.sleep(0.2)


def resident(process: int) -> float:
    """Return the memory of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def _print(seen: Asked, seconds: float, grown: float) -> None:
    statuses = sorted({status for status, _ in seen.answers})
    print("statuses   " + ", ".join(f"{status}: {seen.count(status):,}" for status in statuses))
    good, refused = seen.times(200), seen.times(429, 503)
    rate = len(good) / seconds
    print(f"answered   {rate:,.0f} a second, half within {at(good, 0.5):.0f} ms, 95 % {at(good, 0.95):.0f} ms")
    print(f"refused    95 % within {at(refused, 0.95):.1f} ms, all within {at(refused, 1.0):.1f} ms")
    print(f"crossed    {seen.crossed} of {len(good):,}; connections broken: {seen.broken}")
    print(f"memory     {grown:+.0f} MB")


if __name__ == "__main__":
    main()
