"""Batches of captioned pictures: which caption comes is a draw of seed, epoch and picture; and the loss over words."""

import math
from collections import Counter

import numpy
import pytest
import torch
from torch.nn import functional
from unvaried import NONE

from heed.data.records import CaptionedImage
from heed.models.captioner import RnnCaptionerSettings, TransformerCaptionerSettings, build_captioner
from heed.models.vit import VitSettings
from heed.tasks.augmentation import AugmentationSettings
from heed.tasks.caption import CaptionBatch, CaptionObjective, batch_of, encode_captions
from heed.tasks.caption_scores import score_captions
from heed.tasks.caption_training import CaptionTraining
from heed.tasks.captioning import decode_images
from heed.tasks.image import ColourSettings, Pictured
from heed.tasks.showing import Showing
from heed.tasks.translating import GreedySettings
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

VIT = VitSettings(image=12, patch=4, width=8, heads=2, layers=1, feedforward=10, drop_path=0.0)
TRANSFORMER = TransformerCaptionerSettings(encoder=VIT, width=12, heads=3, layers=1, feedforward=14, longest=7)
RNN = RnnCaptionerSettings(encoder=VIT, width=12, longest=7)
# Pictures in turn have one, two and three captions, none of them the same.
SAID = (("red one",), ("blue two", "a blue pair"), ("three", "a green three", "one red two blue three green"))
TOKENIZER = train_tokenizer([text for texts in SAID for text in texts], TokenizerSettings(kind="words"))


def part(count: int, side: int) -> Pictured[CaptionedImage]:
    """Return pictures of random colours with captions in turn."""
    squares = numpy.random.default_rng(count).integers(0, 256, size=(count, side, side, 3), dtype=numpy.uint8)
    return Pictured([CaptionedImage(f"{row}.png", SAID[row % 3], f"list:{row}") for row in range(count)], squares)


def training(
    augmentation: AugmentationSettings = NONE, side: int = 12, seed: int = 3, settings=TRANSFORMER, decoded: int = 100
) -> CaptionTraining:
    torch.manual_seed(1)
    model = build_captioner(settings, TOKENIZER.size).eval()
    parts = part(20, side), part(7, 12)
    showing = Showing(augmentation, ColourSettings(), settings.encoder.image, seed)
    return CaptionTraining(model, TOKENIZER, *parts, showing, label_smoothing=0.0, validation_texts=decoded)


def captions_in(batch: CaptionBatch) -> list[str]:
    """Return the captions that a batch wants to be said."""
    return [TOKENIZER.decode(ids[keep].tolist()) for ids, keep in zip(batch.next_ids, batch.target_keep, strict=True)]


def test_every_picture_comes_once_in_an_epoch_whatever_its_number_of_captions() -> None:
    task = training()
    batches = task.order(seed=1, epoch=0, tokens_per_batch=60, window=100)
    assert sorted(row for rows in batches for row in rows) == list(range(20))
    assert task.order(1, 0, 60, 100) == batches != task.order(1, 1, 60, 100)


def test_a_batch_is_a_picture_beside_one_of_its_own_captions() -> None:
    task = training()
    batch = task.batch([4, 9, 2], epoch=2)
    expected = torch.from_numpy(task.train.squares[[4, 9, 2]]).permute(0, 3, 1, 2) / 127.5 - 1
    torch.testing.assert_close(batch.images, expected, atol=1e-4, rtol=0)
    for row, caption in zip([4, 9, 2], captions_in(batch), strict=True):
        assert caption in task.train.records[row].captions
    # What is fed is what is wanted, one place later.
    assert (batch.target_ids[:, 0] == TOKENIZER.start).all()
    assert torch.equal(
        batch.target_ids[:, 1:][batch.target_keep[:, 1:]], batch.next_ids[:, :-1][batch.target_keep[:, 1:]]
    )
    assert batch.tokens == batch.targets == int(batch.target_keep.sum())


