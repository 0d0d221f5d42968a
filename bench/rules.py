"""How fast are games replayed, beside the plain set-based way of the tests' second opinion?

Both replay the same recorded games (tests/conformance) in this process, alternating; printed are
actions per second of each and their ratio.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.rules.record import parse_game, replay_actions  # noqa: E402
from tests.rules import naive  # noqa: E402

ROUNDS = 5


def main() -> None:
    """Print the rates."""
    paths = sorted((ROOT / "tests" / "conformance" / "dizzle").glob("*.game.json"))
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    records = [parse_game(document) for document in documents]

    def engine() -> int:
        return sum(replay_actions(record.start(), record.actions)[1] for record in records)

    def second_opinion() -> int:
        count = 0
        for document in documents:
            game = naive.start(document)
            for action in document["actions"]:
                try:
                    game.apply(action)
                except naive.Refused:
                    break
                count += 1
        return count

    rates: dict[str, list[float]] = {"engine": [], "plain": []}
    engine()
    for _ in range(ROUNDS):
        rates["engine"].append(rate(engine))
        rates["plain"].append(rate(second_opinion))
    ratios = [a / b for a, b in zip(rates["engine"], rates["plain"], strict=True)]
    for name, values in rates.items():
        print(f"{name:<8} {statistics.median(values):>10,.0f} actions/s (median of {ROUNDS})")
    print(
        f"ratio    {statistics.median(ratios):>10.1f} "
        f"({min(ratios):.1f}-{max(ratios):.1f}; aim: at least 4, and 100,000 actions/s)"
    )


def rate(work: Callable[[], int]) -> float:
    """Actions per second of one run."""
    start = time.perf_counter()
    count = work()
    return count / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
