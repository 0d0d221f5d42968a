"""Turns of a pass: rolling, placing, rerolling, returning and dropping out.

Each public action function takes a game and an action and returns the next game, or raises the
first rule the action breaks (in the order of `REFUSALS`).
"""

from __future__ import annotations

from sheets.rules import effects
from sheets.rules.placement import check_placement, targets
from sheets.rules.sheet import Sheet
from sheets.rules.state import Action, GameT
from sheets.rules.violations import RuleViolation


def roll(game: GameT, action: Action) -> GameT:
    """Roll all dice for the start player and begin their turn."""
    if game.phase != "roll":
        raise _not_now(game, "roll")
    _check_dice(game, action.dice)
    return _begin_turn(game._replace(pool=tuple(sorted(action.dice))), game.start_player)


def place(game: GameT, action: Action) -> GameT:
    """Place a die on a player's sheet: from the pool, or any die if the dice are not tracked."""
    phase, player, pool = game.phase, action.player, game.pool
    if phase == "turn":
        if player != game.player:
            raise RuleViolation("not-your-turn", player=player, turn=game.player or 0)
    elif phase != "open":
        raise _not_now(game, "place")
    sheet = game.sheets[player]
    if sheet.is_out:
        raise RuleViolation("dropped-out", player=player)
    if violation := check_placement(sheet, action.at, action.die):
        raise violation
    index = game.level.index[action.at]
    sheet = sheet.with_die(index)
    if phase == "open":
        return game._replace(sheets=_with_sheet(game, player, sheet))
    die = game.level.numbers[index]
    if die not in pool:
        raise RuleViolation("no-such-die", at=action.at, die=die)
    taken = pool.index(die)
    pool = pool[:taken] + pool[taken + 1 :]
    game = game._replace(sheets=_with_sheet(game, player, sheet), pool=pool, has_rerolled=False)
    if not pool or game.is_last_turn:
        return effects.end_pass(game)
    if len(game.players) == 1:
        return game._replace(phase="extra")
    return _begin_turn(game, _next_player(game, player))


def reroll(game: GameT, action: Action) -> GameT:
    """Roll the whole pool again for a player who can place nothing (`reroll`).

    If a die fits now, the turn continues and the player must place one; if none fits, the player
    must return one of their dice, or the turn ends if they have none (or keep them: `keep-dice`).
    """
    _check_turn(game, action, "reroll")
    _check_dice(game, action.dice)
    game = game._replace(pool=tuple(sorted(action.dice)))
    if can_place(game):
        return game._replace(has_rerolled=True)
    if game.sheets[action.player].dice and not game.level.house_rules.keep_dice:
        return game._replace(phase="return")
    return _end_turn(game, action.player)


def return_die(game: GameT, action: Action) -> GameT:
    """Take a die off a player's sheet.

    In phase ``return``, after a reroll without a fitting die, it goes back to the pool and the turn
    ends. If the dice are not tracked, a player may take back dice at any time of the pass.
    """
    if game.phase == "return":
        if action.player != game.player:
            raise RuleViolation("not-your-turn", player=action.player, turn=game.player or 0)
    elif game.phase != "open":
        raise _not_now(game, "return")
    level = game.level
    sheet = game.sheets[action.player]
    index = level.index.get(action.at)
    if index is None:
        raise RuleViolation("no-field", at=action.at)
    if not sheet.dice >> index & 1:
        raise RuleViolation("no-such-die", at=action.at)
    game = game._replace(sheets=_with_sheet(game, action.player, sheet.without_die(index)))
    if game.phase == "open":
        return game
    pool = tuple(sorted((*game.pool, level.numbers[index])))
    return _end_turn(game._replace(pool=pool, phase="turn"), action.player)


def drop_out(game: GameT, action: Action) -> GameT:
    """Let a player leave the pass; their dice stay and become crosses (`drop-out`)."""
    if game.phase == "open":
        if game.sheets[action.player].is_out:
            raise RuleViolation("dropped-out", player=action.player)
        return _with_player_out(game, action.player)
    if game.phase == "return" and action.player == game.player:
        raise RuleViolation("must-return", player=action.player)
    _check_turn(game, action, "drop")
    return _leave(game, action.player)


