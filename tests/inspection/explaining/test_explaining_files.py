"""An explanation as JSON, as a picture and in a terminal: every number is there, and none too many."""

import json
from pathlib import Path

import numpy
import pytest
from PIL import Image
from tiny_models import EXAMPLES, TEXT, classifier, encoder

from heed.cli.explained_text import HONEST, lines_of
from heed.errors import UsageError
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import explain
from heed.inspection.explanation import Axis, Explanation, Looked
from heed.inspection.explanation_drawing import MOST_BARS, draw_explanation, panels_of
from heed.inspection.explanation_json import json_text, write_json
from heed.inspection.page.document import page_text


def test_json_holds_every_number_to_six_digits(found: Explanation) -> None:
    values = json.loads(json_text(found))
    assert (values["task"], values["answer"]) == (found.task, found.answer)
    assert [axis["labels"] for axis in values["axes"]] == [list(axis.labels) for axis in found.axes]
    for told, each in zip(values["looked"], found.looked, strict=True):
        assert told["site"] == each.site
        numpy.testing.assert_allclose(told["weights"], each.weights_HTS, atol=6e-7)
    for told, share in zip(values["shares"], found.shares, strict=True):
        numpy.testing.assert_allclose(told["values"], share.values_S, atol=6e-7, rtol=1e-6)
    assert len(values["heads"]) == len(found.heads)


def large(sizes: dict[str, int]) -> Explanation:
    looked = tuple(
        Looked(site, "text", "text", numpy.zeros((1, size, size), dtype=numpy.float32)) for site, size in sizes.items()
    )
    return Explanation("classify", "made up", ("a",), "b", 0.5, (Axis("text", ("a",)),), looked)


def test_json_that_would_be_too_large_is_refused_with_a_site_that_fits() -> None:
    with pytest.raises(UsageError, match=r"2 attentions would be about 4 MB.*at most 3 MB.*--site encoder\.0\.self"):
        json_text(large({"encoder.0.self": 200, "encoder.1.self": 600}), largest=3_000_000)
    with pytest.raises(UsageError, match=r"No single attention fits: write an \.html page"):
        json_text(large({"encoder.0.self": 600}), largest=3_000_000)


def test_json_is_written_whole(tmp_path: Path) -> None:
    found = explain(classifier(encoder()), TEXT)
    write_json(found, tmp_path / "found.json")
    assert json.loads((tmp_path / "found.json").read_text())["answer"] == found.answer


@pytest.mark.parametrize("name", ["classify", "classify textcnn", "translate", "image", "caption", "answer"])
def test_an_explanation_is_drawn_as_a_picture(name: str, pictures: Path, tmp_path: Path) -> None:
    example = EXAMPLES[name](pictures)
    found = explain(example.predictor, example.given)
    draw_explanation(found, tmp_path / "found.png")
    image = Image.open(tmp_path / "found.png")
    image.load()
    assert min(image.size) > 200


@pytest.mark.parametrize("name", ["image", "caption"])
def test_an_explanation_names_the_picture_and_not_its_folder(name: str, pictures: Path) -> None:
    example = EXAMPLES[name](pictures)
    found = explain(example.predictor, example.given)
    assert found.given == ("picture.png",)
    assert str(pictures) not in page_text(found) + json_text(found)


def test_every_explanation_is_a_page(found: Explanation) -> None:
    page = page_text(found)
    assert found.model in page
    assert all(each.site in page for each in found.looked)


def test_signs_of_mathematics_and_of_control_are_drawn_as_they_are(tmp_path: Path) -> None:
    found = explain(classifier(encoder()), r"the $\frac{ cat $ sat ^_ \x07")
    draw_explanation(found, tmp_path / "found.png")
    assert (tmp_path / "found.png").stat().st_size > 1000


def test_of_many_words_those_that_moved_most_are_drawn() -> None:
    text = "the cat sat on a mat " * 20
    found = explain(classifier(encoder(longest=120)), text)
    first = panels_of(found)[0]
    assert first.height < 0.6 + 0.2 * (MOST_BARS + 1)


def test_the_terminal_tells_answer_words_heads_sites_notes_and_the_caution(found: Explanation) -> None:
    lines = list(lines_of(found))
    text = "\n".join(lines)
    assert found.answer[:100] in lines[0]
    assert lines[-1] == HONEST
    assert "gradient x input" in text
    assert all(each.site in text for each in found.looked)
    assert all(note in text for note in found.notes)
    assert (f"{found.heads[0].site} head {found.heads[0].head}" in text) if found.heads else True


def test_bars_point_to_the_side_of_their_sign_and_the_largest_is_the_longest() -> None:
    found = explain(classifier(encoder()), TEXT, Asked())
    bars = {line.split()[0]: line for line in lines_of(found) if "|" in line}
    values = dict(zip(found.axes[0].labels, found.shares[0].values_S.tolist(), strict=True))
    assert set(bars) == set(values)
    for word, line in bars.items():
        left, _, right = line.partition("|")
        assert ("+" in right) == (round(20 * values[word] / max(map(abs, values.values()))) > 0)
        assert left.rstrip("-").endswith(" ") or values[word] < 0
    assert any("+" * 20 in line or "-" * 20 in line for line in bars.values())


def test_nothing_in_a_text_moves_the_cursor_of_the_terminal() -> None:
    found = explain(classifier(encoder()), "the \x1b[2J cat")
    assert not any("\x1b" in line for line in lines_of(found))
