"""`WordFiller`: a pre-trained BERT that says which words could stand where a text has a gap."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor

from heed.data.documents import Document, read_documents
from heed.data.order import valid_batches
from heed.data.token_store import write_store
from heed.errors import DataError, UsageError
from heed.models.bert_pretraining import BertPretraining
from heed.models.text_input import TextInput
from heed.runs.pretraining_run import sequencer_of
from heed.runs.pretraining_settings import PretrainingSettings
from heed.tasks.pretrain import PretrainingScores, batch_of, score_batches
from heed.tasks.pretraining import POSITIONS_PER_BATCH, VALIDATION_EPOCH
from heed.tasks.rows import pad_rows, rows_from
from heed.tokens.masked_text import GAP, encode_gaps
from heed.tokens.tokenizer import Tokenizer

CHUNK = 64  # texts read together
CANDIDATES = 5


@dataclass(frozen=True)
class Candidate:
    """A piece that could stand in a gap."""

    piece: str
    probability: float


@dataclass(frozen=True)
class Filling:
    """A text with its gaps filled."""

    source: str
    text: str  # with the most probable piece in each gap
    gaps: tuple[tuple[Candidate, ...], ...]  # of each gap, best first
    unknown: int  # pieces that the vocabulary does not have
    cut: int  # pieces beyond the longest length, which the model never saw


@dataclass(frozen=True)
class GapText:
    """A text with gaps as the model reads it, each gap one mask."""

    source: str
    ids: list[int]  # from start to end
    unknown: int
    cut: int


class WordFiller:
    """A model with its vocabulary; it never trains, and results do not depend on what they are batched with."""

    def __init__(self, model: BertPretraining, tokenizer: Tokenizer, settings: PretrainingSettings) -> None:
        assert tokenizer.mask is not None, "a vocabulary for pre-training has a mask"
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.settings = settings
        self.mask = tokenizer.mask

    def predict(self, texts: Sequence[str], count: int = CANDIDATES) -> list[Filling]:
        """Return each text with its gaps, written [MASK], filled."""
        return list(self.stream(texts, count))

    def stream(self, texts: Iterable[str], count: int = CANDIDATES) -> Iterator[Filling]:
        """Yield each text with its gaps filled; any number of texts, in bounded memory."""
        if not 1 <= count <= self.tokenizer.size:
            raise UsageError(f"{count} candidates are asked for. Ask for 1 to {self.tokenizer.size:,}.")
        waiting = map(self.read_gaps, texts)
        while chunk := list(islice(waiting, CHUNK)):
            yield from self._fill(chunk, count)

    def read_gaps(self, text: str) -> GapText:
        """Return a text with its gaps as ids, cut to what the model reads; refuse one without a gap."""
        ids = encode_gaps(text, self.tokenizer)
        room = self.model.settings.longest - 2
        kept = ids[:room]
        if self.mask not in kept:
            where = f"within the first {room} pieces" if self.mask in ids else "in it"
            raise DataError(f"There is no gap {where}: {text[:80]!r}. Write {GAP} where a word is to be found.")
        whole = [self.tokenizer.start, *kept, self.tokenizer.end]
        return GapText(text, whole, kept.count(self.tokenizer.unknown), len(ids) - len(kept))

    def evaluate(self, names: Sequence[str], column: str | None = None) -> PretrainingScores:
        """Return how well words are found that are hidden in other documents, as they were hidden in training."""
        return self.score(read_documents(names, column, "test"))

    def score(self, documents: Iterable[Document]) -> PretrainingScores:
        """Return how well words are found that are hidden in these documents."""
        with tempfile.TemporaryDirectory() as folder:
            write_store(Path(folder), documents, self.tokenizer)
            sequencer = sequencer_of(Path(folder), self.settings, self.tokenizer)
            chosen = valid_batches(sequencer.lengths(), POSITIONS_PER_BATCH)
            return score_batches(
                self.model,
                (
                    batch_of([sequencer.example(row, VALIDATION_EPOCH) for row in rows], self.settings.pairs)
                    for rows in chosen
                ),
            )

    def chances(self, logits_NV: Tensor) -> Tensor:
        """Return how probable each piece is in each of N gaps."""
        chances_NV = logits_NV.softmax(dim=-1)
        # Nothing in a text is ever a special piece, so none may fill a gap.
        chances_NV[:, [self.tokenizer.id_of(piece) for piece in self.tokenizer.specials]] = 0.0
        return chances_NV

    @torch.inference_mode()
    def _fill(self, texts: Sequence[GapText], count: int) -> Iterator[Filling]:
        token_ids, keep = pad_rows(rows_from([text.ids for text in texts]), range(len(texts)))
        gaps = (token_ids == self.mask) & keep
        said = self.model(TextInput(token_ids, keep), gaps)
        best = self.chances(self.model.masked.vocabulary(said.features_ND)).topk(count, dim=-1)
        found = iter(zip(best.indices.tolist(), best.values.tolist(), strict=True))
        for text, row in zip(texts, gaps.sum(dim=1).tolist(), strict=True):
            yield self._filling(text, list(islice(found, row)))

    def _filling(self, text: GapText, found: list[tuple[list[int], list[float]]]) -> Filling:
        first = iter(ids[0] for ids, _ in found)
        filled = [next(first) if id == self.mask else id for id in text.ids]
        gaps = tuple(
            tuple(Candidate(self.tokenizer.piece(id), share) for id, share in zip(ids, shares, strict=True))
            for ids, shares in found
        )
        return Filling(text.source, self.tokenizer.decode(filled), gaps, text.unknown, text.cut)
