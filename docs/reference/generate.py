"""Write `settings.md` from the settings classes and the comments beside their fields.

python docs/reference/generate.py
"""

import dataclasses
import inspect
import re
import typing
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
FIELD = re.compile(r"    (?P<name>\w+): (?P<type>.+?) = (?P<default>.+?)(?:  # (?P<comment>.*))?")
COMMENT = re.compile(r"    # (?P<comment>.*)")


def page() -> str:
    """Return the whole page."""
    lines = ["# Settings", "", "Give any of them as `--set part.key=value`, or in a TOML file with `--settings`."]
    lines += ["`heed train TASK --show-settings` prints them all as a run would have them."]
    lines += ["Tasks, and the models of a task, may have defaults of their own: it shows those too.", ""]
    lines += ["This page is generated from the source by `docs/reference/generate.py`.", ""]
    for part, cls, note in PARTS:
        lines += [f"## {part}{note}", "", "| setting | default | what it is |", "|---|---|---|", *_rows(part, cls), ""]
    return "\n".join(lines)


def _rows(part: str, cls: type) -> list[str]:
    rows, above, hints = [], [], typing.get_type_hints(cls)
    names = {field.name for field in dataclasses.fields(cls) if not _is_part(hints[field.name])} - {"task"}
    names -= {"kind"} if part != "tokens" else set()
    for line in inspect.getsource(cls).splitlines():
        comment, field = COMMENT.fullmatch(line), FIELD.fullmatch(line)
        if comment:
            above.append(comment["comment"])
        elif field and field["name"] in names:
            said = " ".join([_choices(hints[field["name"]]), *above, field["comment"] or ""]).strip()
            name = f"{part}.{field['name']}" if part else field["name"]
            rows.append(f"| `{name}` | `{field['default']}` | {said.replace('|', chr(92) + '|')} |")
        if not comment:
            above = []
    return rows


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
