"""A SHA-256 that a file carries about itself.

The file holds `sha256:` and 64 digits; the digest is that of the same bytes with the digits all zero. A change of any
bit of the file, the digest's own included, is seen without parsing a byte of it.
"""

import hashlib

_MARK = b"sha256:"
_ZEROS = b"0" * 64

OPEN = (_MARK + _ZEROS).decode()  # put this where the digest shall stand, then call `close_seal`


def close_seal(data: bytes) -> bytes:
    """Return the bytes with the digest in the place of the first open seal."""
    place = data.index(_MARK + _ZEROS) + len(_MARK)
    return data[:place] + _digest(data, place) + data[place + len(_ZEROS) :]


def seal_of(data: bytes) -> str | None:
    """Return the digest that the bytes carry if it is theirs, otherwise None."""
    place = data.find(_MARK) + len(_MARK)
    if place < len(_MARK):
        return None
    carried = data[place : place + len(_ZEROS)]
    return carried.decode() if carried == _digest(data, place) else None


def _digest(data: bytes, place: int) -> bytes:
    view = memoryview(data)
    digest = hashlib.sha256(view[:place])
    digest.update(_ZEROS)
    digest.update(view[place + len(_ZEROS) :])
    return digest.hexdigest().encode()
