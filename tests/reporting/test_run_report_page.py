"""The page of a run: what the run has is on it and nothing else, and what comes from outside stays text."""

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from made_runs import DATA, MASKING, line_of, made_run
from read_pages import Skeleton

from heed.pages.markup import escaped
from heed.reporting.facts import RunFacts, gather
from heed.reporting.page import page_text
from heed.reporting.report import report_run
from heed.tasks.validation import Sample

PAYLOADS = (
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title></head><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</svg><script>alert(1)</script>",
    '"><script>alert(1)</script>',
    '" onmouseover="alert(1)',
    "' autofocus onfocus=alert(1) x='",
    "<a href=javascript:alert(1)>x</a>",
    "</td></tr></table><h1>forged",
    "--><!-- a comment",
    "<meta http-equiv=refresh content=0>",
    "<base href=//evil.example>",
    "&lt;b&gt;&#60;b&#62;",
    "\x00<scr\x00ipt>alert(1)</scr\x00ipt>",
    "\u202e<b>backwards\u202c",
)


def titles(page: str) -> list[str]:
    return re.findall("<h2>([^<]*)</h2>", page)


def everywhere(folder: Path, text: str) -> RunFacts:
    """Return a run that holds the text wherever data, settings or the names of folders can put one."""
    run = made_run(folder / "run", finished=False, sample=Sample(text, f"{text}!", text * 30))
    facts = gather(run)
    data = replace(
        facts.data,
        origin=text,
        note=text,
        files={"train": [text, text]},
        others={text: text},
        digests={text: text},
        left_out=(text,),
    )
    settings = tuple(replace(each, name=text, value=text, usual=text) for each in facts.settings[:2])
    assert facts.best is not None
    best = replace(facts.best, name=text, values={text: 0.5, "loss": 1.0})
    validations = tuple(replace(point, values={text: 0.5}) for point in facts.progress.validations)
    return replace(
        facts,
        path=text,
        name=text,
        task=text,
        model=text,
        best=best,
        progress=replace(facts.progress, validations=validations),
        data=data,
        settings=settings,
        machine={"torch": text},
        faults=(text,),
    )


def test_the_page_has_all_sections_that_the_run_has_and_no_other(tmp_path: Path) -> None:
    page = page_text(gather(made_run(tmp_path / "run")))
    expected = ["The result", "Curves", "Samples along training", "Data", "What was cut", "Settings", "How to use it"]
    assert titles(page) == expected
    for said in ("Best accuracy on the validation data: 0.12 at step 12", "the soup was cold", "24 of 1,200"):
        assert said in page
    assert f"heed predict {tmp_path}/run" in page


def test_a_run_without_a_step_shows_no_empty_section(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", steps=0, finished=False, settings={"training": {"steps": 3}}, data={})
    page = page_text(gather(run))
    assert titles(page) == ["The result", "Data", "Settings", "How to use it"]
    assert "It has not been validated yet" in page
    assert "heed resume" in page
    assert "heed predict" not in page


def test_a_run_that_was_stopped_says_so_and_how_to_go_on(tmp_path: Path) -> None:
    page = page_text(gather(made_run(tmp_path / "run", finished=False)))
    assert f"Training was stopped at step 12 and can go on: heed resume {tmp_path}/run" in page


def test_a_run_in_progress_says_so(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run", finished=False)
    with folder.lock():
        assert "written while the run was training, at step 12" in page_text(gather(folder))


def test_what_could_not_be_read_stands_on_the_page(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run")
    folder.metrics.write_bytes(b"no JSON\n")
    page = page_text(gather(folder))
    assert "metrics.jsonl:1 is damaged" in page
    assert "Curves" not in titles(page)


def test_pre_training_shows_the_audit_of_its_masking(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", "pretrain", data={**DATA, "masking": MASKING})
    page = page_text(gather(run))
    assert "How words were hidden" in titles(page)
    for share in ("15.12%", "78.91%", "11.23%", "9.86%", "48.77%"):
        assert share in page
    without = page_text(gather(made_run(tmp_path / "mlm", "pretrain", data={"masking": {**MASKING, "follows": None}})))
    assert "IsNext" in page
    assert "IsNext" not in without


def test_pre_training_shows_how_well_rules_that_do_not_read_tell_pairs_apart(tmp_path: Path) -> None:
    pairs = {"labelled": 9, "pairs": 4321, "by_length": 0.5021, "by_first_token": 0.4932, "by_last_token": 0.5143}
    page = page_text(gather(made_run(tmp_path / "run", "pretrain", data={"masking": MASKING, "pairs": pairs})))
    assert "Next-sentence accuracy of rules that do not read, on 4,321 pairs" in page
    for share in ("50.21%", "49.32%", "51.43%"):
        assert share in page
    without = page_text(gather(made_run(tmp_path / "old", "pretrain", data={"masking": MASKING})))
    assert "rules that do not read" not in without


def test_two_writings_are_the_same_bytes_and_elsewhere_too(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run")
    first = report_run(folder.path).page.read_bytes()
    assert report_run(folder.path).page.read_bytes() == first
    assert report_run(folder.path, tmp_path / "page.html").page.read_bytes() == first


def test_the_report_leaves_the_run_as_it_is(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run")
    before = {path: path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}
    page = report_run(folder.path).page
    after = {path: path.read_bytes() for path in folder.path.rglob("*") if path.is_file() and path != page}
    assert after == before


def test_the_page_fetches_and_runs_nothing(tmp_path: Path) -> None:
    page = page_text(gather(made_run(tmp_path / "run")))
    assert not re.findall(r"(?:https?:)?//[a-z]", page)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, *_ in Skeleton(page).elements}
    assert not re.findall(r"<[^>]* style=", page)
    assert "default-src 'none'; style-src 'sha256-" in page


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_leaves_the_page_with_the_very_elements_of_a_harmless_text(payload: str, tmp_path: Path) -> None:
    page = page_text(everywhere(tmp_path / "a", payload))
    harmless = page_text(everywhere(tmp_path / "b", "x" * len(payload)))
    assert Skeleton(page).elements == Skeleton(harmless).elements
    assert escaped(payload) in page
    assert payload not in page


def test_the_best_validation_is_marked_in_every_chart_that_has_it(tmp_path: Path) -> None:
    facts = gather(made_run(tmp_path / "run"))
    page = page_text(facts)
    assert page.count('class="best"') == 2 * 2  # a line and a ring, for loss and accuracy
    assert page_text(replace(facts, best=None)).count('class="best"') == 0


def test_curves_are_told_apart_without_colour(tmp_path: Path) -> None:
    page = page_text(gather(made_run(tmp_path / "run")))
    validated = re.findall(r'<g class="validated">.*?</g>', page)
    trained = re.findall(r'<g class="trained">.*?</g>', page)
    assert all("<circle" in each for each in validated)
    assert not any("<circle" in each for each in trained)


def test_a_report_of_a_long_run_is_made_at_once(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run", steps=4)
    line = b'{"step": 5, "loss": 1.5, "learning_rate": 0.001, "epoch": 1, "tokens": 9, "gradient_norm": 1.0}\n'
    with folder.metrics.open("ab") as file:
        file.write(line * 50_000)
    folder.append_metrics(line_of(50_005, validated=True))
    began = time.process_time()
    page = page_text(gather(folder))
    assert time.process_time() - began < 0.5
    assert len(page) < 200_000


def test_a_notebook_shows_the_page_in_a_frame_that_runs_nothing(tmp_path: Path) -> None:
    shown = report_run(made_run(tmp_path / "run").path)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox=""' in shown
    assert "the soup was cold" in shown
