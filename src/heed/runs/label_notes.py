"""What a person should know of the labels before a model learns them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from heed.data.labels import Labelled

RARE = 0.1  # share of an even part; a class below it is named as rare
SHOWN = 10  # classes that a note lists


def balance(records: Sequence[Labelled]) -> Iterator[str]:
    """Yield how the labels are shared out, and which of them are rare."""
    counts = Counter(record.label for record in records).most_common()
    shown = ", ".join(f"{name} {count / len(records):.1%}" for name, count in counts[:SHOWN])
    more = f" and {len(counts) - SHOWN} more" if len(counts) > SHOWN else ""
    yield f"{len(counts)} labels: {shown}{more}"
    rare = [name for name, count in counts if count < RARE * len(records) / len(counts)]
    if rare:
        names = ", ".join(rare[:SHOWN])
        yield f"Rare labels ({names}): accuracy alone hides how they do; look at macro F1 and each label's own."
