"""`Batcher`: requests wait in one bounded queue, and one thread predicts those of a kind together.

One thread for all models, for torch spreads each batch over the processor's cores by itself; and because explaining
changes a model for a moment, which nobody else may see. Requests of equal `key` are predicted together, up to so many
tokens; a request whose key is None is predicted alone. What a batch refuses is tried again one by one, so that a
request never fails for its companions.
"""

import asyncio
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from heed.errors import HeedError
from heed.serving.limits import Limits
from heed.serving.refusals import Refusal

log = logging.getLogger("heed.serving")

SOME_RATE = 2_000.0  # tokens a second, until the first batches were measured
LONGEST_RETRY = 30  # seconds


@dataclass(frozen=True)
class Work:
    """The inputs of one request, and what is to be done with them."""

    inputs: Sequence[object]
    predict: Callable[[Sequence[object]], Sequence[object]]  # as many results as inputs
    tokens: int  # about how many the model will read and write
    key: Hashable | None = None  # works of equal keys have the same `predict`; None: none has


@dataclass(frozen=True, eq=False)
class _Ticket:
    """A work that waits, and the future of its client's task."""

    work: Work
    results: "asyncio.Future[Sequence[object]]"
    loop: asyncio.AbstractEventLoop

    @property
    def is_dropped(self) -> bool:
        return self.results.done()  # its client has gone, or it was refused

    def give(self, results: Sequence[object]) -> None:
        self._settle(lambda: self.results.set_result(results))

    def refuse(self, problem: BaseException) -> None:
        self._settle(lambda: self.results.set_exception(problem))

    def _settle(self, act: Callable[[], None]) -> None:
        def settle() -> None:
            if not self.results.done():
                act()

        with suppress(RuntimeError):  # the loop is closed: past the deadline of the server nobody waits any more
            self.loop.call_soon_threadsafe(settle)


@dataclass(eq=False)
class _Queue:
    """What waits. Whoever holds `changed` may look and change."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    waiting: deque[_Ticket] = field(default_factory=deque)
    tokens: int = 0  # of all that wait
    closed: bool = False

    def put(self, ticket: _Ticket) -> None:
        self.waiting.append(ticket)
        self.tokens += ticket.work.tokens
        self.changed.notify()

    def drop_dropped(self) -> None:
        """Forget those whose clients have gone."""
        self.waiting = deque(ticket for ticket in self.waiting if not ticket.is_dropped)
        self.tokens = sum(ticket.work.tokens for ticket in self.waiting)

    def take(self, most_tokens: int) -> list[_Ticket]:
        """Return the first that waits and those of its kind behind it, up to so many tokens; at least one."""
        first = self.waiting.popleft()
        batch, tokens, others = [first], first.work.tokens, deque[_Ticket]()
        for ticket in self.waiting:
            alike = first.work.key is not None and ticket.work.key == first.work.key
            if alike and tokens + ticket.work.tokens <= most_tokens:
                batch.append(ticket)
                tokens += ticket.work.tokens
            else:
                others.append(ticket)
        self.waiting = others
        self.tokens -= tokens
        return batch


class Batcher:
    """One thread that predicts what waits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._queue = _Queue()
        self._running: Sequence[_Ticket] = ()
        self._rate = SOME_RATE
        # A daemon: what still runs past the server's deadline does not hold up the end of the process.
        self._thread = threading.Thread(target=self._work, name="heed-batches", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    async def run(self, work: Work) -> Sequence[object]:
        """Return the results of a work; refuse at once if too much waits. Cancelling it drops the work."""
        loop = asyncio.get_running_loop()
        ticket = _Ticket(work, loop.create_future(), loop)
        with self._queue.changed:
            self._admit(work)
            self._queue.put(ticket)
        try:
            async with asyncio.timeout(self._limits.answer_seconds):
                return await ticket.results
        except TimeoutError:
            seconds = self._limits.answer_seconds
            raise Refusal(503, "late", f"There was no answer within {seconds:g} seconds. Try again.", 5) from None

    def close(self) -> None:
        """Take no more; what waits is still done."""
        with self._queue.changed:
            self._queue.closed = True
            self._queue.changed.notify()

    def abandon(self) -> None:
        """Refuse all that waits or runs, for the time is up."""
        self.close()
        with self._queue.changed:
            for ticket in (*self._running, *self._queue.waiting):
                ticket.refuse(_stopping())
            self._queue.waiting.clear()
            self._queue.tokens = 0

    def join(self, seconds: float) -> bool:
        """Wait for the thread to end after `close`; return whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def check_open(self) -> None:
        """Refuse once the queue is closed."""
        if self._queue.closed:
            raise _stopping()

    def _admit(self, work: Work) -> None:
        queue, limits = self._queue, self._limits
        self.check_open()
        if len(queue.waiting) >= limits.queue_requests or queue.tokens + work.tokens > limits.queue_tokens:
            queue.drop_dropped()
        waiting, tokens = len(queue.waiting), queue.tokens
        # What alone is larger than the queue is let in when nothing waits: limits of a request keep it reasonable.
        if waiting >= limits.queue_requests or (waiting and tokens + work.tokens > limits.queue_tokens):
            retry = min(LONGEST_RETRY, math.ceil(tokens / self._rate) or 1)
            raise Refusal(429, "full", f"{waiting:,} requests wait already. Try again in {retry} s.", retry)

    def _work(self) -> None:
        while batch := self._next_batch():
            started = time.monotonic()
            self._running = [ticket for ticket in batch if not ticket.is_dropped]
            if self._running:
                _predict_together(self._running)
                tokens = sum(ticket.work.tokens for ticket in self._running)
                rate = tokens / max(time.monotonic() - started, 1e-6)
                self._rate = 0.8 * self._rate + 0.2 * rate

    def _next_batch(self) -> list[_Ticket]:
        """Return what to predict next, as soon as something waits; nothing once the queue is closed and empty."""
        queue, most = self._queue, self._limits.batch_tokens
        with queue.changed:
            queue.changed.wait_for(lambda: queue.waiting or queue.closed)
            if queue.waiting and not queue.closed:
                queue.changed.wait_for(lambda: queue.tokens >= most, timeout=self._limits.gather_seconds)
            return queue.take(most) if queue.waiting else []


def _predict_together(batch: Sequence[_Ticket]) -> None:
    """Give each ticket its own results."""
    try:
        inputs = [each for ticket in batch for each in ticket.work.inputs]
        results = list(batch[0].work.predict(inputs))
        if len(results) != len(inputs):
            raise RuntimeError(f"{len(results)} results came of {len(inputs)} inputs")
    except HeedError as problem:
        _predict_apart(batch, problem)
    except Exception as problem:  # noqa: BLE001  one request may not end the thread that serves all others
        # Not its message, which may hold what a user wrote.
        log.error("a fault of ours while predicting: %s", type(problem).__name__)
        _predict_apart(batch, problem)
    else:
        begin = 0
        for ticket in batch:
            end = begin + len(ticket.work.inputs)
            ticket.give(results[begin:end])
            begin = end


def _predict_apart(batch: Sequence[_Ticket], problem: Exception) -> None:
    """Refuse the only ticket; of several, find out which one is at fault."""
    if len(batch) == 1:
        batch[0].refuse(problem)
        return
    for ticket in batch:
        _predict_together([ticket])


def _stopping() -> Refusal:
    return Refusal(503, "stopping", "The server is being stopped. Try again later.", 5)
