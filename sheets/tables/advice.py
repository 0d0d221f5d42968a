"""What would an expert do, and how often has each player asked?

Where the host has allowed it before the game, whoever has to decide something may ask. The question
and its answer are entries of the log, so all see how often somebody has asked, and what is asked
again about the same position costs nothing: it was answered.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.bots import deciding_players
from sheets.models import Table
from sheets.rules import Action, Game
from sheets.tables.log import TOGETHER, G, LogState, Question
from sheets.tables.playing import MIRRORED, is_dice2
from sheets.texts.expert import advice_sentence
from sheets.texts.players import join_names


def is_possible(table: Table) -> bool:
    """Whether an expert could know enough at a table: of Dizzle, with dice that it knows."""
    return not is_dice2(table) and table.dice != MIRRORED


def find_question(state: LogState[G], player: int) -> Question[G] | None:
    """What a player has asked last about the game as it stands, None for nothing."""
    for one in reversed(state.asked):
        if one.player == player and _is_about(one, state.game):
            return one
    return None


def may_ask(state: LogState[Any], player: int) -> bool:
    """Whether a player has not asked yet about the game as it stands, or without an answer."""
    asked = find_question(state, player)
    return asked is None or asked.has_failed


def open_question(state: LogState[G]) -> Question[G] | None:
    """The question that an expert should be thinking about; None too where the game has gone on."""
    for one in state.asked:
        is_open = not one.answer and not one.has_failed
        if is_open and find_question(state, one.player) == one:
            return one
    return None


def _is_about(asked: Question[Any], now: Any) -> bool:
    """Whether a player decides on the same as when they asked, or goes on as they were advised.

    Where all choose for themselves it does not matter what the others do (as in `writing`).
    """
    if now.phase not in TOGETHER:
        return bool(asked.game == now)
    game, player = asked.game, asked.player
    if now.phase == game.phase == "marking":
        for action in asked.answer:
            if action.do == "track" and not _is_owed(now, action):
                game = game.apply(action)
    return _own(game, player) == _own(now, player)


def _is_owed(game: Game, piece: Action) -> bool:
    """Whether a piece of track is still to be drawn."""
    return bool(game.owed and game.owed[piece.player] >> game.level.index[piece.at] & 1)


def _own(game: Game, player: int) -> tuple[Any, ...]:
    owed = game.owed[player] if game.owed else 0
    return game.phase, game.passes_done, game.sheets[player], owed


def count_asked(state: LogState[Any], player: int) -> int:
    """How often a player has asked, but for what no answer came to."""
    return sum(one.player == player and not one.has_failed for one in state.asked)


class Advice(NamedTuple):
    """What a seat sees of it: whether it can ask now, whether an expert thinks, or their answer.

    ``has_failed`` says that no answer came to what can be asked once more. ``action`` and its
    ``sentence`` are None and empty without one, and of several pieces of track about the one that
    is drawn next; ``number`` is the question's.
    """

    can_ask: bool = False
    has_failed: bool = False
    is_thought_about: bool = False
    number: int = 0
    action: Action | None = None
    sentence: str = ""


def see_advice(state: LogState[Game], player: int, track_at: str = "") -> Advice:
    """What is to be seen of it at a player's own sheet; ``track_at``: where they draw next."""
    if player not in deciding_players(state.game):
        return Advice()
    asked = find_question(state, player)
    if asked is None or asked.has_failed:
        return Advice(can_ask=True, has_failed=asked is not None)
    if not asked.answer:
        return Advice(is_thought_about=True, number=asked.number)
    action = next((piece for piece in asked.answer if piece.at == track_at), asked.answer[0])
    sentence = advice_sentence(action, state.game.level)
    return Advice(number=asked.number, action=action, sentence=sentence)


def asked_sentence(state: LogState[Game]) -> str:
    """How often everybody has asked, once the game is over."""
    said = [
        ngettext("%(who)s used %(count)d hint", "%(who)s used %(count)d hints", count)
        % {"who": name, "count": count}
        for player, name in enumerate(state.game.players)
        if (count := count_asked(state, player))
    ]
    if not said:
        return _("Hints were allowed; nobody asked for any.")
    return _("Hints were allowed: %(said)s.") % {"said": join_names(said)}
