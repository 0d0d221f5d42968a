"""What does the page of a table's log say, line by line?"""

from __future__ import annotations

from typing import NamedTuple

from sheets.tables import reading
from sheets.tables.access import TableAccess
from sheets.tables.games import family_of
from sheets.tables.replay import replay_log
from sheets.texts.log import is_act


class LogLine(NamedTuple):
    """One entry of the log; ``effects`` followed from it."""

    number: int
    sentence: str
    effects: list[str]
    is_struck: bool
    can_go_back: bool


def log_lines(access: TableAccess) -> list[LogLine]:
    """The log of a table in words, the newest entry first."""
    family = family_of(access.table)
    loaded = reading.load(access)
    holding = frozenset(loaded.state.applied)
    lines = [
        LogLine(
            replayed.number,
            family.entry_sentence(replayed),
            family.effect_sentences(replayed),
            is_act(replayed.entry) and replayed.number in loaded.state.struck,
            replayed.number in holding and bool(access.seats),
        )
        for replayed in replay_log(loaded.start, loaded.entries)
    ]
    return lines[::-1]
