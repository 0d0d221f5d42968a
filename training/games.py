"""What is on a sheet when a game is over? Bots have played it, so no mark is against a rule."""

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
from training.papers import Filling, Marked

BOT: Final = "greedy"
FILLED: Final = ("games", "chance")
"""By what sheets are filled in."""


def play_sheets(
    rng: Generator, levels: Sequence[Level], filling: Filling, filled: str
) -> list[Marked]:
    """What is marked on each sheet of a page, for `fill_page`; nothing where chance decides."""
    return [play_sheet(rng, level, filling) for level in levels] if filled == "games" else []


def play_sheet(rng: Generator, level: Level, filling: Filling) -> Marked:
    """Somebody's sheet of a whole game; beside its crosses some were taken back."""
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
    return Marked(
        fields,
        [at for at, stack in stacks.items() if len(stack) > 1],
        {name: _struck(track, game.struck) for name, track in tracks.items()},
        {name: number for name, number in circled.items() if number},
    )


def _struck(track: NumberTrack, gone: Mapping[str, int]) -> int:
    most = len(track.numbers) - track.repeat_last
    return min(gone.get(track.place, 0), most)


def _kind(mark: str) -> str:
    """What a photo shows of a mark: who has crossed a field nobody sees."""
    return "cross" if mark in CROSSES and mark not in SHAPES else mark


def _taken_back(rng: Generator, sheet: Sheet, filling: Filling) -> list[str]:
    """Where somebody crossed and thought better of it: beside a cross, where nothing is now."""
    level = sheet.level
    if level.rails:
        return []
    marked = sheet.crosses | sheet.exploded | sheet.lava
    free = level.crossable & ~marked & sheet.near_crosses
    names = [level.fields[index].name for index in bits(free)]
    crosses = (sheet.crosses & ~level.printed).bit_count()
    count = min(int(rng.binomial(crosses, filling.taken_back)), len(names))
    return rng.choice(names, count, replace=False).tolist() if count else []
