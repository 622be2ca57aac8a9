"""What BERT reads: pieces with their segments and positions, the sum of three vectors, and what masking hides."""

import re
import unicodedata
from dataclasses import dataclass

import numpy
import torch
from torch import Tensor

from heed.errors import UsageError
from heed.inspection.given import Given, words_of
from heed.inspection.panels import Boxes, HeatMap
from heed.inspection.shown import Cell, Note, Shown, Table, numbered, numbers_of, table_of
from heed.layers.positions import AddTable
from heed.models.bert import PRESETS, Bert, BertSettings
from heed.models.weights import parameter_count
from heed.tasks.framing import Frame, frame_of
from heed.tasks.masking import Integers, Masking, MaskingAudit, audit, build_masking
from heed.tasks.pretrain import Example, PretrainingBatch, batch_of
from heed.tokens.pipeline import JOINER
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

TEXTS = ("my dog is cute", "he likes playing")
MOST_WORDS = 10  # of one text
MOST_TOKENS = 32
WIDTH = 8  # of the vectors; BERT base has 768
SHARE = 0.15  # deck 1: of the tokens, those that are chosen
SEED = 4
DRAWS = 2_000
ENDINGS = ("ing", "ed", "s")
SHORTEST_STEM = 4  # letters; "this" and "thing" are no stems with endings
PUBLISHED_PIECES = 30_522  # of the vocabulary with which BERT was published

