"""What a run is unless told otherwise: the model by name, a limit that fits the data, a folder that is free."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from heed.errors import UsageError
from heed.models import bert, captioner, language, seq2seq, span_reader, tagger, text_classifier, vectors_settings, vit
from heed.models.bert import BertSettings
from heed.models.captioner import RnnCaptionerSettings
from heed.models.encoder import EncoderSettings
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.text_rnn import TextRnnSettings
from heed.models.tfidf import TfidfSettings
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
    """Return the settings of a run: the person's own over the model's over the data's over the task's."""
    chosen = settings_class(task)
    given = {"task": task, **given, "data": _with_names(given.get("data", {}), data, task)}
    if task in STARTING:
        model, given = _with_base(model, given)
    elif task in LOOKING:
        model, given = _with_image_base(task, model, given)
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
    whole = _merged(values, given) if task in WITHOUT_CLOCK else _with_limit(values, given)
    return from_dict(chosen, whole, where)


def _with_base(model: str | None, given: dict[str, object]) -> tuple[str | None, dict[str, object]]:
    """Return the model's name and the settings with what the model starts from: `bert:DIR` names both at once."""
    name, colon, path = (model or "").partition(":")
    if colon and name == "bert":
        model, given = name, {**given, "base": path}
    base = given.get("base")
    if base is not None and model is None:
        model = "bert"
    if model == "bert" and base is None:
        raise UsageError(
            "Model bert starts from a trained one: give --from RUN or --from DIR (heed pretrain makes one). "
            f"To train one from nothing, choose a size: {', '.join(bert.PRESETS)}."
        )
    return model, given


def _with_image_base(task: str, model: str | None, given: dict[str, object]) -> tuple[str | None, dict[str, object]]:
    """Return the model's name and the settings with the side of pictures that the base knows, unless one is given."""
    base = given.get("base")
    if task == "image" and model == "vit":  # any size: that of the base, or the usual one
        model = None
    if not isinstance(base, str):
        return model, given
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
    below = {"model": encoder} if task == "image" else {"model": {"encoder": encoder}}
    return model, _merged(below, given)


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


def _with_limit(values: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """Return the merged values with exactly the limit that was given, or the data's, or the default."""
    if _has_limit(given):
        training = values.get("training", {})
        assert isinstance(training, Mapping)
        values = {**values, "training": {name: value for name, value in training.items() if name not in LIMITS}}
    merged = _merged(values, given)
    return merged if _has_limit(merged) else _merged(merged, {"training": {"minutes": MINUTES}})


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
