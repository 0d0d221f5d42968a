"""How long from a tap on one phone to the fresh sheet on another, and what does a phone cost?

The site as it starts by default: one uvicorn process on SQLite. Phones sit at tables of four, each
with its stream open. A fifth of a second after the last tap somebody places a die; measured is
until each of the three other phones at that table has what it shows now, from its stream.
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import sys
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._http import Phone  # noqa: E402

PHONES = (4, 1000)
TAPS = 150
PAUSE_S = 0.2
WARM_UP_TAPS = 10
MAX_FILES = 8192


def main() -> None:
    """Print the times with few and with many phones, and the memory of each."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(MAX_FILES, hard), hard))
    with ExitStack() as stack:
        _site.begin("sqlite", stack)
        for phones in PHONES:
            with _site.served(*_site.serve()) as (port, pid):
                asyncio.run(measure(port, pid, phones))


async def measure(port: int, pid: int, phones: int) -> None:
    """Measure with so many phones."""
    codes = await asyncio.to_thread(_site.open_tables, phones // _site.PLAYERS)
    moves = _site.game_moves(TAPS + WARM_UP_TAPS)
    async with AsyncExitStack() as stack:
        hand = await stack.enter_async_context(Phone(port, _site.TOKEN))
        await hand.get(f"/table/{codes[0]}/")
        for _ in range(20):
            await hand.get(f"/table/{codes[0]}/now/")
        before = memory_kb(pid)
        tables = [await sit_down(stack, port, code) for code in codes]
        await asyncio.sleep(1)
        each = (memory_kb(pid) - before) / phones
        taken: list[float] = []
        for number in range(TAPS + WARM_UP_TAPS):
            seconds = await tap(hand, tables[number % len(tables)], moves)
            taken += seconds if number >= WARM_UP_TAPS else ()
    taken.sort()
    p99 = taken[int(len(taken) * 0.99)] * 1000
    print(
        f"{phones:>5} phones: tap to fresh sheet median {statistics.median(taken) * 1000:.0f} ms, "
        f"p99 {p99:.0f} ms (aim: below 150)"
        + (f"; {each:.1f} kB per phone (aim: at most 20)" if phones >= 100 else "")
    )


class Table:
    """The phones of one table: each a stream and a connection for what it fetches."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.played = 0
        self.streams: list[Phone] = []


async def sit_down(stack: AsyncExitStack, port: int, code: str) -> Table:
    """Open the streams of one table; each phone is a device of its own, three of which watch."""
    table = Table(code)
    for seat in range(_site.PLAYERS):
        token = f"{code}-{seat}".ljust(43, "x") if seat else _site.TOKEN
        phone = await stack.enter_async_context(Phone(port, token))
        await phone.listen(code, "")
        await phone.next_event()
        table.streams.append(phone)
    return table


async def tap(hand: Phone, table: Table, moves: list[_site.Move]) -> list[float]:
    """Do what comes next at a table; seconds until each of the others shows it."""
    move = moves[table.played]
    table.played += 1
    await asyncio.sleep(PAUSE_S)

    async def show(stream: Phone) -> float:
        while (await stream.next_event())[0] != "state":
            pass  # a sign of life
        return time.perf_counter()

    shown = [asyncio.ensure_future(show(stream)) for stream in table.streams]
    started = time.perf_counter()
    path = f"/table/{table.code}/act/"
    status, body = await hand.post(path, move.form | {"request": _site.new_request()})
    assert status == 200, (status, body[:500])
    return [at - started for at in (await asyncio.gather(*shown))[1:]]


def memory_kb(pid: int) -> float:
    """What a process has for itself of the memory, in kB."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
        if line.startswith("Pss:"):
            return float(line.split()[1])
    raise RuntimeError("no Pss")


if __name__ == "__main__":
    main()
