"""How does a device see the proposal to go back that waits for answers?"""

from __future__ import annotations

from typing import NamedTuple

from sheets.tables.access import TableAccess
from sheets.tables.log import Proposal


class OpenProposal(NamedTuple):
    """A proposal as one device sees it; ``what`` is the entry before which the game would stand."""

    who: str
    what: str
    is_mine_to_answer: bool
    can_decide_alone: bool
    is_mine: bool


def see_proposal(access: TableAccess, proposal: Proposal, what: str) -> OpenProposal:
    """The proposal as a device sees it; ``what`` is the sentence of its entry."""
    return OpenProposal(
        str(access.everybody[proposal.player]),
        what,
        bool(access.seats - proposal.agreed),
        access.is_host,
        proposal.player in access.seats,
    )
