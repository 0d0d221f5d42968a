"""Example data of the demo: a game in progress, a scored game, a group."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sheets.access.keys import new_token
from sheets.demo import examples
from sheets.models import Group
from sheets.rules import Action
from sheets.tables import acts, event_loader, seating
from sheets.tables.access import find_access

pytestmark = pytest.mark.django_db


def test_a_visitor_sits_down_and_plays_on() -> None:
    code, token = examples._create_table(), new_token()
    seating.take_seat(find_access(code), 0, "Ana", token)
    access = find_access(code, token)
    state = event_loader.load(access).state
    game = state.game
    assert 0 < game.passes_done < game.level.rounds[3] * 3
    die, at = next((die, fields[0]) for die, fields in game.legal().items() if fields)
    action = Action("place", 0, at, die=die)
    acts.act(access, action, moment=state.moment, request="request-1")
    assert len(event_loader.load(find_access(code)).entries) > len(
        event_loader.load(access).entries
    )


def test_scored_game_has_a_winner(client: Client) -> None:
    page = client.get(f"/score/{examples._create_scoring()}/").content.decode()
    assert "wins." in page


def test_group_has_twenty_games_up_to_yesterday() -> None:
    examples._create_group()
    group = Group.objects.get()
    evenings = group.games.order_by("evening").values_list("evening", flat=True)
    yesterday = timezone.localdate() - timedelta(days=1)
    assert (len(evenings), len(set(evenings)), evenings.last()) == (20, 8, yesterday)
    names = group.players.values_list("name", flat=True)
    assert sorted(names) == ["Ana", "Ben", "Cleo"]
