"""Which ids of a vocabulary have a meaning of their own, for each family of models that is read."""

import pytest

from heed.errors import RunError
from heed.tokens.roles import Roles, find_roles


@pytest.mark.parametrize(
    ("specials", "expected"),
    [
        (("[PAD]", "[UNK]", "[START]", "[END]"), Roles(0, 1, 2, 3, None)),
        (("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"), Roles(0, 1, 2, 3, 4)),
        (("<s>", "<pad>", "</s>", "<unk>", "<mask>"), Roles(pad=1, unknown=3, start=0, end=2, mask=4)),
        (("</s>", "<unk>", "<pad>"), Roles(pad=2, unknown=1, start=2, end=0, mask=None)),
        (("<|endoftext|>",), Roles(0, 0, 0, 0, None)),
    ],
    ids=["ours", "bert", "roberta", "marian", "gpt2"],
)
def test_the_roles_of_each_family_are_found_by_name(specials: tuple[str, ...], expected: Roles) -> None:
    assert find_roles({name: id for id, name in enumerate(specials)}) == expected


def test_a_vocabulary_without_an_end_is_refused_with_what_it_has() -> None:
    with pytest.raises(RunError, match=r"special pieces are \[PAD\] \[EOS\]: none of them is the end"):
        find_roles({"[PAD]": 0, "[EOS]": 1})
    with pytest.raises(RunError, match="special pieces are none"):
        find_roles({})
