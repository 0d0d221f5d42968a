"""Proposals to go back, to go forward or to correct a sheet, as a device sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.art import layout
from sheets.rules import Game, Level
from sheets.tables import countdowns
from sheets.tables.access import TableAccess
from sheets.tables.corrections import Correction
from sheets.tables.event_log import Answered, G, Loaded
from sheets.text.event_log import entry_sentence
from sheets.text.player_names import join_names

MAX_ACTS_SHOWN: Final = 6
"""Maximum number of acts a proposal lists that it would strike; it only counts further ones."""

NEWS_MAX_ENTRIES: Final = 12
"""Number of entries of a device after which it no longer sees the outcome of a proposal."""


class OpenProposal(NamedTuple):
    """An open proposal as one device sees it.

    Attributes:
        number: number of its entry.
        who: name of the player who made it.
        what: the entry to before which the game would go back, as a sentence; else empty.
        gone: the acts that would be struck, last first, at most `MAX_ACTS_SHOWN`.
        more: number of further such acts.
        missing: names of the players who still have to answer.
        is_mine_to_answer: whether a player on this device has to answer.
        can_count_down: whether the host, who has answered, can start a countdown for the others.
        can_decide_alone: whether the host can carry it out, after that countdown.
        is_mine: whether a player on this device made it.
        lost: sentences that say what would be lost besides the acts of this pass.
        is_forward: whether it proposes to go forward again.
        correction: the correction of a sheet that it proposes, None for other proposals.
    """

    number: int
    who: str
    what: str
    gone: list[str]
    more: int
    missing: str
    is_mine_to_answer: bool
    can_count_down: bool
    can_decide_alone: bool
    is_mine: bool
    lost: list[str]
    is_forward: bool
    correction: Correction | None = None

    @property
    def call(self) -> str:
        """Key of the call to answer it; empty if no player on this device has to."""
        return f"proposal {self.number}" if self.is_mine_to_answer else ""


class Outcome(NamedTuple):
    """News of a settled proposal, a pass end or a new host; ``number`` is that of its entry."""

    number: int
    sentence: str


def view_proposal(
    access: TableAccess, loaded: Loaded[G], level: Level | None
) -> OpenProposal | None:
    """Return the open proposal as a device sees it, or None; ``level`` is None for Dice²."""
    proposal = loaded.state.proposal
    if not proposal:
        return None

    names, game = [str(seat) for seat in access.all_seats], loaded.state.game
    correction = None
    if proposal.correction and isinstance(game, Game):
        correction = Correction(game, proposal.correction)
    is_back = not (proposal.is_forward or correction)
    gone = [n for n in reversed(loaded.state.applied) if n >= proposal.to] if is_back else []
    is_asked = bool(access.seats - proposal.agreed)
    may_decide = not is_asked and countdowns.is_left_to_the_host(access, loaded.state)
    may_count = (
        access.is_host and not is_asked and bool(countdowns.unanswering(access, loaded.state))
    )
    may_count = may_count and not (correction and correction.doubts)
    return OpenProposal(
        proposal.number,
        names[proposal.player],
        _sentence(loaded, proposal.to, level) if is_back else "",
        [_sentence(loaded, number, level) for number in gone[:MAX_ACTS_SHOWN]],
        len(gone[MAX_ACTS_SHOWN:]),
        join_names([names[number] for number in sorted(access.people - proposal.agreed)]),
        is_asked,
        may_count and not may_decide,
        may_decide,
        proposal.player in access.seats,
        lost_by(loaded, proposal.to) if is_back else [],
        proposal.is_forward,
        correction,
    )


def call_sentence(proposal: OpenProposal | None) -> str:
    """Return what a device is called to do, in a few words: to answer a proposal, or to move."""
    if not (proposal and proposal.call):
        return _("Your turn")
    return _("Agree?") if proposal.is_forward or proposal.correction else _("Go back?")


def lost_by(loaded: Loaded[G], to: int) -> list[str]:
    """Return in sentences what going back to before entry ``to`` loses besides this pass's acts."""
    game, found = loaded.state.game, []
    ended = loaded.state.pass_ends[-1].until if loaded.state.pass_ends else 0
    if game.is_finished and to <= ended:
        points = ""
        if isinstance(game, Game):
            points = " : ".join(layout.format_amount(score.total or 0) for score in game.scores())
        found.append(_("The finished game %(points)s will be open again.") % {"points": points})
    passes = sum(end.number >= to for end in loaded.state.pass_ends)
    if passes > 1:
        found.append(
            ngettext(
                "%(count)d pass has to be played again.",
                "%(count)d passes have to be played again.",
                passes,
            )
            % {"count": passes}
        )
    return found


