"""Hints: requests to the hard bot, whether a player may make one, and its answers.

`event_writer.play_on` computes the answers. The host allows hints before the game. Requests and
answers are entries of the log, so all players see how many hints each of them has used. A repeated
request about the same position does not count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.bots import deciding_players
from sheets.models import Table
from sheets.rules import Action, Game
from sheets.tables.event_log import SIMULTANEOUS_PHASES, G, HintRequest, LogState
from sheets.tables.table_settings import MIRRORED, is_dice2
from sheets.text.hints import hint_sentence
from sheets.text.player_names import join_names


def can_have_hints(table: Table) -> bool:
    """Return whether a table can have hints: it plays Dizzle, and the app knows the dice."""
    return not is_dice2(table) and table.dice != MIRRORED


def find_request(state: LogState[G], player: int) -> HintRequest[G] | None:
    """Return a player's last request about the current position, None if there is none."""
    for request in reversed(state.hint_requests):
        if request.player == player and _is_about(request, state.game):
            return request
    return None


def may_request(state: LogState[Any], player: int) -> bool:
    """Return whether a player may request a hint: one for each position, again if it failed."""
    request = find_request(state, player)
    return request is None or request.has_failed


def open_request(state: LogState[G]) -> HintRequest[G] | None:
    """Return the request that the hard bot has to answer, None if none is open.

    Requests about a position that the game has left are not open.
    """
    for request in state.hint_requests:
        is_open = not request.answer and not request.has_failed
        if is_open and find_request(state, request.player) == request:
            return request
    return None


def _is_about(request: HintRequest[Any], now: Any) -> bool:
    """Return whether a request is about the decision that its player has to take in ``now``.

    It still is while the player draws the hinted pieces of track one by one. In simultaneous phases
    only the player's own acts matter (as in `event_writer`).
    """
    if now.phase not in SIMULTANEOUS_PHASES:
        return bool(request.game == now)
    game, player = request.game, request.player
    if now.phase == game.phase == "marking":
        for action in request.answer:
            if action.do == "track" and not _is_owed(now, action):
                game = game.apply(action)
    return _decision_basis(game, player) == _decision_basis(now, player)


def _is_owed(game: Game, piece: Action) -> bool:
    """Return whether a piece of track is still to be drawn."""
    return bool(game.owed and game.owed[piece.player] >> game.level.index[piece.at] & 1)


def _decision_basis(game: Game, player: int) -> tuple[Any, ...]:
    """Return all that a player's decision depends on in a simultaneous phase."""
    owed = game.owed[player] if game.owed else 0
    return game.phase, game.passes_done, game.sheets[player], owed


def count_hints(state: LogState[Any], player: int) -> int:
    """Return the number of hints that a player has requested, without failed requests."""
    return sum(
        request.player == player and not request.has_failed for request in state.hint_requests
    )


class Hint(NamedTuple):
    """The hint of a seat: whether it can be requested, is being computed, or has arrived.

    Attributes:
        can_request: whether the player can request one now.
        has_failed: whether the last request failed, so that it can be repeated.
        is_pending: whether the hard bot is computing it.
        number: number of the request's entry.
        action: the hard bot's choice, None without an answer; of several pieces of track the one
            that is drawn next.
        sentence: the action in words, empty without an action.
    """

    can_request: bool = False
    has_failed: bool = False
    is_pending: bool = False
    number: int = 0
    action: Action | None = None
    sentence: str = ""


def view_hint(state: LogState[Game], player: int, track_at: str = "") -> Hint:
    """Return the hint that a player sees at their own sheet.

    Args:
        state: the state of the table.
        player: the player.
        track_at: the field where the player draws next, empty for none.
    """
    if player not in deciding_players(state.game):
        return Hint()
    request = find_request(state, player)
    if request is None or request.has_failed:
        return Hint(can_request=True, has_failed=request is not None)
    answer, number = request.answer, request.number
    if not answer:
        return Hint(is_pending=True, number=number)
    action = next((piece for piece in answer if piece.at == track_at), answer[0])
    sentence = hint_sentence(action, state.game.level)
    return Hint(number=number, action=action, sentence=sentence)


def hint_counts_sentence(state: LogState[Game]) -> str:
    """Return a sentence on how many hints each player has used, for the end of the game."""
    counts = [
        ngettext("%(who)s used %(count)d hint", "%(who)s used %(count)d hints", count)
        % {"who": name, "count": count}
        for player, name in enumerate(state.game.players)
        if (count := count_hints(state, player))
    ]
    if not counts:
        return _("Hints were allowed; nobody asked for any.")
    return _("Hints were allowed: %(said)s.") % {"said": join_names(counts)}
