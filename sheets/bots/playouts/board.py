"""Tables of a level for a number of players.

Fields are numbered by their bits in a set (see `arrays`): tables by field have a row for each bit.
Points and hopes come from `sheets.bots.worth`, computed once for each pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from sheets.bots.loops import rectangles
from sheets.bots.playouts.arrays import GROUPS, WIDTHS, Bytes, Floats, Ints, Sets
from sheets.bots.playouts.rails import Rails, has_few_loops
from sheets.bots.worth import STEADY_WORTHS, Worth, goal_gain, goal_loss, study
from sheets.rules import Level, new_game
from sheets.rules.level import bits
from sheets.rules.sheet import closed_locks
from sheets.rules.symbols import SYMBOLS, Pays
from sheets.rules.tracks import NumberTrack

DOING: Final = frozenset(
    {
        *("flag", "key", "lock", "bomb", "stop", "volcano"),
        *("rocket", "rocket-planet", "planet"),
    }
)
"""Symbols with an effect that the play-outs implement; symbols that only pay need no code."""


def covers(level: Level) -> bool:
    """Return whether the play-outs implement all effects of a level, and its size."""
    known = all(
        name in DOING or symbol.pays in (Pays.EACH, Pays.ALL) or not level.by_symbol[name]
        for name, symbol in SYMBOLS.items()
    )
    fits = max(fields.bit_count() for fields in level.with_number) <= max(WIDTHS)
    is_wide = level.rails and not has_few_loops(level)
    return known and fits and not is_wide


class Board:
    """A level for a number of players.

    ``bit``, ``near`` and ``before`` are sets by field: itself, those it touches, and those before
    it in reading order. ``numbers`` has each field's number.
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
        """Convert several masks, one per row."""
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
        """By a byte as of `arrays.groups_in`: all bits of its groups."""
        full = (1 << self._width) - 1
        rows = []
        for byte in range(1 << GROUPS):
            mask = sum(full << self._width * group for group in bits(byte))
            rows.append([mask >> 64 * word & (1 << 64) - 1 for word in range(self.words)])
        return np.array(rows, np.uint64)

    @cached_property
    def misses(self) -> Floats:
        """By the number of fitting numbers and of dice: the probability that no die fits."""
        return np.array(
            [[(1 - kinds / 6) ** dice for dice in range(self.dice + 1)] for kinds in range(7)]
        )

    @cached_property
    def next_in(self) -> Ints:
        """By the players who are out, as bits, and a player: the next player, or the same one."""
        count = self.players
        table = np.zeros((1 << count, count), np.intp)
        for out in range(1 << count):
            for player in range(count):
                others = [(player + step) % count for step in range(1, count)]
                table[out, player] = next((p for p in others if not out >> p & 1), player)
        return table

    @cached_property
    def reading_order(self) -> Ints:
        """By field: its place in reading order."""
        return self._by_field(range(len(self.level.fields)))

    @cached_property
    def rails(self) -> Rails | None:
        """The tables of a rail level; None for other levels."""
        if not self.level.rails:
            return None
        sets = self.pack_all([loop.fields for loop in rectangles(self.level)])
        return Rails(self.level, self.bits, self.size, sets, self.hopes)

    @property
    def most_choices(self) -> int:
        """Maximum number of choices of a bot: fields, or loops."""
        return max(len(self.level.fields), len(self.rails.fields) if self.rails else 0)

    # Goals.

    @cached_property
    def goals(self) -> Sets:
        """The fields of each goal of `sheets.bots.worth.study`."""
        return self.pack_all([goal.fields for goal in study(self.level).goals])

    @cached_property
    def numberless_goals(self) -> Sets:
        """Those fields of each goal that only a rocket can cross."""
        without = self.level.with_number[0]
        return self.pack_all([goal.fields & without for goal in study(self.level).goals])

    @cached_property
    def needs_rockets(self) -> bool:
        """Whether some goal has such fields."""
        return bool(self.numberless_goals.any())

    @cached_property
    def in_goals(self) -> Ints:
        """By field: a 1 for each goal that it is part of."""
        table = np.zeros((self.size, len(self.goals)), np.intp)
        for field, goals in enumerate(study(self.level).goals_of):
            table[self.bits[field], list(goals)] = 1
        return table

    @cached_property
    def goals_of(self) -> Ints:
        """By field, in columns: the goals it is part of; then the one after the last, for none."""
        goals_of = study(self.level).goals_of
        most = max(len(goals) for goals in goals_of)
        table = np.full((most, self.size), len(self.goals), np.intp)
        for field, goals in enumerate(goals_of):
            table[: len(goals), self.bits[field]] = goals
        return table

    @cached_property
    def hopeless(self) -> int:
        """Steps that are added to a goal that cannot be reached any more."""
        return 2 * max((goal.fields.bit_count() for goal in study(self.level).goals), default=0) + 2

    @cached_property
    def goal_gains(self) -> Floats:
        """By pass, goal and missing steps: the gain of one more of its fields."""
        return self._by_steps(goal_gain)

    @cached_property
    def goal_losses(self) -> Floats:
        """By pass, goal and missing steps: the loss of one of its fields."""
        return self._by_steps(goal_loss)

    def _by_steps(self, value: Callable[[int, int, float], float]) -> Floats:
        goals = study(self.level).goals
        table = np.zeros((self.passes, len(goals) + 1, 2 * self.hopeless))
        for done, hope in enumerate(self.hopes):
            for number, goal in enumerate(goals):
                for steps in range(self.hopeless):
                    table[done, number, steps] = value(goal.points, steps, float(hope))
        return table

    # Hopes, and what symbols are worth.

    @cached_property
    def hopes(self) -> Floats:
        """By pass: the probability that one more wanted field is crossed in time."""
        return np.array([worth.hope for worth in self._worths])

    @cached_property
    def symbol_gains(self) -> Floats:
        """By pass and field: the gain of its symbol, if this stays the same during a pass."""
        table = np.zeros((self.passes, self.size))
        for done, worth in enumerate(self._worths):
            for field, at in enumerate(self.level.fields):
                if at.symbol in STEADY_WORTHS:
                    table[done, self.bits[field]] = STEADY_WORTHS[at.symbol](worth, field)
        return table

    @cached_property
    def _worths(self) -> list[Worth]:
        return [Worth(self._begun._replace(passes_done=done), 0) for done in range(self.passes)]

    # Numbers to circle, keys and locks.

    @cached_property
    def tracks(self) -> tuple[NumberTrack, ...]:
        """Flags, then races."""
        return (*self.level.flags, *self.level.races)

    @cached_property
    def track_numbers(self) -> Ints:
        """By track and the count of struck numbers: the number that the next players get."""
        rows = [[t.number_after(gone) for gone in range(self.players + 1)] for t in self.tracks]
        return np.array(rows, np.intp).reshape(-1, self.players + 1)

    @cached_property
    def track_fields(self) -> Sets:
        """By track: its flags, or the fields of its area."""
        return self.pack_all([track.fields for track in self.tracks])

    @cached_property
    def unprinted(self) -> Sets:
        """By track: those of its fields that a player can cross."""
        return self.pack_all([track.unprinted for track in self.tracks])

    @cached_property
    def flags(self) -> Sets:
        """By track of flags: the flags."""
        return self.pack_all([track.fields for track in self.level.flags])

    @cached_property
    def flag_of(self) -> Ints:
        """By field: the number of its flag's track, -1 without one."""
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
        """By field: the number of its key's colour, -1 without one."""
        return self._number_of(list(self.level.by_colour["key"].values()))

    @cached_property
    def is_rocket(self) -> Ints:
        """By field: 0 for rockets, -1 for all others."""
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
    """Return the board of a level for a number of players."""
    return Board(level, players)
