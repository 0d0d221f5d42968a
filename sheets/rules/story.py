"""What happened between two moments of a game, told in the order of the rules?

The end of a pass changes many sheets at once; people want it told one effect after the other. The
story follows from the games before and after alone, so that nothing has to be recorded for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sheets.rules.game import Game
from sheets.rules.level import Level
from sheets.rules.sheet import Sheet
from sheets.rules.tracks import NumberTrack


class Effect(NamedTuple):
    """One thing that happened.

    ``rule`` is the effect's rule: ``lava``, ``cross-dice``, ``bomb``, ``flag``, ``track``,
    ``rocket``, ``race``, ``full-sheet`` or ``game-end``. ``players`` are those it happened to,
    ``others`` (bombs) those on whose sheets it exploded. ``fields`` are names; ``points`` and
    ``place`` (of a `NumberTrack`) belong to flags and races.
    """

    rule: str
    players: tuple[int, ...] = ()
    fields: tuple[str, ...] = ()
    others: tuple[int, ...] = ()
    place: str = ""
    points: int = 0


def tell(before: Game, after: Game) -> list[Effect]:
    """All effects between two moments of one game, in the order of `pass-end`.

    Args:
        before: the game with the dice of the pass still on the sheets (or an earlier moment).
        after: a later moment of the same game.
    """
    level = before.level
    pairs = list(zip(before.sheets, after.sheets, strict=True))
    effects = [
        *_lava(level, pairs),
        *_crosses(level, pairs),
        *_bombs(level, pairs),
        *_ranked(level.flags, level, pairs),
        *_choices(level, pairs),
        *_ranked(level.races, level, pairs),
    ]
    if after.is_finished and not before.is_finished:
        full = tuple(i for i, sheet in enumerate(after.sheets) if sheet.is_full)
        effects.append(Effect("full-sheet", full) if full else Effect("game-end"))
    return effects


Pairs = Sequence[tuple[Sheet, Sheet]]


def _lava(level: Level, pairs: Pairs) -> Iterator[Effect]:
    for player, (old, new) in enumerate(pairs):
        if flowed := new.lava & ~old.lava:
            yield Effect("lava", (player,), tuple(level.names(flowed)))


def _crosses(level: Level, pairs: Pairs) -> Iterator[Effect]:
    for player, (old, new) in enumerate(pairs):
        if crossed := old.dice & new.crosses:
            yield Effect("cross-dice", (player,), tuple(level.names(crossed)))


def _bombs(level: Level, pairs: Pairs) -> Iterator[Effect]:
    for name in level.names(level.by_symbol["bomb"]):
        bit = 1 << level.index[name]
        hit = tuple(i for i, (old, new) in enumerate(pairs) if new.crosses & ~old.crosses & bit)
        burst = tuple(i for i, (old, new) in enumerate(pairs) if new.exploded & ~old.exploded & bit)
        if hit or burst:
            yield Effect("bomb", hit, (name,), others=burst)


def _ranked(tracks: Iterable[NumberTrack], level: Level, pairs: Pairs) -> Iterator[Effect]:
    """Flags or races: who got the same number at once is told together."""
    found: dict[tuple[NumberTrack, int], list[int]] = {}
    for player, (old, new) in enumerate(pairs):
        for track in tracks:
            points = track.circled(new)
            if points is not None and track.circled(old) is None:
                found.setdefault((track, points), []).append(player)
    for (track, points), players in found.items():
        lit = tuple(level.names(track.reached_fields(pairs[players[0]][1].crosses)))
        yield Effect(track.kind, tuple(players), lit, place=track.place, points=points)


def _choices(level: Level, pairs: Pairs) -> Iterator[Effect]:
    """Tracks drawn, and planets crossed by rockets: crosses where no die lay."""
    for player, (old, new) in enumerate(pairs):
        if drawn := [i for i in sorted(new.tracks) if i not in old.tracks]:
            yield Effect("track", (player,), tuple(level.fields[i].name for i in drawn))
        if reached := new.crosses & ~old.crosses & ~old.dice:
            yield Effect("rocket", (player,), tuple(level.names(reached)))
