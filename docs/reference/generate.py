"""Write `settings.md` from the settings classes and the comments beside their fields.

make docs
"""

import ast
import dataclasses
import inspect
import io
import textwrap
import tokenize
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.models.bert import BertSettings
from heed.models.captioner import RnnCaptionerSettings, TransformerCaptionerSettings
from heed.models.encoder import EncoderSettings
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.text_cnn import TextCnnSettings
from heed.models.text_rnn import TextRnnSettings
from heed.models.tfidf import TfidfSettings
from heed.models.transformer import TransformerSettings
from heed.models.vectors_settings import GloveSettings, Word2VecSettings
from heed.models.vit import VitSettings
from heed.runs.answer_settings import AnswerSettings
from heed.runs.caption_settings import CaptionSettings
from heed.runs.data_settings import DataSettings
from heed.runs.image_settings import ImageSettings, PictureSettings
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import ClassificationSettings, TranslationSettings
from heed.runs.tag_settings import TagSettings
from heed.runs.unused import UNUSED
from heed.runs.write_settings import WriteSettings
from heed.serving.limits import Limits
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_windows import WindowSettings
from heed.tasks.augmentation import AugmentationSettings
from heed.tasks.image import ColourSettings
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings

PARTS = (
    ("", TranslationSettings, "the run, of `translate`"),
    ("", ClassificationSettings, "the run, of `classify` and `pair`"),
    ("", TagSettings, "the run, of `tag`"),
    ("", AnswerSettings, "the run, of `answer`"),
    ("", WriteSettings, "the run, of `write`"),
    ("", ImageSettings, "the run, of `image`"),
    ("", CaptionSettings, "the run, of `caption`"),
    ("", PretrainingSettings, "the run, of `heed pretrain`"),
    ("data", DataSettings, ""),
    ("tokens", TokenizerSettings, ""),
    ("windows", WindowSettings, " of `answer`"),
    ("pictures", PictureSettings, " of `image` and `caption`"),
    ("colours", ColourSettings, " of `image` and `caption`"),
    ("augmentation", AugmentationSettings, " of `image` and `caption`"),
    ("model", TransformerSettings, " of `translate` (`--model transformer…`)"),
    ("model", RnnSettings, " of `translate` (`--model lstm`, `gru`, `rnn`)"),
    ("model", EncoderSettings, " of `classify`, `pair`, `tag` and `answer` (`--model transformer`)"),
    ("model", TextRnnSettings, " of `classify`, `pair` and `tag` (`--model lstm`, `gru`, `rnn`)"),
    ("model", TextCnnSettings, " of `classify` and `pair` (`--model textcnn`)"),
    ("model", TfidfSettings, " of `classify` and `pair` (`--model tfidf`)"),
    ("model", BertSettings, " of `heed pretrain`, and of what starts from it"),
    ("model", LanguageTransformerSettings, " of `write` (`--model transformer`)"),
    ("model", LanguageRnnSettings, " of `write` (`--model lstm`, `gru`, `rnn`)"),
    ("model", Word2VecSettings, " of `vectors` (`--model word2vec`, `cbow`)"),
    ("model", GloveSettings, " of `vectors` (`--model glove`)"),
    ("model", VitSettings, " of `image` (`--model vit-…`); of `caption`, as `model.encoder`"),
    ("model", TransformerCaptionerSettings, " of `caption` (`--model transformer`)"),
    ("model", RnnCaptionerSettings, " of `caption` (`--model lstm`, `gru`, `rnn`)"),
    ("training", TrainingSettings, ""),
    ("search", BeamSettings, " of `translate` and `caption`"),
    ("search", SpanSearch, " of `answer`"),
    ("search", SamplingSettings, " of `write`"),
    ("limits", Limits, " of `heed serve`"),
)


