"""The queue: what is of a kind goes together, nobody gets another's result, and what is too much is refused at once."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from heed.errors import SettingsError, UsageError
from heed.serving.batching import Batcher, Work
from heed.serving.limits import Limits
from heed.serving.refusals import Refusal


class Echo:
    """A model that gives back what it reads, remembers its batches, and waits while `open` is not set."""

    def __init__(self) -> None:
        self.batches: list[list[object]] = []
        self.open = threading.Event()
        self.open.set()

    def predict(self, inputs: Sequence[object]) -> Sequence[object]:
        self.open.wait(10)
        self.batches.append(list(inputs))
        if "bad" in inputs:
            raise UsageError("The text 'bad' cannot be read. Give another.")
        if "broken" in inputs:
            raise KeyError("what a user wrote")
        return [f"said {each}" for each in inputs]

    def work(self, *inputs: str, tokens: int = 1, key: str | None = "echo") -> Work:
        return Work(inputs, self.predict, tokens, key)


@contextmanager
def started(limits: Limits) -> Iterator[Batcher]:
    batcher = Batcher(limits)
    batcher.start()
    try:
        yield batcher
    finally:
        batcher.abandon()
        assert batcher.join(10)


def run(act: Callable[[Batcher, Echo], Awaitable[None]], limits: Limits | None = None) -> Echo:
    """Run a story with a batcher and its model, and return the model."""
    echo = Echo()

    async def told() -> None:
        with started(limits or Limits(gather_seconds=0.02)) as batcher:
            await act(batcher, echo)

    asyncio.run(told())
    return echo


def test_a_thousand_marked_requests_are_never_crossed() -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        works = [echo.work(*(f"{n}.{part}" for part in range(n % 3 + 1)), key=f"kind {n % 5}") for n in range(1000)]
        results = await asyncio.gather(*(batcher.run(work) for work in works))
        assert [list(each) for each in results] == [[f"said {each}" for each in work.inputs] for work in works]

    echo = run(act, Limits(queue_requests=1000))
    assert len(echo.batches) < 500


def test_requests_of_unlike_kinds_are_never_predicted_together_and_those_without_a_kind_are_alone() -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        kinds = ["a", "b", None, "a", None, "b"]
        await asyncio.gather(*(batcher.run(echo.work(str(kind), key=kind)) for kind in kinds))

    assert sorted(run(act).batches) == [["None"], ["None"], ["a", "a"], ["b", "b"]]


def test_a_batch_holds_no_more_tokens_than_allowed() -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        await asyncio.gather(*(batcher.run(echo.work(str(n), tokens=3)) for n in range(7)))

    assert max(len(batch) for batch in run(act, Limits(batch_tokens=8)).batches) == 2


@pytest.mark.parametrize("limits", [Limits(queue_requests=2), Limits(queue_tokens=10)])
def test_a_full_queue_refuses_at_once_and_says_when_to_come_back(limits: Limits) -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        echo.open.clear()
        running = asyncio.ensure_future(batcher.run(echo.work("runs", key=None)))
        await asyncio.sleep(0.05)
        waiting = [asyncio.ensure_future(batcher.run(echo.work(str(n), tokens=5))) for n in range(2)]
        await asyncio.sleep(0)
        started = time.monotonic()
        with pytest.raises(Refusal, match="2 requests wait") as refusal:
            await batcher.run(echo.work("late", tokens=5))
        assert time.monotonic() - started < 0.05
        assert refusal.value.status == 429 and (refusal.value.retry_after or 0) >= 1
        echo.open.set()
        assert await asyncio.gather(running, *waiting) == [["said runs"], ["said 0"], ["said 1"]]

    run(act, limits)


@pytest.mark.parametrize("limits", [Limits(queue_requests=1), Limits()])
def test_a_client_that_has_gone_is_dropped_and_makes_room(limits: Limits) -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        echo.open.clear()
        running = asyncio.ensure_future(batcher.run(echo.work("runs", key=None)))
        await asyncio.sleep(0.05)
        gone = asyncio.ensure_future(batcher.run(echo.work("gone")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        stays = asyncio.ensure_future(batcher.run(echo.work("stays")))
        await asyncio.sleep(0)
        echo.open.set()
        assert await asyncio.gather(running, stays) == [["said runs"], ["said stays"]]

    assert run(act, limits).batches == [["runs"], ["stays"]]


@pytest.mark.parametrize(("text", "fault"), [("bad", UsageError), ("broken", KeyError)])
def test_a_request_never_fails_for_its_companions(text: str, fault: type[Exception]) -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        works = [echo.work(each) for each in ("one", text, "two")]
        one, failed, two = await asyncio.gather(*(batcher.run(work) for work in works), return_exceptions=True)
        assert (one, two) == (["said one"], ["said two"])
        assert isinstance(failed, fault)

    run(act)


def test_an_answer_that_is_late_is_refused() -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        echo.open.clear()
        with pytest.raises(Refusal, match=r"within 0\.05 seconds") as refusal:
            await batcher.run(echo.work("slow"))
        assert refusal.value.status == 503
        echo.open.set()

    run(act, Limits(answer_seconds=0.05))


def test_a_closed_queue_takes_no_more_but_does_what_waits() -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        waiting = asyncio.ensure_future(batcher.run(echo.work("early")))
        await asyncio.sleep(0)
        batcher.close()
        with pytest.raises(Refusal, match="being stopped"):
            await batcher.run(echo.work("late"))
        assert await waiting == ["said early"]

    run(act)


def test_when_time_is_up_all_that_waits_or_runs_is_refused() -> None:
    async def act(batcher: Batcher, echo: Echo) -> None:
        echo.open.clear()
        tasks = [asyncio.ensure_future(batcher.run(echo.work(key, key=None))) for key in ("runs", "waits")]
        await asyncio.sleep(0.05)
        batcher.abandon()
        for refusal in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(refusal, Refusal) and refusal.status == 503
        echo.open.set()

    run(act)


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"limits\.beams is 0\."):
        Limits(beams=0)


@pytest.mark.slow
def test_ten_thousand_marked_requests_are_never_crossed() -> None:
    async def ask(batcher: Batcher, echo: Echo, number: int) -> None:
        inputs = [f"{number}.{part}" for part in range(number % 4 + 1)]
        while True:
            try:
                results = await batcher.run(echo.work(*inputs, key=f"kind {number % 7}"))
            except Refusal as refusal:
                assert refusal.status == 429
                await asyncio.sleep(0.05)
                continue
            assert list(results) == [f"said {each}" for each in inputs]
            return

    async def act(batcher: Batcher, echo: Echo) -> None:
        await asyncio.gather(*(ask(batcher, echo, number) for number in range(10_000)))

    run(act, Limits(queue_requests=300))
