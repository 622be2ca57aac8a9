"""The page of an explanation as text: whole without a script, closed to everything else, and small."""

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path

import numpy
import pytest
from made_explanations import EVERY, classified, numbers, rows_that_sum_to_one, translated
from read_pages import Reader

from heed.errors import MachineError
from heed.inspection.explanation import Axis, Choice, Explanation, HeadOff, Looked, Numbers, Share
from heed.inspection.page import packing
from heed.inspection.page.document import page_text, write_explanation
from heed.inspection.page.packing import LARGEST, pack


@pytest.fixture(params=EVERY, scope="module")
def explanation(request: pytest.FixtureRequest) -> Explanation:
    return EVERY[request.param]()


@pytest.fixture(scope="module")
def reader(explanation: Explanation) -> Reader:
    return Reader(page_text(explanation))


def unpacked(page: str, site: str) -> Numbers:
    """Return the weights that a page holds of a site, as its script reads them."""
    held = json.loads(Reader(page).raw["application/json"])
    found = next(each for each in held["sites"] if each["site"] == site)
    bytes_of_heads = [zlib.decompress(base64.b64decode(head)) for head in found["heads"]]
    if held["rounding"] == "fine":
        return numpy.stack([numpy.frombuffer(head, "<u2") / numpy.float32(65_535) for head in bytes_of_heads])
    return numpy.stack([(numpy.frombuffer(head, numpy.uint8) / numpy.float32(255)) ** 2 for head in bytes_of_heads])


def test_every_element_is_closed_in_its_turn(reader: Reader) -> None:
    assert reader.open == []


def test_the_page_names_nothing_outside_itself(reader: Reader) -> None:
    tags = {tag for tag, _ in reader.starts}
    assert not {"link", "img", "iframe", "object", "embed", "form", "base"} & tags
    addresses = [each["href"] or "" for tag in ("a", "use", "image") for each in reader.all(tag)]
    assert all(address.startswith(("#", "data:image/png;base64,")) for address in addresses)
    script = reader.raw["module"].replace("http://www.w3.org/2000/svg", "")  # the name of SVG, which nothing fetches
    assert not re.search(r"https?:|url\(|@import", reader.raw["style"] + script)


def test_the_browser_may_run_this_very_script_and_use_this_very_style_alone(reader: Reader) -> None:
    policy = next(each["content"] or "" for each in reader.all("meta") if "http-equiv" in each)
    hashes = {
        kind: base64.b64encode(hashlib.sha256(reader.raw[kind].encode()).digest()).decode()
        for kind in ("module", "style")
    }
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes['module']}'; style-src 'sha256-{hashes['style']}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def test_no_attribute_holds_style_or_script(reader: Reader) -> None:
    names = {name for _, attributes in reader.starts for name in attributes}
    assert "style" not in names
    assert not {name for name in names if name.startswith("on")}


def test_the_script_sets_text_only_as_text(reader: Reader) -> None:
    script = reader.raw["module"]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|srcdoc|DOMParser", script)
    assert "</script" not in script and "<!--" not in script


def test_input_answer_choices_and_notes_are_there_without_a_script(explanation: Explanation, reader: Reader) -> None:
    shown = [*explanation.given, explanation.answer, explanation.model, *explanation.notes, *explanation.tree]
    shown += [choice.text for choice in explanation.choices]
    assert all(re.sub(r"\s+", " ", text) in reader.text for text in shown)


def test_every_share_is_there_without_a_script(explanation: Explanation, reader: Reader) -> None:
    blocks = [each for each in reader.all("details") if each.get("class") == "share"]
    assert len(blocks) == len(explanation.shares)


def test_one_sentence_says_that_attention_is_no_explanation_by_itself(reader: Reader) -> None:
    assert reader.text.count("it is not an explanation by itself") == 1


def test_the_sentence_stands_among_the_notes_where_there_is_no_attention() -> None:
    assert "it is not an explanation by itself" in Reader(page_text(replace(classified(), looked=()))).text


