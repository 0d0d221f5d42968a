"""The pages of tables that play Dice²: with and without script, refusals, files, screen and log."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.tables import reading, seating
from sheets.tables.access import find_access
from tests.dice2_tables import DiceParty, sit_down_for
from tests.tables.table_clients import client_of
from tests.web.test_weight import LIMIT_BYTES, weigh

pytestmark = pytest.mark.django_db

JSON = {"accept": "application/json"}


def send(party: DiceParty, player: int, **what: Any) -> Any:
    """What the page of a player gets for an act sent by its script."""
    moment = party.loaded.state.moment
    sent: dict[str, Any] = {"do": "place", "player": player, "moment": moment, **what}
    client = client_of(party, player)
    return client.post(f"/table/{party.code}/act/", sent, headers=JSON)


def page(party: DiceParty, player: int = 0, query: str = "", language: str = "en") -> str:
    """The table's page as a player sees it."""
    answer = client_of(party, player, language).get(f"/table/{party.code}/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("game", ["square", "four-wins", "last-man", "major", "relay"])
def test_table_for_each_game_can_be_opened(client: Client, game: str) -> None:
    assert client.get(f"/dice2/?game={game}").status_code == 200
    sent = {"game": game, "dice": "typed", "players": "2", "target": "7", "name": "Ana"}
    answer = client.post("/dice2/", sent)
    assert answer.status_code == 302
    table = find_access(answer.url.split("/")[2]).table
    assert (table.game, table.target) == (game, 7 if game == "relay" else 0)
    assert client.get(answer.url).status_code == 200


def test_malformed_table_is_not_opened(client: Client) -> None:
    for sent in ({}, {"game": "chess", "dice": "typed"}, {"game": "square", "dice": "table"}):
        assert client.post("/dice2/", sent).status_code == 400


def test_number_and_field_place_a_die() -> None:
    party = sit_down_for("four-wins")
    answer = send(party, 0, die=3, at="e5")
    assert answer.status_code == 200
    assert 'data-die="e5"' in answer.json()["parts"]["_board"]
    assert answer.json()["moment"] == party.loaded.state.moment


def test_refusal_names_the_rule_and_the_die_in_the_way() -> None:
    party = sit_down_for("four-wins")
    send(party, 0, die=3, at="e5")
    answer = send(party, 1, die=2, at="f5")
    assert answer.status_code == 422
    refusal = answer.json()["refusal"]
    assert (refusal["rule"], refusal["at"], refusal["by"]) == ("row-order", "f5", "e5")
    assert refusal["url"].endswith("#row-order")
    assert "the 3 on e5" in refusal["sentence"]


def test_field_without_a_number_asks_for_it() -> None:
    party = sit_down_for("four-wins")
    answer = send(party, 0, at="e5")
    assert answer.status_code == 422
    assert party.game.game.board.is_empty


def test_number_that_fits_nowhere_offers_the_skip() -> None:
    party = sit_down_for("last-man")
    for at in ("e5", "d5", "e4", "d4", "e3", "d3", "e2", "d2"):
        party.act("place", party.game.player or 0, at, die=6)
    text = page(party)
    assert 'id="die-3"' in text
    legal = party.game.game.legal()
    assert sorted({bool(fields) for fields in legal.values()}) == [False, True]
    for die in range(1, 7):
        assert (f"skips-{die}" in text) == (not legal[die])


def test_app_throws_and_offers_only_what_fits() -> None:
    party = sit_down_for("four-wins", dice="rolled")
    thrown = party.game.thrown
    text = page(party)
    assert f"place the {thrown}" in text
    assert 'id="die-3"' not in text
    # A number somebody sends along changes nothing.
    send(party, 0, die=thrown % 6 + 1, at="e5")
    assert party.game.game.board.numbers[40] == thrown


def test_why_a_field_takes_no_other_numbers_is_told_on_asking() -> None:
    party = sit_down_for("four-wins")
    send(party, 0, die=3, at="e5")
    assert "f5 takes 3 to 6: left of it lies the 3 on e5." in page(party, 1, "?why=f5")
    send(party, 1, die=3, at="f5")
    send(party, 0, die=4, at="f6")
    assert "e6 takes 3 or 4: right of it lies the 4 on f6, above it lies the 3 on e5." in page(
        party, 0, "?why=e6"
    )
    assert "too far away" in page(party, 0, "?why=a1")
    assert 'class="alert field-answer"' not in page(party, 0, "?why=zz")


def test_field_asked_about_is_marked_with_the_dice_in_its_way() -> None:
    party = sit_down_for("four-wins")
    for at, die in (("e5", 3), ("f5", 3), ("f6", 4)):
        party.act("place", party.game.player or 0, at, die=die)
    text = page(party, 1, "?why=e6")
    assert 'class="art-field asked" data-field="e6"' in text
    assert re.findall(r'class="die in-the-way" data-die="(\w+)"', text) == ["e5", "f6"]
    assert "in-the-way" not in page(party, 1, "?why=a1")
    assert "asked" not in page(party, 1)


def test_without_script_the_question_mark_leads_to_the_answer() -> None:
    party = sit_down_for("four-wins")
    answer = client_of(party).post(f"/table/{party.code}/act/", {"die": "why", "at": "e5"})
    assert answer.status_code == 302
    assert answer.url.endswith("?why=e5")


def test_without_script_an_act_leads_back_to_the_table() -> None:
    party = sit_down_for("four-wins")
    sent = {"do": "place", "player": 0, "die": 3, "at": "e5",
            "moment": party.loaded.state.moment}  # fmt: skip
    assert client_of(party).post(f"/table/{party.code}/act/", sent).status_code == 302
    assert party.game.player == 1


@pytest.mark.parametrize(
    "sent",
    [{"do": "roll"}, {"do": "tap", "at": "e5"}, {"do": "place", "at": "e5", "die": "9"},
     {"do": "begin", "shape": "NS"}, {"do": "begin", "shape": "square"}, {"do": "throw", "die": 3},
     {"do": "place", "at": "5e", "die": 3}],
)  # fmt: skip
def test_acts_of_other_games_are_malformed(sent: dict[str, Any]) -> None:
    party = sit_down_for("relay", target=5)
    assert send(party, 0, **sent).status_code == 400


def test_dizzle_tables_know_no_skip(client: Client) -> None:
    from tests.table_games import sit_down

    party = sit_down()
    sent = {"do": "skip", "player": 0, "die": 3, "moment": party.loaded.state.moment}
    assert client_of(party).post(f"/table/{party.code}/act/", sent).status_code == 400


def test_stranger_sees_the_board_and_may_do_nothing(client: Client) -> None:
    party = sit_down_for("four-wins")
    assert client.get(f"/table/{party.code}/").status_code == 200
    sent = {"do": "place", "player": 0, "die": 3, "at": "e5",
            "moment": party.loaded.state.moment}  # fmt: skip
    assert client.post(f"/table/{party.code}/act/", sent).status_code == 403


def test_what_belongs_to_sheets_is_not_there() -> None:
    party = sit_down_for("four-wins")
    for name in ("sheets.json", "sheets.pdf", "0.png", "results/now/"):
        assert client_of(party).get(f"/table/{party.code}/{name}").status_code == 404


@pytest.mark.parametrize("game", ["square", "last-man", "relay"])
def test_log_screen_and_steps_can_be_looked_at(game: str) -> None:
    party = sit_down_for(game, dice="rolled", target=5)
    if game == "relay":
        assert client_of(party).get(f"/table/{party.code}/screen/").status_code == 200
        party.act("begin", 0, shape="four-wins")
    party.play_on(games=1)
    client = client_of(party)
    for name in ("screen/", "log/", "history/", "history/?at=3", "history/?at=9999", ""):
        assert client.get(f"/table/{party.code}/{name}").status_code == 200
    log = client.get(f"/table/{party.code}/log/").content.decode()
    assert "throws" in log
    assert "the die on" in log
    assert client.get("/").status_code == 200


def test_log_of_somebody_alone_speaks_of_nobody_else() -> None:
    alone, two = sit_down_for("square"), sit_down_for("four-wins")
    for party, is_alone in ((alone, True), (two, False)):
        party.act("place", 0, "e5", die=3)
        log = client_of(party).get(f"/table/{party.code}/log/?before=1").content.decode()
        assert ("you go back to before an act" in log) == is_alone
        for words in ("propose to the others", "All who sit at the table", "Propose it"):
            assert (words in log) != is_alone


def test_big_screen_says_who_starts_the_relays_next_game(client: Client) -> None:
    party = sit_down_for("relay", target=5)
    party.act("begin", 0, shape="last-man")
    assert "starts the next game" not in client.get(f"/table/{party.code}/screen/").content.decode()
    party.play_on(games=1)
    name = party.game.players[party.game.relay.next_starter or 0]
    text = client.get(f"/table/{party.code}/screen/").content.decode()
    assert f"{name} starts the next game." in text


@pytest.mark.parametrize(("game", "is_said"), [("last-man", True), ("square", False)])
def test_who_starts_when_all_play_again_is_said(game: str, is_said: bool) -> None:
    party = sit_down_for(game)
    party.play_on()
    assert ("Ben starts the next game." in page(party)) == is_said
    assert ("starts the next game" in page(party)) == is_said
    if is_said:
        assert "Ben starts the next game." in page(party, 1)


def test_relay_shows_points_and_who_starts_next() -> None:
    party = sit_down_for("relay", target=5, has_handicap=True)
    assert "Who starts?" in page(party)
    party.act("begin", 0, shape="last-man")
    party.play_on(games=1)
    relay = party.game.relay
    assert relay
    text = page(party)
    assert f"{party.game.players[relay.next_starter or 0]} starts." in text
    assert "Last Man Dice" in text
    assert "Who starts?" not in text


@pytest.mark.parametrize("game", ["four-wins", "relay"])
def test_table_can_be_taken_along_and_gone_on_with(game: str) -> None:
    party = sit_down_for(game, target=5)
    if game == "relay":
        party.act("begin", 1, by=0, shape="last-man")
        party.play_on(games=1)
        party.act("begin", party.game.relay.next_starter or 0, by=0, shape="four-wins")
    party.act("place", party.game.player or 0, "e5", die=3)
    text = client_of(party).get(f"/table/{party.code}/game.json").content
    client = Client()
    file = SimpleUploadedFile("game.json", text, "application/json")
    answer = client.post("/open/", {"document": file})
    assert answer.status_code == 302
    access = find_access(answer.url.split("/")[2])
    again = reading.load(access).state.game
    assert again.players == party.game.players
    assert again.game == party.game.game
    assert again.relay == party.game.relay
    assert client.get(answer.url).status_code == 200
    assert client.get(f"/table/{access.table.code}/game.json").content == text


def test_file_that_breaks_a_rule_is_not_opened(client: Client) -> None:
    act = {"do": "place", "player": 0, "die": 3, "at": "a1"}
    game = {"format": "dice2-game/1", "game": "four-wins", "players": ["Ana", "Ben"],
            "actions": [act]}  # fmt: skip
    answer = client.post("/open/", {"text": json.dumps(game)})
    assert answer.status_code == 400
    assert "e5" in answer.content.decode()
    answer = client.post("/open/", {"text": json.dumps(game | {"game": "chess"})})
    assert answer.status_code == 400


def test_page_is_small_enough_for_a_phone_with_one_bar() -> None:
    party = sit_down_for("major", ("Ana", "Ben", "Cem"), dice="rolled")
    party.play_on()
    parts = weigh(client_of(party), f"/table/{party.code}/")
    assert sum(parts.values()) < LIMIT_BYTES, parts


def test_host_moves_for_an_empty_seat_on_the_page() -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, "e5", die=3)
    seating.free_seat(party.access(1), 1)
    assert "Move for Ben" in page(party)
    assert "Ben" in page(party, language="de")


