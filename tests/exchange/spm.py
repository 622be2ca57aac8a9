"""Vocabularies in the format of SentencePiece, written by hand: messages of Protocol Buffers, field by field."""

import struct
from collections.abc import Mapping

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6


def varint(value: int) -> bytes:
    data = b""
    while value > 127:
        data, value = data + bytes([value & 127 | 128]), value >> 7
    return data + bytes([value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def block(field: int, data: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(data)) + data


def piece(text: str, score: float, kind: int = NORMAL) -> bytes:
    data = block(1, text.encode()) + varint(2 << 3 | 5) + struct.pack("<f", score)
    return block(1, data if kind == NORMAL else data + number(3, kind))


def vocabulary(
    scores: Mapping[str, float],
    trainer: Mapping[int, int] | None = None,
    normalizer: Mapping[int, int] | None = None,
    charsmap: bytes = b"",
) -> bytes:
    """Return a file with these pieces; `trainer` and `normalizer` give the numbers of further fields."""
    specials = piece("<unk>", 0.0, UNKNOWN) + piece("<s>", 0.0, CONTROL) + piece("</s>", 0.0, CONTROL)
    pieces = b"".join(piece(text, score) for text, score in scores.items())
    trained = b"".join(number(field, value) for field, value in {3: 1, **(trainer or {})}.items())
    normal = (block(2, charsmap) if charsmap else b"") + b"".join(
        number(field, value) for field, value in (normalizer or {}).items()
    )
    return specials + pieces + block(2, trained) + block(3, block(1, b"nmt_nfkc") + normal)


def charsmap(pairs: Mapping[str, str]) -> bytes:
    """Return a map of characters as SentencePiece packs it: a trie in a double array, then what each becomes."""
    texts, places = b"", {}
    for source, target in pairs.items():
        places[source.encode()] = len(texts)
        texts += target.encode() + b"\0"
    units = _double_array(places)
    trie = b"".join(struct.pack("<I", unit) for unit in units)
    return struct.pack("<I", len(trie)) + trie + texts


def _double_array(values: Mapping[bytes, int]) -> list[int]:
    """Return the units of a trie (Aoe 1989) in the layout of Darts-clone: label, offset, whether a value follows."""
    units: dict[int, int] = {0: 0}
    free = 256

    def place(node: int, keys: Mapping[bytes, int]) -> None:
        nonlocal free
        base, free = free, free + 512
        labels = sorted({key[0] if key else 0 for key in keys})
        offset = base ^ node
        # A child stands at the place of its parent, changed by the offset and by its label.
        units[node] = units[node] | offset << 10 | (256 if 0 in labels else 0)
        for label in labels:
            child = node ^ offset ^ label
            units[child] = label if label else keys[b""] | 1 << 31
        for label in labels:
            if label:
                child = node ^ offset ^ label
                place(child, {key[1:]: value for key, value in keys.items() if key and key[0] == label})

    place(0, values)
    return [units.get(number, 0) for number in range(max(units) + 1)]
