"""`reading`: pictures read and made square, a few dozen at a time, in this process or in others beside it.

What comes, and in which order, does not depend on how many processes read. Only what the next few chunks need is held
in memory. A process of ours that reads imports this file and what it imports, which is neither torch nor a model.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path

from heed.data.records import ImageSource
from heed.data.squares import Fit, squared
from heed.errors import DataError, MachineError
from heed.files.images import read_image

AT_ONCE = 32  # pictures that are handed to a process together
_AHEAD = 2  # chunks for each process that may wait to be fetched

Square = bytes | str  # (side, side, 3) numbers of 8 bits; or the sentence why there is no picture


def name_of(source: ImageSource) -> str:
    """Return what messages call a picture."""
    return str(source) if isinstance(source, Path) else source.name


@contextmanager
def reading(sources: Sequence[ImageSource], side: int, fit: Fit, workers: int) -> Iterator[Iterator[list[Square]]]:
    """Give the squares of all sources, chunk after chunk; no process is left when the block ends, however it ends."""
    if workers == 0:
        yield (read_squares(chunk, side, fit) for chunk in _chunks(sources))
        return
    # Not fork: threads of torch may hold locks that a copy of this process would wait for.
    spawn = multiprocessing.get_context("spawn")
    watched, held = spawn.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, mp_context=spawn, initializer=_live_with, initargs=(watched,))
    try:
        yield _read_side_by_side(pool, sources, side, fit, workers)
    finally:
        held.close()
        pool.shutdown(cancel_futures=True)
        watched.close()


def read_squares(sources: Sequence[ImageSource], side: int, fit: Fit) -> list[Square]:
    """Return the square of each source, or why there is none."""
    return [_square(source, side, fit) for source in sources]


def _square(source: ImageSource, side: int, fit: Fit) -> Square:
    try:
        image = read_image(source) if isinstance(source, Path) else source.draw().convert("RGB")
    except DataError as error:
        return str(error).removeprefix(name_of(source)).lstrip(": ")
    return squared(image, side, fit).tobytes()


def _chunks(sources: Sequence[ImageSource]) -> Iterator[Sequence[ImageSource]]:
    return (sources[begin : begin + AT_ONCE] for begin in range(0, len(sources), AT_ONCE))


def _read_side_by_side(
    pool: ProcessPoolExecutor, sources: Sequence[ImageSource], side: int, fit: Fit, workers: int
) -> Iterator[list[Square]]:
    futures, read = (_submit(pool, chunk, side, fit) for chunk in _chunks(sources)), 0
    try:
        waiting = deque(islice(futures, _AHEAD * workers))
        while waiting:
            squares = waiting.popleft().result()
            waiting.extend(islice(futures, 1))
            yield squares
            read += len(squares)
    except BrokenProcessPool:
        near = min(len(sources) - read, (_AHEAD * workers + 1) * AT_ONCE)
        raise MachineError(
            f"One of {workers} processes that read pictures was ended from outside, or by one of the {near:,} pictures "
            f"from {name_of(sources[read])} on. If memory was short, use fewer workers; 0 reads without processes. "
            f'A script that calls heed must do so under `if __name__ == "__main__":`.'
        ) from None


def _submit(pool: ProcessPoolExecutor, chunk: Sequence[ImageSource], side: int, fit: Fit) -> Future[list[Square]]:
    # A process may be started here, and takes over what is blocked: Ctrl-C is then for us alone, from its first moment.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(read_squares, chunk, side, fit)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _live_with(watched: Connection) -> None:
    """Make this process end when the other end of the pipe is closed, or the process that holds it has ended."""
    threading.Thread(target=_leave_when_closed, args=(watched,), daemon=True).start()


def _leave_when_closed(watched: Connection) -> None:
    watched.poll(None)
    os._exit(1)  # at once, in the middle of a picture
