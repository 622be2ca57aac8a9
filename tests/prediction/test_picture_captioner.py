"""A trained captioner in use: captions whatever the batch, broken pictures named, scores, and where it looked."""

import sys
from pathlib import Path

import pytest
import torch

from heed import api
from heed.data.records import CaptionedImage
from heed.data.squares import squared
from heed.decoding.beam import BeamSettings
from heed.errors import DataError, UsageError
from heed.files.images import read_image
from heed.layers.trace import Trace
from heed.prediction import picture_captioner
from heed.prediction.picture_captioner import PictureCaptioner
from heed.tasks.image import to_floats
from heed.tasks.translating import GreedySettings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runs"))
from pictured import write_captions

VIT = {"image": 16, "patch": 8, "width": 16, "heads": 2, "layers": 1, "feedforward": 24, "drop_path": 0.0}
SETTINGS: dict[str, object] = {
    "model": {"encoder": VIT, "width": 16, "heads": 2, "layers": 2, "feedforward": 24, "dropout": 0.0, "longest": 9},
    "augmentation": {"colour": 0.0},
    "training": {
        "steps": 80,
        "tokens_per_batch": 150,
        "learning_rate": 1e-2,
        "validations": 1,
        "average": 0.9,
        "threads": 1,
    },
}


def trained(table: Path, settings: dict[str, object], out: Path) -> PictureCaptioner:
    found = api.train("caption", str(table), settings=settings, out=out).load()
    assert isinstance(found, PictureCaptioner)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("captions")


@pytest.fixture(scope="module")
def model(folder: Path) -> PictureCaptioner:
    """Return what has learnt to name the colours."""
    return trained(write_captions(folder / "pictures"), SETTINGS, folder / "run")


@pytest.fixture
def pictures(folder: Path, model: PictureCaptioner) -> Path:
    return folder / "pictures"


def test_a_caption_is_the_first_of_its_alternatives_and_names_what_is_there(
    model: PictureCaptioner, pictures: Path
) -> None:
    names = ("red", "blue", "green")
    found = model.predict([pictures / name / "003.png" for name in names], BeamSettings(beams=3, results=3))
    for name, each in zip(names, found, strict=True):
        assert each.name == str(pictures / name / "003.png")
        assert each.problem is None
        assert name in str(each.text).split()
        assert len({choice.text for choice in each.alternatives}) == 3
        scores = [choice.score for choice in each.alternatives]
        assert scores == sorted(scores, reverse=True)
        assert each.text == each.alternatives[0].text
        assert {choice.ended for choice in each.alternatives} <= {"end", "length"}


