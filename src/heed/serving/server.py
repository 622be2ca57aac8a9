"""`Server`: a socket, uvicorn on it, and an orderly end: what runs is finished within a deadline."""

import asyncio
import errno
import logging
import math
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from heed.errors import MachineError
from heed.serving.app import Service, build_app
from heed.serving.batching import Batcher
from heed.serving.connection import connection_with
from heed.serving.doors import Doors
from heed.serving.guard import Guard
from heed.serving.limits import Limits
from heed.serving.memory import keep_little
from heed.serving.models import ModelFacts, Models

LAST_PORT = 65_535
BACKLOG = 2_048  # connections that the system keeps until they are accepted
ACCEPTED_AT_ONCE = 16  # of those, before the loop looks at others again
SWITCH_SECONDS = 0.001  # after which a thread that computes lets others run: refusals must not wait for a batch
SPARE_SECONDS = 1.0  # of the deadline, to send refusals


@dataclass(frozen=True)
class Address:
    """Where a server is reached."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class Server:
    """The models of some runs, on a socket that is bound already."""

    def __init__(self, paths: Sequence[Path], bound: socket.socket, doors: Doors, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._service = Service(Models(paths), Batcher(self.limits), self.limits)
        self._socket = bound
        self._guard = Guard(build_app(self._service), doors, self.limits)

    @property
    def address(self) -> Address:
        """Return where it is reached; with port 0 the system has chosen one."""
        host, port = self._socket.getsockname()[:2]
        return Address(host, port)

    def models(self) -> list[ModelFacts]:
        """Return what is known of each model; before `run` none is loaded."""
        return self._service.models.facts()

    def run(self) -> bool:
        """Serve until SIGTERM or Ctrl-C; return whether all work has ended, rather than been left behind."""
        keep_little()
        sys.setswitchinterval(SWITCH_SECONDS)
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it would log what clients have sent
        self._service.models.start()
        self._service.batcher.start()
        web = _Uvicorn(self._config(), self._service.batcher, self.limits)
        asyncio.run(web.serve([self._socket]))
        return self._service.batcher.join(0.5) and self._service.models.wait(0)

    def _config(self) -> uvicorn.Config:
        return uvicorn.Config(
            self._guard,
            http=connection_with(self.limits),
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=ACCEPTED_AT_ONCE,
            timeout_keep_alive=self.limits.idle_seconds,
            timeout_graceful_shutdown=math.ceil(self.limits.shutdown_seconds),
        )


class _Uvicorn(uvicorn.Server):
    """uvicorn, whose end by a signal is a good one."""

    def __init__(self, config: uvicorn.Config, batcher: Batcher, limits: Limits) -> None:
        super().__init__(config)
        self._batcher = batcher
        self._limits = limits

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop. uvicorn would raise the signal again at its end, and the exit code would not be 0."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept. How many are accepted at once would also be how many the system keeps: let it keep more."""
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(BACKLOG)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more, finish what was taken, and refuse what is left when time is nearly up."""
        self._batcher.close()
        seconds = max(self._limits.shutdown_seconds - SPARE_SECONDS, 0.5 * self._limits.shutdown_seconds)
        asyncio.get_running_loop().call_later(seconds, self._batcher.abandon)
        await super().shutdown(sockets)
        self._batcher.abandon()


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; refuse one that is taken or not of this computer."""
    if not 0 <= port <= LAST_PORT:  # some systems would take it modulo 65536
        raise MachineError(f"The port {port} does not exist. Give one from 0 to {LAST_PORT}.")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, number, _, address = found[0]
        bound = socket.socket(family, kind, number)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(BACKLOG)  # whoever comes before the loop runs waits a moment, and is not sent away
    except OSError as problem:
        raise MachineError(_why(host, port, problem)) from None
    return bound


def _why(host: str, port: int, problem: OSError) -> str:
    match problem.errno:
        case errno.EADDRINUSE:
            return f"The port {port} of {host} is taken by another program. Give another with --port, or 0 for any."
        case errno.EACCES:
            return f"The port {port} is for the system alone. Give one from 1024 on with --port."
        case _:
            return f"{host} is no address of this computer ({problem.strerror}). Give another with --host."
