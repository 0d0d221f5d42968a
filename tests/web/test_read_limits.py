"""Registry of the pages that count as reads, and of those that are too cheap to count."""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from sheets.http.rate_limits import READS
from tests.addresses import patterns
from tests.http.test_rendering import DRAWING_ADDRESSES, use_up

pytestmark = pytest.mark.django_db

ARGUMENTS: Final[dict[str, Any]] = {
    **{"code": "A" * 16, "key": "x" * 32, "number": 1, "level_id": "level-1", "step": "size"},
    **{"day": "2026-11-22", "kind": "score", "name": "x" * 32, "year": 2026, "digest": "5" * 16},
}

CHEAP: Final[dict[str, str]] = {
    "the same for everybody, or a form with nothing of anybody's in it": """
        home theme manifest worker offline icon robots levels level level-document rules secure
        secure-authority health set_language tally dice2 dice2-score photos score score-here
        score-here-level score-deleted print group-new group-file group-deleted table-join
        table-new table-open-file workshop workshop-deleted open tutorial tutorial-step
        day""",
    "takes a form; a GET leads to its page": """
        tally-keep tally-blank tally-again photos-read photos-sum photos-take photos-open-read
        photos-open-sum photos-open-take sheet-photo-drop photos-empty photos-empty-add
        photos-empty-turn photos-own-read photos-own-sum photos-own-take photos-seat-read
        photos-seat-sum photos-seat-compare photos-seat-take score-begin score-import
        score-remove score-solo score-again score-acts score-blank score-mark score-settle
        score-turn-back mine-hide mine-old mine-link group-play group-day-keep table-sit
        table-rename table-free table-bot table-hints table-host table-start table-link table-act
        table-done table-undo table-propose table-answer table-hurry table-ask table-stand-in
        table-again table-claim table-answer-claim table-order table-contribute
        workshop-own workshop-invent workshop-copy workshop-acts workshop-solo open-use""",
    "asks whether to delete or move one thing": """
        tally-delete score-delete mine-forget mine-take group-delete
        group-delete-game group-delete-player group-links group-keep table-move
        workshop-links workshop-delete""",
    "one game or its sheets, at most six players; phones at a table load these again and again": """
        tally-results tally-count tally-count-news tally-news tally-csv photos-line photos-open
        photos-own photos-seat sheet-photo score-results score-players score-news score-document
        score-csv score-sheet score-state print-filled-options table-file table-file-look
        table-file-look-state table-file-dice table table-screen table-log
        table-history table-dice table-look table-look-state table-game table-sheets
        table-csv table-print table-seats table-pause table-correct
        group-correct-game""",
    "one level, which has 26 by 26 fields at most": """
        workshop-level workshop-guide workshop-state workshop-file workshop-score workshop-here
        workshop-play workshop-print workshop-document workshop-balance workshop-balance-state
        workshop-code""",
    "of a group, but neither its games nor its results": """
        group-enter group-enter-files""",
}
"""Addresses that count nothing, by the reason. On a typical page each took below 0.1 s."""


def test_each_page_counts_as_a_read_or_is_listed_as_cheap(client: Client) -> None:
    use_up(READS)
    addresses = {one.name: one.pattern.converters for one in patterns(get_resolver())}
    answers = {
        name: client.get(reverse(name, kwargs={one: ARGUMENTS[one] for one in blanks}))
        for name, blanks in addresses.items()
    }
    counted = {name for name, answer in answers.items() if answer.status_code == 429}
    cheap = " ".join(CHEAP.values()).split()
    assert len(cheap) == len(set(cheap))
    # Rendering counts later, see tests/http/test_rendering.py.
    assert not counted & set(cheap), "counted: take it off the list"
    assert not DRAWING_ADDRESSES.keys() & set(cheap), "drawn: take it off the list"
    missing = addresses.keys() - counted - DRAWING_ADDRESSES.keys() - set(cheap)
    assert not missing, "limit it by READS, or list it as cheap"
    assert not set(cheap) - addresses.keys(), "no such address"
    assert {"group", "group-evening", "group-players", "group-player", "mine"} <= counted
