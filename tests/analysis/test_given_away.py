"""What is added up of a look: how much was given away, in which decisions and when."""

from __future__ import annotations

import json
from hashlib import sha256
from math import hypot
from random import Random
from typing import Any

import pytest

from sheets.analysis import looking
from sheets.analysis.decisions import take_apart
from sheets.analysis.document import format_analysis
from sheets.analysis.given_away import EARLY, ENGINE, KINDS, LATE, given_away
from sheets.analysis.looking import Inquiry
from sheets.rules import parse_level
from tests.analysis.tiny_games import played
from tests.table_games import RAILS, SPACE, TINY, VOLCANO

FOUND_BY = {1: "61e0c3b5f355f643"}
"""What each engine finds in some games, as a digest."""


def decision(
    action: int, do: str, player: int = 0, best: tuple[float, float, bool] | None = None
) -> dict[str, Any]:
    """A decision as a document has it; ``best`` has what it would have brought, ± and if clear."""
    found: dict[str, Any] = {"action": action, "player": player, "played": 1}
    found["choices"] = [{"do": "rocket"}, {"do": do}]
    if best:
        points = {"mean": best[0], "within": best[1]}
        found["best"] = {"more": {"points": points}, "clear": best[2]}
    return found


def report(*decisions: dict[str, Any], passes: int = 4, players: int = 1) -> dict[str, Any]:
    """A document of passes of ten acts each."""
    course = [{"after": 10 * number} for number in range(passes + 1)]
    return {"players": [{}] * players, "course": course, "decisions": list(decisions)}


def test_it_is_added_up_by_kind_and_half() -> None:
    found = given_away(
        report(
            decision(1, "place", best=(6.0, 3.0, True)),
            decision(9, "place", best=(-1.0, 4.0, False)),
            decision(12, "drop"),
            decision(19, "reroll", best=(2.0, 1.0, False)),
            decision(20, "place", best=(5.0, 2.0, True)),
        )
    )
    assert found["engine"] == ENGINE
    assert found["seats"] == [
        {
            "points": 12.0,
            "within": round(hypot(3, 4, 1, 2), 2),
            "clear": 11.0,
            "decisions": 5,
            "mistakes": 2,
            "parts": [
                ["drop", EARLY, 2.0, 1.0, 0, 2, 0],
                ["place", EARLY, 5.0, 5.0, 6.0, 2, 1],
                ["place", LATE, 5.0, 2.0, 5.0, 1, 1],
            ],
        }
    ]


def test_everybody_has_their_own() -> None:
    found = given_away(
        report(
            decision(3, "place", 1, (4.0, 1.0, True)),
            decision(4, "place", 0),
            players=3,
        )
    )
    assert [one["points"] for one in found["seats"]] == [0, 4.0, 0]
    assert [one["decisions"] for one in found["seats"]] == [1, 1, 0]


@pytest.mark.parametrize(("passes", "halves"), [(1, [0]), (2, [0, 1]), (3, [0, 0, 1])])
def test_a_pass_in_the_middle_is_early(passes: int, halves: list[int]) -> None:
    decisions = [decision(10 * number + 9, "place") for number in range(passes)]
    (seat,) = given_away(report(*decisions, passes=passes))["seats"]
    counted = [
        half for _kind, half, *_sums, count, _mistakes in seat["parts"] for _ in range(count)
    ]
    assert counted == halves


def test_each_decision_of_a_game_is_of_a_kind() -> None:
    kinds = set()
    for level in (TINY, SPACE, VOLCANO, RAILS):
        record = played(parse_level(level), ("Ana", "Ben"), Random(3))
        kinds |= {one.choices[one.played].do for one in take_apart(record).decisions}
    assert kinds <= KINDS.keys()
    assert len(kinds) > 4


def test_what_looks_find_is_told_by_the_number_of_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Looks that find something else need a new `ENGINE`: what several found is not compared."""
    how = [looking.TIMES[:2], looking.STARTS[:2], looking.DULL, looking.MOST_GAMES, looking.RAILS]
    found: list[Any] = [how]
    monkeypatch.setattr(looking, "TIMES", (12, 16))
    monkeypatch.setattr(looking, "STARTS", (0, 16))
    for level in (TINY, RAILS):
        record = played(parse_level(level), ("Ana", "Ben"), Random(3))
        found.append(given_away(format_analysis(next(Inquiry(record).rounds())))["seats"])
    assert sha256(json.dumps(found).encode()).hexdigest()[:16] == FOUND_BY[ENGINE]
