"""House rules of a table: chosen at its start, shown everywhere, separate in the figures."""

import json
import re

import pytest
from django.test import Client
from django.utils.translation import override

from sheets.groups import game_store
from sheets.groups import store as groups
from sheets.groups.filters import level_names
from sheets.models import Table
from sheets.rules.house_rules import HouseRules
from sheets.tables.access import find_access
from sheets.tables.table_settings import level_of
from sheets.workshop import store as workshop
from tests.table_games import TINY, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db

STARTED = {"level": "level-1", "players": "2", "dice": "typed", "name": "Ana"}
"""Form of a new table without house rules."""


def open_with(client: Client, **more: str) -> Table:
    """Send the form of a new table with more values, and return the table."""
    response = client.post("/table/new/", STARTED | more)
    assert response.status_code == 302, response.content.decode()
    return Table.objects.get()


def test_house_rules_belong_to_the_level_of_the_table(client: Client) -> None:
    table = open_with(
        client,
        keep_dice="on",
        play_on="on",
        no_bombs="on",
        starter="fewest-points",
        house_dice="12",
        house_rounds="3",
    )
    house = HouseRules(True, True, "fewest-points", True, False, 12, 3)
    assert level_of(table).house_rules == house
    assert table.level_id == "level-1"


def test_without_house_rules_the_level_is_unchanged(client: Client) -> None:
    assert "house_rules" not in open_with(client).level


def test_five_players_on_a_level_for_four_play_by_a_house_rule(client: Client) -> None:
    table = open_with(client, players="5")
    level = level_of(table)
    assert level.house_rules == HouseRules(more_players=True)
    assert (level.dice[5], level.rounds[5], level.repeat_last) == (16, 2, True)


def test_six_players_on_a_level_for_six_need_no_house_rule(client: Client) -> None:
    assert not level_of(open_with(client, level="level-5", players="6")).house_rules.changed


def test_house_rules_of_an_own_level_are_chosen_at_first_and_can_be_switched_off(
    client: Client,
) -> None:
    own = {"starter": "same-player", "keep_dice": True, "rounds": 1}
    url = f"/workshop/{workshop.create(TINY | {'house_rules': own})}/play/"
    page = client.get(url).content.decode()
    assert 'name="keep_dice" checked' in page
    assert 'value="same-player" selected' in page
    assert re.search('name="house_rounds"[^>]* value="1"', page)
    sent = {"players": "2", "dice": "typed", "name": "Ana", "keep_dice": "on", "no_bombs": "on"}
    client.post(url, sent)
    assert level_of(Table.objects.get()).house_rules == HouseRules(keep_dice=True, no_bombs=True)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("house_dice", "31", "The number of dice must be from 1 to 30."),
        ("house_dice", "many", "The number of dice must be from 1 to 30."),
        ("house_rounds", "0", "The number of rounds must be from 1 to 50."),
        ("starter", "youngest", "Choose who starts the next pass."),
    ],
)
def test_impossible_house_rules_open_no_table(
    client: Client, field: str, value: str, sentence: str
) -> None:
    response = client.post("/table/new/", STARTED | {field: value, "keep_dice": "on"})
    page = response.content.decode()
    assert response.status_code == 400
    assert sentence in page
    # The other choices are kept, and the folded settings are open.
    assert 'name="keep_dice" checked' in page
    assert 'class="more-settings house-rules" open' in page
    assert not Table.objects.exists()


def test_players_see_the_house_rules_in_the_lobby_and_while_they_play(client: Client) -> None:
    table = open_with(client, keep_dice="on", house_rounds="3")
    lobby = client.get(f"/table/{table.code}/").content.decode()
    assert "A failed reroll returns nothing · 3 rounds" in lobby
    party = sit_down(level=TINY | {"house_rules": {"no_bombs": True}})
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert '<a href="/rules/#no-bombs">No bombs</a>' in page


def test_results_and_files_name_the_house_rules(client: Client) -> None:
    house_rules = {"starter": "same-player", "rounds": 1}
    party = finished_party(level=TINY | {"house_rules": house_rules})
    page = client.get(f"/table/{party.code}/").content.decode()
    assert '<a href="/rules/#starter">The same player starts every pass</a>' in page
    assert '<a href="/rules/#rounds">1 round</a>' in page
    downloaded = json.loads(client.get(f"/table/{party.code}/game.json").content)
    assert downloaded["level"]["house_rules"] == house_rules


def test_a_file_of_a_shipped_level_names_level_and_house_rules(client: Client) -> None:
    code = open_with(client, no_bombs="on").code
    downloaded = json.loads(client.get(f"/table/{code}/game.json").content)
    assert (downloaded["level"], downloaded["house_rules"]) == ("level-1", {"no_bombs": True})


def test_a_rematch_has_the_same_house_rules(client: Client) -> None:
    party = finished_party(level=TINY | {"house_rules": {"rounds": 1}})
    client_of(party).post(f"/table/{party.code}/again/")
    again = find_access(party.code).table.next_code
    assert level_of(find_access(again).table).house_rules == HouseRules(rounds=1)


def test_a_refusal_names_the_house_rule() -> None:
    party = sit_down(level=TINY | {"house_rules": {"dice": 3}}, dice="typed")
    page = client_of(party).post(
        f"/table/{party.code}/act/",
        {
            "do": "roll",
            "dice": "1 2",
            "moment": party.loaded.state.moment,
            "request": "request-one",
        },
    )
    assert page.status_code == 422
    assert "A house rule of this game sets the number of dice." in page.content.decode()


def test_groups_keep_games_with_house_rules_separate() -> None:
    group = groups.find(groups.create("Family"))
    for level in (TINY, TINY | {"house_rules": {"no_bombs": True}}):
        game_store.add_game(group, finished_party(level=level).access().table)
    assert list(level_names(group.resource).values()) == ["Tiny", "Tiny · No bombs"]
    with override("de"):
        assert list(level_names(group.resource).values()) == ["Tiny", "Tiny · Keine Bomben"]
