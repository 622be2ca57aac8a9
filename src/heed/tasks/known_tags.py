"""`KnownTags`: what a model can say of a word: where in an entity it stands, and of which kind; or a plain label."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from heed.data.entity_tags import OUTSIDE, EntityScheme, is_entity_tag, kinds_of
from heed.data.records import TaggedText
from heed.errors import RunError


@dataclass(frozen=True)
class KnownTags:
    """The tags of a model; the number of one is its place among the names."""

    names: tuple[str, ...]
    plain: bool  # labels by themselves, not entities

    def encode(self, tags: Iterable[str]) -> list[int]:
        """Return the numbers of tags that the training data has."""
        return [self._numbers[tag] for tag in tags]

    def decode(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the tags of the numbers."""
        return tuple(self.names[number] for number in numbers)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}


def find_tags(records: Sequence[TaggedText], scheme: EntityScheme | None) -> KnownTags:
    """Return the tags of training records: of entities, B and I for every kind, also where all are of one word."""
    if scheme is None:
        return KnownTags(tuple(sorted({tag for record in records for tag in record.tags})), plain=True)
    kinds = sorted(set(kinds_of(record.tags for record in records)))
    return KnownTags((OUTSIDE, *(f"{letter}-{kind}" for kind in kinds for letter in "BI")), plain=False)


def tags_to_facts(tags: KnownTags) -> dict[str, str | bool | list[str]]:
    """Return the tags as JSON can hold them; `tags_from_facts` gives them back."""
    return {"outcome": "tag", "plain": tags.plain, "names": list(tags.names)}


def tags_from_facts(facts: Mapping[str, object], origin: str) -> KnownTags:
    """Return the tags that `tags_to_facts` described, or raise RunError."""
    match dict(facts):
        case {"outcome": "tag", "plain": bool(plain), "names": [_, _, *_] as names} if _are_tags(names, plain):
            return KnownTags(tuple(map(str, names)), plain)
    raise RunError(f"{origin} holds no tags of words: {str(dict(facts))[:80]}. Train again.")


def _are_tags(names: Sequence[object], plain: bool) -> bool:
    texts = [name for name in names if isinstance(name, str)]
    are_different = len(set(texts)) == len(names)
    return are_different and (plain or (texts[0] == OUTSIDE and all(map(is_entity_tag, texts[1:]))))
