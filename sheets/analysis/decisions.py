"""Decisions in a recorded game: the actions at which a player had at least two choices."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from sheets.bots import GreedyBot, deciding_players
from sheets.bots.legal_actions import find_choices
from sheets.rules import Action, Game
from sheets.rules.documents.game import Record, history


class Decision(NamedTuple):
    """A decision between at least two choices.

    ``number`` is the index of its action in the game, and ``game`` the state before it. ``played``
    and ``bot_choice`` are indexes in ``choices``: of the played choice, and of the choice that the
    greedy bot would have made. A reroll among the choices has no dice.
    """

    number: int
    player: int
    game: Game
    choices: tuple[Action, ...]
    played: int
    bot_choice: int


class Course(NamedTuple):
    """The decisions of a recorded game, and the states between its passes.

    ``starts`` are the indexes of each pass's first action, then the number of actions; ``games``
    are the states there.
    """

    decisions: tuple[Decision, ...]
    starts: tuple[int, ...]
    games: tuple[Game, ...]


def find_course(record: Record) -> Course:
    """Find the decisions of a game with tracked dice, and the beginnings of its passes.

    Raises:
        RuleViolation: an action breaks a rule.
    """
    # A correction after the game is not a decision in it.
    record = record._replace(actions=tuple(a for a in record.actions if a.do != "correct"))
    states = list(history(record))
    decisions = [
        decision
        for number, action in enumerate(record.actions)
        if (decision := _decision(number, states[number], action))
    ]
    starts = [0]
    starts += [n for n, game in enumerate(states) if n and _begins_pass(states[n - 1], game)]
    if starts[-1] != len(states) - 1:
        starts.append(len(states) - 1)
    return Course(tuple(decisions), tuple(starts), tuple(states[n] for n in starts))


def _begins_pass(before: Game, game: Game) -> bool:
    return game.passes_done > before.passes_done


def _decision(number: int, game: Game, action: Action) -> Decision | None:
    if action.player not in deciding_players(game):
        return None
    seen = _narrowed(game, action)
    choices = find_choices(seen, action.player)
    if len(choices) < 2:
        return None
    # The seed makes the bot choose between equal choices in the same way each time.
    bot = GreedyBot(Random(f"usual/{number}"))  # noqa: S311  dice, not secrets
    by_bot = bot.choose(seen, action.player)
    return Decision(
        number,
        action.player,
        game,
        tuple(choices),
        choices.index(_plain(game, action)),
        choices.index(by_bot),
    )


def _narrowed(game: Game, action: Action) -> Game:
    """Return the game with only this piece of track owed; for other actions, the game itself."""
    if action.do != "track":
        return game
    owed = list(game.owed)
    owed[action.player] = 1 << game.level.index[action.at]
    return game._replace(owed=tuple(owed))


def _plain(game: Game, action: Action) -> Action:
    """Return a played action in the form in which `find_choices` returns it."""
    if action.do == "place":
        return action._replace(die=game.level.numbers[game.level.index[action.at]])
    return action._replace(dice=())
