"""Which marks on paper sheets cannot have come about in a legal game?

A doubt never stops the scoring: people forget a cross, and the sheet counts as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from sheets.rules.level import Level
from sheets.rules.paper import Paper
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


class Doubt(NamedTuple):
    """One thing that cannot have happened, or hardly.

    ``name`` is one of `DOUBTS`; ``player`` an index, -1 where several sheets contradict each other;
    ``fields`` the names of the fields it is about; ``place`` the `NumberTrack` it is about, if any.
    """

    name: str
    player: int
    fields: tuple[str, ...] = ()
    place: str = ""


def find_doubts(paper: Paper) -> list[Doubt]:
    """All doubts about the sheets, player by player, then those between players."""
    doubts: list[Doubt] = []
    for player, sheet in enumerate(paper.sheets):
        doubts.extend(_doubts_of(player, sheet))
    if not paper.level.printed and any(one.name == "lonely-cross" for one in doubts):
        # Each cross seems to be alone then, and what is missing is not on the sheets.
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
    """The marked fields that no chain of marked fields joins to a root."""
    reached = new = roots
    while new:
        new = level.touching(new) & marked & ~reached
        reached |= new
    return marked & ~reached


def _planets_without_rocket(level: Level, drawn: int) -> int:
    """Planets only a rocket can cross, when more of them are crossed than rockets."""
    planets = drawn & level.planets & level.with_number[0]
    return planets if planets.bit_count() > (drawn & level.rockets).bit_count() else 0


def _rockets_without_planet(sheet: Sheet, drawn: int) -> int:
    """Crossed rockets, when a planet is still open and fewer planets than rockets are crossed.

    A rocket that is a planet as well may have been reached by another one, and fires nothing then.
    """
    rockets = drawn & sheet.level.rockets & ~sheet.level.planets
    planets = drawn & sheet.level.planets
    waiting = rockets.bit_count() > planets.bit_count() and sheet.planets_left
    return rockets if waiting else 0


def _bombs(paper: Paper) -> Iterator[Doubt]:
    """Who crosses a bomb makes it explode on all other sheets: open nowhere, and for a reason."""
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
        if len(sheets) > 1 and not _fits(Counter(numbers.values()), track):
            yield Doubt("numbers-do-not-fit", -1, fields, track.place)


def _fits(numbers: Counter[int], track: NumberTrack, struck: int = 0) -> bool:
    """Whether players can have got these numbers: each strikes one, equal ones came at once."""
    if not numbers:
        return True
    number = track.number_after(struck)
    return any(
        _fits(numbers - Counter({number: at_once}), track, struck + at_once)
        for at_once in range(1, numbers[number] + 1)
    )
