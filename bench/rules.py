"""How fast are games replayed, beside the plain way of the tests' second opinions?

Both replay the same recorded games (tests/conformance) in this process, alternating; printed are
actions per second of each and their ratio, first for Dizzle, then for lines of ``replay --lines``
that bring their own level, from bytes to bytes, then for Dice².
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.rules.dice2 import new_game  # noqa: E402
from sheets.rules.dice2.record import parse_dice2, replay_dice2  # noqa: E402
from sheets.rules.documents.game import parse_game, replay_actions  # noqa: E402
from tests.rules import naive  # noqa: E402
from tests.rules.dice2.naive import NaiveDice2  # noqa: E402

ROUNDS = 5
Work = Callable[[], int]


def main() -> None:
    """Print the rates of both families."""
    print("Dizzle")
    compare(*dizzle(), "aim: at least 4, and 100,000 actions/s")
    print("lines of Dizzle with their own level")
    compare(*lines(), "aim: at least 4")
    print("Dice²")
    compare(*dice2(), "aim: at least 4")


def documents_of(folder: str) -> list[Any]:
    """The recorded games of one family."""
    paths = sorted((ROOT / "tests" / "conformance" / folder).glob("*.game.json"))
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def dizzle() -> tuple[Work, Work]:
    """Replaying the games of Dizzle: by the engine, and plainly."""
    documents = documents_of("dizzle")
    records = [parse_game(document) for document in documents]

    def engine() -> int:
        return sum(replay_actions(record.start(), record.actions)[1] for record in records)

    def second_opinion() -> int:
        return sum(map(replay_plainly, documents))

    return engine, second_opinion


def replay_plainly(document: Any) -> int:
    """Replay a game of Dizzle by the second opinion; gives how many acts it accepts."""
    game = naive.start(document)
    count = 0
    for action in document["actions"]:
        try:
            game.apply(action)
        except naive.Refused:
            break
        count += 1
    return count


def lines() -> tuple[Work, Work]:
    """Reading, replaying and writing the same games, each with its level in it."""
    from sheets.documents.structure import read_game
    from sheets.levels import find_level
    from sheets.rules import format_level
    from sheets.rules.documents.game import replay_record

    documents = documents_of("dizzle")
    for document in documents:
        if isinstance(document["level"], str):
            document["level"] = format_level(find_level(document["level"]))
    written = [json.dumps(document).encode() for document in documents]

    def engine() -> int:
        count = 0
        for line in written:
            result = replay_record(read_game(line, find_level))
            json.dumps(result, ensure_ascii=False)
            count += result["applied"]
        return count

    def second_opinion() -> int:
        count = 0
        for line in written:
            document = json.loads(line)
            count += replay_plainly(document)
            json.dumps(document, ensure_ascii=False)
        return count

    return engine, second_opinion


def dice2() -> tuple[Work, Work]:
    """The same for Dice², as far as the engine accepts the acts."""
    documents = documents_of("dice2")
    records = [parse_dice2(document) for document in documents]
    counts = [replay_dice2(record)["applied"] for record in records]

    def engine() -> int:
        for record, count in zip(records, counts, strict=True):
            game = new_game(record.kind, len(record.players), record.starter)
            for action in record.actions[:count]:
                game = game.apply(action)
        return sum(counts)

    def second_opinion() -> int:
        for document, count in zip(documents, counts, strict=True):
            game = NaiveDice2(document["game"], len(document["players"]))
            for action in document["actions"][:count]:
                if action["do"] == "skip":
                    assert not game.legal(game.player)[str(action["die"])]
                    game.skip()
                else:
                    field = ("abcdefghi".index(action["at"][0]), int(action["at"][1]) - 1)
                    assert not game.broken(field, action["die"], game.player)
                    game.place(field, action["die"])
        return sum(counts)

    return engine, second_opinion


def compare(engine: Work, second_opinion: Work, aim: str) -> None:
    """Print the rates of two ways to do the same, and their ratio."""
    rates: dict[str, list[float]] = {"engine": [], "plain": []}
    engine()
    for _ in range(ROUNDS):
        rates["engine"].append(rate(engine))
        rates["plain"].append(rate(second_opinion))
    ratios = [a / b for a, b in zip(rates["engine"], rates["plain"], strict=True)]
    for name, values in rates.items():
        print(f"{name:<8} {statistics.median(values):>10,.0f} actions/s (median of {ROUNDS})")
    spread = f"{min(ratios):.1f}-{max(ratios):.1f}"
    print(f"ratio    {statistics.median(ratios):>10.1f} ({spread}; {aim})")


def rate(work: Callable[[], int]) -> float:
    """Actions per second of one run."""
    start = time.perf_counter()
    count = work()
    return count / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
