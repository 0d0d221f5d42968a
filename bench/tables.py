"""How many moves are stored per second, beside a bare view that stores the same by Django's models?

One run per database, all servers the same (gunicorn, one process with four threads), alternating:
``bare`` reads the revision, updates it on condition and inserts; ``stored`` does what a move needs
(form, seat, rules, log); ``whole`` is the page's own request with all of the site around it and the
fresh sheet as its answer. Each client plays at tables of its own.

Then: how long does a move take late in a game, beside one early in it?
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._http import Phone  # noqa: E402

SECONDS = 0.6
ROUNDS = 7
GAME = 150
CLIENTS = (1, 8)
MEASURED_MOVES = 60


def main() -> None:
    """Measure on each database."""
    _site.on_each_database(__file__, measure)


def measure(kind: str) -> None:
    """Print both tables."""
    measure_rates(kind)
    measure_growth(kind)


def measure_rates(kind: str) -> None:
    """Print moves per second of the three ways, and their ratios to the bare one."""
    moves = _site.game_moves(GAME)
    with ExitStack() as stack:
        bench, _pid = stack.enter_context(
            _site.served(*_site.gunicorn(), settings="bench._bare_settings")
        )
        site, _pid = stack.enter_context(_site.served(*_site.gunicorn()))
        ways = {"bare": (bench, "/bare/"), "stored": (bench, "/stored/"), "whole": (site, "")}
        for clients in CLIENTS:
            rates: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(ROUNDS):
                for way, (port, prefix) in ways.items():
                    rates[way].append(asyncio.run(rate(port, prefix, clients, moves)))
            bare = rates.pop("bare")
            print(f"{kind}, {clients} at once: bare {statistics.median(bare):.0f} moves/s")
            for way, values in rates.items():
                ratios = [value / base for value, base in zip(values, bare, strict=True)]
                print(
                    f"  {way:<7}{statistics.median(values):6.0f} moves/s, ratio "
                    f"{statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"
                    + ("; aim: at least 0.5" if way == "stored" else "")
                )


async def rate(port: int, prefix: str, clients: int, moves: list[_site.Move]) -> float:
    """Moves stored per second by so many clients at once."""
    # Each plays as many games as it can; these are more than there is time for.
    codes = await asyncio.to_thread(_site.open_tables, clients * 4)
    deadline = time.perf_counter() + SECONDS

    async def play(mine: list[str]) -> int:
        count = 0
        async with Phone(port, _site.TOKEN) as phone:
            if not prefix:
                await phone.get(f"/table/{mine[0]}/")
            for code in mine:
                for move in moves:
                    if time.perf_counter() >= deadline:
                        return count
                    path = f"{prefix}{code}/" if prefix else f"/table/{code}/act/"
                    form = move.form | {"request": _site.new_request()}
                    status, body = await phone.post(path, form)
                    assert status == 200, (status, body[:500])
                    count += 1
        return count

    started = time.perf_counter()
    counts = await asyncio.gather(*(play(codes[n::clients]) for n in range(clients)))
    return sum(counts) / (time.perf_counter() - started)


def measure_growth(kind: str) -> None:
    """Print how long the 10th and the 150th move take, and the ratio."""
    moves = _site.game_moves(GAME + 1)
    with _site.served(*_site.gunicorn()) as (port, _pid):
        for what, is_warm in (("warm", True), ("first after a restart", False)):
            early, late = asyncio.run(times_of_moves(port, moves, is_warm))
            print(
                f"{kind}, a move {what}: {early * 1000:.1f} ms after 10 acts, "
                f"{late * 1000:.1f} ms after {GAME}, ratio {late / early:.2f}"
                + ("; aim: at most 1.5" if is_warm else "")
            )


async def times_of_moves(port: int, moves: list[_site.Move], is_warm: bool) -> tuple[float, float]:
    """Median seconds of the request after 10 acts and of the one after `GAME`, alternating.

    Warm: this process has shown the table before, as it has to everybody in a running game.
    """
    tables = {
        played: await asyncio.to_thread(_site.open_tables, MEASURED_MOVES, moves[:played])
        for played in (10, GAME)
    }
    taken: dict[int, list[float]] = {played: [] for played in tables}
    async with Phone(port, _site.TOKEN) as phone:
        await phone.get("/table/new/")
        for number in range(MEASURED_MOVES):
            for played, codes in tables.items():
                if is_warm:
                    await phone.get(f"/table/{codes[number]}/now/")
                form = moves[played].form | {"request": _site.new_request()}
                started = time.perf_counter()
                status, body = await phone.post(f"/table/{codes[number]}/act/", form)
                taken[played].append(time.perf_counter() - started)
                assert status == 200, (status, body[:500])
    return statistics.median(taken[10]), statistics.median(taken[GAME])


if __name__ == "__main__":
    main()
