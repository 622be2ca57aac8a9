"""Values out of a `config.json` that somebody else wrote: each is checked, and an odd one is named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from heed.errors import RunError

Name = TypeVar("Name", bound=str)

LARGEST = 1_000_000  # of any size in a config: no model has a million heads or pieces of one vector
MOST_LAYERS = 1_000  # each is looked for by name, before any of the weights says that there are fewer


@dataclass(frozen=True)
class Config:
    """The values of a `config.json`, and what messages call it."""

    values: Mapping[str, object]
    origin: str

    def given(self) -> "Config":
        """Return it without the values that are null, which means: not set."""
        return Config({name: value for name, value in self.values.items() if value is not None}, self.origin)

    def family(self, known: Sequence[Name]) -> Name:
        """Return which of the known kinds of models this describes."""
        for name in known:
            if self.model_type == name:
                return name
        raise RunError(f"{self.origin}: model_type is {self.model_type[:80]!r}; this is for {', '.join(known)}.")

    def head(self, prefix: str, known: Mapping[str, Name]) -> Name | Literal["none"]:
        """Return what stands on top of the encoder, by what follows the prefix in the name of the class."""
        name = self.architecture
        suffix = name.removeprefix(prefix)
        if name and suffix not in known:
            raise RunError(
                f"{self.origin}: architectures is {name[:80]!r}, which is not read. "
                f"Known are {', '.join(known)} of each family."
            )
        return known[suffix] if name else "none"

    def size(self, *names: str, default: int | None = None, most: int = LARGEST) -> int:
        """Return the whole number under the first of these names that is there."""
        for name in names:
            if name in self.values:
                value = self.values[name]
                if type(value) is not int or not 1 <= value <= most:
                    raise self._odd(name, f"a whole number from 1 to {most:,}")
                return value
        if default is None:
            raise RunError(f"{self.origin} has no {names[0]}. Give the config.json that belongs to the weights.")
        return default

    def share(self, *names: str, default: float) -> float:
        """Return the number from 0 up to 1 under the first of these names that is there."""
        for name in names:
            if name in self.values:
                value = self.values[name]
                if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1:
                    raise self._odd(name, "a number of at least 0 and below 1")
                return float(value)
        return default

    def word(self, name: str, known: Mapping[str, str], default: str) -> str:
        """Return what the word under the name is called here."""
        value = self.values.get(name, default)
        if not isinstance(value, str) or value not in known:
            raise self._odd(name, f"one of: {', '.join(known)}")
        return known[value]

    def truth(self, name: str, default: bool) -> bool:
        """Return the true or false under the name."""
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise self._odd(name, "true or false")
        return value

    def id(self, name: str, default: int) -> int:
        """Return the id of a piece under the name."""
        value = self.values.get(name, default)
        if type(value) is not int or not 0 <= value < 2**31:
            raise self._odd(name, "the id of a piece")
        return value

    def layers(self, name: str) -> int:
        """Return how many layers there are."""
        return self.size(name, most=MOST_LAYERS)

    def labels(self) -> tuple[str, ...]:
        """Return the names of the labels in the order of their numbers; without names, their numbers."""
        named = self.values.get("id2label")
        if named is None:
            return tuple(f"LABEL_{number}" for number in range(self.size("num_labels", default=2)))
        if not isinstance(named, Mapping) or not named:
            raise self._odd("id2label", "an object of numbers and names")
        numbers = [str(number) for number in range(len(named))]
        if sorted(named, key=str) != sorted(numbers) or not all(isinstance(each, str) for each in named.values()):
            raise self._odd("id2label", f"an object with the keys 0 to {len(named) - 1} and a name for each")
        if len(set(named.values())) < len(named):
            raise self._odd("id2label", "an object in which no name stands twice")
        return tuple(str(named[number]) for number in numbers)

    @property
    def model_type(self) -> str:
        """Return which family the model says it is of."""
        value = self.values.get("model_type")
        if not isinstance(value, str):
            raise self._odd("model_type", "the name of a family, such as bert")
        return value

    @property
    def architecture(self) -> str:
        """Return which class of `transformers` wrote it; empty where it is not said."""
        value = self.values.get("architectures")
        first = value[0] if isinstance(value, list) and value else ""
        return first if isinstance(first, str) else ""

    def _odd(self, name: str, expected: str) -> RunError:
        return RunError(
            f"{self.origin}: {name} is {str(self.values.get(name))[:80]!r}, but must be {expected}. "
            f"Give the config.json that belongs to the weights."
        )
