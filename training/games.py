"""Marks of sheets after whole games, which bots play, so that no mark breaks a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from numpy.random import Generator

from sheets.rules.level import SHAPES, Level, bits
from sheets.rules.marks import CROSSES, marks_of
from sheets.rules.sheet import Sheet
from sheets.rules.tracks import NumberTrack
from sheets.simulation.games import play_game
from training.filled_pages import Filling, PlannedMarks

BOT: Final = "greedy"
"""Bot that plays."""

FILLED: Final = ("games", "chance")
"""Sources of marks: whole games, or chance."""


def play_sheets(
    rng: Generator, levels: Sequence[Level], filling: Filling, filled: str
) -> list[PlannedMarks]:
    """Return the marks of each sheet of a page for `fill_page`; none if they are random."""
    return [play_sheet(rng, level, filling) for level in levels] if filled == "games" else []


def play_sheet(rng: Generator, level: Level, filling: Filling) -> PlannedMarks:
    """Return the marks of a player's sheet after a whole game, with some crosses taken back."""
    players = int(rng.choice(level.player_counts))
    random = Random(int(rng.integers(2**32)))  # noqa: S311  # dice, not secrets
    game = play_game(level, players, BOT, random)
    sheet = game.sheets[int(rng.integers(players))]
    stacks = marks_of(sheet)
    fields = {at: _kind(stack[-1]) for at, stack in stacks.items()}
    for at in _taken_back(rng, sheet, filling):
        fields[at] = "taken-back"
    tracks = {f"{track.kind}-{track.key}": track for track in level.number_tracks.values()}
    circled = {name: track.circled(sheet) for name, track in tracks.items()}
    return PlannedMarks(
        fields,
        [at for at, stack in stacks.items() if len(stack) > 1],
        {name: _struck(track, game.struck) for name, track in tracks.items()},
        {name: number for name, number in circled.items() if number},
    )


def _struck(track: NumberTrack, gone: Mapping[str, int]) -> int:
    most = len(track.numbers) - track.repeat_last
    return min(gone.get(track.place, 0), most)


def _kind(mark: str) -> str:
    """Return the kind of a mark; a photo does not show which player crossed a field."""
    return "cross" if mark in CROSSES and mark not in SHAPES else mark


def _taken_back(rng: Generator, sheet: Sheet, filling: Filling) -> list[str]:
    """Choose fields with a cross taken back: empty ones next to a cross."""
    level = sheet.level
    if level.rails:
        return []
    marked = sheet.crosses | sheet.exploded | sheet.lava
    free = level.crossable & ~marked & sheet.near_crosses
    names = [level.fields[index].name for index in bits(free)]
    crosses = (sheet.crosses & ~level.printed).bit_count()
    count = min(int(rng.binomial(crosses, filling.taken_back)), len(names))
    return rng.choice(names, count, replace=False).tolist() if count else []
