"""Tests of a game that is paused until another day."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client

from sheets.tables import acts
from sheets.tables.access import NotYours, Refused
from sheets.tables.log_page import log_lines
from tests.dice2_tables import sit_down_for
from tests.table_fragments import FROM_SCRIPT
from tests.table_games import TINY, Party, play_on, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


def words(client: Client, path: str) -> str:
    return " ".join(client.get(path).content.decode().split())


def pause(party: Party, player: int = 0) -> None:
    acts.pause(party.access(player), player, True)


@pytest.mark.parametrize("family", ["dizzle", "dice2"])
def test_a_paused_table_comes_first_on_every_device(family: str) -> None:
    party = sit_down() if family == "dizzle" else sit_down_for("four-wins")
    path = f"/table/{party.code}/"
    ben = client_of(party, 1)
    assert "Continue another day" in words(ben, path)
    assert "Pause the game" in words(ben, f"{path}pause/")
    assert ben.post(f"{path}pause/", {"pause": "yes"}).headers["Location"] == path
    # Both have played elsewhere since.
    later = sit_down(level=TINY)._replace(tokens=party.tokens)
    for player, seat in enumerate(later.access().all_seats):
        seat.token_digest = party.access(player).all_seats[player].token_digest
        seat.save()
    for player in (0, 1):
        client = client_of(party, player)
        home = words(client, "/")
        assert home.index(path) < home.index(f"/table/{later.code}/")
        assert "Paused:" in home
        assert "The game is paused until another day. All players keep their seats." in words(
            client, path
        )
        assert "The game is paused." in words(client, f"{path}pause/")
        assert party.access(player).seats == {player}


def test_any_act_ends_the_pause_and_so_does_a_tap() -> None:
    party = sit_down(level=TINY)
    pause(party)
    assert party.access().table.is_paused
    party.act("place", 1, "b1")
    assert not party.access().table.is_paused
    pause(party, 1)
    ana = client_of(party)
    ana.post(f"/table/{party.code}/pause/", {"pause": "no"})
    assert not party.access().table.is_paused
    log = [line.sentence for line in log_lines(party.access())]
    assert log[:2] == ["Ana goes on with the game", "Ben pauses the game until another day"]


def test_the_answer_to_an_act_no_longer_shows_the_pause() -> None:
    party = sit_down(level=TINY)
    pause(party)
    sent = {"do": "place", "player": "1", "at": "b1", "moment": party.loaded.state.moment}
    answer = client_of(party, 1).post(
        f"/table/{party.code}/act/?seat=1",
        sent | {"request": "r" * 16},
        headers=FROM_SCRIPT,
    )
    assert "paused" not in answer.content.decode()


def test_moves_of_bots_do_not_end_a_pause() -> None:
    party = sit_down(level=TINY)
    pause(party)
    from sheets.tables.event_store import Row, store_entries

    table = party.access().table
    row = Row(table.length + 1, {"do": "here", "player": 0}, None, None)
    assert store_entries(table, [row], table.touched)
    assert party.access().table.is_paused


def test_only_players_pause_and_only_a_running_game() -> None:
    party = sit_down(level=TINY)
    path = f"/table/{party.code}/pause/"
    assert Client().post(path, {"pause": "yes"}).status_code == 403
    assert client_of(party).post(path, {"pause": "perhaps"}).status_code == 400
    assert "Pause the game" not in words(Client(), path)
    with pytest.raises(NotYours):
        acts.pause(party.access(1), 0, True)
    play_on(party, Random(1), 99)
    with pytest.raises(Refused, match="nothing-to-pause"):
        pause(party)
    lobby = sit_down(level=TINY, start=False)
    page = client_of(lobby).get(f"/table/{lobby.code}/pause/")
    assert page.headers["Location"] == f"/table/{lobby.code}/"
    assert "Continue another day" not in words(
        client_of(finished_party()), f"/table/{finished_party().code}/"
    )
