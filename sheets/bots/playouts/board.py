"""Lookup tables of a level for a number of players.

Fields are numbered by their bits in a set (see `arrays`): tables by field have a row for each bit.
Points and hopes come from `sheets.bots.field_values`, computed once for each pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from sheets.bots.field_values import (
    STEADY_SYMBOL_VALUES,
    FieldValues,
    find_goals,
    goal_gain,
    goal_loss,
)
from sheets.bots.loops import rectangular_loops
from sheets.bots.playouts.arrays import GROUPS, WIDTHS, Bytes, Floats, Ints, Sets
from sheets.bots.playouts.rails import Rails, has_few_loops
from sheets.rules import Level, new_game
from sheets.rules.level import bits
from sheets.rules.sheet import closed_locks
from sheets.rules.symbols import SYMBOLS, Pays
from sheets.rules.tracks import NumberTrack

IMPLEMENTED_SYMBOLS: Final = frozenset(
    {
        *("flag", "key", "lock", "bomb", "stop", "volcano"),
        *("rocket", "rocket-planet", "planet"),
    }
)
"""Symbols with an effect that the play-outs implement; symbols that only pay need no code."""


def supports(level: Level) -> bool:
    """Return whether a level can be played out in batches.

    It must be small enough, and the play-outs must implement the effects of all its symbols.
    """
    known = all(
        name in IMPLEMENTED_SYMBOLS
        or symbol.pays in (Pays.EACH, Pays.ALL)
        or not level.by_symbol[name]
        for name, symbol in SYMBOLS.items()
    )
    fits = max(fields.bit_count() for fields in level.with_number) <= max(WIDTHS)
    is_wide = level.rails and not has_few_loops(level)
    return known and fits and not is_wide


class Board:
    """Lookup tables of a level for a number of players.

    Three tables have a set for each field: ``bit`` the field itself, ``near`` the fields that it
    touches, ``before`` the fields before it in reading order. ``numbers`` has each field's number.
    """

    def __init__(self, level: Level, players: int) -> None:
        self.level = level
        self.players = players
        self.passes = level.rounds[players] * players
        self.dice = level.dice[players]
        most = max(fields.bit_count() for fields in level.with_number)
        self._width = next(width for width in WIDTHS if width >= most)
        self.words = GROUPS * self._width // 64
        self.size = 64 * self.words
        self.bits = self._find_bits()
        self.numbers = self._by_field(level.numbers)
        self.bit = self._sets_by_field([1 << i for i in range(len(level.fields))])
        self.near = self._sets_by_field(level.neighbours)
        self.before = self._sets_by_field([(1 << i) - 1 for i in range(len(level.fields))])
        self.numbered = self.pack(level.numbered)
        self.crossable = self.pack(level.crossable)
        self.bombs = self.pack(level.by_symbol["bomb"])
        self.rockets = self.pack(level.rockets)
        self.planets = self.pack(level.planets)
        self.volcanoes = self.pack(level.by_symbol["volcano"])
        self.has_rockets = bool(level.rockets)
        self.has_bombs = bool(level.by_symbol["bomb"])
        self.has_volcano = bool(level.by_symbol["volcano"])
        self._begun = new_game(level, [""] * players, tracked=True)

    def pack(self, fields: int) -> Sets:
        """Convert a mask of the level's fields to a set."""
        return self.pack_all([fields]).reshape(-1)

    def pack_all(self, masks: Sequence[int]) -> Sets:
        """Convert masks of the level's fields to sets, one per row."""
        length = len(self.level.fields) // 8 + 1
        data = b"".join(mask.to_bytes(length, "little") for mask in masks)
        shown = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        spread = np.zeros((len(masks), self.size), np.uint8)
        spread[:, self.bits] = shown.reshape(len(masks), 8 * length)[:, : len(self.bits)]
        return np.packbits(spread, bitorder="little").view(np.uint64).reshape(-1, self.words)

    def unpack(self, sets: Sets) -> Bytes:
        """Return for each set a 1 for each of its fields, in reading order of the level."""
        shown = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")
        return shown.take(self.bits, axis=1)

    @cached_property
    def groups(self) -> Sets:
        """All bits of some groups, by a byte with a bit per group, as in `arrays.groups_in`."""
        full = (1 << self._width) - 1
        rows = []
        for byte in range(1 << GROUPS):
            mask = sum(full << self._width * group for group in bits(byte))
            rows.append([mask >> 64 * word & (1 << 64) - 1 for word in range(self.words)])
        return np.array(rows, np.uint64)

    @cached_property
    def misses(self) -> Floats:
        """Probability that no die fits, by the count of numbers that fit and the count of dice."""
        return np.array(
            [[(1 - kinds / 6) ** dice for dice in range(self.dice + 1)] for kinds in range(7)]
        )

    @cached_property
    def next_in(self) -> Ints:
        """The next player, by the players who have dropped out, as bits, and the current player.

        If all others are out, it is the current player again.
        """
        count = self.players
        table = np.zeros((1 << count, count), np.intp)
        for out in range(1 << count):
            for player in range(count):
                others = [(player + step) % count for step in range(1, count)]
                table[out, player] = next((p for p in others if not out >> p & 1), player)
        return table

    @cached_property
    def reading_order(self) -> Ints:
        """Index of each field in reading order."""
        return self._by_field(range(len(self.level.fields)))

    @cached_property
    def rails(self) -> Rails | None:
        """The tables of a rail level; None for other levels."""
        if not self.level.rails:
            return None
        sets = self.pack_all([loop.fields for loop in rectangular_loops(self.level)])
        return Rails(self.level, self.bits, self.size, sets, self.hopes)

    @property
    def max_choices(self) -> int:
        """Maximum number of choices in one decision of a bot: fields, or loops."""
        return max(len(self.level.fields), len(self.rails.fields) if self.rails else 0)

    # Goals.

    @cached_property
    def goals(self) -> Sets:
        """The fields of each goal of `sheets.bots.field_values.find_goals`."""
        return self.pack_all([goal.fields for goal in find_goals(self.level).goals])

    @cached_property
    def numberless_goals(self) -> Sets:
        """Those fields of each goal that only a rocket can cross."""
        without = self.level.with_number[0]
        return self.pack_all([goal.fields & without for goal in find_goals(self.level).goals])

    @cached_property
    def needs_rockets(self) -> bool:
        """Whether some goal has fields that only a rocket can cross."""
        return bool(self.numberless_goals.any())

    @cached_property
    def in_goals(self) -> Ints:
        """Whether a field is part of a goal, 1 or 0, by field and goal."""
        table = np.zeros((self.size, len(self.goals)), np.intp)
        for field, goals in enumerate(find_goals(self.level).goals_of):
            table[self.bits[field], list(goals)] = 1
        return table

    @cached_property
    def goals_of(self) -> Ints:
        """The indexes of the goals that a field is part of, in a column for each field.

        Columns are filled up with an index after the last goal, which stands for no goal.
        """
        goals_of = find_goals(self.level).goals_of
        most = max(len(goals) for goals in goals_of)
        table = np.full((most, self.size), len(self.goals), np.intp)
        for field, goals in enumerate(goals_of):
            table[: len(goals), self.bits[field]] = goals
        return table

    @cached_property
    def hopeless(self) -> int:
        """Number of steps added to a goal that cannot be reached; no other goal needs as many."""
        return (
            2 * max((goal.fields.bit_count() for goal in find_goals(self.level).goals), default=0)
            + 2
        )

    @cached_property
    def goal_gains(self) -> Floats:
        """Gain of one more crossed field of a goal, by pass, goal and missing steps."""
        return self._by_steps(goal_gain)

    @cached_property
    def goal_losses(self) -> Floats:
        """Loss if a goal can no longer be reached, by pass, goal and missing steps."""
        return self._by_steps(goal_loss)

    def _by_steps(self, value: Callable[[int, int, float], float]) -> Floats:
        goals = find_goals(self.level).goals
        table = np.zeros((self.passes, len(goals) + 1, 2 * self.hopeless))
        for done, hope in enumerate(self.hopes):
            for number, goal in enumerate(goals):
                for steps in range(self.hopeless):
                    table[done, number, steps] = value(goal.points, steps, float(hope))
        return table

    # Hopes, and what symbols are worth.

    @cached_property
    def hopes(self) -> Floats:
        """Probability that one more wanted field is crossed in time, by pass."""
        return np.array([worth.hope for worth in self._worths])

    @cached_property
    def symbol_gains(self) -> Floats:
        """Gain of a field's symbol, by pass and field; 0 if it can change during a pass."""
        table = np.zeros((self.passes, self.size))
        for done, worth in enumerate(self._worths):
            for field, at in enumerate(self.level.fields):
                if at.symbol in STEADY_SYMBOL_VALUES:
                    table[done, self.bits[field]] = STEADY_SYMBOL_VALUES[at.symbol](worth, field)
        return table

    @cached_property
    def _worths(self) -> list[FieldValues]:
        return [
            FieldValues(self._begun._replace(passes_done=done), 0) for done in range(self.passes)
        ]

    # Numbers to circle, keys and locks.

    @cached_property
    def tracks(self) -> tuple[NumberTrack, ...]:
        """The number tracks of the level: flags, then races."""
        return (*self.level.flags, *self.level.races)

    @cached_property
    def track_numbers(self) -> Ints:
        """The next number to award, by number track and count of numbers struck."""
        rows = [[t.number_after(gone) for gone in range(self.players + 1)] for t in self.tracks]
        return np.array(rows, np.intp).reshape(-1, self.players + 1)

    @cached_property
    def track_fields(self) -> Sets:
        """The fields of each number track: its flags, or the fields of its race area."""
        return self.pack_all([track.fields for track in self.tracks])

    @cached_property
    def unprinted(self) -> Sets:
        """The fields of each number track that players can cross: printed crosses are left out."""
        return self.pack_all([track.unprinted for track in self.tracks])

    @cached_property
    def flags(self) -> Sets:
        """The flags of each number track for flags."""
        return self.pack_all([track.fields for track in self.level.flags])

    @cached_property
    def flag_of(self) -> Ints:
        """Index of the number track of a flag, by field; -1 for fields without a flag."""
        return self._number_of([track.fields for track in self.level.flags])

    @cached_property
    def keys(self) -> Sets:
        """The keys of each colour."""
        return self.pack_all(list(self.level.by_colour["key"].values()))

    @cached_property
    def locks(self) -> Sets:
        """The locks of each colour that has keys."""
        locks = self.level.by_colour["lock"]
        return self.pack_all([locks.get(colour, 0) for colour in self.level.by_colour["key"]])

    @cached_property
    def shut(self) -> Sets:
        """The locks that no key opens."""
        level = self.level
        return self.pack(closed_locks(level, level.by_symbol["key"]))

    @cached_property
    def key_of(self) -> Ints:
        """Index of the colour of a key, by field; -1 for fields without a key."""
        return self._number_of(list(self.level.by_colour["key"].values()))

    @cached_property
    def rocket_of(self) -> Ints:
        """Index of the kind of a rocket, by field: always 0; -1 for fields without a rocket."""
        return self._number_of([self.level.rockets])

    def _number_of(self, masks: list[int]) -> Ints:
        table = np.full(self.size, -1, np.intp)
        for number, mask in enumerate(masks):
            for field in bits(mask):
                table[self.bits[field]] = number
        return table

    def _find_bits(self) -> Ints:
        filled = [0] * GROUPS
        places = []
        for number in self.level.numbers:
            places.append(number * self._width + filled[number])
            filled[number] += 1
        return np.array(places, np.intp)

    def _by_field(self, values: Sequence[int]) -> Ints:
        table = np.zeros(self.size, np.intp)
        table[self.bits] = values
        return table

    def _sets_by_field(self, masks: Sequence[int]) -> Sets:
        table = np.zeros((self.size, self.words), np.uint64)
        table[self.bits] = self.pack_all(masks)
        return table


@lru_cache(maxsize=8)
def lay_out(level: Level, players: int) -> Board:
    """Return the board of a level for a number of players; cached."""
    return Board(level, players)
