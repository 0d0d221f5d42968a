"""How does a device see a proposal to go back: the one that waits for answers, and the last one?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.rules import Level
from sheets.tables.access import TableAccess
from sheets.tables.log import G
from sheets.tables.reading import Loaded
from sheets.texts.log import entry_sentence
from sheets.texts.players import join_names

MOST_SHOWN: Final = 6
"""So many of the acts that would go are named."""


class OpenProposal(NamedTuple):
    """A proposal as one device sees it.

    ``what`` is the entry before which the game would stand, ``gone`` are all acts that would go,
    the last first; ``more`` is how many there are beside those. ``missing`` are those who are
    still to answer.
    """

    number: int
    who: str
    what: str
    gone: list[str]
    more: int
    missing: str
    is_mine_to_answer: bool
    can_decide_alone: bool
    is_mine: bool


def see_proposal(
    access: TableAccess, loaded: Loaded[G], level: Level | None
) -> OpenProposal | None:
    """The proposal that waits for answers, None for none; ``level`` is that of Dizzle."""
    proposal = loaded.state.proposal
    if not proposal:
        return None

    names = [str(seat) for seat in access.everybody]
    gone = [n for n in reversed(loaded.state.applied) if n >= proposal.to]
    return OpenProposal(
        proposal.number,
        names[proposal.player],
        _sentence(loaded, proposal.to, level),
        [_sentence(loaded, number, level) for number in gone[:MOST_SHOWN]],
        len(gone[MOST_SHOWN:]),
        join_names([names[number] for number in sorted(access.people - proposal.agreed)]),
        bool(access.seats - proposal.agreed),
        access.is_host,
        proposal.player in access.seats,
    )


def see_answer(access: TableAccess, loaded: Loaded[G], level: Level | None) -> str:
    """What became of the last proposal, until somebody acts again; empty for nothing."""
    answered = loaded.state.answered
    if not answered:
        return ""
    names = [str(seat) for seat in access.everybody]
    proposal, by = answered.proposal, answered.refused_by
    facts: Mapping[str, Any] = {
        "who": names[proposal.player],
        "what": _sentence(loaded, proposal.to, level),
        "other": names[by or 0],
        "host": names[access.table.host],
    }
    if by == proposal.player:
        return _("%(who)s has taken the proposal back: the game goes on.") % facts
    if by is not None:
        return _("%(other)s said no to the proposal of %(who)s: the game goes on.") % facts
    if answered.alone:
        return _("%(host)s has decided it: the game stands before “%(what)s” again.") % facts
    return _("All agreed with %(who)s: the game stands before “%(what)s” again.") % facts


def _sentence(loaded: Loaded[G], number: int, level: Level | None) -> str:
    entries = loaded.entries
    return entry_sentence(entries[number - 1], entries, level, loaded.state.game.players)
