"""The routes: results are those of the predictors, and every refusal has one shape, its value, and no path."""

import asyncio
import base64
import json
import re
from pathlib import Path

import httpx
import pytest
from serving_client import Served

from heed.decoding.beam import BeamSettings
from heed.prediction.loading import load_classifier, load_translator
from heed.serving.limits import Limits
from heed.serving.web_files import web_files, web_paths

RED, BLUE = "apple cherry", "sky sea"


def ask(**more: object) -> dict[str, object]:
    return {"model": "colours", "inputs": [RED], **more}


def test_predictions_are_those_of_the_predictor_in_the_order_of_the_inputs(served: Served, colours: Path) -> None:
    reply = served.post("/v1/predict", ask(inputs=[RED, BLUE, "leaf"]))
    assert reply.status_code == 200
    expected = load_classifier(colours).predict([RED, BLUE, "leaf"])
    for got, result in zip(reply.json()["results"], expected, strict=True):
        assert (got["texts"], got["label"], got["unknown"]) == (list(result.texts), result.label, result.unknown)
        assert got["probabilities"] == pytest.approx(dict(result.probabilities), abs=1e-6)


def test_options_of_a_search_reach_the_translator(served: Served, reversing: Path) -> None:
    body = {"model": "reversing", "inputs": ["one two three"], "options": {"beam": 5, "best": 3}}
    (result,) = served.post("/v1/predict", body).json()["results"]
    (expected,) = load_translator(reversing).predict(["one two three"], BeamSettings(beams=5, results=3))
    assert [each["text"] for each in result["alternatives"]] == [each.text for each in expected.alternatives]
    assert len(result["alternatives"]) == 3


def test_what_is_drawn_does_not_depend_on_companions(served: Served) -> None:
    body = {"model": "reversing", "inputs": ["five four", "one"], "options": {"sample": True, "seed": 3}}

    async def together(client: httpx.AsyncClient) -> list[object]:
        replies = await asyncio.gather(*(client.post("/v1/predict", json=body) for _ in range(6)))
        return [reply.json()["results"] for reply in replies]

    alone = served.post("/v1/predict", body).json()["results"]
    assert served.told(together, Limits(gather_seconds=0.05)) == [alone] * 6


def test_a_result_does_not_depend_on_what_it_was_batched_with(served: Served) -> None:
    texts = [RED, BLUE, "leaf", "ink ink ink ink ink", "frog sky", ""]
    requests = [ask(inputs=[text]) for text in texts]

    async def together(client: httpx.AsyncClient) -> list[httpx.Response]:
        return await asyncio.gather(*(client.post("/v1/predict", json=body) for body in requests * 5))

    async def alone(client: httpx.AsyncClient) -> list[httpx.Response]:
        return [await client.post("/v1/predict", json=body) for body in requests]

    replies = served.told(together, Limits(gather_seconds=0.05))
    for reply, expected in zip(replies, served.told(alone) * 5, strict=True):
        (got,), (single,) = reply.json()["results"], expected.json()["results"]
        assert (got["texts"], got["label"]) == (single["texts"], single["label"])
        assert got["probabilities"] == pytest.approx(single["probabilities"], abs=1e-6)


def test_an_explanation_tells_the_same_answer_and_its_weights(served: Served) -> None:
    seen = served.post("/v1/explain", {"model": "reversing", "input": "one two"}).json()
    (said,) = served.post("/v1/predict", {"model": "reversing", "inputs": ["one two"]}).json()["results"]
    assert seen["answer"] == said["text"]
    assert {axis["name"] for axis in seen["axes"]} >= {"source", "target"}
    assert seen["looked"] and all(base64.b64decode(head) for each in seen["looked"] for head in each["heads"])


def test_models_tell_what_they_read_and_can_say(served: Served) -> None:
    colours, reversing = served.get("/v1/models").json()["models"]
    assert (colours["name"], colours["state"], colours["reads"]) == ("colours", "ready", "text")
    assert sorted(colours["labels"]) == ["blue", "green", "red"]
    assert colours["options"] == [] and "beam" in reversing["options"]


def test_health_counts_the_models(served: Served) -> None:
    assert served.get("/health").json() == {"status": "ok", "ready": 2, "loading": 0, "failed": 0}


def test_runs_tell_their_curves_and_no_path(served: Served, colours: Path) -> None:
    reply = served.get("/v1/runs")
    run = reply.json()["runs"][0]
    steps = [point["step"] for point in run["points"]]
    assert run["finished"] and steps == sorted(steps) and steps[-1] == 30
    assert run["settings"]["kind"] == "textcnn"
    assert str(colours.parent) not in reply.text


