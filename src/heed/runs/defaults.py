"""What a run is unless told otherwise: the model by name, a limit that fits the data, a folder that is free."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from heed.errors import UsageError
from heed.models import bert, seq2seq, text_classifier
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.seq2seq import Seq2SeqSettings
from heed.models.text_classifier import TextClassifierSettings
from heed.models.text_rnn import TextRnnSettings
from heed.models.tfidf import TfidfSettings
from heed.runs.settings import DEMOS, RunSettings, settings_class
from heed.settings import from_dict, to_dict

STARTING = ("classify", "pair", "tag", "answer")  # tasks whose model may start from a trained BERT
LIMITS = ("steps", "epochs", "minutes")
MINUTES = 15.0  # of training on a person's own data, when neither steps, epochs nor a budget are given

# What suits a task wherever the data comes from, over the defaults of the settings themselves.
TASK: Mapping[str, Mapping[str, object]] = {
    "translate": {},
    "classify": {
        "tokens": {"size": 20000, "lowercase": True},
        "training": {
            "tokens_per_batch": 4096,
            "learning_rate": 1e-3,
            "average": 0.998,
            "validations": 10,  # each reads all validation texts, which takes its share of a budget
            "patience": 5,
        },
    },
    "pair": {
        "tokens": {"size": 8000},
        "training": {"tokens_per_batch": 2048, "learning_rate": 1e-3, "average": 0.99, "patience": 8},
    },
}
# The steps of a recurrent network follow each other: more texts at a time cost it little, and let it take longer steps.
RECURRENT: Mapping[str, Mapping[str, object]] = {
    "classify": {"training": {"tokens_per_batch": 8192, "learning_rate": 2e-3}},
}
# The built-in corpora have a few hundred words and short sentences: small models learn them while one waits.
DEMO: Mapping[str, Mapping[str, object]] = {
    "translate": {
        "tokens": {"kind": "words"},
        "training": {"steps": 500, "tokens_per_batch": 4096, "learning_rate": 3e-3, "average": 0.99, "validations": 5},
    },
    "classify": {
        "tokens": {"kind": "words"},
        "training": {"steps": 400, "tokens_per_batch": 2048, "average": 0.99, "validations": 5},
    },
    "pair": {
        "reading": "towers",  # joined pairs of these few words are learnt much more slowly
        "tokens": {"kind": "words"},
        "training": {"steps": 600, "tokens_per_batch": 2048, "average": 0.99, "validations": 5},
    },
}
# A model that knows the language already needs small steps and few passes.
FINE_TUNING: Mapping[str, object] = {
    "training": {
        "learning_rate": 1e-4,
        "schedule": "linear",
        "warmup": 0.1,
        "tokens_per_batch": 2048,
        "average": 0.99,
        "validations": 6,
        "patience": None,
    },
}
DEMO_TRANSFORMER: Mapping[str, object] = {
    "kind": "transformer",
    "width": 128,
    "heads": 4,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "feedforward": 256,
}


def resolve(
    task: str, data: Sequence[str], model: str | None, given: Mapping[str, object], where: str = "settings"
) -> RunSettings:
    """Return the settings of a run: the person's own over the model's over the data's over the task's."""
    chosen = settings_class(task)
    given = {"task": task, **given, "data": _with_names(given.get("data", {}), data, task)}
    if task in STARTING:
        model, given = _with_base(model, given)
    values: dict[str, object] = dict(TASK[task])
    if given.get("base") is not None:
        values = _merged(values, FINE_TUNING)
    if model is not None and isinstance(_preset(task, model), TextRnnSettings):
        values = _merged(values, RECURRENT.get(task, {}))
    if _is_demo(given["data"]):
        values = _merged(values, DEMO[task])
        values = _merged(values, {"model": DEMO_TRANSFORMER}) if model is None and task == "translate" else values
    if model is not None or task == "pair":
        values = _merged(values, {"model": to_dict(_preset(task, model or "transformer"))})
    return from_dict(chosen, _with_limit(values, given), where)


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


def _preset(task: str, model: str) -> Seq2SeqSettings | TextClassifierSettings | TfidfSettings:
    if task == "translate":
        return seq2seq.preset(model)
    if model == "tfidf":
        return TfidfSettings()
    settings = BertSettings() if model == "bert" else text_classifier.preset(model)
    # The two texts of a joined pair are told apart where the model can do it.
    if task == "pair" and isinstance(settings, EncoderSettings):
        return replace(settings, segments=2)
    return settings


def free_folder(task: str, settings: RunSettings) -> Path:
    """Return a folder below runs/ that does not exist yet, named for what it holds."""
    model = settings.model
    name = model.cell if isinstance(model, RnnSettings | TextRnnSettings) else model.kind
    number = 1
    while (path := Path("runs") / f"{task}-{name}-{number}").exists():
        number += 1
    return path


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
