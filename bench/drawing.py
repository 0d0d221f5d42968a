"""What do players notice of forty people who have something drawn, and what memory does that take?

The site as it starts by default. One player moves all the time; for some seconds nobody else asks
for anything, then forty do, and so on by turns: for pictures of tables of their own, then for large
prints. They come from forty addresses, so that no limit of an address protects the site, and ask
for nothing twice, so that nothing kept does; who is asked to come back does so after a second.
Last they all ask for the same picture. The askers share the machine with the site.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count, cycle, product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._http import Phone  # noqa: E402

ASKERS = 40
ROUNDS = 3
SECONDS = 6.0
PAUSE_S = 0.05
COME_BACK_S = 1.0
HOST = "dizzle.example.org"
PROXIED = {"Host": HOST, "Origin": f"https://{HOST}", "X-Forwarded-Proto": "https"}
LEVELS = "".join(f"&level=level-{number}" for number in range(1, 9))


def main() -> None:
    """Print how long moves take with and without askers, and the most memory."""
    os.environ["SITE_URL"] = f"https://{HOST}"
    with ExitStack() as stack:
        _site.begin("sqlite", stack)
        tables = _site.open_tables(ASKERS)
        games = _site.open_tables(100)
        pictures = [f"/table/{code}/{seat}.png" for seat in range(4) for code in tables]
        whats: dict[str, Callable[[], Iterator[str]]] = {
            "pictures": lambda: cycle(pictures),
            "prints": prints,
            "the same picture": lambda: cycle(pictures[:1]),
        }
        for what, addresses in whats.items():
            with _site.served(*_site.uvicorn()) as (port, pid):
                asyncio.run(measure(what, port, pid, addresses(), games))


def prints() -> Iterator[str]:
    """Addresses of prints of 140 pages and more, none twice."""
    switches = ("&bw=on", "&rules=on", "&no-markers=on", "&level=dice2", "&lang=de")
    for copies in count(19, -1):
        for chosen in product((True, False), repeat=len(switches)):
            more = "".join(switch for switch, is_on in zip(switches, chosen, strict=True) if is_on)
            yield f"/print/sheets.pdf?paper=a4&per-page=1&copies={copies}{LEVELS}{more}"


async def measure(
    what: str, port: int, pid: int, addresses: Iterator[str], games: list[str]
) -> None:
    """Let the player move, by turns alone and beside those who ask."""
    times: dict[bool, list[float]] = {False: [], True: []}
    answers: Counter[int] = Counter()
    moves = _site.game_moves(100)
    most = 0.0
    async with Phone(port, _site.TOKEN, PROXIED) as phone:
        await phone.get(f"/table/{games[0]}/")
        await play(phone, pid, games.pop(), moves, 1.0)
        for are_there in (False, True) * ROUNDS:
            asking = [
                asyncio.ensure_future(ask(port, number, addresses, answers))
                for number in range(ASKERS * are_there)
            ]
            taken, memory = await play(phone, pid, games.pop(), moves, SECONDS)
            times[are_there] += taken
            most = max(most, memory)
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
            await asyncio.sleep(2)  # until what they asked for is drawn
    alone, beside = (statistics.median(times[there]) * 1000 for there in (False, True))
    print(
        f"{what}: a move takes {alone:.0f} ms alone, {beside:.0f} ms beside {ASKERS} askers, "
        f"ratio {beside / alone:.2f} (aim: at most 2); most memory {most:.0f} MB (aim: under 300); "
        + ", ".join(f"{number} x {status}" for status, number in sorted(answers.items()))
    )


async def ask(port: int, number: int, addresses: Iterator[str], answers: Counter[int]) -> None:
    """Somebody at an address of their own who wants one thing after the other."""
    async with Phone(port, "", {**PROXIED, "X-Forwarded-For": f"10.0.0.{number}"}) as phone:
        while True:
            status, _body = await phone.get(next(addresses))
            answers[status] += 1
            if status != 200:
                await asyncio.sleep(COME_BACK_S)


async def play(
    phone: Phone, pid: int, code: str, moves: list[_site.Move], seconds: float
) -> tuple[list[float], float]:
    """Seconds of each move of a game for so long, and the most memory meanwhile in MB."""
    taken, most, end = [], 0.0, time.perf_counter() + seconds
    for move in moves:
        form = move.form | {"request": _site.new_request()}
        started = time.perf_counter()
        status, body = await phone.post(f"/table/{code}/act/", form)
        taken.append(time.perf_counter() - started)
        assert status == 200, (status, body[:500])
        most = max(most, memory_mb(pid))
        await asyncio.sleep(PAUSE_S)
        if time.perf_counter() > end:
            return taken, most
    return taken, most


def memory_mb(pid: int) -> float:
    """What a process and all that it has started have of the memory, shared parts once."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
        own = sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
        found = [
            int(child)
            for file in Path(f"/proc/{pid}/task").glob("*/children")
            for child in file.read_text("ascii").split()
        ]
    except OSError:  # it has just ended
        return 0
    return own + sum(map(memory_mb, found))


if __name__ == "__main__":
    main()
