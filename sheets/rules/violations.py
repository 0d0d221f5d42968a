"""What can be wrong with a move or a document, and what is each such thing called?"""

from __future__ import annotations

from typing import Final

from sheets.rules.symbols import CATEGORIES

REFUSALS: Final = (
    "not-now",
    "not-your-turn",
    "dropped-out",
    "must-place",
    "must-return",
    "bad-dice",
    "no-field",
    "field-taken",
    "no-number",
    "exploded",
    "lava",
    "locked",
    "not-a-choice",
    "not-next-to-cross",
    "not-next-to-die",
    "wrong-number",
    "no-such-die",
)
"""The rules an action can break, in the order in which they are looked at."""

EFFECTS: Final = (
    "dice-count",
    "round-count",
    "start-order",
    "jump",
    "reroll",
    "return",
    "drop-out",
    "stuck",
    "last-player",
    "pass-end",
    "cross-dice",
    "bomb",
    "flag",
    "rocket",
    "race",
    "full-sheet",
    "game-end",
    "winner",
    "rating",
    "erupt",
    "track",
)
"""The rules that make something happen instead of refusing something."""

RULES: Final = REFUSALS + EFFECTS + CATEGORIES


class RuleViolation(Exception):
    """A well-formed act that the rules forbid; nothing has changed.

    Attributes:
        rule: one of `REFUSALS`; stable, programs may branch on it.
        facts: what the sentence about it needs, such as ``at`` (a field's name), ``die``,
            ``number`` (1 to 6), ``colour``, ``player`` (an index), ``count``.
    """

    def __init__(self, rule: str, **facts: str | int) -> None:
        super().__init__(rule)
        self.rule = rule
        self.facts = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in sorted(self.facts.items()))
        return f"{self.rule} ({facts})" if facts else self.rule


class DocumentError(ValueError):
    """A document that cannot be used at all.

    Attributes:
        place: where in the document, such as ``grid row 3`` (empty: the document as a whole).
        reason: what is wrong there, one clause without a full stop.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason
