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
    """Return `work(job)` for each job, in order; as many at a time as torch has threads. A single job has them all."""
    threads = torch.get_num_threads()
    if threads == 1 or len(jobs) < 2:
        return [work(job) for job in jobs]
    try:
        return _in_threads(work, jobs, min(threads, len(jobs)))
    finally:
        # torch's setting is partly of the whole process, so what the workers set must be set back.
        torch.set_num_threads(threads)


def _in_threads(work: Callable[[Job], Result], jobs: Sequence[Job], workers: int) -> list[Result]:
    pool = ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,))
    try:
        return list(pool.map(work, jobs))
    finally:
        # After an error or Ctrl-C the batches that wait are not begun.
        pool.shutdown(wait=True, cancel_futures=True)
