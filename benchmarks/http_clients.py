"""Many clients of a server in one process, on plain sockets, so that they cost little beside what they measure."""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

REST = 0.02  # seconds between two requests of a probe


@dataclass
class Asked:
    """What the clients saw: of each answer its status and the milliseconds it took."""

    answers: list[tuple[int, float]] = field(default_factory=list)
    crossed: int = 0  # answers with the results of another request
    broken: int = 0  # connections that ended without an answer
    late: float = 0.0  # milliseconds by which a client that only slept was woken too late, at most

    def times(self, *statuses: int) -> list[float]:
        """Return the milliseconds of the answers with one of these statuses, sorted."""
        return sorted(milliseconds for status, milliseconds in self.answers if status in statuses)

    def count(self, status: int) -> int:
        """Return how many answers had a status."""
        return sum(each == status for each, _ in self.answers)


def at(times: list[float], share: float) -> float:
    """Return the time within which such a share of the answers came."""
    return times[min(len(times) - 1, int(share * len(times)))] if times else 0.0


async def run_clients(
    port: int, clients: int, seconds: float, ask: Callable[[int], bytes], own: Callable[[int, bytes], bool]
) -> Asked:
    """Return what so many clients saw, each asking time after time; `own` tells whether an answer is theirs."""
    seen, until = Asked(), time.monotonic() + seconds
    numbers = iter(range(10**9))

    async def client() -> None:
        while time.monotonic() < until:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                while await _ask_once(reader, writer, next(numbers), ask, own, seen) and time.monotonic() < until:
                    pass
                writer.close()
            except (OSError, asyncio.IncompleteReadError):
                seen.broken += 1
                await asyncio.sleep(0.05)

    await asyncio.gather(*(client() for _ in range(clients)))
    return seen


async def _ask_once(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    number: int,
    ask: Callable[[int], bytes],
    own: Callable[[int, bytes], bool],
    seen: Asked,
) -> bool:
    """Note one answer, waiting as it says if it is a refusal; return whether the connection can be used again."""
    started = time.perf_counter()
    status, headers, body = await exchange(reader, writer, ask(number))
    seen.answers.append((status, 1000 * (time.perf_counter() - started)))
    if status == 200:
        seen.crossed += not own(number, body)
    else:
        await asyncio.sleep(min(1.0, float(headers.get("retry-after", "0.1"))))
    return headers.get("connection") != "close"


async def exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes, path: str = "/v1/predict"
) -> tuple[int, dict[str, str], bytes]:
    """Return the status, the headers and the body of the answer to one request on an open connection."""
    head = (
        f"POST {path} HTTP/1.1",
        "host: 127.0.0.1",
        "content-type: application/json",
        f"content-length: {len(body)}",
    )
    writer.write("\r\n".join((*head, "", "")).encode() + body)
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
    came = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split()[1]), came, await reader.readexactly(int(came.get("content-length", "0")))


async def probe(port: int, seconds: float, body: bytes) -> Asked:
    """Return what one patient client saw who comes anew again and again, refused or not.

    In a process that does nothing else, it sees how long the server takes; many clients of one process also wait for
    each other.
    """
    seen, until = Asked(), time.monotonic() + seconds
    while time.monotonic() < until:
        started = time.perf_counter()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            status, _, _ = await exchange(reader, writer, body)
            seen.answers.append((status, 1000 * (time.perf_counter() - started)))
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            seen.broken += 1
        rested = time.perf_counter()
        await asyncio.sleep(REST)
        seen.late = max(seen.late, 1000 * (time.perf_counter() - rested - REST))
    return seen


def request(model: str, *inputs: str) -> bytes:
    """Return the body of a request for predictions."""
    return json.dumps({"model": model, "inputs": inputs}).encode()


if __name__ == "__main__":  # http_clients.py PORT SECONDS, the body on standard input: probe, and print what was seen
    found = asyncio.run(probe(int(sys.argv[1]), float(sys.argv[2]), sys.stdin.buffer.read()))
    print(json.dumps([found.answers, found.broken, found.late]))
