"""Lines of the page that shows a table's log."""

from __future__ import annotations

from typing import NamedTuple

from sheets.rules.documents.game import parse_action
from sheets.tables import acts, event_loader
from sheets.tables.access import TableAccess
from sheets.tables.family import family_of
from sheets.tables.replay import replay_log
from sheets.text.event_log import is_act


class LogLine(NamedTuple):
    """One entry of the log as a sentence, with the sentences of its effects.

    Attributes:
        is_struck: whether the entry is an act that no longer holds.
        can_go_back: whether a player on this device can propose to go back to before the entry; not
            for automatic actions, as these would happen again.
    """

    number: int
    sentence: str
    effects: list[str]
    is_struck: bool
    can_go_back: bool


def log_lines(access: TableAccess) -> list[LogLine]:
    """Return the log of a table in words, newest entry first.

    Entries without a sentence are left out.
    """
    family = family_of(access.table)
    loaded = event_loader.load(access)
    chosen = {
        number
        for number in loaded.state.applied
        if acts.is_chosen(access.table, parse_action(loaded.entries[number - 1]))
    }
    fixed = {n for n in chosen if acts.knows_dice_after(access, loaded, n)}
    lines = [
        LogLine(
            replayed.number,
            sentence,
            family.effect_sentences(replayed),
            is_act(replayed.entry) and replayed.number in loaded.state.struck,
            replayed.number in chosen and bool(access.seats) and replayed.number not in fixed,
        )
        for replayed in replay_log(loaded.start, loaded.entries)
        if (sentence := family.entry_sentence(replayed))
    ]
    return lines[::-1]
