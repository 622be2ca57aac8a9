"""What a run is unless told otherwise: the model by name, a limit that fits the data, a folder that is free."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from heed.errors import SettingsError, UsageError
from heed.models import bert, captioner, language, seq2seq, span_reader, tagger, text_classifier, vectors_settings, vit
from heed.models.bert import BertSettings
from heed.models.captioner import RnnCaptionerSettings
from heed.models.encoder import EncoderSettings
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.text_rnn import TextRnnSettings
from heed.models.tfidf import TfidfSettings
from heed.runs.asked import Proposal, names_in, refusals, settled, without
from heed.runs.based import based
from heed.runs.default_values import (
    BY_ADAMW,
    DEMO,
    DEMO_ENCODER,
    DEMO_TRANSFORMER,
    FINE_TUNING,
    GOING_ON,
    RECURRENT,
    SEEING,
    TASK,
)
from heed.runs.image_base import load_image_base
from heed.runs.settings import DEMOS, RunSettings, settings_class
from heed.runs.unused import unused_in
from heed.runs.write_base import fitted, load_language_base
from heed.settings import from_dict, to_dict

STARTING = ("classify", "pair", "tag", "answer", "pretrain")  # tasks whose model may start from a trained BERT
LOOKING = ("image", "caption")  # tasks whose encoder may start from a trained ViT
# The model of a task where none is named.
USUAL = {
    "translate": "transformer",
    "classify": "transformer",
    "pair": "transformer",
    "tag": "lstm",
    "answer": "transformer",
    "write": "transformer",
    "vectors": "word2vec",
    "pretrain": "bert-mini",
    "image": "vit-hybrid",
    "caption": "transformer",
}
LIMITS = ("steps", "epochs", "minutes")
WITHOUT_CLOCK = ("vectors",)  # tasks that end after so many passes over the text, as their model says
MINUTES = 15.0  # of training on a person's own data, when neither steps, epochs nor a budget are given


def resolve(
    task: str, data: Sequence[str], model: str | None, given: Mapping[str, object], where: str = "settings"
) -> RunSettings:
    """Return the settings of a run: the person's own over the model's over the data's over the task's.

    They are those that the run will have; what a person asks for and would not get is refused.
    """
    return settled(_proposal(task, data, model, given, where))


@dataclass(frozen=True)
class Shared:
    """The settings of one of several models that were given the same settings."""

    settings: RunSettings
    left_out: tuple[str, ...]  # sentences about what was given and does not apply to this model


def resolve_each(
    task: str, data: Sequence[str], models: Sequence[str], given: Mapping[str, object]
) -> dict[str, Shared]:
    """Return the settings of each model; what is given applies to those that can have it, and to one at least."""
    refused = {model: refusals(_proposal(task, data, model, given, "settings")) for model in models}
    for name, sentence in next(iter(refused.values()), {}).items():
        if all(name in each for each in refused.values()):
            raise SettingsError(sentence)
    return {
        model: Shared(resolve(task, data, model, without(given, set(names))), tuple(names.values()))
        for model, names in refused.items()
    }


def _proposal(task: str, data: Sequence[str], model: str | None, given: Mapping[str, object], where: str) -> Proposal:
    """Return the settings that are asked for, and those that the run would have."""
    wanted = _wanted(task, data, model, given, where)
    real = based(wanted)
    unused = unused_in(real)
    of_no_use = {name for name in names_in(given) if any(each.covers(name) for each in unused)}
    usual = _wanted(task, data, model, without(given, of_no_use), where) if of_no_use else wanted
    return Proposal(given, wanted, real, usual)


def _wanted(task: str, data: Sequence[str], model: str | None, given: Mapping[str, object], where: str) -> RunSettings:
    """Return the settings with all that is given; what a base brings is not among them yet."""
    chosen = settings_class(task)
    given = {"task": task, **given, "data": _with_names(given.get("data", {}), data, task)}
    below: Mapping[str, object] = {}  # what a base knows already, unless something else is given
    if task in STARTING:
        model, given = _with_base(model, given)
    elif task in LOOKING:
        model, below = _with_image_base(task, model, given)
    elif task == "write":
        below = _with_language_base(model, given)
        model = None if below else model
    values: dict[str, object] = dict(TASK[task])
    if task == "image":  # here, below the data's own: the drawn flowers have a model that suits them
        values = _merged({"model": to_dict(_preset(task, USUAL[task]))}, values)
    if isinstance(_preset(task, model or USUAL[task]), TextRnnSettings | LanguageRnnSettings):
        values = _merged(values, RECURRENT.get(task, {}))
    if _is_demo(given["data"]):
        values = _merged(values, DEMO[task])
        values = _merged(values, {"model": DEMO_TRANSFORMER}) if model is None and task == "translate" else values
    if task in BY_ADAMW and _asks_for_adamw(given):
        values = _merged(values, BY_ADAMW[task])
    if given.get("base") is not None:
        values = _merged(values, _fine_tuning(task))  # last: it knows the language, or how to see, already
    if model is not None or task == "pair":
        values = _merged(values, {"model": to_dict(_preset(task, model or USUAL[task]))})
    if task == "caption" and _is_demo(given["data"]):
        values = _merged(values, {"model": {"encoder": DEMO_ENCODER}})  # whatever the decoder is
    values = _merged(values, below)
    if _is_linear(model, given):
        whole = _merged(_without_limit(values), given)
    else:
        whole = _merged(values, given) if task in WITHOUT_CLOCK else _with_limit(values, given)
    return from_dict(chosen, whole, where)


def _with_base(model: str | None, given: dict[str, object]) -> tuple[str | None, dict[str, object]]:
    """Return the model's name and the settings with what the model starts from: `bert:DIR` names both at once."""
    name, colon, path = (model or "").partition(":")
    if colon and name == "bert":
        model, given = name, {**given, "base": path}
    base = given.get("base")
    if base is not None and model in bert.PRESETS:
        raise UsageError(f"--model is {model}, but --from brings its own sizes. Leave --model out, or say bert.")
    if base is not None and model is None:
        model = "bert"
    if model == "bert" and base is None:
        raise UsageError(
            "Model bert starts from a trained one: give --from RUN or --from DIR (heed pretrain makes one). "
            f"To train one from nothing, choose a size: {', '.join(bert.PRESETS)}."
        )
    return model, given