def roll_extra(game: GameT, action: Action) -> GameT:
    """Roll a solo player's extra dice and remove matching dice from the pool."""
    if game.phase != "extra":
        raise _not_now(game, "extra")
    _check_dice(game, action.dice)
    pool = list(game.pool)
    for die in action.dice:
        if die in pool:
            pool.remove(die)
    game = game._replace(pool=tuple(pool))
    return _begin_turn(game, 0) if pool else effects.end_pass(game)


def end_pass(game: GameT, action: Action) -> GameT:
    """End a pass of a game with an untracked pool, which lasts until someone ends it."""
    if game.phase != "open":
        raise _not_now(game, "end_pass")
    return effects.end_pass(game)


def can_place(game: GameT) -> bool:
    """Return whether the player to move can place a die of the pool (`must-place`)."""
    if game.player is None:
        return False
    fields = targets(game.sheets[game.player])
    with_number = game.level.with_number
    return any(fields & with_number[die] for die in game.pool)


def _check_turn(game: GameT, action: Action, do: str) -> None:
    """Raise RuleViolation if a player may not reroll or drop out now.

    The first that applies of `not-now`, `not-your-turn`, `must-place`.
    """
    if game.phase != "turn":
        raise _not_now(game, do)
    if action.player != game.player:
        raise RuleViolation("not-your-turn", player=action.player, turn=game.player or 0)
    if can_place(game):
        raise RuleViolation("must-place", player=action.player)


def _not_now(game: GameT, do: str) -> RuleViolation:
    """Return the violation of `not-now`, with the house rule to which the players may object."""
    house = game.level.house_rules
    if do == "return" and game.phase == "turn" and house.keep_dice:
        return RuleViolation("not-now", do=do, phase=game.phase, house_rule="keep-dice")
    if game.is_finished and game.passes_done == house.rounds * len(game.players):
        return RuleViolation("not-now", do=do, phase=game.phase, house_rule="rounds")
    return RuleViolation("not-now", do=do, phase=game.phase)


def _check_dice(game: GameT, dice: tuple[int, ...]) -> None:
    count = game.dice_to_roll
    if len(dice) == count:
        return
    if game.phase == "roll" and game.level.house_rules.dice:
        raise RuleViolation("bad-dice", count=count, given=len(dice), house_rule="dice")
    raise RuleViolation("bad-dice", count=count, given=len(dice))


def _end_turn(game: GameT, player: int) -> GameT:
    """End the turn of a player who stays in the pass."""
    if game.is_last_turn:
        return effects.end_pass(game)
    return _begin_turn(game, _next_player(game, player))


def _leave(game: GameT, player: int) -> GameT:
    """Mark a player as out of the pass, and end the turn (`drop-out`, `stuck`)."""
    game = _with_player_out(game, player)
    still_in = sum(not sheet.is_out for sheet in game.sheets)
    if not still_in or game.is_last_turn:
        return effects.end_pass(game)
    # The last of several players has exactly one more turn (`last-player`, `play-on`).
    is_last = still_in == 1 and not game.level.house_rules.play_on
    game = game._replace(is_last_turn=is_last)
    return _begin_turn(game, _next_player(game, player))


def _begin_turn(game: GameT, player: int) -> GameT:
    """Begin a player's turn; a player without any target is out of the pass (`stuck`)."""
    if targets(game.sheets[player]):
        return game._replace(phase="turn", player=player, has_rerolled=False)
    return _leave(game, player)


def _next_player(game: GameT, player: int) -> int:
    """Return the next player clockwise who is still in, or the same player if alone."""
    count = len(game.players)
    for step in range(1, count):
        other = (player + step) % count
        if not game.sheets[other].is_out:
            return other
    return player


def _with_player_out(game: GameT, player: int) -> GameT:
    sheet = game.sheets[player]._replace(is_out=True)
    return game._replace(sheets=_with_sheet(game, player, sheet))


def _with_sheet(game: GameT, player: int, sheet: Sheet) -> tuple[Sheet, ...]:
    sheets = game.sheets
    return (*sheets[:player], sheet, *sheets[player + 1 :])
