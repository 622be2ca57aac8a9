"""`Turns`: few requests at a time are read or answered, so that between two of them the loop hears who else has come.

A loop runs all that is ready before it looks at its sockets again. After a batch that may be hundreds of answers and
as many new requests, a millisecond each: whoever is to be refused would wait for all of them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

AT_ONCE = 4  # some milliseconds of work, then the loop looks up


class Turns:
    """Whoever computes on the loop holds a turn: `async with turns`."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    async def __aenter__(self) -> None:
        await self._free.acquire()

    async def __aexit__(self, *problem: object) -> None:
        self._give_back()

    @asynccontextmanager
    async def let_others(self) -> AsyncIterator[None]:
        """Give the turn away while something is waited for, and take another afterwards."""
        self._give_back()
        try:
            yield
        finally:
            # Also for whoever is cancelled meanwhile: the turn that its `async with` gives back is this one.
            await asyncio.shield(self._free.acquire())

    def _give_back(self) -> None:
        # Only when the loop has looked up: at once, all that is ready would have it one after the other.
        asyncio.get_running_loop().call_soon(self._free.release)
