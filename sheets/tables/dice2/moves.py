"""Which moves were made at a table with Dice², and what is said of each, and of what it led to?

A move is a die put down or skipped; that the app has thrown the die belongs to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sheets.rules import Action
from sheets.rules.dice2.sitting import Sitting
from sheets.rules.documents.game import format_action, parse_action
from sheets.tables.dice2 import words as dice2_words
from sheets.tables.playing import DICE2
from sheets.tables.reading import Loaded
from sheets.tables.replay import Replayed
from sheets.texts.dice2.scores import line_sentence
from sheets.texts.log import entry_sentence


class Move(NamedTuple):
    """A move, or the begin of a relay's game, with the number of its entry.

    ``action`` has the die that was put down or skipped; 0 where nobody had to throw one.
    ``is_chosen``: forced skips happen by themselves.
    """

    number: int
    action: Action
    is_chosen: bool


def moves_of(loaded: Loaded[Sitting]) -> list[Move]:
    """All moves that hold, in their order."""
    moves, thrown = [], 0
    for number in loaded.state.applied:
        action = parse_action(loaded.entries[number - 1])
        if action.do == "throw":
            thrown = action.die
            continue
        is_chosen = DICE2.is_chosen(action)
        moves.append(Move(number, action._replace(die=action.die or thrown), is_chosen))
        thrown = 0
    return moves


def log_sentence(replayed: Replayed[Sitting]) -> str:
    """An entry of the log in words; empty for a throw, which its move tells."""
    entry, entries = replayed.entry, replayed.entries
    if entry["do"] == "throw":
        return ""
    thrown = replayed.before.game.thrown
    if entry["do"] in ("place", "skip") and thrown and "die" not in entry:
        entry = {**entry, "die": thrown}
    return entry_sentence(entry, entries, None, replayed.before.game.players)


def move_sentence(move: Move, names: Sequence[str]) -> str:
    """A move as the log tells it: “Ben: 4 on c4”."""
    return entry_sentence(format_action(move.action), (), None, names)


def effect_sentences(before: Sitting, after: Sitting) -> list[str]:
    """What a move led to: lines that pay, and how the game and the relay ended."""
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
            sentences.append(dice2_words.relay_verdict(after))
    return sentences


def told_effects(replayed: Replayed[Sitting]) -> list[str]:
    """What followed from an entry of the log, as far as it is a move."""
    before, after = replayed.before, replayed.after
    if replayed.entry["do"] not in ("place", "skip") or replayed.number not in after.applied:
        return []
    return effect_sentences(before.game, after.game)
