"""Estimate of a level's difficulty, and of how much skill matters on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from sheets.rules import Level

RULE_COUNTS: Final[Mapping[str, int]] = {
    "bomb": 1, "flag": 1, "heap": 1, "lock": 1, "rocket": 1, "rocket-planet": 1, "volcano": 2,
    "stop": 1,
}  # fmt: skip
"""Number of rules that a player must know for each symbol; crossing it is not counted."""

MAX_HARD_SHARE: Final = 0.36
"""Limit of a random bot's points as a share of a good bot's points. Below it, a level punishes play
without a plan, and has one more star of difficulty."""

MAX_DIFFICULTY: Final = 5
"""Maximum difficulty, in stars."""


def estimate_difficulty(level: Level, measured: Mapping[str, Any]) -> int | None:
    """Return the difficulty from 1 to 5; None for a report without games of random bots.

    It is one star for each two rules that the sheet requires, and one more if random bots score
    little. The estimate for each shipped level is at most one star off.
    """
    skill = skill_of(measured)
    if skill is None:
        return None
    good, random = skill
    known = sum(weight for symbol, weight in RULE_COUNTS.items() if level.by_symbol[symbol])
    known += bool(level.areas) + bool(level.races) + 3 * level.rails
    known += bool(level.links or level.walls) + any(level.shifts)
    known += any(line.kind == "fields" for line in level.lines)
    is_hard = good > 0 and random / good < MAX_HARD_SHARE
    return max(1, min(MAX_DIFFICULTY, (known + 1) // 2 + is_hard))


def skill_of(measured: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the solo medians of good bots and of random ones; None if a report lacks either."""
    random = measured.get("random")
    solo = next((s for s in measured["settings"] if s["players"] == 1), None)
    return (solo["scores"]["median"], random["median"]) if solo and random else None


def describe_difficulty(level: Level, measured: Mapping[str, Any]) -> list[str]:
    """Return the sentences about difficulty and skill, in the reader's language."""
    stars, skill = estimate_difficulty(level, measured), skill_of(measured)
    if stars is None or skill is None:
        return []
    good, random = skill
    sentences = [_("Difficulty: about %(stars)d of 5.") % {"stars": stars}]
    if level.difficulty:
        sentences[0] = _("Difficulty: about %(stars)d of 5; the level says %(own)d.") % {
            "stars": stars,
            "own": level.difficulty,
        }
    return [
        *sentences,
        _(
            "Skill: playing alone, good bots score %(good)d points or more in half of their "
            "games, random play %(random)d."
        )
        % {"good": good, "random": random},
    ]
