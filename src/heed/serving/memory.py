"""A server's memory: what is kept for the next batch is bounded, and what stays for ever is not looked through again.

glibc gives every new thread a heap of its own, up to eight for each core, and each keeps what it once needed; batches
are computed by threads that come and go. oneDNN keeps what it has compiled for a thousand shapes. Together a busy
server of a small classifier grew by 400 MB in a minute without this, and by less than a tenth of that with it.

Now and then Python looks through all that lives for what nobody needs any more. With torch and a model that takes a
quarter of a second, in which nobody is answered.
"""

import ctypes
import gc
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


def set_aside() -> None:
    """Let Python no longer look through what lives now. Call it when a model has been loaded, which stays."""
    gc.collect()
    gc.freeze()
