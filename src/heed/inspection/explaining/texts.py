"""What is to be seen in a network that says something of a text, or of a pair of texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from torch import Tensor

from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.decision import Decision, decide, refuse_answer
from heed.inspection.explaining.describing import attention_notes, model_line, unseen_notes
from heed.inspection.explaining.gradients import Read, Score, caught
from heed.inspection.explaining.head_off import Place, Said, places_in, rank_heads
from heed.inspection.explaining.looking import looked_at, numbers_of, trace_of
from heed.inspection.explaining.pieces import axis_of_texts, second_begins, vectors_before, with_first
from heed.inspection.explaining.rollout import layers_in, pooled_row, rolled_out
from heed.inspection.explaining.shares import shares_of, words_on
from heed.inspection.explanation import Axis, Explanation, HeadOff, Looked, Share
from heed.layers.trace import Trace
from heed.models.text_classifier import TOWERS, TextClassifier
from heed.models.text_cnn import TextCnn
from heed.models.text_input import TextInput
from heed.prediction.classifier import Classifier
from heed.prediction.text_reader import NeuralReader
from heed.tasks.classify import EncodedTexts, Texts, encode_texts, inputs_of
from heed.tasks.framing import frame_of
from heed.tasks.targets import Classes, Scale, Targets

POOL = Axis("pool", ("the whole text",))  # what a learnt query asks for: the one that looks where positions are pooled
NO_NUMBERS_WITHOUT = "What the number becomes without a head is not told: heads are ranked by probabilities."
BAG = "The n-grams beside the filters have no share here: they are found by number, and not by the vectors of words."


@dataclass(frozen=True, eq=False)
class _Seen:
    """One example, and what the network says of it."""

    texts: Texts
    encoded: EncodedTexts
    inputs: tuple[TextInput, ...]
    trace: Trace
    read: Read


def explain_texts(model: Classifier, reader: NeuralReader, texts: Texts, asked: Asked) -> Explanation:
    """Return what is to be seen while the network reads these texts."""
    network, seen = reader.model, _look(reader, texts, asked)
    axes = _axes(reader, seen)
    names = tuple(axis.name for axis in axes)
    looked = looked_at(seen.trace, network.sites, lambda site: _sides(site, names))
    decision = _decision(model.targets, seen.read.said, asked)
    answer = decision.answer if decision else _number(model.targets, seen.read.said)
    told = decision.told if decision else answer
    rolled = _rollouts(network, seen.trace, names, told)
    return Explanation(
        task="classify" if model.texts_each == 1 else "pair",
        model=model_line(network.settings),
        given=texts,
        answer=answer,
        probability=decision.probability if decision else None,
        axes=(*axes, POOL) if any(each.queries == POOL.name for each in looked) else axes,
        looked=looked,
        shares=(*_moved(network, seen, decision, names, told, asked.steps), *rolled),
        heads=_heads(network, seen, looked, decision) if asked.heads and decision else (),
        choices=decision.choices() if decision else (),
        notes=tuple(_notes(network, seen, decision, asked, bool(rolled))),
    )


def _look(reader: NeuralReader, texts: Texts, asked: Asked) -> _Seen:
    encoded = encode_texts([texts], reader.tokenizer, reader.model.settings, reader.reading)
    inputs = inputs_of(encoded, [0])
    trace = trace_of(asked.sites, reader.model.sites)
    return _Seen(texts, encoded, inputs, trace, _read(reader.model, inputs, 1.0, trace))


def _read(network: TextClassifier, inputs: tuple[TextInput, ...], scale: float, trace: Trace | None) -> Read:
    with caught([network.encoder.embedding], scale) as vectors:
        return Read(network(inputs, trace)[0], tuple(vectors))


def _axes(reader: NeuralReader, seen: _Seen) -> tuple[Axis, ...]:
    """Return an axis for each sequence that is read: of one text, of a joined pair, or of each tower's."""
    frame = frame_of(reader.model.settings, reader.tokenizer)
    begin, rows = len(frame.before), [each.token_ids[0].tolist() for each in seen.inputs]
    if len(rows) == 2:
        parts = [(name, row, [text], [begin]) for name, row, text in zip(TOWERS, rows, seen.texts, strict=True)]
    else:
        begins = [begin]
        if len(seen.texts) == 2:
            between = len(frame.between)
            begins.append(second_begins(rows[0], reader.tokenizer, seen.texts[0], begin, between))
        parts = [("text", rows[0], list(seen.texts), begins)]
    axes = [axis_of_texts(name, row, reader.tokenizer, texts, begins) for name, row, texts, begins in parts]
    return tuple(with_first(axis) if vectors_before(reader.model.encoder) else axis for axis in axes)


