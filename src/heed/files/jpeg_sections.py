"""`count_sections`: how often a JPEG makes its decoder begin anew.

A progressive JPEG is decoded in passes over the whole picture. Forty bytes ask for one more, so that a small file can
keep a decoder busy for hours; the format sets no limit.
"""

import re

_END, _SCAN = b"\xd9", b"\xda"
# Bytes FF, then what kind of section begins; a zero or a restart (D0 to D7) after FF belongs to the pixels of a scan.
_MARKER = re.compile(rb"\xff+([^\x00\x01\xd0-\xd7\xff])")


def count_sections(data: bytes, most: int) -> int:
    """Return how many sections there are from the first scan to the end of the picture; stop beyond `most`."""
    sections, at = 0, 2
    while sections <= most and (marker := _MARKER.search(data, at)) and marker[1] != _END:
        sections += sections > 0 or marker[1] == _SCAN
        length = int.from_bytes(data[marker.end() : marker.end() + 2], "big")
        at = marker.end() + length  # past thumbnails and profiles, which hold markers of their own
    return sections
