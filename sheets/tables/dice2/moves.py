"""Moves at a table with Dice², and sentences about each move and its effects.

A move is a die placed or skipped. A throw by the app is part of the move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sheets.rules import Action
from sheets.rules.dice2.sitting import Sitting
from sheets.rules.documents.game import format_action, parse_action
from sheets.tables.dice2 import sentences as dice2_words
from sheets.tables.event_log import Loaded
from sheets.tables.replay import Replayed
from sheets.text.dice2.scores import line_sentence
from sheets.text.event_log import entry_sentence


class Move(NamedTuple):
    """A move, or the start of a game in a relay, with the number of its log entry.

    ``action`` has the die that was placed or skipped; 0 if no throw was needed. ``is_chosen`` is
    False for forced skips, which the app makes.
    """

    number: int
    action: Action
    is_chosen: bool


def moves_of(loaded: Loaded[Sitting]) -> list[Move]:
    """Return all moves that were not undone, in their order."""
    moves, thrown = [], 0
    for number in loaded.state.applied:
        action = parse_action(loaded.entries[number - 1])
        if action.do == "throw":
            thrown = action.die
            continue
        action_with_die = action._replace(die=action.die or thrown)
        moves.append(Move(number, action_with_die, is_chosen(action)))
        thrown = 0
    return moves


def is_chosen(action: Action) -> bool:
    """Return whether the action is neither a throw of the app nor a skip that it forces."""
    return action.do != "throw" and (action.do != "skip" or bool(action.die))


def log_sentence(replayed: Replayed[Sitting]) -> str:
    """Return an entry of the log in words.

    The text of a throw is empty: the entry that places or skips the die names its number.
    """
    entry, entries = replayed.entry, replayed.entries
    if entry["do"] == "throw":
        return ""
    thrown = replayed.before.game.thrown
    if entry["do"] in ("place", "skip") and thrown and "die" not in entry:
        entry = {**entry, "die": thrown}
    return entry_sentence(entry, entries, None, replayed.before.game.players)


def move_sentence(move: Move, names: Sequence[str]) -> str:
    """Return a move in the words of the log: “Ben: 4 on c4”."""
    return entry_sentence(format_action(move.action), (), None, names)


def effect_sentences(before: Sitting, after: Sitting) -> list[str]:
    """Return the effects of a move: lines that score, and the end of the game and the relay."""
    game = after.game
    if game is None or before.game is None:
        return []
    names = after.players
    had = before.game.kind.paid_lines(before.game)
    new = [line for line in game.kind.paid_lines(game) if line not in had]
    sentences = [line_sentence(line, names) for line in new]
    if game.is_finished and not before.game.is_finished:
        sentences.append(dice2_words.verdict(game, names))
        if after.relay and after.relay.winners:
            sentences.append(dice2_words.relay_verdict(after.relay, names))
    return sentences


def entry_effects(replayed: Replayed[Sitting]) -> list[str]:
    """Return the effects of an entry of the log; none unless it is a move that was not undone."""
    before, after = replayed.before, replayed.after
    if replayed.entry["do"] not in ("place", "skip") or replayed.number not in after.applied:
        return []
    return effect_sentences(before.game, after.game)