def test_which_caption_comes_is_said_by_seed_epoch_and_picture_alone() -> None:
    rows = list(range(20))
    one, same, other = training(), training(), training(seed=4)
    alone = [captions_in(one.batch([row], 5))[0] for row in rows]
    assert captions_in(same.batch(rows, 5)) == alone
    assert captions_in(same.batch(rows[::-1], 5)) == alone[::-1]
    assert captions_in(same.batch(rows, 6)) != alone
    assert captions_in(other.batch(rows, 5)) != alone


def test_the_caption_is_the_same_however_pictures_are_varied() -> None:
    rows = list(range(20))
    varied = training(AugmentationSettings(mixup=0.0, cutmix=0.0), side=15).batch(rows, 5)
    assert varied.images.shape == (20, 3, 12, 12)
    assert captions_in(varied) == captions_in(training().batch(rows, 5))


def test_every_caption_comes_sometimes_and_about_as_often_as_the_others() -> None:
    task = training()
    seen = Counter(caption for epoch in range(100) for caption in captions_in(task.batch(list(range(3)), epoch)))
    assert set(seen) == {caption for captions in SAID for caption in captions}
    for captions in SAID:
        share = 100 / len(captions)
        assert all(share / 2 < seen[caption] < 1.5 * share or len(captions) == 1 for caption in captions), seen


def test_a_caption_that_is_cut_has_no_end_and_is_counted() -> None:
    records = [CaptionedImage("a.png", ("one red two blue", "three"), "")]
    captions = encode_captions(records, TOKENIZER, longest=4)
    cut, whole = (captions.rows[row].tolist() for row in (0, 1))
    assert cut == [TOKENIZER.start, *TOKENIZER.encode("one red two").ids]
    assert whole == [TOKENIZER.start, *TOKENIZER.encode("three").ids, TOKENIZER.end]
    assert captions.counts.cut == 1
    assert captions.longest() == [4]


@pytest.mark.parametrize("settings", [TRANSFORMER, RNN], ids=lambda settings: settings.kind)
def test_the_loss_is_the_cross_entropy_of_real_words_whatever_the_padding(settings) -> None:
    task = training(settings=settings)
    captions = encode_captions(task.train.records, TOKENIZER, 7)
    images = torch.rand(2, 3, 12, 12)
    batch = batch_of(images, captions, [0, 5])  # two words and six: the first is padded
    with torch.no_grad():
        found = CaptionObjective(task.model, label_smoothing=0.0)(batch)
        wanted = 0.0
        for row, caption in enumerate((0, 5)):
            alone = batch_of(images[row : row + 1], captions, [caption])
            logits_TV = task.model(alone.images, alone.target_ids)[0]
            wanted += functional.cross_entropy(logits_TV, alone.next_ids[0], reduction="sum").item()
    assert found.item() == pytest.approx(wanted, rel=1e-5)


def test_a_validation_reads_every_caption_and_scores_and_shows_what_is_said() -> None:
    task = training(decoded=4)
    found = task.validate()
    totals, words = 0.0, 0
    for record, square in zip(task.valid.records, task.valid.squares, strict=True):
        for number in range(len(record.captions)):
            image = ColourSettings().scaled(torch.from_numpy(square[None]).permute(0, 3, 1, 2) / 255)
            batch = batch_of(image, encode_captions([record], TOKENIZER, 7), [number])
            totals += CaptionObjective(task.model, 0.0)(batch).item()
            words += batch.tokens
    assert found.values["loss"] == pytest.approx(totals / words, rel=1e-4)
    assert found.values["perplexity"] == pytest.approx(math.exp(totals / words), rel=1e-4)
    chosen = [0, 1, 3, 5]  # four of seven, spread
    best = decode_images(task.model, task.valid.squares[chosen], ColourSettings(), TOKENIZER, GreedySettings())
    said = [TOKENIZER.decode(hypotheses[0].ids) for hypotheses in best]
    scores = score_captions(said, [task.valid.records[row].captions for row in chosen])
    assert found.score == found.values["bleu"] == scores.bleu[3]
    assert (found.values["chrf"], found.values["exact"]) == (scores.chrf, scores.exact)
    assert (found.sample.source, found.sample.expected, found.sample.predicted) == ("list:3", "red one", said[2])
