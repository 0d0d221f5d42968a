"""Tests of a table as all devices see it, such as a big screen without a seat."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.utils import timezone

from sheets.models import Entry
from sheets.tables import acts, countdowns
from sheets.tables.table_view import TableView
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_games import TINY, Party, request_numbers, sit_down

pytestmark = pytest.mark.django_db


def asked_on_screen(client: Client, party: Party) -> str:
    """Return what the big screen says about a proposal or a countdown."""
    page = unmarked(client.get(f"/table/{party.code}/screen/"))
    found = re.search(r'class="screen-asked">(.*?)</p>', page, re.DOTALL)
    return html.unescape(" ".join(found[1].split())) if found else ""


def propose(party: Party, player: int, to: int) -> None:
    acts.propose(party.access(player), player, to, request=f"request-{next(request_numbers)}")


def answer(party: Party, player: int, agrees: bool) -> None:
    asked = party.loaded.state.proposal.number
    request = f"request-{next(request_numbers)}"
    acts.answer(party.access(player), agrees, proposal=asked, request=request)


def test_the_big_screen_shows_a_proposal_and_its_outcome(client: Client) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    assert asked_on_screen(client, party) == ""
    propose(party, 2, 1)
    answer(party, 0, True)
    proposed = "Cem proposes to go back to before “Ana: 2 on b1”. Still to answer: Ben"
    assert asked_on_screen(client, party) == proposed
    answer(party, 1, False)
    refused = "Ben said no to the proposal of Cem: everything stays as it is."
    assert asked_on_screen(client, party) == refused
    propose(party, 2, 1)
    answer(party, 0, True)
    answer(party, 1, True)
    done = "All agreed with Cem: the game stands before “Ana: 2 on b1” again."
    assert asked_on_screen(client, party) == done
    acts.start_countdown(party.access(), moment=party.loaded.state.moment, request="")
    assert asked_on_screen(client, party) == f"Waiting for Ben and Cem to react. {done}"
    party.act("place", 1, "b1")
    assert asked_on_screen(client, party) == f"Waiting for Cem to react. {done}"
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    assert asked_on_screen(client, party) == f"Cem did not react: the host can go on. {done}"


def test_the_big_screen_of_dice2_shows_proposals(client: Client) -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, party.game.game.legal()[3][0], die=3)
    propose(party, 1, party.loaded.state.applied[-1])
    assert asked_on_screen(client, party).startswith("Ben proposes to go back to before")
    answer(party, 0, False)
    assert asked_on_screen(client, party).startswith("Ana said no to the proposal of Ben")


def test_rounds_are_ticked_as_on_paper() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    party.act("end_pass")
    view = TableView(party.access(), party.loaded)
    assert view.rounds == [["done", "now"], ["", ""]]
    assert view.rounds_sentence == "Round 1 of 2, pass 2 of 4"
