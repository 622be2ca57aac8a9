"""`Roles`: which ids of a vocabulary mean padding, unknown, start, end and a hidden word, found by their names.

    ours               [PAD]  [UNK]  [START]  [END]
    BERT, and ours     [PAD]  [UNK]  [CLS]    [SEP]   [MASK]
    RoBERTa            <pad>  <unk>  <s>      </s>    <mask>
    Marian             <pad>  <unk>           </s>             a decoder starts with the padding
    GPT-2                                     <|endoftext|>    which stands for all of them

A vocabulary of bytes knows every text: its unknown id is that of the end, which no text ever becomes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from heed.errors import RunError

OURS = ("[PAD]", "[UNK]", "[START]", "[END]")  # ids 0, 1, 2, 3
BERT = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # ids 0 to 4 where we train the vocabulary ourselves

_PAD = ("[PAD]", "<pad>")
_UNKNOWN = ("[UNK]", "<unk>")
_START = ("[START]", "[CLS]", "<s>")
_END = ("[END]", "[SEP]", "</s>", "<|endoftext|>")
_MASK = ("[MASK]", "<mask>")


@dataclass(frozen=True, slots=True)
class Roles:
    """The ids with a meaning of their own."""

    pad: int
    unknown: int
    start: int
    end: int
    mask: int | None


def find_roles(specials: Mapping[str, int]) -> Roles:
    """Return the roles of special pieces, given with their ids."""
    end = _first(specials, _END)
    if end is None:
        raise RunError(
            f"The tokenizer's special pieces are {' '.join(specials) or 'none'}: none of them is the end of a text "
            f"({', '.join(_END)}). Use a tokenizer of heed, BERT, RoBERTa, DistilBERT, GPT-2 or Marian."
        )
    pad, unknown, start = (_first(specials, names) for names in (_PAD, _UNKNOWN, _START))
    pad = end if pad is None else pad
    return Roles(
        pad=pad,
        unknown=end if unknown is None else unknown,
        start=pad if start is None else start,
        end=end,
        mask=_first(specials, _MASK),
    )


def _first(specials: Mapping[str, int], names: tuple[str, ...]) -> int | None:
    return next((specials[name] for name in names if name in specials), None)
