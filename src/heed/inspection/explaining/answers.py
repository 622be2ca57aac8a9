"""What is to be seen in a model that answers questions: where it thought the answer starts and ends, and why there.

Of a long paragraph one window is shown: the one that the answer was taken from. What is explained is the logarithm of
the probability that the answer starts and ends where it does, among all places of that window.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from torch import Tensor

from heed.errors import UsageError
from heed.files.quoting import quote
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.describing import attention_notes, model_line, unseen_notes
from heed.inspection.explaining.gradients import Read, caught
from heed.inspection.explaining.head_off import Said, places_in, rank_heads
from heed.inspection.explaining.looking import looked_at, numbers_of, trace_of
from heed.inspection.explaining.pieces import axis_of_texts, vectors_before, with_first
from heed.inspection.explaining.rollout import layers_in, rolled_out
from heed.inspection.explaining.shares import shares_of, words_on
from heed.inspection.explanation import Axis, Choice, Curve, Explanation, HeadOff, Looked, Share
from heed.layers.trace import Trace
from heed.models.span_reader import SpanReader
from heed.models.text_input import TextInput
from heed.prediction.answerer import Answer, Answerer, Pair, checked_pair
from heed.tasks.answer import NO_ANSWER_AT
from heed.tasks.answer_search import read_spans
from heed.tasks.answer_windows import EncodedQuestions, candidates, encode_questions, inputs_of, question_frame

TEXT = "text"
NOTHING = "no answer"
MANY = 50  # answers among which that of the whole model is looked for when a head is missing


@dataclass(frozen=True, eq=False)
class _Seen:
    """A window of a question and its paragraph, and where in it the answer stands that is explained."""

    pair: Pair
    encoded: EncodedQuestions
    window: int
    start: int
    end: int
    told: str
    text: TextInput
    trace: Trace
    read: Read  # said: (T, 2)
    may_answer_T: Tensor


def explain_answer(model: Answerer, pair: Pair, asked: Asked) -> Explanation:
    """Return what is to be seen while the model answers a question on a paragraph."""
    network, (answer, seen) = model.model, _look(model, checked_pair(pair), asked)
    looked = looked_at(seen.trace, network.sites, lambda _: (TEXT, TEXT))
    layers = layers_in(seen.trace, network.sites, ".self")
    rolled = () if layers is None else (_rollout(network, seen, layers),)
    moved = shares_of(
        lambda scale, trace: _read(network, seen.text, scale, trace),
        seen.read,
        lambda said_T2: _log_probs(said_T2, seen)[[seen.start, seen.end], [0, 1]].sum(),
        seen.told,
        [words_on(TEXT, vectors_before(network.encoder))],
        asked.steps,
    )
    return Explanation(
        task="answer",
        model=model_line(network.settings),
        given=pair,
        answer=answer.text or NOTHING,
        probability=answer.probability,
        axes=(_axis(model, seen),),
        looked=looked,
        shares=(*moved, *rolled),
        heads=_heads(model, seen, looked, answer) if asked.heads else (),
        curves=tuple(_curves(network, seen)),
        choices=tuple(Choice(each.text, each.probability) for each in answer.alternatives),
        notes=tuple(_notes(network, seen, bool(rolled))),
    )


def _look(model: Answerer, pair: Pair, asked: Asked) -> tuple[Answer, _Seen]:
    encoded = encode_questions([pair], model.tokenizer, model.model.settings, model.windows)
    trace = trace_of(asked.sites, model.model.sites)
    if len(encoded.begins) == 1:
        text = inputs_of(encoded, [0])
        read = _read(model.model, text, 1.0, trace)
        answer = _answer_in(model, pair, encoded, read.said)
        return answer, _seen(pair, encoded, 0, (text, trace, read), answer, asked)
    answer = model.predict(*pair)
    pieces = _pieces(encoded, answer, asked)
    window = _window(encoded, 0 if pieces is None else pieces[0])
    text = inputs_of(encoded, [window])
    looked = (text, trace, _read(model.model, text, 1.0, trace))
    return answer, _seen(pair, encoded, window, looked, answer, asked)


def _answer_in(model: Answerer, pair: Pair, encoded: EncodedQuestions, said_T2: Tensor) -> Answer:
    """Return the answer that is in what the model has said of the only window."""
    # The search asks a model for its numbers; these are known, and to compute them again would take as long as before.
    known = cast(SpanReader, lambda text: said_T2.detach()[None])
    (reading,) = read_spans(known, encoded, model.search)
    return model.answer_from(pair, reading, encoded.counts[0])


def _seen(
    pair: Pair,
    encoded: EncodedQuestions,
    window: int,
    looked: tuple[TextInput, Trace, Read],
    answer: Answer,
    asked: Asked,
) -> _Seen:
    pieces = _pieces(encoded, answer, asked)
    shift = int(encoded.places[window] - encoded.begins[window])
    # An answer may reach beyond the window that shows most of its beginning: its last piece there is explained.
    last = int(encoded.places[window] + encoded.pieces[window]) - 1
    start, end = (NO_ANSWER_AT, NO_ANSWER_AT) if pieces is None else (pieces[0] + shift, min(pieces[1] + shift, last))
    told = asked.answer or answer.text or NOTHING
    return _Seen(pair, encoded, window, start, end, told, *looked, candidates(encoded, [window])[0])


def _pieces(encoded: EncodedQuestions, answer: Answer, asked: Asked) -> tuple[int, int] | None:
    """Return the first and last piece of what is explained; None where that is to give no answer."""
    paragraph = encoded.paragraphs[0]
    if asked.answer is None:
        return paragraph.pieces_of(answer.start, answer.end) if answer.text else None
    start = paragraph.text.find(asked.answer)
    pieces = paragraph.pieces_of(start, start + len(asked.answer)) if start >= 0 and asked.answer else None
    if pieces is None:
        raise UsageError(f"{quote(asked.answer)} does not stand in the paragraph. Give words as they stand there.")
    return pieces


def _window(encoded: EncodedQuestions, piece: int) -> int:
    """Return the window that shows most of what is around a piece of the paragraph."""
    owned = [row for row, (first, last) in enumerate(encoded.owned.tolist()) if first <= piece < last]
    return owned[0] if owned else 0


def _read(network: SpanReader, text: TextInput, scale: float, trace: Trace | None) -> Read:
    with caught([network.encoder.embedding], scale) as vectors:
        return Read(network(text, trace)[0], tuple(vectors))


def _log_probs(said_T2: Tensor, seen: _Seen) -> Tensor:
    """Return (T, 2): of each place, that the answer starts or ends there; questions hold none."""
    return said_T2.masked_fill(~seen.may_answer_T[:, None], float("-inf")).log_softmax(dim=0)


def _axis(model: Answerer, seen: _Seen) -> Axis:
    question, context = seen.pair
    ids, offsets = seen.text.token_ids[0].tolist(), seen.encoded.paragraphs[0].offsets
    begin = len(question_frame(model.model.settings, model.tokenizer).before)
    axis = axis_of_texts(TEXT, ids, model.tokenizer, [question], [begin])
    labels = list(axis.labels)
    place, first, pieces = (
        int(column[seen.window]) for column in (seen.encoded.places, seen.encoded.begins, seen.encoded.pieces)
    )
    for at in range(pieces):
        start, end = offsets[first + at].tolist()
        labels[place + at] = context[start:end].strip() or labels[place + at]
    # Which of the two texts a place would be of, an axis cannot say.
    plain = Axis(TEXT, tuple(labels))
    return with_first(plain) if vectors_before(model.model.encoder) else plain


def _rollout(network: SpanReader, seen: _Seen, layers: Sequence[Tensor]) -> Share:
    before = vectors_before(network.encoder)
    rows = [seen.start + before, seen.end + before]
    return Share(seen.told, "rollout", TEXT, numbers_of(rolled_out(layers)[rows].mean(dim=0)))


def _curves(network: SpanReader, seen: _Seen) -> Iterator[Curve]:
    chances_T2 = _log_probs(seen.read.said, seen).exp()
    for column, name in enumerate(("start", "end")):
        fold = words_on(TEXT, vectors_before(network.encoder))
        yield Curve(name, TEXT, numbers_of(fold.sum_up(chances_T2[None, :, column, None])))


def _heads(model: Answerer, seen: _Seen, looked: Sequence[Looked], whole: Answer) -> tuple[HeadOff, ...]:
    search = replace(model.search, answers=MANY)

    def say() -> Said:
        (now,) = model.stream([seen.pair], search)
        options = [(now.start, now.end, now.probability)]
        options += [(each.start, each.end, each.probability) for each in now.alternatives]
        chance = next((chance for start, end, chance in options if (start, end) == (whole.start, whole.end)), 0.0)
        return Said(chance, now.text or NOTHING)

    return rank_heads(places_in(model.model), looked, Said(whole.probability, whole.text or NOTHING), say)


def _notes(network: SpanReader, seen: _Seen, rolled: bool) -> Iterator[str]:
    yield from unseen_notes(seen.encoded.counts[0])
    yield from attention_notes(network.sites, rolled)
    windows = len(seen.encoded.begins)
    if windows > 1:
        yield f"The paragraph is read in {windows} windows; shown is number {seen.window + 1}, which holds the answer."
