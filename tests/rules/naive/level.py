"""Level of the second implementation: fields as strings, groups of fields as sets."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

DICE = {1: 8, 2: 7, 3: 10, 4: 13}
"""The default number of dice by number of players."""

ROUNDS = {1: 10, 2: 6, 3: 4, 4: 3}
"""The default number of rounds by number of players."""

RATINGS = [41, 51, 61, 71, 81, 91]
"""The default minimum totals of the grades 1 to 6."""


def column_of(field: str) -> int:
    return ascii_lowercase.index(field[0])


def row_of(field: str) -> int:
    return int(field[1:]) - 1


def in_reading_order(fields: set[str]) -> list[str]:
    return sorted(fields, key=lambda field: (row_of(field), column_of(field)))


class NaiveLevel:
    """The parsed form of a valid `dizzle-level/1` document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.numbers: dict[str, int] = {}
        self.symbols: dict[str, str] = {}
        self.colours: dict[str, str] = {}
        self.printed_crosses: set[str] = set()
        for row, text in enumerate(document["grid"]):
            for column, square in enumerate(text.split()):
                if square != ".":
                    self._add_field(f"{ascii_lowercase[column]}{row + 1}", square)
        self.fields = set(self.numbers)
        self.rails = document.get("marks", "crosses") == "tracks"
        self.printed_tracks: dict[str, str] = document.get("tracks", {})
        self.printed_crosses |= set(self.printed_tracks)
        self.shifts = document.get("shifts") or [0] * len(document["grid"])
        self.links = {frozenset(pair) for pair in document.get("links", [])}
        self.walls = {frozenset(pair) for pair in document.get("walls", [])}
        self.neighbours = {
            field: {other for other in self.fields if self.touch(field, other)}
            for field in self.fields
        }
        self.volcanoes = self.with_symbol("V")
        self.lines = [
            (self._line_fields(line), line["points"]) for line in document.get("lines", [])
        ]
        self.areas = [
            (set(area["fields"]) - self.volcanoes, area.get("points", 0), area.get("race"))
            for area in document.get("areas", [])
        ]
        self.points: dict[str, Any] = document.get("points", {})
        self.repeat_last: bool = document.get("repeat_last", False)
        self.dice = DICE | {int(count): dice for count, dice in document.get("dice", {}).items()}
        self.rounds = ROUNDS | {int(count): n for count, n in document.get("rounds", {}).items()}
        self.ratings: list[int] = document.get("ratings", RATINGS)
        self.house_rules: dict[str, Any] = document.get("house_rules", {})
        self._change_set_up()

    def _change_set_up(self) -> None:
        """Apply the house rules on dice, rounds and number tracks."""
        if self.house_rules.get("more_players"):
            self.repeat_last = True
            self.dice = {5: min(30, self.dice[4] + 3)} | self.dice
            self.dice = {6: min(30, self.dice[5] + 3)} | self.dice
            self.rounds = {5: 2, 6: 2} | self.rounds
        for key, numbers in (("dice", self.dice), ("rounds", self.rounds)):
            for count in numbers if key in self.house_rules else ():
                numbers[count] = self.house_rules[key]

    def _add_field(self, field: str, square: str) -> None:
        self.numbers[field] = 0 if square[0] == "-" else int(square[0])
        symbol = square[1:]
        if symbol.startswith("x"):
            self.printed_crosses.add(field)
            symbol = symbol[1:]
        self.symbols[field] = symbol[:1]
        self.colours[field] = COLOURS.get(symbol[1:], "")

    def _line_fields(self, line: dict[str, Any]) -> set[str]:
        if "row" in line:
            named = {field for field in self.fields if row_of(field) == line["row"] - 1}
        elif "column" in line:
            named = {field for field in self.fields if field[0] == line["column"]}
        else:
            named = set(line["fields"])
        return named - self.volcanoes

    def with_symbol(self, letters: str, colour: str | None = None) -> set[str]:
        if letters == "B" and self.house_rules.get("no_bombs"):
            return set()
        return {
            field
            for field in self.fields
            if self.symbols[field]
            and self.symbols[field] in letters
            and colour in (None, self.colours[field])
        }

    def share_an_edge(self, one: str, two: str) -> bool:
        """Return whether two fields share at least half a side; rows can be shifted."""
        rows = abs(row_of(one) - row_of(two))
        if rows > 1:
            return False
        left = column_of(one) + self.shifts[row_of(one)]
        right = column_of(two) + self.shifts[row_of(two)]
        if rows == 0:
            return abs(column_of(one) - column_of(two)) == 1
        return abs(left - right) <= 0.5

    def touch(self, one: str, two: str) -> bool:
        pair = frozenset((one, two))
        if pair in self.walls:
            return False
        return one != two and (pair in self.links or self.share_an_edge(one, two))


COLOURS = {
    "r": "red",
    "o": "orange",
    "y": "yellow",
    "g": "green",
    "b": "blue",
    "p": "purple",
    "w": "white",
    "k": "black",
}
"""The colours by their letters in a grid."""
