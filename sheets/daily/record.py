"""Record of a solo game on the sheet of a day, as the page stores and sends it.

The dice are those of the day, so a record has only the player's decisions: a text of words. ``*``
throws the dice of the phase, which is a reroll in phase ``turn``; ``out`` drops out; any other word
is a field's name, on a rail level followed by the shape of its track, such as ``c4`` or ``c4NS``.
The phase says what happens on the field. `static/sheets/daily/record.js` has the same meanings.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from sheets.daily.day import dice_of_pass, level_of
from sheets.rules import Action, Game, RuleViolation, new_game
from sheets.rules.level import SHAPES

MAX_RECORD_LENGTH: Final = 6000
"""Maximum length of a record, in characters; a game without rerolls needs at most 1,000."""

_FIELD: Final = re.compile(rf"([a-z][0-9]{{1,2}})({'|'.join(SHAPES)})?")
"""Word of a field."""

_ON_FIELD: Final = {"turn": "place", "return": "return", "lava": "lava"}
"""What happens on a field, by phase; in phase ``marking`` it depends on the level."""


class BadRecord(ValueError):
    """A record that is malformed, breaks a rule, or goes on after the end of the game."""


class DailyGame:
    """A game on the sheet of a day.

    Attributes:
        day: the day.
        game: the current state.
        totals: the points after each finished pass.
    """

    def __init__(self, day: date) -> None:
        self.day = day
        self.game: Game = new_game(level_of(day), [""], tracked=True)
        self.totals: list[int] = []
        self._thrown = 0

    def apply(self, word: str) -> None:
        """Carry out one word of a record. Raises BadRecord; then nothing has changed."""
        before = self.game
        action = self._action(word)
        try:
            self.game = before.apply(action)
        except RuleViolation as violation:
            raise BadRecord(str(violation)) from None
        if word == "*":
            self._thrown += before.dice_to_roll
        if self.game.passes_done > before.passes_done:
            self.totals.append(self.game.scores()[0].total)
            self._thrown = 0

    def _action(self, word: str) -> Action:
        phase = self.game.phase
        if word == "*":
            thrown = self._next_dice()
            if phase == "erupt":
                return Action("erupt", die=thrown[0])
            return Action("reroll" if phase == "turn" else phase, 0, dice=thrown)
        if word == "out":
            return Action("drop", 0)
        found = _FIELD.fullmatch(word)
        if not found:
            raise BadRecord(word)
        at, shape = found[1], found[2] or ""
        marking = "track" if self.game.level.rails else "rocket"
        do = marking if phase == "marking" else _ON_FIELD.get(phase, "place")
        if bool(shape) != (do == "track"):
            raise BadRecord(word)
        return Action(do, 0, at, shape=shape)

    def _next_dice(self) -> tuple[int, ...]:
        """Return the dice of the next throw. Raises BadRecord in a phase without a throw."""
        count = self.game.dice_to_roll
        if not count:
            raise BadRecord("no dice to throw")
        dice = dice_of_pass(self.day, self.game.pass_number)
        return tuple(dice[(self._thrown + i) % len(dice)] for i in range(count))


def replay(day: date, record: str) -> DailyGame:
    """Return the game of a record. Raises BadRecord."""
    played = DailyGame(day)
    for word in record.split(" ") if record else ():
        played.apply(word)
    return played
