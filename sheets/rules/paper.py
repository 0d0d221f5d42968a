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
from sheets.rules.sheet import Sheet, finished_sheet
from sheets.rules.tracks import NumberTrack
from sheets.rules.violations import DocumentError, Place


class Unclear(NamedTuple):
    """A number the paper should show and does not: which one did this player circle?

    ``choices`` are the numbers of the track it can be, highest first.
    """

    player: int
    track: NumberTrack
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
    players = [entry["player"] for entry in entries]
    return fill_numbers(Paper(level, level_id, tuple(players), tuple(sheets), is_solo, ()))


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


def fill_numbers(paper: Paper) -> Paper:
    """The paper with the numbers that follow from the sheets, and what is unclear about others.

    A single taker has got the first number of a track; of several, each must say theirs.
    """
    sheets = list(paper.sheets)
    unclear = []
    for track in paper.level.number_tracks.values():
        takers = track.takers(sheets)
        for i in takers:
            if track.circled(sheets[i]) is not None:
                continue
            if len(takers) > 1:
                unclear.append(Unclear(i, track, track.possible_numbers(len(takers))))
            else:
                sheets[i] = track.with_circled(sheets[i], track.numbers[0])
    return paper._replace(sheets=tuple(sheets), unclear=tuple(unclear))


def score_paper(paper: Paper) -> PaperResult:
    """What the sheets score and who has won."""
    scores = tuple(score_sheet(sheet, solo=paper.is_solo) for sheet in paper.sheets)
    return PaperResult(scores, decide(scores, paper.level, is_solo=paper.is_solo))


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
    for word, marked in (("exploded", exploded), ("lava", lava)):
        if both := (crosses | level.printed) & marked:
            raise DocumentError("crossed-as-well", (*place, word), at=level.names(both)[0])
    sheet = finished_sheet(level, crosses=crosses, exploded=exploded, lava=lava, tracks=tracks)
    return _circle_numbers(sheet, entry, place)


def _parse_mask(level: Level, names: Iterable[str], place: Place) -> int:
    mask = 0
    for name in names:
        if name not in level.index:
            raise DocumentError("unknown-field", place, at=name)
        mask |= 1 << level.index[name]
    return mask


def _circle_numbers(sheet: Sheet, entry: Mapping[str, Any], place: Place) -> Sheet:
    known = {(track.entry, track.key): track for track in sheet.level.number_tracks.values()}
    for name in ("flags", "races"):
        for key, number in entry.get(name, {}).items():
            track = known.get((name, key))
            if not track:
                raise DocumentError("not-on-level", (*place, name), key=key)
            sheet = track.with_circled(sheet, number)
    return sheet


def _check_numbers(level: Level, sheets: Sequence[Sheet]) -> None:
    for track in level.number_tracks.values():
        possible = {*track.numbers, *track.possible_numbers(len(track.takers(sheets)))}
        for index, sheet in enumerate(sheets):
            value = track.circled(sheet)
            if value is not None and value not in possible:
                place = ("sheets", index, track.entry, track.key)
                raise DocumentError("not-on-track", place, number=value)
