"""List of the effects that lead from one state of a game to a later one, in a fixed order.

The end of a pass changes many sheets at once; players want to read one effect after the other.
The effects are derived from the two states, so nothing has to be recorded for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sheets.rules.game import Game
from sheets.rules.level import Level
from sheets.rules.marks import marks_of
from sheets.rules.sheet import Sheet
from sheets.rules.state import Action
from sheets.rules.tracks import NumberTrack


class Effect(NamedTuple):
    """One effect on one or more players.

    ``rule`` is the effect's rule, one of `STORY_RULES`, or ``corrected``. ``players`` are the
    indexes of the affected players. For a bomb, ``players`` have crossed it, and it explodes on the
    sheets of ``others``. ``fields`` are the names of the changed fields, if any. ``place``
    identifies the `NumberTrack` of a flag or race, ``points`` is the number awarded.
    """

    rule: str
    players: tuple[int, ...] = ()
    fields: tuple[str, ...] = ()
    others: tuple[int, ...] = ()
    place: str = ""
    points: int = 0


SheetPairs = Sequence[tuple[Sheet, Sheet]]
"""Each player's sheet in the earlier and in the later state, in seating order."""


def find_effects(before: Game, after: Game) -> list[Effect]:
    """Return all effects between two states of one game, in the order of `STORY_RULES`.

    The list never contains `stuck`, which the sheets do not show: see `find_effects_of`.

    Args:
        before: the game with the dice of the pass still on the sheets (or an earlier state).
        after: a later state of the same game.
    """
    level = before.level
    pairs = list(zip(before.sheets, after.sheets, strict=True))
    effects = [effect for find in _FINDERS.values() for effect in find(level, pairs)]
    if after.is_finished and not before.is_finished:
        full = tuple(i for i, sheet in enumerate(after.sheets) if sheet.is_full)
        effects.append(Effect("full-sheet", full) if full else Effect("game-end"))
    return effects


def find_effects_of(before: Game, action: Action, after: Game) -> list[Effect]:
    """Return the effects of one action, `stuck` players first.

    A die that the action places is first added to ``before``: if it ends the pass, it is already a
    cross in ``after``. The only effect of a correction is ``corrected``, with the changed fields.
    """
    if action.do == "correct":
        return [Effect("corrected", (action.player,), _changed(before, action, after))]
    stuck = stuck_by(before, action, after)
    if action.do == "place":
        sheets = list(before.sheets)
        sheets[action.player] = sheets[action.player].with_die(before.level.index[action.at])
        before = before._replace(sheets=tuple(sheets))
    return [Effect("stuck", stuck)] * bool(stuck) + find_effects(before, after)


def _changed(before: Game, action: Action, after: Game) -> tuple[str, ...]:
    """Return the fields whose marks a correction has changed."""
    old, new = (marks_of(game.sheets[action.player]) for game in (before, after))
    fields = before.level.fields
    return tuple(field.name for field in fields if old.get(field.name) != new.get(field.name))


def stuck_by(before: Game, action: Action, after: Game) -> tuple[int, ...]:
    """Return the players who became `stuck` when an action made it their turn."""
    if before.phase not in ("roll", "turn", "return", "extra"):
        return ()
    dropping_out = action.player if action.do == "drop" else None
    still_in = [
        i for i, sheet in enumerate(before.sheets) if not sheet.is_out and i != dropping_out
    ]
    has_ended = after.passes_done > before.passes_done or after.phase == "marking"
    if not has_ended:
        return tuple(i for i in still_in if after.sheets[i].is_out)
    # A pass ends with its last turn, with its last die, or because all remaining players are stuck.
    if before.is_last_turn or not _has_pool_after(before, action):
        return ()
    return tuple(still_in)


def _has_pool_after(before: Game, action: Action) -> bool:
    """Return whether the action leaves dice in the pool."""
    if action.do == "place":
        return len(before.pool) > 1
    if action.do == "extra":
        return bool(Counter(before.pool) - Counter(action.dice))
    return True


def _lava(level: Level, pairs: SheetPairs) -> Iterator[Effect]:
    for player, (old, new) in enumerate(pairs):
        if flowed := new.lava & ~old.lava:
            yield Effect("lava", (player,), tuple(level.names(flowed)))


def _crosses(level: Level, pairs: SheetPairs) -> Iterator[Effect]:
    if level.rails:  # players draw a track instead of a cross, see `_tracks`
        return
    for player, (old, new) in enumerate(pairs):
        if crossed := old.dice & new.crosses:
            yield Effect("cross-dice", (player,), tuple(level.names(crossed)))


def _bombs(level: Level, pairs: SheetPairs) -> Iterator[Effect]:
    for name in level.names(level.by_symbol["bomb"]):
        bit = 1 << level.index[name]
        hit = tuple(i for i, (old, new) in enumerate(pairs) if new.crosses & ~old.crosses & bit)
        others = tuple(
            i for i, (old, new) in enumerate(pairs) if new.exploded & ~old.exploded & bit
        )
        if hit or others:
            yield Effect("bomb", hit, (name,), others)


def _flags(level: Level, pairs: SheetPairs) -> Iterator[Effect]:
    return _ranked(level.flags, level, pairs)


def _tracks(level: Level, pairs: SheetPairs) -> Iterator[Effect]:
    for player, (old, new) in enumerate(pairs):
        if drawn := [i for i in sorted(new.tracks) if i not in old.tracks]:
            yield Effect("track", (player,), tuple(level.fields[i].name for i in drawn))


def _rockets(level: Level, pairs: SheetPairs) -> Iterator[Effect]:
    """Find the planets that were crossed without a die."""
    for player, (old, new) in enumerate(pairs):
        if planets := new.crosses & ~old.crosses & ~old.dice & level.planets:
            yield Effect("rocket", (player,), tuple(level.names(planets)))


def _races(level: Level, pairs: SheetPairs) -> Iterator[Effect]:
    return _ranked(level.races, level, pairs)


def _ranked(tracks: Iterable[NumberTrack], level: Level, pairs: SheetPairs) -> Iterator[Effect]:
    """Find awarded numbers of flags or races; players with the same number share an effect."""
    found: dict[tuple[NumberTrack, int], list[int]] = {}
    for player, (old, new) in enumerate(pairs):
        for track in tracks:
            points = track.circled(new)
            if points is not None and track.circled(old) is None:
                found.setdefault((track, points), []).append(player)
    for (track, points), players in found.items():
        fields = tuple(level.names(track.reached_fields(pairs[players[0]][1].crosses)))
        yield Effect(track.kind, tuple(players), fields, place=track.place, points=points)


_FINDERS: Final[Mapping[str, Callable[[Level, SheetPairs], Iterator[Effect]]]] = {
    "lava": _lava,
    "cross-dice": _crosses,
    "bomb": _bombs,
    "flag": _flags,
    "track": _tracks,
    "rocket": _rockets,
    "race": _races,
}
"""The functions that find effects on the sheets, by rule; they run in this order."""

STORY_RULES: Final = ("stuck", *_FINDERS, "full-sheet", "game-end")
"""The rules of all effects, in the order in which players read them."""