def _with_image_base(
    task: str, model: str | None, given: Mapping[str, object]
) -> tuple[str | None, Mapping[str, object]]:
    """Return the model's name, and the settings of the base that hold unless others are given."""
    base = given.get("base")
    if task == "image" and model == "vit":  # any size: that of the base, or the usual one
        model = None
    if not isinstance(base, str):
        return model, {}
    if task == "image" and model is not None:
        raise UsageError(f"--model is {model}, but --from brings its own sizes. Leave --model out, or say vit.")
    known = load_image_base(Path(base))
    # The patch too, though a base brings its own: the side that is asked for must fit it, not the usual one.
    encoder = {
        "image": known.preprocessing.side,
        "patch": known.settings.patch,
        "stem": known.settings.stem,
        "pooling": known.settings.pooling,
    }
    return model, {"model": encoder} if task == "image" else {"model": {"encoder": encoder}}


def _with_language_base(model: str | None, given: Mapping[str, object]) -> Mapping[str, object]:
    """Return the model of the base as settings that hold unless others are given; nothing without a base."""
    base = given.get("base")
    if not isinstance(base, str):
        return {}
    known = load_language_base(Path(base))
    own = known.settings.cell if isinstance(known.settings, LanguageRnnSettings) else known.settings.kind
    if model is not None and model != own:
        raise UsageError(f"--model is {model}, but the base {base} is a {own}. Leave --model out, or say {own}.")
    usual = language.preset(own)
    if isinstance(usual, LanguageRnnSettings):
        usual = replace(usual, longest=known.settings.longest)
    return {"model": to_dict(fitted(usual, known))}


