"""What do players notice of experts that think at other tables, and how long do those take?

One player moves all the time, for some seconds alone and then beside tables at which somebody
plays against two experts, and so on by turns. All share the machine, and as many experts think at
once as it has cores; the more tables, the longer each waits for its own.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._http import Phone  # noqa: E402

TABLES = (1, 4)
ROUNDS = 3
SECONDS = 8.0
PAUSE_S = 0.05


def main() -> None:
    """Print how long moves take alone and beside experts, and those a decision."""
    with ExitStack() as stack:
        _site.begin("sqlite", stack)
        games = _site.open_tables(2 * ROUNDS * len(TABLES) + 1)
        for count in TABLES:
            tables = [against_experts() for _ in range(count)]
            with _site.served(*_site.uvicorn()) as (port, _pid):
                asyncio.run(measure(port, games, tables))


def against_experts() -> str:
    """A table at which somebody plays against two experts; gives its code."""
    from sheets.levels import find_level
    from sheets.tables import play, seating
    from sheets.tables.access import find_access

    level = find_level("level-1")
    code = seating.open_table(
        level, level.id, players=3, dice="rolled", name="0", token=_site.TOKEN, bots="expert"
    )
    play.start(find_access(code, _site.TOKEN))
    return code


async def measure(port: int, games: list[str], tables: list[str]) -> None:
    """Let the player move, by turns alone and beside those tables."""
    times: dict[bool, list[float]] = {False: [], True: []}
    moves = _site.game_moves(100)
    async with Phone(port, _site.TOKEN) as phone:
        await phone.get(f"/table/{games[0]}/")
        for are_there in (False, True) * ROUNDS:
            others = [asyncio.ensure_future(play(port, code)) for code in tables if are_there]
            times[are_there] += await move(phone, games.pop(), moves)
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await asyncio.sleep(2)  # until nobody thinks any more
    waits = await asyncio.to_thread(decisions, tables)
    alone, beside = (statistics.median(times[there]) * 1000 for there in (False, True))
    print(
        f"{len(tables)} tables: a move takes {alone:.0f} ms alone, {beside:.0f} ms beside experts, "
        f"ratio {beside / alone:.2f} (aim: at most 2); {len(waits)} decisions, half of them in "
        f"{statistics.median(waits):.2f} s, all in {max(waits):.2f} s"
    )


async def move(phone: Phone, code: str, moves: list[_site.Move]) -> list[float]:
    """Seconds of each move of a game for so long."""
    taken, end = [], time.perf_counter() + SECONDS
    for one in moves:
        form = one.form | {"request": _site.new_request()}
        started = time.perf_counter()
        status, body = await phone.post(f"/table/{code}/act/", form)
        taken.append(time.perf_counter() - started)
        assert status == 200, (status, body[:500])
        await asyncio.sleep(PAUSE_S)
        if time.perf_counter() > end:
            break
    return taken


async def play(port: int, code: str) -> None:
    """Do at a table what is asked, as soon as it is, until the game is over."""
    async with Phone(port, _site.TOKEN) as phone:
        await phone.get(f"/table/{code}/")
        while True:
            state = json.loads((await phone.get(f"/table/{code}/now/"))[1])
            if state["stage"] == "over":
                return
            if state["call"]:
                fields = [at for at, hint in state["hints"].items() if hint == "strong"]
                do = "drop" if state["call"].endswith("reroll") else "roll"
                form = {"do": "tap", "at": fields[0]} if fields else {"do": do}
                asked = {"player": "0", "moment": state["moment"], "request": _site.new_request()}
                await phone.post(f"/table/{code}/act/", form | asked)
            await asyncio.sleep(PAUSE_S)


def decisions(tables: list[str]) -> list[float]:
    """The seconds that each decision of an expert took, while somebody played there."""
    from sheets.models import Entry

    found = []
    for code in tables:
        entries = Entry.objects.filter(table__code=code).values_list("made", "action")
        for (before, _), (made, action) in pairwise(entries):
            if action.get("player", 0) and (seconds := (made - before).total_seconds()) > 0:
                found.append(seconds)
    return found


if __name__ == "__main__":
    main()
