"""An application with models that are loaded, and a client of it, without a socket."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import httpx

from heed.serving.app import Service, build_app
from heed.serving.batching import Batcher
from heed.serving.doors import doors_for
from heed.serving.guard import Guard
from heed.serving.limits import Limits
from heed.serving.models import Models

Told = TypeVar("Told")


class Served:
    """Models that are loaded, behind an application with limits of one's own."""

    def __init__(self, models: Models) -> None:
        self.models = models

    def told(
        self,
        act: Callable[[httpx.AsyncClient], Awaitable[Told]],
        limits: Limits | None = None,
        host: str = "127.0.0.1",
        token: str | None = None,
    ) -> Told:
        """Return what a story with a client ends with."""

        async def run() -> Told:
            own = limits or Limits()
            service = Service(self.models, Batcher(own), own)
            service.batcher.start()
            guard = Guard(build_app(service), doors_for(host, token), own)
            transport = httpx.ASGITransport(guard, raise_app_exceptions=False)
            try:
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                    return await act(client)
            finally:
                service.batcher.abandon()

        return asyncio.run(run())

    def post(self, path: str, body: object, limits: Limits | None = None) -> httpx.Response:
        """Return the answer to one request."""
        return self.told(lambda client: client.post(path, json=body), limits)

    def get(self, path: str) -> httpx.Response:
        """Return the answer to one request."""
        return self.told(lambda client: client.get(path))
