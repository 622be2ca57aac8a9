"""A server's memory: what is kept for the next batch is bounded, since batches come in all sizes.

glibc gives every new thread a heap of its own, up to eight for each core, and each keeps what it once needed; batches
are computed by threads that come and go. oneDNN keeps what it has compiled for a thousand shapes. Together a busy
server of a small classifier grew by 400 MB in a minute without this, and by less than a tenth of that with it.
"""

import ctypes
import os
import sys

HEAPS = 2
SHAPES = 64  # products of a few batches; to compile one anew takes less than to compute it
_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h


def keep_little() -> None:
    """Bound both. Call it before there are threads and before anything is computed; elsewhere it does nothing."""
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", str(SHAPES))
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_ARENA_MAX, HEAPS)
