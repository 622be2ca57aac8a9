"""Work in several threads gives the same as one after the other, and leaves torch as it was."""

import threading

import pytest
import torch

from heed.tasks.side_by_side import one_for_each_thread, side_by_side


@pytest.fixture(autouse=True)
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_results_come_in_the_order_of_the_jobs():
    assert side_by_side(lambda job: job * job, range(20)) == [job * job for job in range(20)]


def test_two_jobs_run_at_the_same_time():
    both_here = threading.Barrier(2, timeout=10)
    side_by_side(lambda _: both_here.wait(), [1, 2])


def test_each_of_several_jobs_has_one_thread_and_the_caller_gets_its_own_back():
    assert side_by_side(lambda _: torch.get_num_threads(), [1, 2, 3]) == [1, 1, 1]
    assert torch.get_num_threads() == 2


def test_a_single_job_has_one_thread_too():
    assert side_by_side(lambda _: torch.get_num_threads(), [1]) == [1]
    assert torch.get_num_threads() == 2
    assert side_by_side(lambda _: torch.get_num_threads(), []) == []


@pytest.mark.parametrize(
    ("threads", "batches", "expected"),
    [
        (2, [[1, 2, 3]], [[1], [2, 3]]),
        (2, [[1]], [[1]]),
        (2, [], []),
        (2, [[1, 2], [3, 4]], [[1, 2], [3, 4]]),
        (3, [[1], [2, 3, 4, 5]], [[1], [2, 3], [4, 5]]),
        (4, [[1, 2, 3]], [[1], [2], [3]]),
    ],
)
def test_batches_are_cut_until_every_thread_has_one(threads, batches, expected):
    torch.set_num_threads(threads)
    assert one_for_each_thread(batches) == expected


def test_an_error_reaches_the_caller_and_the_threads_are_set_back():
    def fail(job):
        raise KeyError(job)

    with pytest.raises(KeyError):
        side_by_side(fail, [1, 2, 3])
    assert torch.get_num_threads() == 2