def test_a_relay_with_the_wrong_start_player_is_refused_by_its_game(client: Client) -> None:
    party = sit_down_for("relay", target=5)
    party.act("begin", 0, shape="four-wins")
    party.play_on(games=1)
    document = client_of(party).get(f"/table/{party.code}/game.json").json()
    wrong = 1 - party.game.relay.next_starter
    document["games"].append({"game": "last-man", "starter": wrong, "actions": []})
    answer = client.post("/open/", {"text": json.dumps(document)})
    assert answer.status_code == 400
    assert "This breaks a rule (game 2): The next game is started by" in answer.content.decode()


def test_stepping_through_a_relay_begins_at_the_empty_board_of_its_first_game() -> None:
    party = sit_down_for("relay", ("Ana", "Ben", "Cem"), target=5)
    party.act("begin", 1, by=0, shape="major")
    party.act("place", 1, "e5", die=3)
    text = client_of(party, 0).get(f"/table/{party.code}/history/?at=0").content.decode()
    assert "fields-9 with-markers" in text
    assert 'data-field="a1"' in text
    assert "data-die=" not in text


def test_solo_square_dice_has_nobody_to_wait_for(client: Client) -> None:
    sent = {"game": "square", "dice": "typed", "name": "Ana"}
    answer = client.post("/dice2/", sent, follow=True)
    assert 'id="tap"' in answer.content.decode()


@pytest.mark.parametrize(
    ("dice", "words"), [("typed", "real dice"), ("rolled", "dice thrown by the app")]
)
def test_lobby_calls_the_dice_what_the_start_called_them(dice: str, words: str) -> None:
    party = sit_down_for("four-wins", ("Ana", ""), dice=dice, start=False)
    text = page(party)
    assert words in text
    assert "dice typed in" not in text