def test_every_table_has_a_caption_and_every_picture_words(reader: Reader) -> None:
    assert len(reader.all("caption")) == len(reader.all("table")) > 0
    assert all(each.get("aria-label") or each.get("aria-hidden") for each in reader.all("svg"))


def test_every_control_has_a_label(reader: Reader) -> None:
    assert len(reader.all("select")) == len(reader.all("label"))


def test_a_piece_that_moved_the_answer_bears_its_sign_its_shade_and_its_number() -> None:
    page = page_text(classified())
    assert '<span class="piece up s10">warmth<small>+0.550</small></span>' in page
    assert '<span class="piece down s5">dull<small>−0.270</small></span>' in page
    assert '<span class="piece">of</span>' in page


def test_the_texts_of_one_answer_are_shaded_alike() -> None:
    axes = (Axis("first", ("big",)), Axis("second", ("small",)))
    shares = tuple(
        Share("positive", "rollout", axis.name, numbers(value)) for axis, value in zip(axes, (0.8, 0.4), strict=True)
    )
    page = page_text(replace(classified(), axes=axes, looked=(), shares=shares))
    assert '<span class="piece up s10">big' in page
    assert '<span class="piece up s5">small' in page


def test_pieces_of_one_word_stand_close_together() -> None:
    page = page_text(classified())
    assert re.search(r'class="piece up s\d+ joined">forget<', page)
    assert re.search(r'class="piece up s\d+">un<', page)


@pytest.mark.parametrize(
    ("probability", "shown"), [(0.5, "50.0 %"), (0.99999, "> 99.9 %"), (0.00001, "< 0.1 %"), (1.0, "100.0 %")]
)
def test_what_is_nearly_sure_never_reads_as_sure(probability: float, shown: str) -> None:
    page = page_text(replace(classified(), probability=probability, choices=(Choice("x", 0.5),)))
    assert f">{shown.replace('<', '&lt;').replace('>', '&gt;')}</span>" in page


def test_the_change_without_a_head_is_that_of_the_probability() -> None:
    assert "encoder.1.self 2 41.2 % −51.9 negative look" in Reader(page_text(classified())).text


@pytest.mark.parametrize(
    ("whole", "without", "shown"),
    [(0.5, 0.46, "−4.0"), (0.5, 0.5001, "0.0"), (0.002, 0.001, "× 0.50"), (None, 0.5, "–")],
)
def test_a_change_is_told_in_points_and_of_what_is_improbable_as_a_factor(
    whole: float | None, without: float, shown: str
) -> None:
    heads = (HeadOff("encoder.0.self", 2, without, "neutral"),)
    text = Reader(page_text(replace(classified(), probability=whole, heads=heads))).text
    assert f"{shown} neutral" in text


def test_the_page_of_a_sentence_holds_its_weights_within_a_hundred_thousandth() -> None:
    explanation = translated()
    for looked in explanation.looked:
        held = unpacked(page_text(explanation), looked.site).reshape(looked.weights_HTS.shape)
        numpy.testing.assert_allclose(held, looked.weights_HTS, atol=1e-5)


def looked_at(heads: int, tokens: int, site: str = "encoder.0.self") -> Looked:
    return Looked(site, "text", "text", rows_that_sum_to_one(heads, tokens, tokens))


def test_many_weights_are_held_in_one_byte_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "FINE_CELLS", 100)
    explanation = replace(classified(), looked=(looked_at(2, 12),))
    page = page_text(explanation)
    held = unpacked(page, "encoder.0.self").reshape(2, 12, 12)
    numpy.testing.assert_allclose(held, explanation.looked[0].weights_HTS, atol=0.004)
    assert "each is right within 0.004" in Reader(page).text


def test_of_too_many_weights_the_largest_of_each_row_are_held_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "FINE_CELLS", 100)
    monkeypatch.setattr(packing, "COARSE_CELLS", 1000)
    weights_HTS = numpy.random.default_rng(0).dirichlet(numpy.full(40, 9), size=(2, 39)).astype(numpy.float32)
    packed = pack([Looked("decoder.0.cross", "target", "text", weights_HTS)])
    held = numpy.frombuffer(zlib.decompress(base64.b64decode(packed.sites[0].heads[1])), numpy.uint8).reshape(39, 40)
    ranks = numpy.argsort(numpy.argsort(-weights_HTS[1], axis=1), axis=1)
    numpy.testing.assert_array_equal(held > 0, ranks < LARGEST)
    assert any(f"only the {LARGEST} largest" in note for note in packed.notes)