def view_outcome(access: TableAccess, loaded: Loaded[G], level: Level | None) -> Outcome | None:
    """Return the outcome of the last proposal, the end of a pass by another player, or a new host.

    None if there is no recent news for this device, or if no other device has a seat. Only the
    device's own entries make news old: a player who is slow or away has not seen it yet.
    """
    if access.is_alone:
        return None
    news = filter(None, (_news_of_others(access, loaded), _last_answer(access, loaded, level)))
    return max(news, key=lambda one: one.number, default=None)


def _news_of_others(access: TableAccess, loaded: Loaded[G]) -> Outcome | None:
    """Return the news of another player's act: the end of the pass, its undo, or a new host.

    None if there is none, or if a player on this device has acted since.
    """
    entries = loaded.entries
    for number in range(len(entries), max(0, len(entries) - NEWS_MAX_ENTRIES), -1):
        entry = entries[number - 1]
        who = entry.get("player", -1)
        if who in access.seats:
            return None
        if entry["do"] == "undo" and "done" in entry:
            sentence = _("%(who)s has undone the end of the pass: it goes on.")
        elif entry["do"] == "done" and not access.seats.isdisjoint(entry.get("for", ())):
            sentence = _("%(who)s has ended the pass for all.")
        elif entry["do"] == "host" and access.seats:
            who = entry["to"]
            is_mine = who in access.seats
            sentence = _("You are the host now.") if is_mine else _("%(who)s is the host now.")
        else:
            continue
        return Outcome(number, sentence % {"who": str(access.all_seats[who])})
    return None


def _last_answer(access: TableAccess, loaded: Loaded[G], level: Level | None) -> Outcome | None:
    """Return the outcome of the last proposal, None if it is old."""
    answered = loaded.state.answered
    if not answered:
        return None
    later = loaded.entries[answered.number :]
    own = [entry for entry in later if not access.seats or entry.get("player") in access.seats]
    if len(own) >= NEWS_MAX_ENTRIES:
        return None
    return Outcome(answered.number, _answer_sentence(access, loaded, answered, level))


def _answer_sentence(
    access: TableAccess, loaded: Loaded[G], answered: Answered, level: Level | None
) -> str:
    """Return the sentence that says what became of a proposal."""
    names = [str(seat) for seat in access.all_seats]
    proposal, by = answered.proposal, answered.refused_by
    is_back = not (proposal.is_forward or proposal.correction)
    facts: Mapping[str, Any] = {
        "who": names[proposal.player],
        "what": _sentence(loaded, proposal.to, level) if is_back else "",
        "whose": names[proposal.correction.player] if proposal.correction else "",
        "other": names[by or 0],
        "host": names[loaded.entries[answered.number - 1].get("by", access.table.host)],
    }
    if by == proposal.player:
        return _("%(who)s has withdrawn the proposal: everything stays as it is.") % facts
    if by is not None:
        return _("%(other)s said no to the proposal of %(who)s: everything stays as it is.") % facts
    if proposal.correction and answered.alone:
        return _("%(host)s has decided it: the sheet of %(whose)s is corrected.") % facts
    if proposal.correction:
        return _("All agreed with %(who)s: the sheet of %(whose)s is corrected.") % facts
    if proposal.is_forward and answered.alone:
        return _("%(host)s has decided it: the game is again where it was.") % facts
    if proposal.is_forward:
        return _("All agreed with %(who)s: the game is again where it was.") % facts
    if answered.alone:
        return _("%(host)s has decided it: the game stands before “%(what)s” again.") % facts
    return _("All agreed with %(who)s: the game stands before “%(what)s” again.") % facts


def _sentence(loaded: Loaded[G], number: int, level: Level | None) -> str:
    """Return an entry of the log as a sentence."""
    entries = loaded.entries
    return entry_sentence(entries[number - 1], entries, level, loaded.state.game.players)
