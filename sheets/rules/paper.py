"""What are finished paper sheets worth, when nobody recorded the game?

Only what is on the paper is known. `parse_sheets` turns it into sheets and says what is unclear (a
flag reached by two players without a circled number, say); `score_paper` adds up; `find_doubts`
(`sheets.rules.doubts`) names what cannot have happened in a legal game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sheets.rules.game import Outcome, decide
from sheets.rules.level import Level
from sheets.rules.level_document import format_level
from sheets.rules.record import FindLevel, no_shipped_level, parse_level_reference
from sheets.rules.scoring import Score, score_sheet
from sheets.rules.sheet import Sheet, blank_sheet, closed_locks
from sheets.rules.violations import DocumentError, Place


class Unclear(NamedTuple):
    """A number the paper should show and does not: which one did this player circle?

    ``kind`` is ``flag`` (``key`` is its colour) or ``race`` (``key`` is the area's index);
    ``choices`` are the numbers it can be, highest first.
    """

    player: int
    kind: str
    key: str
    choices: tuple[int, ...]


class Paper(NamedTuple):
    """The sheets of one game as they lay on the table at its end.

    ``level_id`` is the id of a shipped level where the document named one, else empty.
    """

    level: Level
    level_id: str
    players: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    is_solo: bool
    unclear: tuple[Unclear, ...]


class PaperResult(NamedTuple):
    """The scores of all sheets, in their order, and who has won."""

    scores: tuple[Score, ...]
    outcome: Outcome


def parse_sheets(document: Mapping[str, Any], find_level: FindLevel = no_shipped_level) -> Paper:
    """The sheets a ``dizzle-sheets/1`` document describes.

    A number that the paper lacks and that can only be the first of its track is filled in; others
    are listed in ``unclear`` and count 0.

    Raises:
        DocumentError: for what cannot be on a sheet at all: unknown fields, a field both crossed
            and exploded or lava, a number that is not on its track, `solo` with several sheets.
    """
    level, level_id = parse_level_reference(document["level"], find_level)
    entries = document["sheets"]
    is_solo = document.get("solo", len(entries) == 1)
    if is_solo and len(entries) > 1:
        raise DocumentError("solo-sheets", ("solo",), count=len(entries))
    sheets = [_parse_sheet(level, entry, ("sheets", index)) for index, entry in enumerate(entries)]
    if is_solo and any(sheet.exploded for sheet in sheets):
        raise DocumentError("solo-exploded", ("sheets", 0, "exploded"))
    _check_numbers(level, sheets)
    sheets, unclear = _fill_numbers(level, sheets)
    players = tuple(entry["player"] for entry in entries)
    return Paper(level, level_id, players, tuple(sheets), is_solo, tuple(unclear))


def format_sheets(paper: Paper) -> dict[str, Any]:
    """The ``dizzle-sheets/1`` document of paper sheets; printed marks are not listed."""
    level = paper.level
    return {
        "format": "dizzle-sheets/1",
        "level": paper.level_id or format_level(level),
        "solo": paper.is_solo,
        "sheets": [
            {
                "player": player,
                "crosses": [] if level.rails else level.names(sheet.crosses & ~level.printed),
                "exploded": level.names(sheet.exploded),
                "lava": level.names(sheet.lava),
                "tracks": {
                    level.fields[i].name: shape
                    for i, shape in sorted(sheet.tracks.items())
                    if not level.printed >> i & 1
                },
                "flags": dict(sheet.flags),
                "races": {str(index): points for index, points in sheet.races.items()},
            }
            for player, sheet in zip(paper.players, paper.sheets, strict=True)
        ],
    }


def score_paper(paper: Paper) -> PaperResult:
    """What the sheets score and who has won."""
    scores = tuple(score_sheet(sheet, solo=paper.is_solo) for sheet in paper.sheets)
    return PaperResult(scores, decide(scores, paper.level, is_solo=paper.is_solo))


def takers(level: Level, sheets: Sequence[Sheet], kind: str, key: str) -> list[int]:
    """The players who have reached a flag or completed a race area, by index.

    What is printed is nobody's doing: a printed flag and an area of printed crosses have no takers.
    """
    if kind == "flag":
        fields = level.by_colour["flag"].get(key, 0) & ~level.printed
        return [i for i, sheet in enumerate(sheets) if sheet.crosses & fields]
    area = level.areas[int(key)].fields
    if not area & ~level.printed:
        return []
    return [i for i, sheet in enumerate(sheets) if not area & ~sheet.crosses]


def number_tracks(level: Level) -> Iterable[tuple[str, str, tuple[int, ...]]]:
    """All tracks of numbers to circle: kind, key and numbers of each flag colour and race area."""
    for colour in level.by_colour["flag"]:
        yield "flag", colour, level.flag_tracks[colour]
    for index, area in enumerate(level.areas):
        if area.race:
            yield "race", str(index), area.race


def circled(sheet: Sheet, kind: str, key: str) -> int | None:
    """The number circled on a sheet for a flag or race, or None."""
    return sheet.flags.get(key) if kind == "flag" else sheet.races.get(int(key))


def possible_numbers(level: Level, track: Sequence[int], players: int) -> tuple[int, ...]:
    """The numbers one of so many takers can have got: 0 only when the track can be used up."""
    used_up = players > len(track) and not level.repeat_last
    return tuple(dict.fromkeys((*track[:players], *((0,) if used_up else ()))))


def _parse_sheet(level: Level, entry: Mapping[str, Any], place: Place) -> Sheet:
    crosses = _parse_mask(level, entry.get("crosses", ()), (*place, "crosses"))
    exploded = _parse_mask(level, entry.get("exploded", ()), (*place, "exploded"))
    lava = _parse_mask(level, entry.get("lava", ()), (*place, "lava"))
    tracks = dict(entry.get("tracks", {}))
    drawn = _parse_mask(level, tracks, (*place, "tracks"))
    if level.rails:
        if crosses & ~drawn & ~level.printed:
            raise DocumentError("tracks-alone", (*place, "crosses"))
        crosses = drawn
    elif tracks:
        raise DocumentError("rails-only", (*place, "tracks"))
    if drawn & level.printed:
        name = level.names(drawn & level.printed)[0]
        if tracks[name] != level.printed_tracks[name]:
            raise DocumentError("other-track-printed", (*place, "tracks"), at=name)
    crosses |= level.printed
    for word, marked in (("exploded", exploded), ("lava", lava)):
        if both := crosses & marked:
            raise DocumentError("crossed-as-well", (*place, word), at=level.names(both)[0])
    return blank_sheet(level)._replace(
        crosses=crosses,
        near_crosses=level.touching(crosses),
        closed=closed_locks(level, crosses),
        exploded=exploded,
        lava=lava,
        tracks={
            level.index[name]: shape for name, shape in {**level.printed_tracks, **tracks}.items()
        },
        flags={
            colour: number
            for colour, number in entry.get("flags", {}).items()
            if _check_known(colour in level.by_colour["flag"], (*place, "flags"), colour)
        },
        races={
            int(index): number
            for index, number in entry.get("races", {}).items()
            if _check_known(_is_race(level, index), (*place, "races"), index)
        },
    )


def _parse_mask(level: Level, names: Iterable[str], place: Place) -> int:
    mask = 0
    for name in names:
        if name not in level.index:
            raise DocumentError("unknown-field", place, at=name)
        mask |= 1 << level.index[name]
    return mask


def _is_race(level: Level, index: str) -> bool:
    return index.isdecimal() and any(
        kind == "race" and key == index for kind, key, _ in number_tracks(level)
    )


def _check_known(is_known: bool, place: Place, key: str) -> bool:
    if not is_known:
        raise DocumentError("not-on-level", place, key=key)
    return True


def _check_numbers(level: Level, sheets: Sequence[Sheet]) -> None:
    for kind, key, track in number_tracks(level):
        players = len(takers(level, sheets, kind, key))
        for index, sheet in enumerate(sheets):
            value = circled(sheet, kind, key)
            if value is not None and value not in (
                *track,
                *possible_numbers(level, track, players),
            ):
                place = ("sheets", index, f"{kind}s", key)
                raise DocumentError("not-on-track", place, number=value)


def _fill_numbers(level: Level, sheets: Sequence[Sheet]) -> tuple[list[Sheet], list[Unclear]]:
    """A single taker has got the first number; of several, each must say theirs."""
    result = list(sheets)
    unclear = []
    for kind, key, track in number_tracks(level):
        players = takers(level, sheets, kind, key)
        for i in players:
            if circled(result[i], kind, key) is not None:
                continue
            if len(players) > 1:
                unclear.append(Unclear(i, kind, key, possible_numbers(level, track, len(players))))
            elif kind == "flag":
                result[i] = result[i]._replace(flags={**result[i].flags, key: track[0]})
            else:
                result[i] = result[i]._replace(races={**result[i].races, int(key): track[0]})
    return result, unclear
