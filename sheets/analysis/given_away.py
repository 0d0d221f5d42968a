"""How much did everybody give away in a game, and where? What is kept of a look over many games.

What a choice gave away is how much more the one would have brought that had looked best before, in
games played since. So it is off as often to one side as to the other, for a single choice it may
be less than nought, and the sum over a game is at least what could be found: a better choice that
nobody saw is not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import hypot
from typing import Any, Final

ENGINE: Final = 1
"""What looks at games find changes with this number; figures of several are never compared."""

KINDS: Final[Mapping[str, str]] = {
    "place": "place",
    "reroll": "drop",
    "drop": "drop",
    "return": "return",
    "lava": "lava",
    "rocket": "rocket",
    "track": "track",
}
"""Of what can be done, what kind of decision it was."""

EARLY, LATE = 0, 1

Report = Mapping[str, Any]
"""A ``dizzle-analysis/1``."""


def given_away(report: Report) -> dict[str, Any]:
    """What is kept of the first answer: by seat, in points.

    Returns:
        ``engine``, and ``seats``, each with ``points`` that may be off by ``within`` at 95 %, how
        much of it was ``clear``, how many ``decisions`` and clear ``mistakes``; and ``parts``: rows
        of the kind of decision, the half of the game (`EARLY` or `LATE`; a pass in the middle is
        early), and the same five of it.
    """
    passes = len(report["course"]) - 1
    rows: list[dict[tuple[str, int], list[Report]]] = [{} for _ in report["players"]]
    for decision in report["decisions"]:
        number = sum(one["after"] <= decision["action"] for one in report["course"])
        half = EARLY if 2 * number <= passes + 1 else LATE
        kind = KINDS[decision["choices"][decision["played"]]["do"]]
        rows[decision["player"]].setdefault((kind, half), []).append(decision)
    return {"engine": ENGINE, "seats": [_seat(parts) for parts in rows]}


def _seat(parts: Mapping[tuple[str, int], list[Report]]) -> dict[str, Any]:
    everything = [decision for several in parts.values() for decision in several]
    names = ("points", "within", "clear", "decisions", "mistakes")
    return {
        **dict(zip(names, _sum(everything), strict=True)),
        "parts": [[*place, *_sum(several)] for place, several in sorted(parts.items())],
    }


def _sum(decisions: Iterable[Report]) -> tuple[float, float, float, int, int]:
    found = list(decisions)
    best = [one["best"] for one in found if "best" in one]
    more = [(one["more"]["points"]["mean"], one["more"]["points"]["within"]) for one in best]
    clear = [one["more"]["points"]["mean"] for one in best if one["clear"]]
    # Each decision was played on with dice of its own.
    within = hypot(*(within for _mean, within in more))
    points = sum(mean for mean, _within in more)
    return round(points, 2), round(within, 2), round(sum(clear), 2), len(found), len(clear)
