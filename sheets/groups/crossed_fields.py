"""Crossed fields: how often the players of a group cross each field of a level.

`GroupResult.crossed` stores the crosses of each result, `GroupLevel` the levels of these results.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sheets.models import GroupGame, GroupLevel, GroupResult
from sheets.models.levels import parse_stored
from sheets.rules import Level, format_level
from sheets.rules.level import SHAPES, bits
from sheets.rules.rails import OPPOSITE


class Crossed(NamedTuple):
    """Number of sheets on which each field of a level is crossed, out of all its ``sheets``.

    ``counts`` has a number for each field, in the order of the level's fields.
    """

    level: Level
    is_bought: bool
    games: int
    sheets: int
    counts: Sequence[int]

    @property
    def shares(self) -> dict[str, float]:
        """Share of sheets by field, without volcanoes, which cannot be crossed."""
        return {
            field.name: count / self.sheets
            for field, count in zip(self.level.fields, self.counts, strict=True)
            if field.symbol != "volcano"
        }

    @property
    def by_hand(self) -> dict[str, int]:
        """Number of sheets by field, without fields that are printed as crossed."""
        return {
            field.name: count
            for field, count in zip(self.level.fields, self.counts, strict=True)
            if not field.printed and field.name not in self.level.printed_tracks
        }


def crossed_in(
    known: GroupLevel | None, sheets: Mapping[str, Sequence[Sequence[str]]]
) -> Crossed | None:
    """Count the crosses on each field of a level; None if no sheet of the level is known.

    Args:
        known: the level, if the group has it.
        sheets: crosses of each sheet, as a hexadecimal bit mask, by level digest and by game
            (`sheets.groups.statistics.crossed_sheets`).
    """
    if known is None or known.digest not in sheets:
        return None
    level, games = parse_stored(known.document), sheets[known.digest]
    counts = [0] * len(level.fields)
    for crossed in (one for game in games for one in game):
        # An imported file may have crosses on fields that the level lacks; they do not count.
        for index in bits(int(crossed, 16) & level.all):
            counts[index] += 1
    return Crossed(level, known.is_bought, len(games), sum(map(len, games)), counts)


def store_level(group_id: int, digest: str, level: Level, *, is_bought: bool = False) -> None:
    """Store the level of results with crosses in a group, idempotently."""
    known, _is_new = GroupLevel.objects.get_or_create(
        group_id=group_id,
        digest=digest,
        defaults={"document": format_level(level), "is_bought": is_bought},
    )
    if is_bought and not known.is_bought:
        known.is_bought = True
        known.save(update_fields=["is_bought"])


def delete_unused_level(game: GroupGame) -> None:
    """Delete the stored level of a game, unless the results of another game use it.

    Call this before the game is deleted or changed.
    """
    on_level = GroupResult.objects.filter(
        game__group=game.group_id, game__level_digest=game.level_digest
    ).exclude(crossed="")
    if on_level.filter(game=game).exists() and not on_level.exclude(game=game).exists():
        GroupLevel.objects.filter(group=game.group_id, digest=game.level_digest).delete()


def usual_marks(crossed: Crossed, fields: Collection[str]) -> dict[str, tuple[str]]:
    """Return marks with which to draw some fields as crossed.

    On a rail level these are tracks. Results do not have their shapes, so `_shapes` chooses them.
    """
    level = crossed.level
    if not level.rails:
        return dict.fromkeys(fields, ("cross",))
    counts = dict(zip((field.name for field in level.fields), crossed.counts, strict=True))
    return {name: (shape,) for name, shape in _shapes(level, fields, counts).items()}


def _shapes(level: Level, fields: Collection[str], counts: Mapping[str, int]) -> dict[str, str]:
    """Choose a shape of track for each of some fields, so that neighbours join where possible.

    Neighbours that most sheets have crossed are joined first.
    """
    names = [field.name for field in level.fields]
    joints: list[tuple[int, str, str, str]] = []
    for name in fields:
        for edge, index in level.track_neighbours[level.index[name]].items():
            other = names[index]
            # Of two neighbours, only the western or northern one adds the joint.
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
