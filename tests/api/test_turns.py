"""Pieces of work in the event loop: one in a round, in order, and none is lost when somebody leaves."""

import asyncio

from api.turns import Turns


async def several(count: int, leaving: set[int]) -> tuple[list[int], int]:
    """The order in which some workers had their turn while some left, and rounds of the loop meanwhile."""
    turns, had, rounds = Turns(), list[int](), 0

    async def work(number: int) -> None:
        await turns.take()
        had.append(number)

    async def look() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await asyncio.sleep(0)

    looking = asyncio.create_task(look())
    tasks = [asyncio.create_task(work(number)) for number in range(count)]
    await asyncio.sleep(0)
    for number in leaving:
        tasks[number].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    looking.cancel()
    return had, rounds


def test_each_has_its_turn_in_order_with_rounds_between() -> None:
    had, rounds = asyncio.run(several(20, set()))
    assert had == list(range(20))
    assert rounds >= 20


def test_who_leaves_while_waiting_holds_nobody_up() -> None:
    had, _ = asyncio.run(several(20, {1, 2, 7, 19}))
    assert had == [number for number in range(20) if number not in {1, 2, 7, 19}]


def test_who_leaves_with_the_turn_in_hand_gives_it_on() -> None:
    async def main() -> list[str]:
        turns, had = Turns(), list[str]()

        async def work(name: str) -> None:
            await turns.take()
            had.append(name)
            if name == "first":  # runs when the second has been given its turn, before it can take it
                asyncio.get_running_loop().call_soon(tasks["leaves"].cancel)

        tasks = {name: asyncio.create_task(work(name)) for name in ("first", "leaves", "last")}
        await asyncio.wait_for(tasks["last"], 5)
        await asyncio.wait_for(turns.take(), 5)
        return had

    assert asyncio.run(main()) == ["first", "last"]
