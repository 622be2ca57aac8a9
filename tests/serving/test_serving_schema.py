"""Requests made up from the server's own description find no fault of ours, and nothing that is not described."""

from collections.abc import Iterator

import pytest
import schemathesis
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


@pytest.fixture(scope="module")
def description(served: Served) -> Iterator[schemathesis.BaseSchema]:
    limits = Limits()
    service = Service(served.models, Batcher(limits), limits)
    service.batcher.start()
    guard = Guard(build_app(service), doors_for("127.0.0.1", names=["testserver"]), limits)
    yield schemathesis.openapi.from_asgi("/openapi.json", guard)
    service.batcher.abandon()


schema = schemathesis.pytest.from_fixture("description")


@pytest.mark.slow
@schema.parametrize()
def test_every_route_answers_as_it_is_described(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS)
