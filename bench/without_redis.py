"""What does a Redis that dies or hangs cost a move, and how much later do phones hear?

Two servers on PostgreSQL with a Redis of their own: moves are made at one, half a second apart, and
a phone listens at the other. The first moves after the trouble began are measured apart: with them
it is found out.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import servers  # noqa: E402
from tests.live.deployments import deployment  # noqa: E402
from tests.live.moves import Mover  # noqa: E402
from tests.live.own_redis import OwnRedis, own_redis  # noqa: E402
from tests.live.phones import Phone  # noqa: E402
from tests.live.served import server  # noqa: E402

MOVES = 20
FIRST = 3
PAUSE_S = 0.5


def main() -> None:
    """Print both times with a Redis that is well, and the others as ratios to them."""
    if not servers.postgresql_url() or not shutil.which("redis-server"):
        print(f"not measured: {servers.NO_POSTGRESQL}, or there is no redis-server to start")
        return
    well: tuple[float, float] | None = None
    kinds: dict[str, Callable[[OwnRedis], None]] = {
        "well": lambda redis: None,
        "killed": OwnRedis.kill,
        "frozen": OwnRedis.freeze,
    }
    for name, trouble in kinds.items():
        moved, heard = measure(trouble)
        for part, some in (("first", slice(FIRST)), ("then", slice(FIRST, None))):
            now = statistics.median(moved[some]), statistics.median(heard[some])
            well = well if well or part == "first" else now
            ratios = f" ({now[0] / well[0]:.1f} and {now[1] / well[1]:.1f} times)" if well else ""
            print(
                f"Redis {name:<7} {part:<5} a move {now[0] * 1000:4.0f} ms, "
                f"heard elsewhere after {now[1] * 1000:4.0f} ms{ratios}"
            )


def measure(trouble: Callable[[OwnRedis], None]) -> tuple[list[float], list[float]]:
    """Seconds that each move took, and until it was heard, from when the trouble began."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="dizzle-bench-")))
        redis = stack.enter_context(own_redis(folder))
        site = stack.enter_context(deployment("postgresql", folder, redis_url=redis.url))
        here, there = (stack.enter_context(server(site, folder / name)) for name in "ab")
        code = site.ask("open", "2")
        mover = Mover(here.port, code)
        phone = stack.enter_context(Phone(there.port, code))
        for _ in range(FIRST):
            mover.move()
        time.sleep(PAUSE_S)
        trouble(redis)
        moved, heard = [], []
        for number in range(MOVES):
            # Not in step with whoever looks now and then.
            time.sleep(PAUSE_S * (1 + number / MOVES))
            began = time.perf_counter()
            assert mover.move().status == 200
            moved.append(time.perf_counter() - began)
            assert phone.hears(mover.state["revision"], 60)
            heard.append(time.perf_counter() - began)
    return moved, heard


if __name__ == "__main__":
    main()