def test_a_caption_does_not_depend_on_its_companions(
    model: PictureCaptioner, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = sorted(pictures.rglob("*.png"))
    together = model.predict(paths)
    for path, found in list(zip(paths, together, strict=True))[::7]:
        (alone,) = model.predict([path])
        assert alone.text == found.text
        assert alone.alternatives[0].score == pytest.approx(found.alternatives[0].score, abs=1e-4)
    monkeypatch.setattr(picture_captioner, "CHUNK", 5)
    assert [each.text for each in model.predict(paths)] == [each.text for each in together]


def test_a_stream_reads_no_further_than_a_chunk(
    model: PictureCaptioner, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_captioner, "CHUNK", 2)
    asked: list[int] = []

    def endless() -> object:
        while True:
            asked.append(len(asked))
            yield pictures / "red/000.png"

    stream = model.stream(endless(), GreedySettings())  # type: ignore[arg-type]
    assert next(stream).text == next(stream).text
    assert len(asked) == 2


def test_a_broken_picture_has_a_problem_and_no_caption_and_the_others_keep_theirs(
    model: PictureCaptioner, pictures: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes((pictures / "red/000.png").read_bytes()[:100])
    good = [pictures / "red/001.png", pictures / "blue/001.png"]
    first, second, third, fourth = model.predict([good[0], broken, tmp_path / "gone.png", good[1]])
    assert (second.text, second.alternatives, third.text) == (None, (), None)
    assert "can be read" in str(second.problem)
    assert "does not exist" in str(third.problem)
    assert [first.text, fourth.text] == [each.text for each in model.predict(good)]
    (alone,) = model.predict([broken])
    assert alone == second


def records_of(pictures: Path) -> list[CaptionedImage]:
    """Return pictures, each with all captions that its colour ever has."""
    return [
        CaptionedImage(path, (f"a {path.parent.name} picture", f"all of it is {path.parent.name}", path.parent.name))
        for path in sorted(pictures.rglob("*.png"))
    ]


def test_an_evaluation_scores_every_picture_that_can_be_read_and_names_the_others(
    model: PictureCaptioner, pictures: Path, tmp_path: Path
) -> None:
    records = records_of(pictures)
    gone = CaptionedImage(tmp_path / "gone.png", ("red",))
    found = model.evaluate([records[0], gone, *records[1:]])
    assert len(found.captions) == found.scores.count == 36
    assert [each.name for each in found.broken] == [str(tmp_path / "gone.png")]
    assert found.scores == model.evaluate(records).scores
    assert found.scores.exact > 0.9
    assert found.interval.low <= found.scores.bleu[3] <= found.interval.high


def test_nothing_to_caption_is_refused(model: PictureCaptioner, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="None of 1 pictures can be read"):
        model.evaluate([CaptionedImage(tmp_path / "gone.png", ("red",))])


def test_a_gaze_has_weights_on_each_patch_for_each_piece_and_its_end(model: PictureCaptioner, pictures: Path) -> None:
    gaze = model.look(pictures / "red/000.png", "a red picture")
    assert gaze.pieces[:3] == ("a", "red", "picture")
    assert gaze.pieces[3] == model.tokenizer.piece(model.tokenizer.end)
    assert gaze.weights_TRC.shape == (4, 2, 2)
    assert gaze.weights_TRC.sum(dim=(1, 2)).tolist() == pytest.approx(gaze.seen_T.tolist())
    assert all(0 < share < 1 for share in gaze.seen_T.tolist())  # the rest lay on [CLS]
    assert gaze.site == "decoder.1.cross"
    other = model.look(pictures / "red/000.png", "a red picture", "decoder.0.cross")
    assert other.site == "decoder.0.cross"
    assert other.weights_TRC.tolist() != gaze.weights_TRC.tolist()


def test_a_gaze_is_what_the_trace_has_of_the_patches_and_the_rest_lay_on_the_first_position(
    model: PictureCaptioner, pictures: Path
) -> None:
    picture, text = pictures / "red/000.png", "a red picture"
    square = squared(read_image(picture), model.side, model.fit)
    images, trace = model.colours.scaled(to_floats(square[None], [0])), Trace("decoder.1.cross")
    said = torch.tensor([[model.tokenizer.start, *model.tokenizer.encode(text).ids]])
    with torch.no_grad():
        model.model(images, said, trace=trace)
    weights_TS = trace.weights["decoder.1.cross"][0].mean(dim=0)
    gaze = model.look(picture, text)
    torch.testing.assert_close(gaze.weights_TRC.flatten(1), weights_TS[:, 1:])  # row by row, as patches are cut
    torch.testing.assert_close(gaze.seen_T + weights_TS[:, 0], torch.ones(4))


def test_what_a_word_looked_at_does_not_depend_on_the_words_after_it(model: PictureCaptioner, pictures: Path) -> None:
    short = model.look(pictures / "red/000.png", "a red")
    long = model.look(pictures / "red/000.png", "a red picture")
    assert short.weights_TRC[:2].flatten().tolist() == pytest.approx(long.weights_TRC[:2].flatten().tolist(), abs=1e-6)


def test_a_place_to_look_at_that_does_not_exist_is_told_with_those_that_do(
    model: PictureCaptioner, pictures: Path, tmp_path: Path
) -> None:
    message = r"There is no attention 'decoder.7.cross' .* The model has: decoder.0.cross, decoder.1.cross\."
    with pytest.raises(UsageError, match=message):
        model.look(pictures / "red/000.png", "red", "decoder.7.cross")
    with pytest.raises(DataError, match=r"gone\.png.* does not exist"):
        model.look(tmp_path / "gone.png", "red")


def begun(tmp_path: Path, **model: object) -> PictureCaptioner:
    """Return a captioner of one step, beside its pictures."""
    settings = {"model": model, "training": {"steps": 1, "validations": 1, "threads": 1}}
    return trained(write_captions(tmp_path / "pictures"), settings, tmp_path / "run")


def test_without_a_first_position_all_attention_lies_on_patches(tmp_path: Path) -> None:
    model = begun(tmp_path, kind="rnn", encoder={**VIT, "pooling": "mean"}, width=16)
    gaze = model.look(tmp_path / "pictures/red/000.png", "a red picture")
    assert gaze.site == "decoder.cross"
    assert gaze.seen_T.tolist() == pytest.approx([1] * 4)


def test_a_captioner_without_attention_has_nothing_to_look_at(tmp_path: Path) -> None:
    model = begun(tmp_path, kind="rnn", encoder=VIT, width=16, attention="none")
    with pytest.raises(UsageError, match="This model has no attention over the picture"):
        model.look(tmp_path / "pictures/red/000.png", "red")
