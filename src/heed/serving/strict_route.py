"""`StrictRoute`: bodies are read as JSON only where they say so; doubtful JSON is refused, not guessed at."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, cast

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute

from heed.runs.strict_json import JSON, decode_object
from heed.serving.turns import Turns

AT_ONCE = 65_536  # bytes that are read on the loop; larger bodies would keep all other clients waiting


class StrictRequest(Request):
    """A request whose JSON is an object without NaN, double keys or half characters, and not nested without end."""

    async def json(self) -> dict[str, JSON]:
        """Return the object of the body, or refuse it."""
        body = await self.body()
        try:
            return decode_object(body) if len(body) <= AT_ONCE else await asyncio.to_thread(decode_object, body)
        except ValueError as problem:
            detail = f"The body of {len(body):,} bytes cannot be read: {str(problem)[:200]}. Send one JSON object."
            raise HTTPException(400, detail) from None


class StrictRoute(APIRoute):
    """A route that reads `StrictRequest`s."""

    # The type is FastAPI's own, which says no more of it.
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        answer, has_body = super().get_route_handler(), self.body_field is not None

        async def answer_strictly(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if not has_body:
                return await answer(strict)
            _check_content_type(request.headers.get("content-type", ""))
            async with turns_of(request):
                return await answer(strict)

        return answer_strictly


def turns_of(request: Request) -> Turns:
    """Return the turns of the application that answers a request."""
    return cast(Turns, request.app.state.turns)


def _check_content_type(given: str) -> None:
    # A form of another site can send text/plain without asking; JSON it cannot.
    if given.partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, f"The content type is {given[:80]!r}. Send application/json.")
