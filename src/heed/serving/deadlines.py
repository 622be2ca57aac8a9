"""`DeadlineProtocol`: uvicorn's HTTP protocol, which by itself waits for half a request for ever."""

import asyncio

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from heed.serving.limits import Limits


class DeadlineProtocol(H11Protocol):
    """A connection that is closed when headers, or an answer and its reading, take too long."""

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

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for headers; close at once what is one too many."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            transport.abort()
            return
        self._wait(self.limits.header_seconds)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have come already."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._forget()

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


def protocol_with(limits: Limits) -> type[DeadlineProtocol]:
    """Return the protocol for these limits."""
    return type("DeadlineProtocol", (DeadlineProtocol,), {"limits": limits})
