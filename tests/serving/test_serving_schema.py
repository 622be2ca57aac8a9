"""Requests made up from the server's own description find no fault of ours, and nothing that is not described."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)
from serving_client import Served

from heed.serving.app import Service, build_app
from heed.serving.batching import Batcher
from heed.serving.doors import doors_for
from heed.serving.guard import Guard
from heed.serving.limits import Limits

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
)
EXAMPLES = 100  # requests for each route, right and wrong ones


@pytest.fixture(scope="module")
def description(served: Served) -> Iterator[schemathesis.BaseSchema]:
    """Return what the server tells of itself."""
    limits = Limits()
    service = Service(served.models, Batcher(limits), limits)
    service.batcher.start()
    guard = Guard(build_app(service), doors_for("127.0.0.1", names=["testserver"]), limits)
    yield schemathesis.openapi.from_asgi("/openapi.json", guard)
    service.batcher.abandon()


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/health"),
        ("GET", "/v1/models"),
        ("GET", "/v1/runs"),
        ("GET", "/v1/comparisons"),
        ("GET", "/v1/examples/{model}"),
        ("POST", "/v1/predict"),
        ("POST", "/v1/explain"),
        ("POST", "/v1/explain/page"),
    ],
)
def test_every_route_answers_as_it_is_described(
    description: schemathesis.BaseSchema, method: str, path: str, mode: GenerationMode
) -> None:
    if (method, mode) == ("GET", GenerationMode.NEGATIVE) and "{" not in path:
        pytest.skip("there is nothing to get wrong in it")

    @given(case=description[path][method].as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def answers(case: schemathesis.Case) -> None:
        # The names of the models are in no description: without one, nothing behind them would be reached.
        if mode is GenerationMode.POSITIVE and isinstance(case.body, dict):
            case.body["model"] = "reversing"
        case.call_and_validate(checks=CHECKS)

    answers()
