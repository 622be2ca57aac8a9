"""What a server might tell, made up for a test: models, examples, and an answer to every input."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from page_server import Answer

from heed.serving.examples import Example, Examples
from heed.serving.models import READS, ModelFacts
from heed.serving.replies import Result, predicted

OPTIONS = {"translate": ("beam", "best"), "caption": ("beam",), "write": ("length", "seed")}


def facts(name: str = "model", task: str = "classify", state: Any = "ready", **more: Any) -> ModelFacts:
    """Return what is told of a model."""
    return ModelFacts(name, task, state, reads=READS.get(task, "text"), options=OPTIONS.get(task, ()), **more)


class Told:
    """Answers as a server would; `asked` holds the bodies that came."""

    def __init__(self, models: list[ModelFacts], answer: Callable[[Any], Result], *examples: Any) -> None:
        self.models = models
        self.answer = answer
        self.examples = tuple(Example(each, "what is expected") for each in examples)
        self.more: dict[str, Any] = {"/v1/runs": {"runs": []}, "/v1/comparisons": {"comparisons": []}}
        self.refusals: list[Answer] = []  # that come before the next answers
        self.asked: list[Any] = []

    def __call__(self, path: str, body: Any) -> Answer:
        """Return the answer to a request."""
        if path == "/v1/models":
            return _json({"models": [asdict(model) for model in self.models]})
        if path.startswith("/v1/examples/"):
            return _json(asdict(Examples("model", "demo:made-up", False, self.examples)))
        if path != "/v1/predict":
            return _json(self.more[path])
        self.asked.append(body)
        if self.refusals:
            return self.refusals.pop(0)
        return 200, {}, predicted(body["model"], [self.answer(body["inputs"][0])])


def refusal(status: int, detail: str, **headers: str) -> Answer:
    """Return a refusal with its sentence."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps({"error": "word", "detail": detail})


def _json(value: object) -> Answer:
    return 200, {}, json.dumps(value)
