"""Turns: however much is ready at once, the loop looks up after a few requests."""

import asyncio

import pytest

from heed.serving.turns import AT_ONCE, Turns


def longest_without_looking_up(requests: int) -> int:
    """Return how many of so many requests, all ready at once, were worked on between two looks of the loop."""
    done: list[str] = []

    async def look() -> None:
        while done.count("work") < 2 * requests:
            done.append("look")
            await asyncio.sleep(0)

    async def ask(turns: Turns, answer: "asyncio.Future[None]") -> None:
        async with turns:
            done.append("work")
            async with turns.let_others():
                await answer
            done.append("work")

    async def told() -> None:
        turns, answer = Turns(), asyncio.get_running_loop().create_future()
        looking = asyncio.ensure_future(look())
        asking = [asyncio.ensure_future(ask(turns, answer)) for _ in range(requests)]
        while done.count("work") < requests:  # all wait for their answer, which none could if it kept its turn
            await asyncio.sleep(0)
        answer.set_result(None)
        await asyncio.gather(*asking, looking)

    asyncio.run(told())
    return max(map(len, "".join(each[0] for each in done).split("l")))


@pytest.mark.parametrize("requests", [1, 3 * AT_ONCE, 200])
def test_the_loop_looks_up_after_a_few_requests_however_many_are_ready(requests: int) -> None:
    assert longest_without_looking_up(requests) <= AT_ONCE


def test_a_turn_is_given_back_when_a_request_fails() -> None:
    async def told() -> None:
        turns = Turns()
        for _ in range(2 * AT_ONCE):
            with pytest.raises(ValueError, match="no"):
                async with turns:
                    raise ValueError("no")

    asyncio.run(told())


def test_requests_that_end_while_they_wait_for_another_turn_leave_as_many_turns_as_there_were() -> None:
    async def ask(turns: Turns, gone: asyncio.Event) -> None:
        async with turns, turns.let_others():
            await gone.wait()

    async def hold(turns: Turns, held: list[int], until: asyncio.Event) -> None:
        async with turns:
            held.append(1)
            await until.wait()

    async def told() -> int:
        turns, gone, end, held = Turns(), asyncio.Event(), asyncio.Event(), list[int]()
        asking = [asyncio.ensure_future(ask(turns, gone)) for _ in range(3)]
        await asyncio.sleep(0.01)
        holding = [asyncio.ensure_future(hold(turns, held, end)) for _ in range(AT_ONCE)]
        await asyncio.sleep(0.01)
        gone.set()  # all turns are held, so those who asked wait for one
        await asyncio.sleep(0.01)
        for each in asking:
            each.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        end.set()
        await asyncio.gather(*holding)
        held.clear()
        end.clear()
        holding = [asyncio.ensure_future(hold(turns, held, end)) for _ in range(2 * AT_ONCE)]
        await asyncio.sleep(0.01)
        at_once = len(held)
        end.set()
        await asyncio.gather(*holding)
        return at_once

    assert asyncio.run(told()) == AT_ONCE
