"""Crossed fields: how often the people of a group cross each field of a level.

Each result has its crosses (`GroupResult.crossed`), and `GroupLevel` has the levels of these.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sheets.models import GroupGame, GroupLevel, GroupResult
from sheets.rules import Level, format_level, parse_level
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


def crossed_in(
    known: GroupLevel | None, sheets: Mapping[str, Sequence[Sequence[str]]]
) -> Crossed | None:
    """Add up the crosses on a level; None without any.

    Args:
        known: the level, if the group has it.
        sheets: by level what is crossed, game by game (`sheets.groups.statistics`).
    """
    if known is None or known.digest not in sheets:
        return None
    level, games = level_of(known), sheets[known.digest]
    counts = [0] * len(level.fields)
    for crossed in (one for game in games for one in game):
        # A file may say anything: what the level does not have is not counted.
        for index in bits(int(crossed, 16) & level.all):
            counts[index] += 1
    return Crossed(level, known.is_bought, len(games), sum(map(len, games)), counts)


def keep_level(group_id: int, digest: str, level: Level, *, is_bought: bool = False) -> None:
    """Store a level of which results of a group have crosses."""
    known, _is_new = GroupLevel.objects.get_or_create(
        group_id=group_id,
        digest=digest,
        defaults={"document": format_level(level), "is_bought": is_bought},
    )
    if is_bought and not known.is_bought:
        known.is_bought = True
        known.save(update_fields=["is_bought"])


def drop_level_of(game: GroupGame) -> None:
    """Delete the stored level of a game that is about to go or to change, if no other needs it."""
    on_level = GroupResult.objects.filter(
        game__group=game.group_id, game__level_digest=game.level_digest
    ).exclude(crossed="")
    if on_level.filter(game=game).exists() and not on_level.exclude(game=game).exists():
        GroupLevel.objects.filter(group=game.group_id, digest=game.level_digest).delete()


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