CORRECTIONS = (
    "Deck 1 gives BERT large 340 million parameters, as its paper does. Counted with the deck's own L, H and A and the "
    "published vocabulary of 30,522 pieces there are 335 million; for BERT base the 110 million are right (109).",
)
# Deck 1, slide 18: the vectors of three tokens and of their positions.
DECK_TOKENS = ((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
DECK_POSITIONS = ((1.0, 2.0, 1.0), (0.0, 1.0, 0.0), (2.0, 1.0, 0.0))


@dataclass(frozen=True, eq=False)
class Read:
    """One sequence as BERT is trained on it."""

    tokenizer: Tokenizer
    masking: Masking
    example: Example
    batch: PretrainingBatch

    def pieces(self, ids: Integers) -> tuple[str, ...]:
        """Return the pieces of ids, without the mark that tells punctuation beside a word from that apart."""
        return tuple(self.tokenizer.piece(int(id)).replace(JOINER, "") for id in ids)


def show_bert_input(given: Given) -> Shown:
    """Return the pieces of one text or of a pair, their three vectors, and a draw of the masking."""
    read = _read(given)
    model = _model(read.tokenizer)
    pieces, hidden = read.pieces(read.example.original), read.pieces(read.example.shown)
    vectors, columns = _vectors(model, read.batch), numbered("", WIDTH)
    return Shown(
        topic="bert-input",
        title="What BERT reads",
        shows="Each piece is the sum of a token, a segment and a position vector; 15 % of the pieces are to be found.",
        parts=(
            _pieces(read, pieces, hidden),
            _sum_of_one(model, read, pieces),
            _masking(read),
            *(() if given.texts else (_deck_sum(), _sizes())),
            Note("The vocabulary", _vocabulary(read)),
        ),
        corrections=() if given.texts else CORRECTIONS,
        panels=(
            _boxes(read, pieces, hidden),
            *(HeatMap(name, numbers_of(vectors[name]), hidden, columns) for name in ("token", "segment", "position")),
            HeatMap("their sum", numbers_of(vectors["sum"]), hidden, columns),
        ),
    )


def _read(given: Given) -> Read:
    texts = given.texts or TEXTS
    if len(texts) > 2:
        raise UsageError(f"{len(texts)} texts were given. BERT reads one, or a pair: give one or two.")
    for text in texts:
        words_of(text, MOST_WORDS)
    tokenizer = train_tokenizer(
        _corpus(texts), TokenizerSettings(kind="wordpiece", lowercase=True, minimum_count=2), specials="bert"
    )
    masking = build_masking(tokenizer, SHARE, whole_words=False)
    example = _example(tokenizer, masking, [list(tokenizer.encode(text).ids) for text in texts])
    return Read(tokenizer, masking, example, batch_of([example], pairs=len(texts) == 2))


def _corpus(texts: tuple[str, ...]) -> list[str]:
    """Return words to learn a vocabulary from: the stems of the texts, endings, and every character.

    Each stands there at least twice, which is how often a piece must be seen; a stem with its ending stands there once.
    """
    joined = unicodedata.normalize("NFC", " ".join(texts)).lower()
    stems = re.sub(r"\w+", lambda word: _stem(word[0]), joined)
    endings = [f"{stem}{ending}" for stem in ("walk", "talk", "jump") for ending in ENDINGS]
    return [stems, stems, " ".join(endings), " ".join(joined), " ".join(joined)]


def _stem(word: str) -> str:
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word.removesuffix(ending)
    return word


def _example(tokenizer: Tokenizer, masking: Masking, texts: list[list[int]]) -> Example:
    """Return the framed sequence, some of its tokens hidden."""
    ids = numpy.asarray([id for text in texts for id in text], dtype=numpy.int64)
    if len(ids) > MOST_TOKENS:
        raise UsageError(f"The texts have {len(ids)} pieces; at most {MOST_TOKENS} are shown. Give shorter ones.")
    masked = masking.draw(ids, numpy.random.default_rng(SEED))
    first, frame = len(texts[0]), frame_of(BertSettings(), tokenizer)
    nothing = Frame((0,), (0,), (0,))
    return Example(
        original=numpy.asarray(_framed(frame, ids.tolist(), first), dtype=numpy.int64),
        shown=numpy.asarray(_framed(frame, masked.token_ids.tolist(), first), dtype=numpy.int64),
        chosen=numpy.asarray(_framed(nothing, masked.chosen.tolist(), first), dtype=bool),
        second=frame.second_begins(first),
        follows=True,
    )


def _framed(frame: Frame, ids: list[int], first: int) -> list[int]:
    return frame.around(ids) if first == len(ids) else frame.around_both(ids[:first], ids[first:])


def _model(tokenizer: Tokenizer) -> Bert:
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        return Bert(BertSettings(width=WIDTH, heads=2, layers=1, feedforward=16, longest=64), tokenizer.size).eval()


@torch.inference_mode()
def _vectors(model: Bert, batch: PretrainingBatch) -> dict[str, Tensor]:
    """Return the three vectors of each token, their sum, and what the norm makes of it: (T, D) each."""
    ids, segments = batch.text.token_ids, batch.text.segments
    assert model.segment_embedding is not None
    token_BTD = model.embedding(ids)
    segment_BTD = model.segment_embedding(torch.zeros_like(ids) if segments is None else segments)
    placed_BTD = model.positions(token_BTD)
    sum_BTD = placed_BTD + segment_BTD
    steps = {
        "token": token_BTD,
        "segment": segment_BTD,
        "position": placed_BTD - token_BTD,
        "sum": sum_BTD,
        "after layer norm": model.embedding_norm(sum_BTD),
    }
    return {name: vectors_BTD[0] for name, vectors_BTD in steps.items()}


def _segments(read: Read) -> list[int]:
    segments = read.batch.text.segments
    return [0] * len(read.example.original) if segments is None else segments[0].tolist()


def _pieces(read: Read, pieces: tuple[str, ...], hidden: tuple[str, ...]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (place, segment, shown, piece if chosen else "")
        for place, (piece, segment, shown, chosen) in enumerate(
            zip(pieces, _segments(read), hidden, read.example.chosen.tolist(), strict=True)
        )
    ]
    columns = ("position", "segment", "BERT reads", "must find")
    return Table("The sequence, with one draw of the masking", columns, pieces, tuple(rows))


def _sum_of_one(model: Bert, read: Read, pieces: tuple[str, ...]) -> Table:
    vectors = {name: vectors_TD[1] for name, vectors_TD in _vectors(model, read.batch).items()}
    heading = f"The vectors of position 1, {pieces[1]!r} (untrained, {WIDTH} numbers instead of 768)"
    return table_of(heading, torch.stack(list(vectors.values())), tuple(vectors), numbered("", WIDTH))


def _deck_sum() -> Table:
    sums_TD = AddTable(torch.tensor(DECK_POSITIONS))(torch.tensor(DECK_TOKENS)[None])[0]
    heading = "Deck 1, slide 18: token vectors 111 000 111 + position vectors 121 010 210"
    return table_of(heading, sums_TD, numbered("x", 3), numbered("", 3))


def _masking(read: Read) -> Table:
    found = masking_shares(read)
    expected = (SHARE, 0.8, 0.1, 0.1)
    rows = tuple(zip(expected, (found.chosen, found.masked, found.replaced, found.kept), strict=True))
    names = (
        "chosen, of all pieces",
        "[MASK], of the chosen",
        "another piece, of the chosen",
        "unchanged, of the chosen",
    )
    return Table(f"Masking over {DRAWS:,} draws of this text", ("deck 1", "counted"), names, rows, decimals=3)


def masking_shares(read: Read) -> MaskingAudit:
    """Return what masking does to the text over many draws."""
    special = [read.tokenizer.start, read.tokenizer.end]
    ids = read.example.original[~numpy.isin(read.example.original, special)]
    generator = numpy.random.default_rng(SEED)
    return audit([read.masking.draw(ids, generator) for _ in range(DRAWS)], [ids] * DRAWS, read.masking.mask)


def _sizes() -> Table:
    """Return the parameters of BERT's two sizes, counted without taking their memory."""
    rows = []
    for name, stated in (("bert-base", 110), ("bert-large", 340)):
        with torch.device("meta"):
            counted = parameter_count(Bert(PRESETS[name], PUBLISHED_PIECES))
        settings = PRESETS[name]
        rows.append((settings.layers, settings.width, settings.heads, stated, round(counted / 1e6)))
    columns = ("L", "H", "A", "deck 1, millions", "counted")
    return Table("Sizes that deck 1 states", columns, ("BERT base", "BERT large"), tuple(rows))


def _vocabulary(read: Read) -> str:
    tokens = len(read.example.original)
    chosen = int(read.example.chosen.sum())
    return (
        f"{tokens} pieces, {chosen} to be found. ## goes on with a word. This vocabulary is made of these words and a "
        "few endings; `heed pretrain` learns one from a corpus. A text as short as this always has at least one "
        "piece chosen, so its share is not exactly 15 %. Of a random piece it may happen that it is the one that "
        "stood there."
    )


def _boxes(read: Read, pieces: tuple[str, ...], hidden: tuple[str, ...]) -> Boxes:
    segments = _segments(read)
    chosen = [1.0 if each else 0.0 for each in read.example.chosen.tolist()]
    return Boxes(
        "dark: chosen to be found",
        ("text", "segment", "position", "BERT reads"),
        (pieces, tuple("AB"[each] for each in segments), tuple(map(str, range(len(pieces)))), hidden),
        (
            (0.0,) * len(pieces),
            tuple(0.25 * each for each in segments),
            (0.0,) * len(pieces),
            tuple(0.5 * each for each in chosen),
        ),
    )