def page() -> str:
    """Return the whole page."""
    lines = ["# Settings", "", "Give any of them as `--set part.key=value`, or in a TOML file with `--settings`."]
    lines += ["Defaults are written as in such a file; `none` means no value."]
    lines += ["`heed train TASK --show-settings` prints them all as a run would have them."]
    lines += ["Tasks, and the models of a task, may have defaults of their own: it shows those too.", ""]
    lines += ["This page is generated from the source by `make docs`.", ""]
    for part, cls, note in PARTS:
        lines += [f"## {part}{note}", "", "| setting | default | what it is |", "|---|---|---|", *_rows(part, cls), ""]
    return "\n".join([*lines, *_unused()])


def _unused() -> list[str]:
    """Return which settings are refused where, for they would do nothing there."""
    lines = ["## Where a setting does not apply", ""]
    lines += ["Asking for one of these is an error, unless the run has that value anyway. `--show-settings` and"]
    lines += ["reports leave them out. A part stands for all of its settings. Besides, a run that starts from a base"]
    lines += ["(`--from`) has the base's sizes, vocabulary and colours: asking for others is an error too.", ""]
    lines += ["| setting | in runs of | why | what to do |", "|---|---|---|---|"]
    for each in UNUSED:
        names = ", ".join(f"`{name}`" for name in each.names)
        lines.append(f"| {names} | {each.where} | {each.why} | {each.instead} |")
    return [*lines, ""]


@dataclass(frozen=True)
class _Written:
    """A field as the source has it: its default and the comments on it, above it first."""

    default: str
    comment: str


def _rows(part: str, cls: type) -> list[str]:
    hints, written = typing.get_type_hints(cls), _written(cls)
    rows = []
    for field in dataclasses.fields(cls):
        hidden = ("task",) if part == "tokens" else ("task", "kind")
        if field.name in hidden or _is_part(hints[field.name]):
            continue
        source = written[field.name]
        text = " ".join(filter(None, [_choices(hints[field.name]), source.comment])).replace("|", "\\|")
        name = f"{part}.{field.name}" if part else field.name
        rows.append(f"| `{name}` | `{_as_toml(field.default, source.default)}` | {text} |")
    return rows


def _written(cls: type) -> dict[str, _Written]:
    """Return every field of the class and of those it inherits from, by name."""
    found: dict[str, _Written] = {}
    for each in reversed([each for each in cls.__mro__ if dataclasses.is_dataclass(each)]):
        source = textwrap.dedent(inspect.getsource(each))
        comments = _comments(source)
        body = typing.cast(ast.ClassDef, ast.parse(source).body[0]).body
        for line in body:
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.value is not None:
                default = ast.get_source_segment(source, line.value) or ""
                found[line.target.id] = _Written(default, _comment_on(line, comments))
    return found


def _comments(source: str) -> dict[int, tuple[str, bool]]:
    """Return by line the comment that stands there, and whether it has the line to itself."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    return {token.start[0]: (token.string.lstrip("# "), not token.line[: token.start[1]].strip()) for token in comments}


def _comment_on(field: ast.AnnAssign, comments: Mapping[int, tuple[str, bool]]) -> str:
    """Return the comments right above a field, and those beside its lines: a long default is wrapped in brackets."""
    first = field.lineno
    while comments.get(first - 1, ("", False))[1]:
        first -= 1
    assert field.end_lineno is not None
    lines = range(first, field.end_lineno + 1)
    return " ".join(comments[line][0] for line in lines if line in comments)


def _as_toml(value: object, source: str) -> str:
    """Return a default as a settings file has it; numbers as the source writes them, such as 2e-3."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(_as_toml(each, repr(each)) for each in value) + "]"
    return f'"{value}"' if isinstance(value, str) else source


def _is_part(hint: object) -> bool:
    """Tell whether a field holds settings of its own, which stand under another heading."""
    return any(dataclasses.is_dataclass(each) for each in (hint, *typing.get_args(hint)))


def _choices(hint: object) -> str:
    """Return the values that a Literal allows, those inside a union included."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        return ", ".join(f"`{value}`" for value in arguments) + "."
    return " ".join(filter(None, (_choices(each) for each in arguments)))


if __name__ == "__main__":
    (Path(__file__).parent / "settings.md").write_text(page(), encoding="utf-8")
