"""Where in a recorded game had somebody a choice, and between what?"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from sheets.bots import GreedyBot, deciding_players
from sheets.bots.choices import find_choices
from sheets.rules import Action, Game
from sheets.rules.documents.game import Record, history


class Decision(NamedTuple):
    """A choice between at least two acts.

    ``number`` is the place of the act among those of the game, from 0; ``game`` is how it stood
    before. ``choices`` are what could be done; ``played`` and ``usual`` the places among them of
    what was done, and of what the bot does that plays on for everybody. A reroll has no dice.
    """

    number: int
    player: int
    game: Game
    choices: tuple[Action, ...]
    played: int
    usual: int


class Course(NamedTuple):
    """A recorded game, taken apart.

    ``starts`` are the places of the acts with which passes begin, and of the end; ``games`` how it
    stood then.
    """

    decisions: tuple[Decision, ...]
    starts: tuple[int, ...]
    games: tuple[Game, ...]


def take_apart(record: Record) -> Course:
    """The decisions of a game with tracked dice, and the beginnings of its passes.

    Raises:
        RuleViolation: at the first act that breaks a rule.
    """
    # What was corrected after the game was nobody's decision in it.
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
    # Chance decides between equals, each time in the same way.
    bot = GreedyBot(Random(f"usual/{number}"))  # noqa: S311  dice, not secrets
    usual = bot.choose(seen, action.player)
    return Decision(
        number,
        action.player,
        game,
        tuple(choices),
        choices.index(_plain(game, action)),
        choices.index(usual),
    )


def _narrowed(game: Game, action: Action) -> Game:
    """The game as who chooses shall see it: of several pieces of track it is the same one."""
    if action.do != "track":
        return game
    owed = list(game.owed)
    owed[action.player] = 1 << game.level.index[action.at]
    return game._replace(owed=tuple(owed))


def _plain(game: Game, action: Action) -> Action:
    """An act as it stands among the choices."""
    if action.do == "place":
        return action._replace(die=game.level.numbers[game.level.index[action.at]])
    return action._replace(dice=())
