"""The vocabulary is that of the weights: every id has its row, and ids that become text become the same ids again."""

from torch import nn

from heed.tokens.tokenizer import Tokenizer
from heed.verifying.checking import Check
from heed.verifying.findings import Difference, Measured, Tolerance, Unfit
from heed.verifying.subject import Subject

TOLERANCE = Tolerance(0.0, "ids are whole numbers")
TEXTS = 32  # that go there and back


def compare(subject: Subject) -> Measured | Unfit:
    """Compare the ids of texts with those of the texts that they become, and with the rows of the embedding."""
    if not subject.tokenizers:
        return Unfit("the model reads no pieces of a vocabulary")
    rows = _rows(subject)
    differences = [
        Difference(f"a vocabulary of {each.size:,} pieces; tables have {rows} rows", float(each.size not in rows))
        for each in subject.tokenizers
    ]
    texts = [text for each in subject.material.texts for text in each][:TEXTS]
    for text in texts:
        differences += _round_trip(subject.tokenizers[0], text)
    return Measured(differences, TOLERANCE)


def _rows(subject: Subject) -> list[int]:
    """Return how many rows the tables have that ids are looked up in."""
    assert subject.model is not None
    tables = {module.num_embeddings for module in subject.model.modules() if isinstance(module, nn.Embedding)}
    return sorted(tables)


def _round_trip(tokenizer: Tokenizer, text: str) -> list[Difference]:
    """Return how many ids a text loses that is read from its own ids; one with unknown pieces cannot come back."""
    (ids,) = tokenizer.ids_of([text])
    if tokenizer.unknown in ids:
        return []
    (again,) = tokenizer.ids_of([tokenizer.decode(ids)])
    changed = sum(one != other for one, other in zip(ids, again, strict=False)) + abs(len(ids) - len(again))
    return [Difference(f"{text[:60]!r} comes back as {tokenizer.decode(again)[:60]!r}", float(changed))]


CHECK = Check("vocabulary", "ids become text and the same ids again, and each has its row of weights", compare)