def _fine_tuning(task: str) -> Mapping[str, object]:
    if task == "pretrain":
        return GOING_ON
    return SEEING if task in LOOKING else FINE_TUNING


def _preset(task: str, model: str) -> object:
    """Return the settings of a named model."""
    if model == "bert" and task in STARTING:
        return BertSettings()
    match task:
        case "translate":
            return seq2seq.preset(model)
        case "classify" | "pair":
            return _classifier(task, model)
        case "tag":
            return tagger.preset(model)
        case "answer":
            return span_reader.preset(model)
        case "write":
            return language.preset(model)
        case "vectors":
            return vectors_settings.preset(model)
        case "image":
            return vit.preset(model)
        case "caption":
            return captioner.preset(model)
        case _:
            return bert.preset(model)


def _classifier(task: str, model: str) -> object:
    if model == "tfidf":
        return TfidfSettings()
    settings = text_classifier.preset(model)
    # The two texts of a joined pair are told apart where the model can do it.
    if task == "pair" and isinstance(settings, EncoderSettings):
        return replace(settings, segments=2)
    return settings


def free_folder(task: str, settings: RunSettings) -> Path:
    """Return a folder below runs/ that does not exist yet, named for what it holds."""
    name, number = model_name(settings), 1
    while (path := Path("runs") / f"{task}-{name}-{number}").exists():
        number += 1
    return path


def model_name(settings: RunSettings) -> str:
    """Return what a run's model is called: its kind, or the cell of a recurrent network."""
    model = settings.model
    recurrent = RnnSettings | TextRnnSettings | LanguageRnnSettings | RnnCaptionerSettings
    return model.cell if isinstance(model, recurrent) else model.kind


def _asks_for_adamw(given: Mapping[str, object]) -> bool:
    training = given.get("training")
    return isinstance(training, Mapping) and training.get("optimizer") == "adamw"


def _is_linear(model: str | None, given: Mapping[str, object]) -> bool:
    own = given.get("model")
    return (own.get("kind", model) if isinstance(own, Mapping) else model) == "tfidf"


def _with_limit(values: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """Return the merged values with exactly the limit that was given, or the data's, or the default."""
    merged = _merged(_without_limit(values) if _has_limit(given) else values, given)
    return merged if _has_limit(merged) else _merged(merged, {"training": {"minutes": MINUTES}})


def _without_limit(values: Mapping[str, object]) -> dict[str, object]:
    return without(values, {f"training.{name}" for name in LIMITS})


def _has_limit(values: Mapping[str, object]) -> bool:
    training = values.get("training", {})
    # What is no table is left for the reader of the settings to refuse.
    return not isinstance(training, Mapping) or any(training.get(name) not in (None, "none") for name in LIMITS)


def _with_names(own: object, names: Sequence[str], task: str) -> object:
    """Return the settings of the data with the names from the command, which win; without any, with the demo's."""
    if isinstance(own, Mapping) and (names or "train" not in own):
        return {**own, "train": list(names) or [DEMOS[task]]}
    return own


def _is_demo(own: object) -> bool:
    train = own.get("train") if isinstance(own, Mapping) else None
    return isinstance(train, list | tuple) and all(str(name).startswith("demo:") for name in train)


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """Return both mappings as one; where both have a value, the one above wins, tables being merged in turn."""
    if "kind" in below and "kind" in above and below["kind"] != above["kind"]:
        return dict(above)  # settings of another class: nothing of the one below fits
    result = dict(below)
    for name, value in above.items():
        mine = result.get(name)
        result[name] = _merged(mine, value) if isinstance(mine, Mapping) and isinstance(value, Mapping) else value
    return result
