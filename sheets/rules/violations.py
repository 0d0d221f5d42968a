"""Names and exceptions of broken rules and of faults in documents."""

from __future__ import annotations

from typing import Final

from sheets.rules.house_rules import HOUSE_RULES
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
"""The rules an action can break, in the order in which they are checked."""

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
"""The rules that define set-up, effects and results instead of refusing an action."""

RULES: Final = REFUSALS + EFFECTS + CATEGORIES + HOUSE_RULES
"""All named rules of Dizzle."""

FAULTS: Final = (
    # Files, links and texts that are not a document.
    *("no-file", "several-files", "empty-file", "picture", "too-large", "not-utf-8", "not-json"),
    *("broken-json", "too-deep", "no-document", "no-code", "code-cut-off", "code-too-large"),
    # Structure: keys, types, ranges.
    *("other-format", "no-level-inside", "double-key", "nul-character", "missing-key"),
    *("unknown-key", "not-an-object", "not-a-list", "not-a-text", "not-an-integer"),
    *("not-a-number", "not-a-boolean", "not-allowed", "not-a-field-name", "not-a-column"),
    *("not-an-id", "not-hexadecimal", "empty", "too-short", "too-long", "too-small", "too-great"),
    "unusable",
    # Levels.
    *("wrong-size", "uneven-rows", "no-fields", "not-a-field", "open-number"),
    *("volcano-number", "not-on-rails", "unknown-symbol", "line-kind", "unknown-row"),
    *("unknown-column", "unknown-field", "field-twice", "not-crossable", "points-or-race"),
    *("track-empty", "track-rising", "rails-only", "track-on-volcano", "rails-shifted"),
    *("shift-count", "shift-size", "same-field", "ratings-not-rising", "no-points"),
    "linked-and-walled",
    # Games and final sheets.
    *("unknown-level", "player-count", "unknown-player", "too-many-actions", "solo-sheets"),
    *("solo-exploded", "tracks-alone", "other-track-printed", "crossed-as-well"),
    *("not-on-level", "not-on-track", "number-unclear", "other-count"),
    # Groups.
    *("not-a-day", "not-a-time", "wrong-year", "ahead", "player-twice"),
)
"""The names of all faults of documents, explained in `docs/formats.md`."""


class RuleViolation(Exception):
    """A well-formed action that the rules forbid; nothing has changed.

    Attributes:
        rule: one of `REFUSALS`; stable, programs may branch on it.
        facts: the values for the message, such as ``at`` (a field's name), ``die``,
            ``number`` (1 to 6), ``colour``, ``player`` (an index), ``count``, and ``house_rule``
            (one of `HOUSE_RULES`) if the printed rules might allow the act.
    """

    def __init__(self, rule: str, **facts: str | int) -> None:
        super().__init__(rule)
        self.rule = rule
        self.facts = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in sorted(self.facts.items()))
        return f"{self.rule} ({facts})" if facts else self.rule


DocumentPath = tuple[str | int, ...]
"""Keys and indexes that lead to a value in a document: ``("grid", 2)`` for the third row."""


class DocumentError(ValueError):
    """A fault that makes a document unusable; a document may have several.

    Attributes:
        fault: one of `FAULTS`; stable, programs may branch on it.
        place: path to the fault in the document (empty: the document as a whole).
        facts: the values for the message, such as ``at`` (a field's name), ``key``, ``written``
            (the faulty text), ``count``, ``most``. Texts are untrusted input: of any length, and
            not always printable.

    >>> str(DocumentError("not-a-field", ("level", "grid", 2), written="7"))
    'level grid row 3: not-a-field (written 7)'
    """

    def __init__(self, fault: str, place: DocumentPath = (), **facts: str | float) -> None:
        super().__init__(fault)
        self.fault = fault
        self.place = place
        self.facts = facts

    def __str__(self) -> str:
        facts = ", ".join(
            f"{name} {quote_briefly(value)}" for name, value in sorted(self.facts.items())
        )
        place = format_place(self.place)
        return f"{place}: " * bool(place) + self.fault + f" ({facts})" * bool(facts)

    def inside(self, *place: str | int) -> DocumentError:
        """Return the same fault with its path prefixed, for a document inside another one."""
        return DocumentError(self.fault, place + self.place, **self.facts)


def format_place(place: DocumentPath) -> str:
    """Format a path as text; entries count from 1, actions from 0 as in a replay.

    >>> format_place(("lines", 1, "fields", 0)), format_place(("actions", 14, "at"))
    ('lines entry 2 fields entry 1', 'action 14 at')
    """
    words: list[str] = []
    for step in place:
        if isinstance(step, str):
            words.append(quote_briefly(step))
        elif words[-1:] == ["grid"]:
            words.append(f"row {step + 1}")
        elif words[-1:] == ["actions"]:
            words[-1] = f"action {step}"
        else:
            words.append(f"entry {step + 1}")
    return " ".join(words)


MAX_QUOTE_LENGTH: Final = 40
"""Maximum number of characters of untrusted text quoted in a message."""


def quote_briefly(written: str | float) -> str:
    """Return untrusted text without unprintable characters, truncated to fit in one line."""
    text = "".join(filter(str.isprintable, str(written)))
    return text if len(text) <= MAX_QUOTE_LENGTH else f"{text[:MAX_QUOTE_LENGTH]}…"
