"""`Connection`: uvicorn's HTTP protocol with deadlines, and with refusals that come before anything is read.

By itself it waits for half a request for ever, and reads every request, a millisecond of work, to refuse it then.
"""

import asyncio
import re

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from heed.serving.limits import Limits
from heed.serving.policy import HEADERS
from heed.serving.refusals import Refusal

QUESTION = b"POST "  # how a request begins that costs more than a look; others are answered under any load
BUSY = Refusal(429, "full", "Too many requests are being answered already. Try again in 1 s.", 1)
LINGER_SECONDS = 2.0  # for a refused client to read why, before what it still sends breaks the connection


class Connection(H11Protocol):
    """Closed when headers, or an answer and its reading, take too long; refused when too many are being answered."""

    limits = Limits()  # of a subclass: uvicorn makes the connections itself, and hands over nothing of ours

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._deadline: asyncio.TimerHandle | None = None
        self._answering: RequestResponseCycle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for headers; close at once what is one too many."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            transport.abort()
            return
        self._wait(self.limits.header_seconds)

    def data_received(self, data: bytes) -> None:
        """Read on, unless this is one request too many: then answer so, and read nothing more."""
        if self._refused:
            return
        if not self._is_one_too_many(data):
            super().data_received(data)
            self._look()
        elif is_whole(data):
            self._refuse()
        else:
            self._refuse_and_close()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have come already."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._forget()

    def _is_one_too_many(self, data: bytes) -> bool:
        if len(self.tasks) < self.limits.queue_requests or not data.startswith(QUESTION):
            return False
        return self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]  # not the rest of a request

    def _refuse(self) -> None:
        self._unset_keepalive_if_required()  # it counts from the last answer that uvicorn gave
        self.transport.write(_BUSY)
        self._wait(self.limits.header_seconds)

    def _refuse_and_close(self) -> None:
        # Where the request ends is not known, so nothing that follows could be read.
        self._refused = True
        self.transport.write(_BUSY_AND_CLOSE)
        self.transport.write_eof()
        self._wait(LINGER_SECONDS)

    def _look(self) -> None:
        """Set the deadline of what the connection does now, when that has changed."""
        cycle = self.cycle if self.cycle is not None and not self.cycle.response_complete else None
        if cycle is not self._answering:
            self._answering = cycle
            self._wait(self.limits.header_seconds if cycle is None else self.limits.request_seconds)

    def _wait(self, seconds: float) -> None:
        self._forget()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        # Not close(), which first waits until the client has read what is left for it.
        self.transport.abort()


def connection_with(limits: Limits) -> type[Connection]:
    """Return the protocol for these limits."""
    return type("Connection", (Connection,), {"limits": limits})


def is_whole(data: bytes) -> bool:
    """Tell whether this is one plain request from its first byte to its last; when in doubt, it is not."""
    head, end, body = data.partition(b"\r\n\r\n")
    lengths = _LENGTH.findall(head + b"\r\n")
    return bool(end) and len(lengths) == 1 and int(lengths[0]) == len(body) and b"transfer-encoding" not in head.lower()


def _answer(refusal: Refusal, **more: str) -> bytes:
    """Return a refusal as it is sent, whatever was asked."""
    body = refusal.body()
    headers = {**HEADERS, **refusal.headers(), "content-length": str(len(body)), **more}
    lines = [f"HTTP/1.1 {refusal.status} Too Many Requests", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join((*lines, "", "")).encode() + body


_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*(?=\r\n)", re.IGNORECASE)
_BUSY, _BUSY_AND_CLOSE = _answer(BUSY), _answer(BUSY, connection="close")
