"""`Guard`: stands before the application, and lets in only whole, small enough requests of those who may ask."""

import asyncio
import logging
import os
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.serving.doors import Doors
from heed.serving.limits import Limits
from heed.serving.policy import HEADERS
from heed.serving.refusals import Refusal, fault

log = logging.getLogger("heed.serving")

_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class ClientGone(Exception):  # noqa: N818  nothing is wrong
    """The client went away while it sent."""


@dataclass
class _Sender:
    """Sends with the headers that every answer has, and knows whether it has begun."""

    send: Send
    begun: bool = field(default=False, init=False)

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            message = {**message, "headers": [*message.get("headers", ()), *_HEADERS]}
        await self.send(message)

    async def refuse(self, refusal: Refusal, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        body = refusal.body()
        headers = [(name.encode(), value.encode()) for name, value in refusal.headers().items()]
        headers += [(b"content-length", str(len(body)).encode()), *more]
        await self({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


@dataclass
class _Body:
    """What a request has sent so far."""

    parts: list[bytes] = field(default_factory=list)
    size: int = 0

    def whole(self) -> bytes:
        """Return all that was sent, and keep no second copy of it."""
        whole = b"".join(self.parts)
        self.parts.clear()
        return whole


class Guard:
    """An application before an application."""

    def __init__(self, app: ASGIApp, doors: Doors, limits: Limits) -> None:
        self._app = app
        self._doors = doors
        self._limits = limits
        self._held = 0  # bytes of all bodies that are being read or answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":  # the beginning and the end of the server
            await self._app(scope, receive, send)
            return
        sender, body = _Sender(send), _Body()
        try:
            self._doors.check(scope["path"], _headers(scope))
            await self._read(body, scope, receive)
            await self._app(scope, _replayed(body.whole(), receive), sender)
        except ClientGone:
            pass
        except Refusal as refusal:
            await sender.refuse(refusal, _more(refusal))
        except Exception as problem:  # the last stop: a client gets a sentence, never a traceback
            # Without the message, which may hold what a user wrote.
            log.error("a fault of ours: %s", type(problem).__name__, exc_info="HEED_DEBUG" in os.environ)
            if not sender.begun:
                await sender.refuse(fault())
        finally:
            self._held -= body.size

    async def _read(self, body: _Body, scope: Scope, receive: Receive) -> None:
        declared = _headers(scope).get("content-length", "0")
        if declared.isdecimal() and int(declared[:20]) > self._limits.body_bytes:
            raise self._too_large(int(declared[:20]))
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while await self._read_part(body, receive):
                    pass
        except TimeoutError:
            seconds = self._limits.body_seconds
            raise Refusal(408, "slow", f"The body did not come within {seconds:g} seconds.") from None

    async def _read_part(self, body: _Body, receive: Receive) -> bool:
        """Add what came; return whether there is more."""
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        part = message.get("body", b"")
        body.parts.append(part)
        body.size += len(part)
        self._held += len(part)
        if body.size > self._limits.body_bytes:
            raise self._too_large(body.size)
        if self._held > self._limits.bodies_bytes:
            raise Refusal(429, "full", f"{self._held:,} bytes of requests are held already. Try again in 2 s.", 2)
        return bool(message.get("more_body", False))

    def _too_large(self, size: int) -> Refusal:
        most = self._limits.body_bytes
        return Refusal(413, "large", f"The body has {size:,} bytes or more; at most {most:,} are taken.")


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers; of two of a name, which no honest client sends of those that are looked at, the last."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _more(refusal: Refusal) -> tuple[tuple[bytes, bytes], ...]:
    # The rest of the body is not waited for, so nothing can follow on this connection.
    close = (b"connection", b"close")
    return (close, (b"www-authenticate", b"Bearer")) if refusal.status == 401 else (close,)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return how the application receives: the whole body at once, then whatever the client does next."""
    waiting = [body]

    async def receive_whole() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return receive_whole
