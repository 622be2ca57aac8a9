"""The work of an explanation: it is never less than what is kept, and what would be too much is refused."""

from pathlib import Path

import pytest
from serving_client import Served

from heed.inspection.explaining.explain import explain
from heed.inspection.explanation import Explanation
from heed.prediction.loading import load_predictor
from heed.prediction.translator import Translator
from heed.serving.explaining import explaining_of, heads_in, places_in
from heed.serving.limits import Limits
from heed.serving.requests import ExplainRequest, SentPicture

TEXT = "one two three four"


def kept(seen: Explanation) -> int:
    return sum(each.weights_HTS.size for each in seen.looked)


def tokens_of(model: Translator, **more: object) -> int:
    asked = ExplainRequest(model="reversing", input=TEXT, **more)
    return explaining_of(model, asked, Limits(), lambda _: b"").tokens


@pytest.fixture(scope="module")
def model(served: Served) -> Translator:
    """Return a translator: two heads in each of its three attentions, and room for 12 pieces."""
    found = served.models.get("reversing")
    assert isinstance(found, Translator)
    return found


def test_heads_are_those_of_all_sites_or_of_the_ones_that_match(model: Translator) -> None:
    assert heads_in(model.model) == 6
    assert heads_in(model.model, ("decoder.*",)) == 4
    assert heads_in(model.model, ("nowhere",)) == 0


def test_no_more_weights_are_kept_than_were_counted_before(model: Translator, seeing: Path) -> None:
    for text in ("one", TEXT, "five " * 30):
        assert 0 < kept(explain(model, text)) <= heads_in(model.model) * places_in(model, text) ** 2
    sighted = load_predictor(seeing)
    picture = SentPicture("picture 1", next((seeing.parent / "pictures").rglob("*.png")).read_bytes(), 1000)
    counted = heads_in(sighted.model) * places_in(sighted, picture) ** 2
    assert kept(explain(sighted, picture)) == counted == 2 * 5**2


def test_heads_steps_and_weights_each_make_the_work_larger(model: Translator) -> None:
    plain = tokens_of(model)
    assert tokens_of(model, heads=True) > plain
    assert tokens_of(model, steps=5) > plain
    assert tokens_of(model, sites=["nowhere"]) <= plain


def test_more_weights_than_the_limit_are_refused_with_their_number(served: Served) -> None:
    body = {"model": "reversing", "input": TEXT}
    for path in ("/v1/explain", "/v1/explain/page"):
        reply = served.post(path, body, Limits(explained_weights=1_349))
        assert reply.status_code == 413
        assert "Up to 1,350 attention weights would be kept; at most 1,349" in reply.json()["detail"]
    few = served.post("/v1/explain", {**body, "sites": ["decoder.*.cross"]}, Limits(explained_weights=1_349))
    assert few.status_code == 200


def test_the_page_of_an_explanation_is_whole_and_says_what_is_predicted(served: Served) -> None:
    reply = served.post("/v1/explain/page", {"model": "reversing", "input": TEXT, "beam": 2})
    assert reply.status_code == 200 and reply.headers["content-type"] == "text/html; charset=utf-8"
    seen = served.post("/v1/explain", {"model": "reversing", "input": TEXT, "beam": 2}).json()
    assert seen["answer"] in reply.text and "The search" in reply.text
