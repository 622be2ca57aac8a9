"""Several batches at a time, each on one thread: threads that share one small step mostly wait for each other.

Decoding is many small steps. Python threads are enough: torch lets go of the interpreter while it computes, and the
weights are shared.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

Job = TypeVar("Job")
Result = TypeVar("Result")


def side_by_side(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    """Return `work(job)` for each job, in order; as many at a time as torch has threads, each on one."""
    threads = torch.get_num_threads()
    workers = min(threads, len(jobs))
    try:
        if workers > 1:
            return _in_threads(work, jobs, workers)
        torch.set_num_threads(1)
        return [work(job) for job in jobs]
    finally:
        # torch's setting is partly of the whole process, so what the workers set must be set back.
        torch.set_num_threads(threads)


def one_for_each_thread(batches: Sequence[list[int]]) -> list[list[int]]:
    """Return the batches, the largest cut in two until every thread has one, as long as a batch has two rows."""
    cut = list(batches)
    while cut and len(cut) < torch.get_num_threads():
        place = max(range(len(cut)), key=lambda place: len(cut[place]))
        rows = cut[place]
        if len(rows) == 1:
            break
        cut[place : place + 1] = [rows[: len(rows) // 2], rows[len(rows) // 2 :]]
    return cut


def _in_threads(work: Callable[[Job], Result], jobs: Sequence[Job], workers: int) -> list[Result]:
    pool = ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,))
    try:
        return list(pool.map(work, jobs))
    finally:
        # After an error or Ctrl-C the batches that wait are not begun.
        pool.shutdown(wait=True, cancel_futures=True)
