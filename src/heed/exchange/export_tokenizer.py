"""Our tokenizers as `AutoTokenizer` reads them: the pieces and rules, and which special piece means what."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heed.exchange.published_folder import TOKENIZER_CONFIG, json_text
from heed.tasks.framing import Frame
from heed.tokens.published import PIECES, WHOLE
from heed.tokens.tokenizer import Tokenizer

# The class that takes tokenizer.json as it stands; those of the families would put rules of their own in its place.
CLASS = "PreTrainedTokenizerFast"


@dataclass(frozen=True)
class Dress:
    """How a model wants its texts: the tokens around them, the names of special pieces, and what it is given."""

    frame: Frame
    specials: Mapping[str, int]  # such as cls_token
    inputs: tuple[str, ...]
    longest: int


def tokenizer_files(tokenizer: Tokenizer, dress: Dress) -> dict[str, str]:
    """Return the texts of the tokenizer's files by their names."""
    values = json.loads(tokenizer.to_json())
    if values.get("post_processor") is None:
        values["post_processor"] = _template(tokenizer, dress)
    config = {
        "tokenizer_class": CLASS,
        "model_max_length": dress.longest,
        "model_input_names": list(dress.inputs),
        "clean_up_tokenization_spaces": False,
        **{name: tokenizer.piece(id) for name, id in dress.specials.items()},
    }
    files = {WHOLE: json.dumps(values, indent=2, ensure_ascii=False) + "\n", TOKENIZER_CONFIG: json_text(config)}
    return files | ({PIECES: _lines(tokenizer)} if _is_berts(values) else {})


def bert_specials(tokenizer: Tokenizer) -> dict[str, int]:
    """Return the special pieces of a BERT by their names there."""
    mask = {} if tokenizer.mask is None else {"mask_token": tokenizer.mask}
    return {
        "pad_token": tokenizer.pad,
        "unk_token": tokenizer.unknown,
        "cls_token": tokenizer.start,
        "sep_token": tokenizer.end,
        **mask,
    }


# Any: the library's own description of a tokenizer.
def _template(tokenizer: Tokenizer, dress: Dress) -> dict[str, Any] | None:
    """Return the rule that puts the frame around one text and around two."""
    frame, has_segments = dress.frame, "token_type_ids" in dress.inputs
    if not (frame.before or frame.after):
        return None
    second = 1 if has_segments else 0
    before = _specials(tokenizer, frame.before, 0)
    first: list[dict[str, Any]] = [{"Sequence": {"id": "A", "type_id": 0}}]
    last: list[dict[str, Any]] = [{"Sequence": {"id": "B", "type_id": second}}]
    pair = [*first, *_specials(tokenizer, frame.between, 0), *last, *_specials(tokenizer, frame.after, second)]
    used = dict.fromkeys((*frame.before, *frame.between, *frame.after))
    pieces = {tokenizer.piece(id): id for id in used}
    return {
        "type": "TemplateProcessing",
        "single": [*before, *first, *_specials(tokenizer, frame.after, 0)],
        "pair": [*before, *pair],
        "special_tokens": {piece: {"id": piece, "ids": [id], "tokens": [piece]} for piece, id in pieces.items()},
    }


def _specials(tokenizer: Tokenizer, ids: Sequence[int], segment: int) -> list[dict[str, Any]]:
    return [{"SpecialToken": {"id": tokenizer.piece(id), "type_id": segment}} for id in ids]


def _is_berts(values: Mapping[str, Any]) -> bool:
    """Tell whether a list of pieces says everything: the rules around them are BERT's, and not those of ours."""
    kinds = [(values.get(part) or {}).get("type") for part in ("model", "normalizer", "pre_tokenizer")]
    return kinds == ["WordPiece", "BertNormalizer", "BertPreTokenizer"]


def _lines(tokenizer: Tokenizer) -> str:
    return "".join(f"{tokenizer.piece(id)}\n" for id in range(tokenizer.size))
