"""Plausibility checks of paper sheets: marks that no legal game leads to.

A doubt never blocks scoring: players forget crosses, and the sheet counts as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from sheets.rules.level import Level
from sheets.rules.paper_scoring import Paper
from sheets.rules.sheet import Sheet
from sheets.rules.tracks import NumberTrack

DOUBTS: Final = (
    "lock-without-key",
    "bomb-still-open",
    "bomb-nobody-crossed",
    "lonely-cross",
    "no-start",
    "no-number-crossed",
    "planet-without-rocket",
    "rocket-without-planet",
    "exploded-no-bomb",
    "lonely-lava",
    "number-without-flag",
    "number-without-race",
    "numbers-do-not-fit",
)
"""The names of all doubts."""


class Doubt(NamedTuple):
    """One impossible or very unlikely finding on the sheets.

    ``name`` is one of `DOUBTS`; ``player`` an index, -1 where several sheets contradict each other;
    ``fields`` the names of the fields concerned; ``place`` identifies the `NumberTrack` concerned,
    and is empty if there is none.
    """

    name: str
    player: int
    fields: tuple[str, ...] = ()
    place: str = ""


def find_doubts(paper: Paper) -> list[Doubt]:
    """Return all doubts: first those about single sheets, by player, then those about several."""
    doubts: list[Doubt] = []
    for player, sheet in enumerate(paper.sheets):
        doubts.extend(_doubts_of(player, sheet))
    if not paper.level.printed and any(one.name == "lonely-cross" for one in doubts):
        # Without printed crosses every cross is isolated: the level lacks them, not the sheets.
        doubts = [one for one in doubts if one.name != "lonely-cross"]
        doubts.append(Doubt("no-start", -1))
    doubts.extend(_bombs(paper))
    doubts.extend(_numbers(paper))
    return doubts


def _doubts_of(player: int, sheet: Sheet) -> Iterator[Doubt]:
    level = sheet.level
    drawn = sheet.crosses & ~level.printed
    found = (
        ("lock-without-key", drawn & sheet.closed),
        ("lonely-cross", _lonely(level, drawn, level.printed | drawn & level.planets)),
        ("no-number-crossed", drawn & level.with_number[0] & ~level.planets),
        ("planet-without-rocket", _planets_without_rocket(level, drawn)),
        ("rocket-without-planet", _rockets_without_planet(sheet, drawn)),
        ("exploded-no-bomb", sheet.exploded & ~level.by_symbol["bomb"]),
        ("lonely-lava", _lonely(level, sheet.lava, level.by_symbol["volcano"])),
    )
    for name, fields in found:
        if fields:
            yield Doubt(name, player, tuple(level.names(fields)))


def _lonely(level: Level, marked: int, roots: int) -> int:
    """Return the mask of the marked fields that no chain of marked fields connects with a root.

    ``marked`` and ``roots`` are masks.
    """
    reached = new = roots
    while new:
        new = level.touching(new) & marked & ~reached
        reached |= new
    return marked & ~reached


def _planets_without_rocket(level: Level, drawn: int) -> int:
    """Return the crossed numberless planets if they outnumber the crossed rockets, else 0."""
    planets = drawn & level.planets & level.with_number[0]
    return planets if planets.bit_count() > (drawn & level.rockets).bit_count() else 0


def _rockets_without_planet(sheet: Sheet, drawn: int) -> int:
    """Return the crossed rockets if fewer planets are crossed and a planet is still open, else 0.

    A rocket-planet counts as a planet only: if another rocket crossed it, it launched nothing.
    """
    rockets = drawn & sheet.level.rockets & ~sheet.level.planets
    planets = drawn & sheet.level.planets
    waiting = rockets.bit_count() > planets.bit_count() and sheet.planets_left
    return rockets if waiting else 0


def _bombs(paper: Paper) -> Iterator[Doubt]:
    """Find open bombs that another player has crossed, and exploded bombs that nobody crossed."""
    level = paper.level
    bombs = level.by_symbol["bomb"]
    crossed = exploded = 0
    for sheet in paper.sheets:
        crossed |= sheet.crosses & bombs
        exploded |= sheet.exploded & bombs
    for player, sheet in enumerate(paper.sheets):
        if still_open := crossed & ~(sheet.crosses | sheet.exploded):
            yield Doubt("bomb-still-open", player, tuple(level.names(still_open)))
    if len(paper.sheets) > 1 and exploded & ~crossed:
        yield Doubt("bomb-nobody-crossed", -1, tuple(level.names(exploded & ~crossed)))


def _numbers(paper: Paper) -> Iterator[Doubt]:
    """Find numbers circled for a flag or race not reached, and numbers that cannot all be right."""
    level, sheets = paper.level, paper.sheets
    for track in level.number_tracks.values():
        fields = tuple(level.names(track.unprinted or track.fields))
        reached = track.takers(sheets)
        numbers = {
            i: number
            for i, sheet in enumerate(sheets)
            if (number := track.circled(sheet)) is not None
        }
        for i in numbers:
            if i not in reached:
                yield Doubt(f"number-without-{track.kind}", i, fields, track.place)
        missing = sum(i not in numbers for i in reached)
        if len(sheets) > 1 and not _fits(Counter(numbers.values()), missing, track):
            yield Doubt("numbers-do-not-fit", -1, fields, track.place)


def _fits(numbers: Counter[int], missing: int, track: NumberTrack, struck: int = 0) -> bool:
    """Return whether some order of play awards these numbers.

    Each award strikes one number; players who reach the track in the same pass get the same number.

    Args:
        numbers: how many players circled each number.
        missing: how many players reached the track and circled no number.
        track: the track.
        struck: how many of its numbers are already struck.
    """
    if not numbers:
        return True
    number = track.number_after(struck)
    return any(
        _fits(
            numbers - Counter({number: circled}), missing - blank, track, struck + circled + blank
        )
        for circled in range(numbers[number] + 1)
        for blank in range(missing + 1)
        if circled or blank
    )
