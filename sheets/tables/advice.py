"""Hints: what an expert would do, and how often each player has asked.

If the host allowed hints before the game, a player who has to decide something may ask for one.
Question and answer are entries of the log, so all players see how often each of them has asked. A
repeated question about the same position does not count: it was answered.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.bots import deciding_players
from sheets.models import Table
from sheets.rules import Action, Game
from sheets.tables.log import SIMULTANEOUS_PHASES, G, LogState, Question
from sheets.tables.playing import MIRRORED, is_dice2
from sheets.texts.expert import advice_sentence
from sheets.texts.players import join_names


def is_possible(table: Table) -> bool:
    """Return whether a table can have hints: it plays Dizzle, and the app knows the dice."""
    return not is_dice2(table) and table.dice != MIRRORED


def find_question(state: LogState[G], player: int) -> Question[G] | None:
    """Return the last question of a player about the current position, None if there is none."""
    for question in reversed(state.asked):
        if question.player == player and _is_about(question, state.game):
            return question
    return None


def may_ask(state: LogState[Any], player: int) -> bool:
    """Return whether a player has no question about the current position, or one that failed."""
    question = find_question(state, player)
    return question is None or question.has_failed


def open_question(state: LogState[G]) -> Question[G] | None:
    """Return the question that the expert has to answer, None if none is open.

    Questions about a position that the game has left are not open.
    """
    for question in state.asked:
        is_open = not question.answer and not question.has_failed
        if is_open and find_question(state, question.player) == question:
            return question
    return None


def _is_about(question: Question[Any], now: Any) -> bool:
    """Return whether a question is about the decision that its player has to take now.

    It still is if the player has followed the answer in part. In phases in which all players act at
    once, the acts of the others do not matter (as in `writing`).
    """
    if now.phase not in SIMULTANEOUS_PHASES:
        return bool(question.game == now)
    game, player = question.game, question.player
    if now.phase == game.phase == "marking":
        for action in question.answer:
            if action.do == "track" and not _is_owed(now, action):
                game = game.apply(action)
    return _decision_basis(game, player) == _decision_basis(now, player)


def _is_owed(game: Game, piece: Action) -> bool:
    """Return whether a piece of track is still to be drawn."""
    return bool(game.owed and game.owed[piece.player] >> game.level.index[piece.at] & 1)


def _decision_basis(game: Game, player: int) -> tuple[Any, ...]:
    """Return all that a player's decision depends on where all players act at once."""
    owed = game.owed[player] if game.owed else 0
    return game.phase, game.passes_done, game.sheets[player], owed


def count_asked(state: LogState[Any], player: int) -> int:
    """Return how often a player has asked; questions that failed do not count."""
    return sum(asked.player == player and not asked.has_failed for asked in state.asked)


class Advice(NamedTuple):
    """The hint of a seat: whether it can be asked for, is being computed, or has arrived.

    Attributes:
        can_ask: whether the player can ask now.
        has_failed: whether the last question failed, so that it can be asked again.
        is_thought_about: whether the expert is thinking.
        number: number of the question's entry.
        action: what the expert would do, None without an answer; of several pieces of track the one
            that is drawn next.
        sentence: the action in words, empty without one.
    """

    can_ask: bool = False
    has_failed: bool = False
    is_thought_about: bool = False
    number: int = 0
    action: Action | None = None
    sentence: str = ""


def see_advice(state: LogState[Game], player: int, track_at: str = "") -> Advice:
    """Return the hint that a player sees at their own sheet.

    Args:
        state: the state of the table.
        player: the player.
        track_at: the field where the player draws next, empty for none.
    """
    if player not in deciding_players(state.game):
        return Advice()
    question = find_question(state, player)
    if question is None or question.has_failed:
        return Advice(can_ask=True, has_failed=question is not None)
    answer, number = question.answer, question.number
    if not answer:
        return Advice(is_thought_about=True, number=number)
    action = next((piece for piece in answer if piece.at == track_at), answer[0])
    sentence = advice_sentence(action, state.game.level)
    return Advice(number=number, action=action, sentence=sentence)


def asked_sentence(state: LogState[Game]) -> str:
    """Return a sentence that says how often each player asked, for the end of the game."""
    counts = [
        ngettext("%(who)s used %(count)d hint", "%(who)s used %(count)d hints", count)
        % {"who": name, "count": count}
        for player, name in enumerate(state.game.players)
        if (count := count_asked(state, player))
    ]
    if not counts:
        return _("Hints were allowed; nobody asked for any.")
    return _("Hints were allowed: %(said)s.") % {"said": join_names(counts)}
