"""A server of its own process: who dawdles is closed by a deadline, and SIGTERM ends it in time with exit code 0."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from heed.errors import MachineError
from heed.serving.server import bind

LIMITS: dict[str, Any] = {"header_seconds": 1.0, "body_seconds": 1.5, "shutdown_seconds": 5.0, "queue_requests": 8}
SLACK = 20.0  # seconds: a busy machine may be slow, but not without end
BODY = json.dumps({"model": "reversing", "inputs": ["one two three four"] * 8}).encode()
POST = b"POST /v1/predict HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"


class Running:
    """A server and its port."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process = process
        self.port = port

    def connect(self, *sent: bytes) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=SLACK)
        for part in sent:
            connection.sendall(part)
        return connection

    def ask(self, method: str = "GET", path: str = "/health", body: bytes | None = None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SLACK)
        try:
            connection.request(method, path, body, {"content-type": "application/json"} if body else {})
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()

    def stop(self) -> tuple[int, float]:
        """Send SIGTERM; return the exit code and the seconds that it took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SLACK), time.monotonic() - started


@contextmanager
def running(run: Path) -> Iterator[Running]:
    """Start a server and wait until its model is loaded."""
    command = [sys.executable, str(Path(__file__).parent / "serve_small.py"), json.dumps(LIMITS), str(run)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            server = Running(process, int(process.stdout.readline()))
            until = time.monotonic() + 3 * SLACK
            while json.loads(server.ask()[1])["ready"] == 0:
                assert time.monotonic() < until, "the model was not loaded"
                time.sleep(0.05)
            yield server
        finally:
            process.kill()


@pytest.fixture(scope="module")
def server(reversing: Path) -> Iterator[Running]:
    with running(reversing) as started:
        yield started


def read_to_end(connection: socket.socket) -> bytes:
    """Return all that comes until the server closes the connection."""
    parts = []
    try:
        while part := connection.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@pytest.mark.slow
def test_256_half_sent_connections_are_closed_by_their_deadline_and_others_are_answered(server: Running) -> None:
    started = time.monotonic()
    connections = [server.connect(b"GET /health HTTP/1.1\r\nhost: local") for _ in range(256)]
    assert server.ask()[0] == 200
    assert [read_to_end(each) for each in connections] == [b""] * 256
    assert LIMITS["header_seconds"] <= time.monotonic() - started < LIMITS["header_seconds"] + SLACK


@pytest.mark.slow
def test_a_byte_now_and_then_does_not_put_the_deadline_off(server: Running) -> None:
    connection = server.connect(b"GET /health HTTP/1.1\r\n")
    dripping = threading.Event()

    def drip() -> None:
        try:
            while not dripping.wait(0.1):
                connection.sendall(b"a")
        except OSError:
            pass

    thread = threading.Thread(target=drip)
    thread.start()
    assert read_to_end(connection) == b""
    dripping.set()
    thread.join()


@pytest.mark.slow
def test_half_a_second_request_is_closed_too(server: Running) -> None:
    connection = server.connect(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
    assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
    connection.sendall(b"GET /health HT")
    assert not read_to_end(connection).startswith(b"HTTP")


@pytest.mark.slow
def test_half_a_body_is_answered_408_by_its_deadline(server: Running) -> None:
    connection = server.connect(POST % len(BODY), BODY[:20])
    reply = read_to_end(connection)
    assert reply.startswith(b"HTTP/1.1 408") and b"within 1.5 seconds" in reply


@pytest.mark.slow
def test_headers_without_end_are_refused(server: Running) -> None:
    connection = server.connect(b"GET /health HTTP/1.1\r\nhost: localhost\r\n", b"x: " + b"a" * 100_000)
    assert read_to_end(connection)[:12] in (b"HTTP/1.1 400", b"")


@pytest.mark.slow
def test_one_request_too_many_is_refused_at_once_though_it_is_long_and_others_are_looked_at(server: Running) -> None:
    being_answered = [server.connect(POST % len(BODY), BODY[:20]) for _ in range(LIMITS["queue_requests"])]
    assert json.loads(server.ask()[1])["ready"] == 1  # by now those before it are known
    long = b"x" * 5_000_000
    reply = read_to_end(server.connect(POST % len(long), long))
    headers, _, body = reply.partition(b"\r\n\r\n")
    assert headers.startswith(b"HTTP/1.1 429 ") and b"\r\nretry-after: 1\r\n" in headers
    assert b"content-security-policy" in headers and json.loads(body)["error"] == "full"
    again = server.connect()
    for _ in range(2):  # a short one may ask again on the same connection
        again.sendall(POST % len(BODY) + BODY)
        short = again.recv(65_536)
        assert short.startswith(b"HTTP/1.1 429 ") and b"connection: close" not in short
    for connection in being_answered:  # and they are answered: their bodies are missing
        assert read_to_end(connection).startswith(b"HTTP/1.1 408")
    assert server.ask("POST", "/v1/predict", BODY)[0] == 200


def stop_under_load(run: Path) -> tuple[int, float, list[int]]:
    """Return the exit code, the seconds it took, and every status that clients got, of a server stopped under load."""
    statuses: list[int] = []

    def ask(server: Running) -> None:
        try:
            while True:
                statuses.append(server.ask("POST", "/v1/predict", BODY)[0])
        except (OSError, http.client.HTTPException):  # it no longer listens
            return

    with running(run) as server, ThreadPoolExecutor(24) as clients:
        asking = [clients.submit(ask, server) for _ in range(24)]
        server.connect(POST % len(BODY), BODY[:20])  # half a body must not hold it up
        while len(statuses) < 30:
            time.sleep(0.01)
        code, seconds = server.stop()
        for each in asking:
            each.result(SLACK)
    return code, seconds, statuses


@pytest.mark.slow
def test_sigterm_under_load_ends_in_time_with_exit_code_0(reversing: Path) -> None:
    for _ in range(3):
        code, seconds, statuses = stop_under_load(reversing)
        assert code == 0
        assert seconds < LIMITS["shutdown_seconds"] + 2
        assert set(statuses) <= {200, 429, 503} and 200 in statuses


def test_a_port_that_is_taken_or_none_is_one_sentence() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(MachineError, match=f"The port {port} of 127.0.0.1 is taken"):
            bind("127.0.0.1", port)
    with pytest.raises(MachineError, match="The port 70000 does not exist"):
        bind("127.0.0.1", 70_000)
    with pytest.raises(MachineError, match=r"192\.0\.2\.1 is no address of this computer"):
        bind("192.0.2.1", 0)
