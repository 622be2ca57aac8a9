"""Every tagger learns a rule about neighbouring words to the last word; a field learns what no word tells.

The rule: the two words after a title are a name, B and I, whatever they are; all else is outside.
"""

import pytest
import torch
from torch.nn import functional

from heed.data.demos import load_tagged_demo
from heed.layers.crf import ConditionalRandomField
from heed.layers.masks import keep_from_lengths
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.tagger import Tagger, TaggerSettings, WordInput, preset
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnnSettings
from heed.tasks.known_tags import find_tags
from heed.tasks.tag import TagBatch, TagObjective
from heed.tasks.tag_training import TagTraining
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

TITLE, VOCABULARY, LONGEST = 1, 9, 8
SMALL = {"width": 32, "heads": 2, "layers": 1, "feedforward": 48, "dropout": 0.0}
FAMILIES = {
    "lstm": TaggerSettings(encoder=TextRnnSettings(embedding=16, width=32, dropout=0.0, word_dropout=0.0)),
    "gru without crf": TaggerSettings(
        encoder=TextRnnSettings(cell="gru", embedding=16, width=32, dropout=0.0, word_dropout=0.0), crf=False
    ),
    "transformer": TaggerSettings(encoder=EncoderSettings(**SMALL, positions="rotary", word_dropout=0.0), pieces="all"),
    "bert with crf": TaggerSettings(encoder=BertSettings(**SMALL, longest=20), crf=True),
}


def titled(seed: int, count: int) -> TagBatch:
    """Return texts with one title each, and their tags by the rule."""
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(4, LONGEST + 1, (count,), generator=generator)
    ids = torch.randint(2, VOCABULARY, (count, LONGEST), generator=generator)
    title_B = (torch.rand(count, generator=generator) * (lengths - 2)).long()
    ids.scatter_(1, title_B[:, None], TITLE)
    places = torch.arange(LONGEST)
    tags = (places == title_B[:, None] + 1).long() + 2 * (places == title_B[:, None] + 2).long()
    keep, starts = keep_from_lengths(lengths, LONGEST), places.expand(count, -1)
    return TagBatch(WordInput(TextInput(ids, keep), starts, starts + 1, keep), tags)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_tagger_learns_the_two_words_after_a_title(name: str) -> None:
    torch.manual_seed(1)
    model = Tagger(FAMILIES[name], VOCABULARY, 3)
    objective = TagObjective(model, 0.0, unknown=0)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(150):
        batch = titled(step, 32)
        optimizer.zero_grad()
        (objective(batch) / batch.targets).backward()
        optimizer.step()
    unseen = titled(10_000, 200)
    with torch.no_grad():
        found = model.eval().best(model(unseen.words), unseen.words.keep)
    assert (found == unseen.expected)[unseen.words.keep].float().mean() > 0.995


def test_a_field_learns_that_tags_take_turns_though_no_word_tells() -> None:
    torch.manual_seed(2)
    field, keep = ConditionalRandomField(2), torch.ones(2, 6, dtype=torch.bool)
    turns = torch.tensor([[0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0]])
    nothing = torch.zeros(2, 6, 2)
    optimizer = torch.optim.Adam(field.parameters(), lr=0.2)
    for _ in range(60):
        optimizer.zero_grad()
        (-field.log_likelihood(nothing, turns, keep).sum()).backward()
        optimizer.step()
    hint = nothing + functional.one_hot(torch.tensor([1]), 6).mT * torch.tensor([0.0, 0.5])
    assert field.best(hint, keep).tolist() == [[0, 1, 0, 1, 0, 1]] * 2


@pytest.mark.slow
def test_unseen_names_of_the_demo_are_told_by_the_words_around_them() -> None:
    splits = load_tagged_demo("entities")
    tokenizer = train_tokenizer((record.text for record in splits.train), TokenizerSettings(size=4000))
    known = find_tags(splits.train, splits.scheme)
    torch.manual_seed(1)
    model = Tagger(TaggerSettings(encoder=preset("lstm")), tokenizer.size, len(known.names))
    task = TagTraining(model, tokenizer, known, splits.train, splits.valid, 0.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    batches = [rows for epoch in range(5) for rows in task.order(1, epoch, 1024, 4096)]
    for rows in batches:
        batch = task.batch(rows, 0)
        optimizer.zero_grad()
        (task.objective(batch) / batch.targets).backward()
        optimizer.step()
    model.eval()
    assert task.validate().score > 0.9
