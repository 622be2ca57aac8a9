"""`build_app`: the routes of the server. What they refuse has one JSON shape, and never a path of this machine."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, cast

from fastapi import FastAPI, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse

from heed import __version__
from heed.errors import HeedError
from heed.inspection.page.document import page_text
from heed.serving.asking import work_of
from heed.serving.batching import Batcher, Work
from heed.serving.beside import comparisons_beside, runs_beside
from heed.serving.comparisons import table_of
from heed.serving.curves import curves_of
from heed.serving.examples import Examples, examples_of
from heed.serving.explaining import explaining_of
from heed.serving.limits import Limits
from heed.serving.models import Models
from heed.serving.refusals import Refusal, fault, without_paths
from heed.serving.replies import (
    ComparisonsReply,
    ErrorReply,
    ExplainReply,
    HealthReply,
    ModelsReply,
    PredictReply,
    Result,
    RunsReply,
    explained,
    predicted,
)
from heed.serving.requests import ExplainRequest, PredictRequest, read_inputs
from heed.serving.strict_route import StrictRoute, turns_of
from heed.serving.turns import Turns
from heed.serving.web_files import WebFile, web_files

ANSWERS = (401, 403, 408, 413, 421, 429, 500, 503)  # that any request may get instead of a result
QUESTIONS = (400, 404, 415, 422)  # that one with a body may get besides
PAGE: dict[int | str, dict[str, object]] = {
    200: {"description": "A page", "content": {"text/html": {"schema": {"type": "string"}}}}
}


@dataclass(frozen=True, eq=False)
class Service:
    """What the routes work with."""

    models: Models
    batcher: Batcher
    limits: Limits


def build_app(service: Service) -> FastAPI:
    """Return the application; `guard.py` stands before it."""
    # Without the pages of FastAPI's own, which load scripts from another site.
    app = FastAPI(title="heed", version=__version__, docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.state.turns = Turns()
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(HeedError, _mendable)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _faulty)
    router = APIRouter(route_class=StrictRoute)
    _add_facts(router, service)
    _add_questions(router, service)
    app.include_router(router)
    for path, file in web_files().items():
        app.add_api_route(path, _sender(file), include_in_schema=False)
    return app


def _add_facts(router: APIRouter, service: Service) -> None:
    reading = asyncio.Lock()  # logs may be long: one is read at a time

    @router.get("/health", responses=_errors(ANSWERS))
    async def health() -> HealthReply:
        """Tell whether requests are taken; 503 once the server is being stopped."""
        service.batcher.check_open()
        states = [model.state for model in service.models.facts()]
        ready, loading, failed = (states.count(state) for state in ("ready", "loading", "failed"))
        return HealthReply(status="loading" if loading else "ok", ready=ready, loading=loading, failed=failed)

    @router.get("/v1/models", responses=_errors(ANSWERS))
    async def models() -> ModelsReply:
        """List the models, those too that are not loaded yet or could not be."""
        return ModelsReply(models=service.models.facts())

    @router.get("/v1/runs", responses=_errors(ANSWERS))
    async def runs() -> RunsReply:
        """Tell how the models, and other runs beside them, were trained: the numbers of each, at most 500 points."""
        served = service.models.runs
        async with reading:
            others = await asyncio.to_thread(runs_beside, served)
            curves = [await asyncio.to_thread(curves_of, run) for run in served]
            return RunsReply(runs=curves + [await asyncio.to_thread(curves_of, run, False) for run in others])

    @router.get("/v1/comparisons", responses=_errors(ANSWERS))
    async def comparisons() -> ComparisonsReply:
        """Tell what was compared: the tables of the comparisons beside the runs that are served."""
        async with reading:
            folders = await asyncio.to_thread(comparisons_beside, service.models.runs)
            return ComparisonsReply(comparisons=[await asyncio.to_thread(table_of, folder) for folder in folders])

    @router.get("/v1/examples/{model}", responses=_errors((*ANSWERS, 404, 422)))
    async def examples(model: Annotated[str, Path(max_length=255)]) -> Examples:
        """Give a few inputs to try a model with; they are there before the model has loaded."""
        run = service.models.run(model)
        async with reading:
            return await asyncio.to_thread(examples_of, run)


def _add_questions(router: APIRouter, service: Service) -> None:
    limits = service.limits

    @router.post("/v1/predict", response_model=PredictReply, responses=_errors(ANSWERS + QUESTIONS))
    async def predict(asked: PredictRequest, request: Request) -> Response:
        """Predict each input, in order."""
        predictor = service.models.get(asked.model)
        work = work_of(asked.model, predictor, read_inputs(asked.inputs, limits), asked.options, limits)
        results = await _unless_gone(request, service.batcher, work)
        return _json(predicted(asked.model, cast(Sequence[Result], results)))

    @router.post("/v1/explain", response_model=ExplainReply, responses=_errors(ANSWERS + QUESTIONS))
    async def explain_one(asked: ExplainRequest, request: Request) -> Response:
        """Look inside the model while it reads one input."""
        work = explaining_of(service.models.get(asked.model), asked, limits, explained)
        (seen,) = await _unless_gone(request, service.batcher, work)
        return _json(cast(bytes, seen))

    # Not HTMLResponse as the class of the route: its refusals, which are JSON, would be described as HTML too.
    @router.post("/v1/explain/page", response_class=Response, responses=PAGE | _errors(ANSWERS + QUESTIONS))
    async def explain_on_a_page(asked: ExplainRequest, request: Request) -> Response:
        """Look inside the model while it reads one input: a page that needs nothing else, as `heed explain` writes."""
        work = explaining_of(service.models.get(asked.model), asked, limits, lambda seen: page_text(seen).encode())
        (page,) = await _unless_gone(request, service.batcher, work)
        return HTMLResponse(cast(bytes, page), headers={"cache-control": "no-store"})


async def _unless_gone(request: Request, batcher: Batcher, work: Work) -> Sequence[object]:
    """Return the results of a work, which is dropped when the client goes away."""
    predicting, leaving = asyncio.ensure_future(batcher.run(work)), asyncio.ensure_future(_gone(request))
    try:
        async with turns_of(request).let_others():
            await asyncio.wait({predicting, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if predicting.done():
            return predicting.result()
        raise Refusal(503, "gone", "The client went away.")  # nobody reads it
    finally:
        predicting.cancel()
        leaving.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


def _sender(file: WebFile) -> Callable[[], Awaitable[Response]]:
    async def send() -> Response:
        return Response(file.content, media_type=file.content_type, headers={"cache-control": "no-cache"})

    return send


def _errors(statuses: Sequence[int]) -> dict[int | str, dict[str, object]]:
    return {status: {"model": ErrorReply, "description": HTTPStatus(status).phrase} for status in statuses}


def _answer(refusal: Refusal) -> Response:
    return Response(refusal.body(), refusal.status, refusal.headers())


async def _refused(_: Request, problem: Exception) -> Response:
    return _answer(cast(Refusal, problem))


async def _mendable(_: Request, problem: Exception) -> Response:
    return _answer(Refusal(400, "request", without_paths(str(problem))))


async def _invalid(_: Request, problem: Exception) -> Response:
    faults = cast(RequestValidationError, problem).errors()
    told = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in faults[:4]]
    return _answer(Refusal(422, "invalid", without_paths("; ".join(told))))


async def _http(request: Request, problem: Exception) -> Response:
    given = cast(HTTPException, problem)
    word = HTTPStatus(given.status_code).phrase
    detail = given.detail if given.detail != word else f"{word}: {request.method} {request.url.path[:80]!r}."
    answer = _answer(Refusal(given.status_code, word.lower().replace(" ", "-"), detail))
    answer.headers.update(given.headers or {})
    return answer


async def _faulty(_: Request, __: Exception) -> Response:
    return _answer(fault())
