"""The latest acts of the other players at a table of Dizzle where players take turns.

Players do not watch the phone all the time, so it shows the acts since their last turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.rules import Game
from sheets.rules.documents.game import parse_action
from sheets.rules.effect_list import Effect, stuck_by
from sheets.tables.event_log import Loaded
from sheets.text.event_log import effect_sentence, entry_sentence

ROLLS: Final = ("roll", "erupt", "extra")
"""Rolls that belong to no player's turn; the dice on the page show their results."""


class Act(NamedTuple):
    """One act of the current pass.

    Attributes:
        number: number of its entry.
        do: what was done.
        player: the player who did it; the roller for rolls.
        at: the field it is about, empty for none.
        sentence: the act as a sentence.
        shown: the act in few words.
        stuck: a sentence that says which players could not go on after it; empty for none.
    """

    number: int
    do: str
    player: int
    at: str
    sentence: str
    shown: str
    stuck: str


def acts_of_pass(loaded: Loaded[Game]) -> Iterator[Act]:
    """Yield the acts of the current pass, oldest first; none unless players take turns."""
    state, entries = loaded.state, loaded.entries
    if not state.game.is_tracked or state.game.phase in ("marking", "finished"):
        return
    game = state.pass_ends[-1].after if state.pass_ends else loaded.start
    names = game.players
    for number in state.applied:
        if number <= state.pass_began_after:
            continue
        action = parse_action(entries[number - 1])
        before, game = game, game.apply(action)
        roller = before.start_player
        sentence = entry_sentence(entries[number - 1], entries, game.level, names, names[roller])
        player = action.player if action.player >= 0 else roller
        shown = _("%(who)s rerolls") % {"who": names[player]} if action.do == "reroll" else sentence
        stuck = Effect("stuck", stuck_by(before, action, game))
        yield Act(
            number,
            action.do,
            player,
            action.at,
            sentence,
            shown,
            effect_sentence(stuck, game.level, names) if stuck.players else "",
        )


def turns_since(acts: Sequence[Act], seat: int | None) -> list[Act]:
    """Return the acts of each player's last turn since the last turn of a seat, oldest first."""
    shown: list[Act] = []
    for act in reversed(acts):
        if act.do in ROLLS:
            continue
        is_same_turn = bool(shown) and shown[-1].player == act.player
        is_shown = any(other.player == act.player for other in shown)
        if act.player == seat or (is_shown and not is_same_turn):
            break
        shown.append(act)
    return shown[::-1]
