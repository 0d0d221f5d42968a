"""What have the others just done at a table of Dizzle where everybody acts in turn?

Nobody looks at a phone all the time: what has happened since one's own last act stands on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.rules import Game
from sheets.rules.documents.game import parse_action
from sheets.rules.story import Effect, stuck_by
from sheets.tables.reading import Loaded
from sheets.texts.log import effect_sentence, entry_sentence

ROLLS: Final = ("roll", "erupt", "extra")
"""Acts that are nobody's turn: the dice on the page tell of them."""


class Act(NamedTuple):
    """One act of the pass that runs.

    ``number`` is its entry, ``player`` whose it is, ``at`` the field it is about, empty for none.
    ``sentence`` says it, ``shown`` in few words; ``stuck`` says who could not go on after it.
    """

    number: int
    do: str
    player: int
    at: str
    sentence: str
    shown: str
    stuck: str


def acts_of_pass(loaded: Loaded[Game]) -> Iterator[Act]:
    """The acts of the pass that runs, the first one first; none where nobody waits for a turn."""
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
    """Everybody's last turn, as far as it came after that of a seat; the first one first."""
    shown: list[Act] = []
    for act in reversed(acts):
        if act.do in ROLLS:
            continue
        is_same_turn = bool(shown) and shown[-1].player == act.player
        is_told = any(other.player == act.player for other in shown)
        if act.player == seat or (is_told and not is_same_turn):
            break
        shown.append(act)
    return shown[::-1]
