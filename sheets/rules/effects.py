"""End of a pass for all sheets together, and the start of the next pass.

The order is fixed: dice become crosses, bombs, flags, then the players' choices (planets for their
rockets, shapes for their tracks), then races, the full sheet and the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sheets.rules.scoring import score_sheet
from sheets.rules.sheet import Sheet
from sheets.rules.state import Action, GameT
from sheets.rules.tracks import NumberTrack
from sheets.rules.violations import RuleViolation


def begin_pass(game: GameT) -> GameT:
    """Start the next pass: all players take part again, and volcanoes erupt first."""
    game = game._replace(
        sheets=tuple(sheet._replace(is_out=False) for sheet in game.sheets),
        player=None,
        pool=(),
        is_last_turn=False,
        has_rerolled=False,
        owed=(),
        start_player=_find_starter(game),
    )
    if game.level.by_symbol["volcano"]:
        return game._replace(phase="erupt")
    return open_pass(game)


def _find_starter(game: GameT) -> int:
    """Return the player who starts the next pass (`start-order`, `starter`)."""
    count, rule = len(game.players), game.level.house_rules.starter
    if rule == "same-player":
        return 0
    after = game.passes_done % count
    if rule == "fewest-points":
        totals = [score_sheet(sheet, solo=game.is_solo).total for sheet in game.sheets]
        return min(range(count), key=lambda player: (totals[player], (player - after) % count))
    return after


def open_pass(game: GameT) -> GameT:
    """Begin the part of a pass with dice: phase ``roll`` if the app tracks them, else ``open``."""
    return game._replace(phase="roll" if game.is_tracked else "open", owed=())


def end_pass(game: GameT) -> GameT:
    """End the pass and settle everything that needs no choice (`pass-end`)."""
    level = game.level
    dice = [sheet.dice for sheet in game.sheets]
    sheets = [sheet.with_dice_crossed() for sheet in game.sheets]
    sheets = _explode_bombs(level.by_symbol["bomb"], dice, sheets)
    struck = _award_numbers(level.flags, game.struck, sheets)
    owed: Iterable[int]
    if level.rails:
        owed = dice
    else:
        owed = (
            min((lying & level.rockets).bit_count(), sheet.planets_left.bit_count())
            for lying, sheet in zip(dice, sheets, strict=True)
        )
    game = game._replace(
        phase="marking",
        player=None,
        pool=(),
        sheets=tuple(sheets),
        struck=struck,
        owed=tuple(owed),
    )
    return game if any(game.owed) else _finish_pass(game)


def choose_planet(game: GameT, action: Action) -> GameT:
    """Cross the planet a player chose for their rocket (`rocket`)."""
    if game.level.rails:
        raise RuleViolation("not-now", do="rocket", phase=game.phase)
    index = check_choice(game, action, "marking", do="rocket")
    sheet = game.sheets[action.player].with_crosses(1 << index)
    # A rocket without a planet left is lost.
    owed = min(game.owed[action.player] - 1, sheet.planets_left.bit_count())
    return _with_choice(game, action.player, sheet, owed)


def draw_track(game: GameT, action: Action) -> GameT:
    """Draw the track a player chose for one of their dice (`track`)."""
    if not game.level.rails:
        raise RuleViolation("not-now", do="track", phase=game.phase)
    index = check_choice(game, action, "marking", do="track")
    sheet = game.sheets[action.player]
    sheet = sheet._replace(tracks={**sheet.tracks, index: action.shape})
    return _with_choice(game, action.player, sheet, game.owed[action.player] & ~(1 << index))


def check_choice(game: GameT, action: Action, phase: str, do: str = "lava") -> int:
    """Check a player's choice of a field and return the field's index.

    Raises:
        RuleViolation: the first of `not-now` (not the phase, or the player owes no such decision),
            `no-field`, `not-a-choice`.
    """
    if game.phase != phase or not game.owed[action.player]:
        raise RuleViolation("not-now", do=do, phase=game.phase)
    index = game.level.index.get(action.at)
    if index is None:
        raise RuleViolation("no-field", at=action.at)
    if do == "rocket":
        choices = game.sheets[action.player].planets_left
    else:
        choices = game.owed[action.player]
    if not choices >> index & 1:
        raise RuleViolation("not-a-choice", at=action.at, do=do)
    return index


def _explode_bombs(bombs: int, dice: Sequence[int], sheets: list[Sheet]) -> list[Sheet]:
    """Explode each bomb with a die on it on the sheets of all players without one (`bomb`)."""
    hit = 0
    for lying in dice:
        hit |= lying & bombs
    if not hit:
        return sheets
    return [
        sheet._replace(exploded=sheet.exploded | hit & ~lying)
        for sheet, lying in zip(sheets, dice, strict=True)
    ]


def _award_numbers(
    tracks: Iterable[NumberTrack], struck: Mapping[str, int], sheets: list[Sheet]
) -> Mapping[str, int]:
    """Award numbers to the players who reach a flag or complete a race area (`flag`, `race`).

    Updates ``sheets`` in place and returns how many numbers are then struck from each track: one
    more for each player awarded.
    """
    for track in tracks:
        takers = [i for i in track.takers(sheets) if track.circled(sheets[i]) is None]
        if takers:
            before = struck.get(track.place, 0)
            struck = {**struck, track.place: before + len(takers)}
            for i in takers:
                sheets[i] = track.with_circled(sheets[i], track.number_after(before))
    return struck


def _with_choice(game: GameT, player: int, sheet: Sheet, owed: int) -> GameT:
    """Store a player's sheet after a choice; the last choice finishes the pass."""
    sheets, all_owed = list(game.sheets), list(game.owed)
    sheets[player], all_owed[player] = sheet, owed
    game = game._replace(sheets=tuple(sheets), owed=tuple(all_owed))
    return game if any(all_owed) else _finish_pass(game)


def _finish_pass(game: GameT) -> GameT:
    """Settle the races, then end the game or start the next pass."""
    sheets = list(game.sheets)
    struck = _award_numbers(game.level.races, game.struck, sheets)
    game = game._replace(
        sheets=tuple(sheets), struck=struck, passes_done=game.passes_done + 1, owed=()
    )
    passes = game.level.rounds[len(game.players)] * len(game.players)
    if game.passes_done == passes or any(sheet.is_full for sheet in game.sheets):
        return game._replace(phase="finished")
    return begin_pass(game)