def test_sites_that_do_not_fit_are_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = (looked_at(2, 12, "encoder.0.self"), looked_at(2, 12, "encoder.1.self"))
    first = sum(len(base64.b64decode(head)) for head in pack(looked).sites[0].heads)
    monkeypatch.setattr(packing, "MOST_BYTES", first)
    text = Reader(page_text(replace(classified(), looked=looked))).text
    assert "Attention too large for a page is left out: encoder.1.self." in text


def test_a_site_larger_than_a_browser_can_hold_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "SITE_CELLS", 2 * 12 * 12)
    packed = pack([looked_at(3, 12, "large"), looked_at(2, 12, "small")])
    assert [site.site for site in packed.sites] == ["small"]
    assert packed.notes == ("Attention too large for a page is left out: large.",)


@pytest.mark.slow
def test_six_layers_of_eight_heads_over_512_tokens_stay_below_fifteen_megabytes() -> None:
    looked = tuple(looked_at(8, 512, f"encoder.{layer}.self") for layer in range(6))
    labels = tuple(f"word{number}" for number in range(512))
    page = page_text(replace(classified(), axes=(Axis("text", labels),), looked=looked, shares=(), heads=()))
    assert len(page) < 15_000_000
    assert "left out" not in Reader(page).text


def test_weights_that_are_no_numbers_read_as_zero() -> None:
    weights_HTS = rows_that_sum_to_one(1, 12, 12)
    weights_HTS[0, 3] = numpy.nan
    page = page_text(replace(classified(), looked=(Looked("encoder.0.self", "text", "text", weights_HTS),)))
    assert not unpacked(page, "encoder.0.self").reshape(12, 12)[3].any()


def test_more_pieces_of_shares_than_a_page_can_hold_are_counted() -> None:
    labels = tuple("abcdefghij" * 1000)
    shares = tuple(Share(f"word {number}", "rollout", "text", numbers(*[1.0] * 10_000)) for number in range(8))
    page = page_text(replace(classified(), axes=(Axis("text", labels),), looked=(), shares=shares))
    assert "Shares of 2 more answers are left out" in page
    assert page.count('class="share"') == 6


def test_an_empty_label_and_an_endless_one_can_be_seen() -> None:
    labels = ("", " ", "x" * 1_000_000)
    share = Share("positive", "rollout", "text", numbers(1, 2, 3))
    page = page_text(replace(classified(), axes=(Axis("text", labels),), looked=(), shares=(share,)))
    assert page.count("␣</bdi>") == page.count(">␣<small>") == 2
    assert len(page) < 100_000


def test_choices_at_many_places_are_folded_away_and_those_at_few_are_not() -> None:
    choices = tuple(Choice(f"said {place}", 0.5, f"word {place}") for place in range(4))
    folded = "What might have stood at each of 4 places"
    assert folded in page_text(replace(classified(), choices=choices))
    assert folded not in page_text(replace(classified(), choices=choices[:3]))


def test_an_explanation_with_nothing_inside_is_a_page() -> None:
    bare = Explanation("classify", "linear", ("a text",), "positive", None, (), ())
    assert "a text" in Reader(page_text(bare)).text


def test_a_notebook_shows_the_same_page_in_a_frame_that_reaches_nothing() -> None:
    explanation = classified()
    (frame,) = Reader(explanation._repr_html_()).all("iframe")
    assert frame["srcdoc"] == page_text(explanation)
    assert frame["sandbox"] == "allow-scripts"


def test_the_page_is_written_as_it_is(tmp_path: Path) -> None:
    write_explanation(classified(), tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page_text(classified())


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"page\.html cannot be written: .*mkdir -p"):
        write_explanation(classified(), tmp_path / "none" / "page.html")