def _sides(site: str, names: tuple[str, ...]) -> tuple[str, str]:
    keys = site.partition(".")[0] if len(names) == 2 else names[0]
    return (POOL.name if site.endswith("pool") else keys), keys


def _moved(
    network: TextClassifier, seen: _Seen, decision: Decision | None, names: Sequence[str], told: str, steps: int
) -> tuple[Share, ...]:
    score: Score = decision.lead if decision else _only
    folds = [words_on(name, vectors_before(network.encoder)) for name in names]
    return shares_of(
        lambda scale, trace: _read(network, seen.inputs, scale, trace), seen.read, score, told, folds, steps
    )


def _only(outputs_C: Tensor) -> Tensor:
    """Return the one number that a model of numbers says."""
    return outputs_C[0]


def _rollouts(network: TextClassifier, trace: Trace, names: tuple[str, ...], answer: str) -> tuple[Share, ...]:
    """Return the rollout of each sequence, as far as its text's vector holds it."""
    shares = []
    for name in names:
        tower = f"{name}." if network.towers else ""
        own = [site for site in network.sites if site.startswith(tower)]
        layers = layers_in(trace, own, ".self")
        if layers is not None:
            assert not isinstance(network.encoder, TextCnn), "filters look at nothing"
            pool = trace.weights.get(f"{tower}pool")
            row_T = pooled_row(rolled_out(layers), network.encoder.pooling, None if pool is None else pool[0, 0])
            shares.append(Share(answer, "rollout", name, numbers_of(row_T)))
    return tuple(shares)


def _heads(network: TextClassifier, seen: _Seen, looked: tuple[Looked, ...], decision: Decision) -> tuple[HeadOff, ...]:
    def say() -> Said:
        probabilities_C = network(seen.inputs)[0].double().softmax(dim=0)
        return Said(float(probabilities_C[decision.best]), decision.names[int(probabilities_C.argmax())])

    places = places_in(network)
    if network.towers:
        places = {
            f"{tower}.{site}": Place(place.attend, call)
            for call, tower in enumerate(TOWERS)
            for site, place in places.items()
        }
    return rank_heads(places, looked, Said(decision.probability, decision.answer), say)


def _decision(targets: Targets, said_C: Tensor, asked: Asked) -> Decision | None:
    """Return which label it is; None where a number is said."""
    if isinstance(targets, Classes):
        return decide(said_C, targets.labels.names, asked.answer)
    refuse_answer(asked)
    return None


def _number(targets: Targets, said_C: Tensor) -> str:
    assert isinstance(targets, Scale), "labels are no numbers"
    return f"{targets.decode(said_C.detach().numpy())[0]:.4g}"


def _notes(
    network: TextClassifier, seen: _Seen, decision: Decision | None, asked: Asked, rolled: bool
) -> Iterator[str]:
    yield from unseen_notes(seen.encoded.counts[0])
    yield from attention_notes(network.sites, rolled)
    if decision is not None:
        yield decision.note
    elif asked.heads:
        yield NO_NUMBERS_WITHOUT
    if isinstance(network.encoder, TextCnn) and network.encoder.bag is not None:
        yield BAG