REFUSED: list[tuple[object, int, str]] = [
    (ask(model="colour"), 404, "no model 'colour'"),
    (ask(inputs=[]), 422, "inputs"),
    (ask(inputs=[7]), 422, "inputs.0"),
    (ask(inputs=[["one"]]), 422, "inputs.0"),
    (ask(more=1), 422, "more"),
    (ask(options={"beam": False}), 422, "options.beam"),
    (ask(options={"beam": 3}), 400, "option beam means nothing to a classifier"),
    (ask(inputs=[["one", "two"]]), 400, "Input 1 is a pair of texts; a classifier reads a text"),
    (ask(inputs=[{"picture": "AAAA"}]), 400, "Input 1 is a picture"),
    (ask(inputs=[{"picture": "no base64!"}]), 400, "'no base64!'"),
    (ask(inputs=["a" * 31]), 413, "31 characters; at most 30"),
    (ask(inputs=["a"] * 5), 413, "5 inputs; at most 4"),
    (ask(inputs=[{"picture": "AAAA" * 20}]), 413, "60 bytes; at most 40"),
    (ask(model="reversing", options={"beam": 7}), 400, "7 beams are asked for; at most 6"),
    (ask(model="reversing", options={"best": 9}), 400, "best is 9; at most 8"),
    (ask(model="reversing", options={"beam": 2, "best": 3}), 400, "results is 3 with 2 beams"),
    (ask(model="reversing", options={"beam": 2, "greedy": True}), 400, "greedy and beam came together"),
    ([], 400, "it holds a list, not an object"),
]


@pytest.mark.parametrize(("body", "status", "detail"), REFUSED)
def test_what_is_refused_says_why(served: Served, body: object, status: int, detail: str) -> None:
    small = Limits(texts=4, text_characters=30, picture_bytes=40, beams=6, results=8)
    reply = served.post("/v1/predict", body, small)
    assert reply.status_code == status, reply.text
    assert set(reply.json()) == {"error", "detail"}
    assert detail in reply.json()["detail"]


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b'{"model": NaN}', "NaN is not a number"),
        (b'{"model": "a", "model": "b"}', "'model' stands twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"model": ' + b"9" * 5000 + b"}", "5,011 bytes cannot be read"),
        (rb'{"model": "\ud800"}', "not UTF-8"),
        (b"\xff", "not UTF-8"),
        (b'{"model"', "8 bytes cannot be read"),
    ],
)
def test_doubtful_json_is_refused(served: Served, content: bytes, detail: str) -> None:
    headers = {"content-type": "application/json"}
    reply = served.told(lambda client: client.post("/v1/predict", content=content, headers=headers))
    assert reply.status_code == 400, reply.text
    assert detail in reply.json()["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_does_not_call_itself_json_is_refused(served: Served, kind: str) -> None:
    content, headers = json.dumps(ask()).encode(), {"content-type": kind}
    reply = served.told(lambda client: client.post("/v1/predict", content=content, headers=headers))
    assert reply.status_code == 415 and repr(kind) in reply.json()["detail"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/predict", 405), ("GET", "/docs", 404), ("GET", "/../conftest.py", 404), ("GET", "/web/", 404)],
)
def test_other_addresses_and_methods_are_refused_in_the_same_shape(
    served: Served, method: str, path: str, status: int
) -> None:
    reply = served.told(lambda client: client.request(method, path))
    assert reply.status_code == status and set(reply.json()) == {"error", "detail"}


def test_the_page_has_exact_types_and_loads_nothing_from_elsewhere(served: Served) -> None:
    types = {"/": "html", "/index.html": "html", "/page.css": "css", "/shared.css": "css", "/page.js": "javascript"}
    for path, kind in types.items():
        assert served.get(path).headers["content-type"] == f"text/{kind}; charset=utf-8"
    # The one name of another site is that of SVG, which no browser fetches.
    addresses = [found for file in web_files().values() for found in re.findall(rb"\w+://[^\"']*", file.content)]
    assert set(addresses) == {b"http://www.w3.org/2000/svg"}


def test_every_file_that_the_page_asks_for_is_served(served: Served) -> None:
    asked = {
        name
        for file in web_files().values()
        for name in re.findall(rb"(?:from \"\.|src=\"|href=\")(/[\w.]+)", file.content)
    }
    assert {name.decode() for name in asked} <= set(web_files()) == set(web_paths())
    assert len(asked) == len(web_files()) - 2  # all of them are used; "/" and "/index.html" are where one begins


def test_the_description_names_every_route(served: Served) -> None:
    paths = served.get("/openapi.json").json()["paths"]
    facts = {"/health", "/v1/models", "/v1/runs", "/v1/comparisons", "/v1/examples/{model}"}
    assert set(paths) == {*facts, "/v1/predict", "/v1/explain", "/v1/explain/page"}


def test_a_full_queue_answers_429_with_retry_after(served: Served) -> None:
    async def many(client: httpx.AsyncClient) -> list[httpx.Response]:
        return await asyncio.gather(*(client.post("/v1/predict", json=ask()) for _ in range(40)))

    replies = served.told(many, Limits(queue_requests=3, gather_seconds=0.2))
    statuses = [reply.status_code for reply in replies]
    assert set(statuses) == {200, 429} and statuses.count(200) >= 3
    assert all(int(reply.headers["retry-after"]) >= 1 for reply in replies if reply.status_code == 429)
