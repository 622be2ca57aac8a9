"""What one step of training frees is kept for the next.

The tensors of a step are large, and all are freed before the next. glibc gives such memory back to the system, which
hands it out again page by page, each cleared first: thousands of interruptions at every step. Kept, it costs nothing
more: the next step takes as much. Other C libraries go their own ways and are left alone.
"""

import ctypes
import platform
from collections.abc import Iterator
from contextlib import contextmanager

# The names of <malloc.h>.
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3

_NEVER = -1
_LARGEST_FROM_THE_HEAP = 32 << 20  # glibc takes no more; what is larger is always given back


@contextmanager
def memory_kept() -> Iterator[None]:
    """Keep freed memory for the length of a `with`; at its end what is free goes back to the system."""
    if platform.libc_ver()[0] != "glibc":
        yield
        return
    library = ctypes.CDLL(None)
    library.mallopt(_M_MMAP_THRESHOLD, _LARGEST_FROM_THE_HEAP)
    library.mallopt(_M_TRIM_THRESHOLD, _NEVER)
    try:
        yield
    finally:
        # Not the values that glibc starts with: by itself it would have come to these, with tensors as large.
        library.mallopt(_M_TRIM_THRESHOLD, 2 * _LARGEST_FROM_THE_HEAP)
        library.malloc_trim(0)
