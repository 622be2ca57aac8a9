"""A server under many clients: which statuses they get, how fast refusals come, how its memory grows, none crossed.

    python benchmarks/serve_load.py RUN [--clients 200] [--seconds 60] [--stops 50] [--set limits.queue_requests=64]

RUN is a classifier or a translator. Each text is first asked for alone; under load its answer must be the same one, so
that an answer meant for another is seen. A client in a process of its own tells how long a refusal takes when the
server is full. Then the server is started and stopped by SIGTERM, under load each time.
"""

import argparse
import asyncio
import json
import math
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from http_clients import Asked, at, request, run_clients

from heed.prediction.evaluation_data import evaluation_pairs, evaluation_records

WARM_UP = 5.0  # seconds until the memory is read for the first time
TEXTS = 200  # different ones that are asked for
DIGITS = 1e-5  # relative: numbers of a batch are summed in another order than those of one text


@dataclass(frozen=True)
class Server:
    """A server in a process of its own."""

    process: "subprocess.Popen[str]"
    port: int
    model: str

    def get(self, path: str) -> dict[str, object]:
        """Return what an address answers."""
        return json.load(urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}"))

    def stop(self) -> tuple[int, float]:
        """Send SIGTERM; return the exit code and the seconds until the end."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30), time.monotonic() - started


def main() -> None:
    """Start a server, ask it, stop it, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--stops", type=int, default=0, help="how often to start a server and stop it under load")
    parser.add_argument("--set", action="append", default=[], help="a limit of the server, as for heed serve")
    options = parser.parse_args()
    with serving(options.run, options.set) as server:
        texts = texts_for(server)
        alone = [result for text in texts for result in ask_alone(server, text)]
        asyncio.run(ask(server, texts, alone, options.clients, WARM_UP))
        before = resident(server.process.pid)
        with probing(server, texts[0], options.seconds) as probed:
            seen = asyncio.run(ask(server, texts, alone, options.clients, options.seconds))
        grown = resident(server.process.pid) - before
        code, took = server.stop()
    _print(seen, options.seconds, grown)
    _print_probed(probed)
    print(f"stopped    with exit code {code} after {took:.1f} s")
    if options.stops:
        stops = [stop_under_load(options, texts, alone) for _ in range(options.stops)]
        codes = sorted({code for code, _ in stops})
        print(f"SIGTERM    {len(stops)} times: exit codes {codes}, at most {max(took for _, took in stops):.1f} s")


@contextmanager
def serving(run: Path, limits: Sequence[str]) -> Iterator[Server]:
    """Start a server and wait until its model is loaded."""
    command = [sys.executable, "-m", "heed", "serve", str(run), "--port", "0"]
    command += [word for limit in limits for word in ("--set", limit)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise SystemExit("the server did not start")
            server = Server(process, int(line.split()[2].rpartition(":")[2]), run.resolve().name)
            while server.get("/health")["loading"]:
                time.sleep(0.1)
            yield server
        finally:
            process.kill()


@contextmanager
def probing(server: Server, text: str, seconds: float) -> Iterator[Asked]:
    """Give what one more client sees, in a process of its own; it is known when the block ends."""
    script = Path(__file__).with_name("http_clients.py")
    command, seen = [sys.executable, str(script), str(server.port), str(seconds)], Asked()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(request(server.model, text))
        process.stdin.close()
        yield seen
        answers, seen.broken, seen.late = json.load(process.stdout)
        seen.answers += [(status, milliseconds) for status, milliseconds in answers]


def texts_for(server: Server) -> list[str]:
    """Return texts of the built-in corpus that suits the task."""
    (model,) = server.get("/v1/models")["models"]
    if model["task"] == "translate":
        return [pair.source for pair in evaluation_pairs(["demo:fr-en"]).records][:TEXTS]
    return [record.texts[0] for record in evaluation_records(["demo:reviews"], texts=1).records][:TEXTS]


def ask_alone(server: Server, *texts: str) -> Sequence[object]:
    """Return the results of one request that nobody shares."""
    address, kind = f"http://127.0.0.1:{server.port}/v1/predict", {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address, request(server.model, *texts), kind)) as reply:
        return json.load(reply)["results"]


async def ask(server: Server, texts: Sequence[str], alone: Sequence[object], clients: int, seconds: float) -> Asked:
    """Return what so many clients saw who ask for these texts in turn."""
    return await run_clients(
        server.port,
        clients,
        seconds,
        ask=lambda number: request(server.model, texts[number % len(texts)]),
        own=lambda number, body: alike(json.loads(body)["results"], [alone[number % len(texts)]]),
    )


def alike(ours: object, expected: object) -> bool:
    """Tell whether two answers are equal, numbers up to rounding."""
    match ours, expected:
        case float(), float():
            return math.isclose(ours, expected, rel_tol=DIGITS, abs_tol=DIGITS)
        case Mapping(), Mapping():
            return ours.keys() == expected.keys() and all(alike(ours[key], expected[key]) for key in ours)
        case list(), list():
            return len(ours) == len(expected) and all(map(alike, ours, expected))
        case _:
            return ours == expected


def stop_under_load(options: argparse.Namespace, texts: Sequence[str], alone: Sequence[object]) -> tuple[int, float]:
    """Return the exit code and the seconds until the end of a server that was asked all the while."""

    async def together(server: Server) -> tuple[int, float]:
        asking = asyncio.create_task(ask(server, texts, alone, options.clients, seconds=10))
        await asyncio.sleep(1)
        stopped = await asyncio.to_thread(server.stop)
        asking.cancel()
        return stopped

    with serving(options.run, options.set) as server:
        return asyncio.run(together(server))


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


def _print_probed(seen: Asked) -> None:
    refused = seen.times(429, 503)
    print(f"one alone  {len(refused):,} refusals of {len(seen.answers):,} answers; broken: {seen.broken}")
    half, most, every = (at(refused, share) for share in (0.5, 0.95, 1.0))
    print(f"           refused: half within {half:.1f} ms, 95 % {most:.1f} ms, all {every:.1f} ms")
    print(f"           this process, asleep in between, was woken up to {seen.late:.1f} ms late")


if __name__ == "__main__":
    main()
