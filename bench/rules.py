"""Speed of replaying games, compared with the simple second implementation in the tests.

Both replay the same recorded games (tests/conformance) in this process, in turn: games of Dizzle;
games of Dizzle as ``replay --lines`` does, including JSON input and output; games of Dice².
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.documents.structure import read_game  # noqa: E402
from sheets.levels import find_level  # noqa: E402
from sheets.rules import format_level  # noqa: E402
from sheets.rules.dice2 import new_game  # noqa: E402
from sheets.rules.dice2.record import parse_dice2, replay_dice2  # noqa: E402
from sheets.rules.documents.game import parse_game, replay_actions, replay_record  # noqa: E402
from tests.rules import naive  # noqa: E402
from tests.rules.dice2.naive import NaiveDice2  # noqa: E402

ROUNDS: Final = 5
"""Number of measurements of each implementation."""

Replay = Callable[[], int]
"""Function that replays all games and returns the number of actions."""


def main() -> None:
    """Print the rates and their ratios."""
    compare("Dizzle", *dizzle(), "at least 4, and 100,000 actions/s")
    compare("lines of Dizzle with their level", *lines(), "at least 4")
    compare("Dice²", *dice2(), "at least 4")


def compare(what: str, engine: Replay, simple: Replay, target: str) -> None:
    """Print the rates of both implementations, and their ratio."""
    rates: list[tuple[float, float]] = []
    engine()
    for _ in range(ROUNDS):
        rates.append((rate(engine), rate(simple)))
    fast, slow = (statistics.median(values) for values in zip(*rates, strict=True))
    ratios = [one / other for one, other in rates]
    print(
        f"{what}: {fast:,.0f} actions/s, second implementation {slow:,.0f}: "
        f"{statistics.median(ratios):.1f} times as fast "
        f"({min(ratios):.1f}-{max(ratios):.1f}; target: {target})"
    )


def rate(replay: Replay) -> float:
    """Return the actions per second of one replay."""
    start = time.perf_counter()
    count = replay()
    return count / (time.perf_counter() - start)


def documents_of(folder: str) -> list[Any]:
    """Return the recorded games in a folder."""
    paths = sorted((ROOT / "tests" / "conformance" / folder).glob("*.game.json"))
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def dizzle() -> tuple[Replay, Replay]:
    """Return functions that replay the games of Dizzle, with the engine and the tests' one."""
    documents = documents_of("dizzle")
    records = [parse_game(document) for document in documents]

    def engine() -> int:
        return sum(replay_actions(record.start(), record.actions)[1] for record in records)

    def simple() -> int:
        return sum(map(replay_simply, documents))

    return engine, simple


def replay_simply(document: Any) -> int:
    """Replay a game of Dizzle, and return how many actions are accepted."""
    game = naive.start(document)
    count = 0
    for action in document["actions"]:
        try:
            game.apply(action)
        except naive.Refused:
            break
        count += 1
    return count


def lines() -> tuple[Replay, Replay]:
    """Return functions that read, replay and write these games, each game with its level."""
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

    def simple() -> int:
        count = 0
        for line in written:
            document = json.loads(line)
            count += replay_simply(document)
            json.dumps(document, ensure_ascii=False)
        return count

    return engine, simple


def dice2() -> tuple[Replay, Replay]:
    """Return functions that replay the games of Dice² up to the last accepted action."""
    documents = documents_of("dice2")
    records = [parse_dice2(document) for document in documents]
    counts = [replay_dice2(record)["applied"] for record in records]

    def engine() -> int:
        for record, count in zip(records, counts, strict=True):
            game = new_game(record.kind, len(record.players), record.starter)
            for action in record.actions[:count]:
                game = game.apply(action)
        return sum(counts)

    def simple() -> int:
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

    return engine, simple


if __name__ == "__main__":
    main()
