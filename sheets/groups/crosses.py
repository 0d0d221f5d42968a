"""Which fields do the people of a group cross on a level?

Each sheet keeps its crosses (`GroupResult.crossed`), so that one person's can be told from all
others'; those of many are added up in bundles (`sheets.groups.bundles`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sheets.models import GroupLevel
from sheets.rules import Level, parse_level
from sheets.rules.level import SHAPES, bits
from sheets.rules.rails import OPPOSITE


class Crossed(NamedTuple):
    """On how many of some sheets each field was crossed, in the level's order."""

    level: Level
    is_bought: bool
    games: int
    sheets: int
    counts: Sequence[int]

    @property
    def shares(self) -> dict[str, float]:
        """The share of the sheets by field, without volcanoes, which nobody can cross."""
        return {
            field.name: count / self.sheets
            for field, count in zip(self.level.fields, self.counts, strict=True)
            if field.symbol != "volcano"
        }

    @property
    def by_hand(self) -> dict[str, int]:
        """On how many sheets people have crossed each field that is not printed crossed."""
        return {
            field.name: count
            for field, count in zip(self.level.fields, self.counts, strict=True)
            if not field.printed and field.name not in self.level.printed_tracks
        }


def crossed_on(known: GroupLevel, sheets: Sequence[str]) -> Crossed:
    """The same for some sheets, each of another game, by what is kept of them."""
    level = level_of(known)
    return Crossed(level, known.is_bought, len(sheets), len(sheets), counts_of(level, sheets))


def usual_marks(crossed: Crossed, fields: Collection[str]) -> dict[str, tuple[str]]:
    """Some fields with the marks that cross them; of track is not kept how it runs (`_shapes`)."""
    level = crossed.level
    if not level.rails:
        return dict.fromkeys(fields, ("cross",))
    counts = dict(zip((field.name for field in level.fields), crossed.counts, strict=True))
    return {name: (shape,) for name, shape in _shapes(level, fields, counts).items()}


def _shapes(level: Level, fields: Collection[str], counts: Mapping[str, int]) -> dict[str, str]:
    """Track on some fields that joins wherever it can: first where most have crossed both."""
    names = [field.name for field in level.fields]
    joints: list[tuple[int, str, str, str]] = []
    for name in fields:
        for edge, index in level.beyond[level.index[name]].items():
            other = names[index]
            # Two such fields meet once; printed track is met from here only.
            is_met = other in fields and edge in "ES"
            if is_met or OPPOSITE[edge] in level.printed_tracks.get(other, ""):
                joints.append((-min(counts[name], counts[other]), name, edge, other))
    ends: dict[str, str] = dict.fromkeys(fields, "")
    for _count, name, edge, other in sorted(joints):
        if len(ends[name]) < 2 and len(ends.get(other, "")) < 2:
            ends[name] += edge
            if other in ends:
                ends[other] += OPPOSITE[edge]
    for name, known in ends.items():
        loose = [OPPOSITE[edge] for edge in known] or ["E", "W"]
        ends[name] = "".join([*known, *loose])[:2]
    by_ends = {frozenset(shape): shape for shape in SHAPES}
    return {name: by_ends[frozenset(known)] for name, known in ends.items()}


def level_of(known: GroupLevel) -> Level:
    """The level itself."""
    return _parse(json.dumps(known.document, sort_keys=True))


@lru_cache(maxsize=64)
def _parse(text: str) -> Level:
    document: Mapping[str, Any] = json.loads(text)
    return parse_level(document)


def counts_of(level: Level, sheets: Iterable[str]) -> list[int]:
    """On how many of some sheets each field is crossed, by what is kept of them."""
    counts = [0] * len(level.fields)
    for crossed in sheets:
        # A file may say anything: what the level does not have is not counted.
        for index in bits(int(crossed, 16) & level.all):
            counts[index] += 1
    return counts
