"""Tests of the strengths of bots at a table, and of hard bots that compute in the background."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from datetime import timedelta
from itertools import cycle
from typing import Any

import pytest
from django.test import Client

from sheets.http import process_pool
from sheets.models import Seat
from sheets.rules import Action
from sheets.tables import acts, background_bots, seating
from sheets.tables.access import find_access
from sheets.tables.bots import STRENGTHS, strength_of
from sheets.tables.event_writer import play_on
from sheets.tables.family import family_of
from tests.app_dice import let_app_throw
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db

SHOWN = {"beginner": "Easy", "player": "Medium", "expert": "Hard"}
NOW = timedelta()


@pytest.fixture(autouse=True)
def every_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put every number into the pool, so that each player can place and no one rerolls."""
    numbers = cycle(range(1, 7))
    let_app_throw(monkeypatch, lambda: next(numbers))


def party_with(*bots: str, level: Any = TINY) -> Party:
    """Return a table of Ana against bots, at which she has rolled."""
    names = ("Ana", *("Bot" for _ in bots))
    party = sit_down(names, level, dice="rolled", start=False)
    for number, bot in enumerate(bots, start=1):
        seating.free_seat(party.access(), number)
        seating.seat_bot(party.access(), number, bot)
    acts.start(party.access())
    party.act("roll", by=0)
    return party


def place(party: Party, player: int = 0) -> None:
    """Place a die on any legal field."""
    die, fields = next((d, f) for d, f in party.game.legal().items() if f)
    party.act("place", player, fields[0], die=die)


def names(party: Party) -> list[tuple[str, str]]:
    return [(seat.name, seat.bot) for seat in party.access().all_seats]


# Who sits there ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", [("expert",), ("expert", "beginner", "player")])
def test_tabs_show_the_strength_of_bots(bots: tuple[str, ...]) -> None:
    party = party_with(*bots)
    client = client_of(party)
    for more in ("", "screen/"):
        page = client.get(f"/table/{party.code}/{more}").content.decode()
        _, _, people = page.partition('id="_people"' if not more else 'class="screen-sheets')
        people, _, _ = people.partition("</nav>" if not more else 'class="screen-below')
        assert re.findall(r">(Easy|Medium|Hard)</", people) == [SHOWN[bot] for bot in bots]


def test_dice2_shows_the_strength_of_bots_next_to_their_names() -> None:
    party = sit_down_for("major", dice="rolled")
    Seat.objects.filter(number=1).update(bot="expert", token_digest="")
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert re.findall(r'class="person-strength">(\w+)<', page) == ["Hard"]


def test_bots_stored_under_old_names_play_as_medium() -> None:
    assert strength_of("greedy") == "player"
    party = party_with("expert")
    Seat.objects.filter(table__code=party.code, number=1).update(bot="greedy")
    length = party.access().table.length
    place(party)
    assert party.access().table.length > length + 1  # the bot has answered
    page = client_of(party).get(f"/table/{party.code}/seats/").content.decode()
    assert "Bot 2 (medium)" in page


@pytest.mark.parametrize("family", ["dizzle", "dice2"])
def test_host_chooses_for_each_seat_until_the_game_begins(family: str) -> None:
    if family == "dizzle":
        party = sit_down(("Ana", "Ben", "Cem"), TINY, dice="rolled", start=False)
    else:
        party = sit_down_for("major", ("Ana", "Ben", "Cem"), dice="rolled", start=False)
    host, url = client_of(party), f"/table/{party.code}/"
    host.post(url + "free/", {"number": 2})
    for strength in STRENGTHS:
        sent = {"number": 2, "bot": strength}
        assert client_of(party, 1).post(url + "bot/", sent).status_code == 403
        assert host.post(url + "bot/", sent).status_code == 302
        assert names(party)[2] == ("Bot 3", strength)
        page = host.get(url).content.decode()
        assert f"Bot 3 ({SHOWN[strength].lower()})" in page
        assert page.count('aria-pressed="true"') == 1
    assert host.post(url + "bot/", {"number": 1, "bot": "expert"}).status_code == 409
    acts.start(party.access())
    assert host.post(url + "bot/", {"number": 2, "bot": "player"}).status_code == 409
    assert "Bot 3 (hard)" in host.get(url + "seats/").content.decode()


def test_lobby_describes_the_bots_in_the_readers_language() -> None:
    party = sit_down(("Ana", "Ben"), TINY, dice="rolled", start=False)
    seating.free_seat(party.access(), 1)
    page = client_of(party, language="de").get(f"/table/{party.code}/").content.decode()
    for words in ("Leicht", "denkt einen Zug voraus", "Schwer"):
        assert words in page


@pytest.mark.parametrize(
    ("url", "sent", "bots"),
    [
        ("/table/new/", {"level": "level-1", "players": "3"}, ["Bot 2", "Bot 3"]),
        ("/dice2/", {"game": "four-wins", "players": "2"}, ["Bot 2"]),
    ],
)
def test_a_lone_player_starts_against_bots_at_once(
    url: str, sent: dict[str, str], bots: list[str]
) -> None:
    client = Client()
    chosen = sent | {"dice": "rolled", "bots": "beginner", "name": "Ana"}
    made = client.post(url, chosen)
    table = find_access(made["Location"].split("/")[2])
    assert [(s.name, s.bot) for s in table.all_seats[1:]] == [(bot, "beginner") for bot in bots]
    assert table.table.has_started
    # Without the app's dice nobody but people can sit there.
    typed = find_access(client.post(url, chosen | {"dice": "typed"})["Location"].split("/")[2])
    assert len(typed.free) == len(bots)
    assert not typed.table.has_started


def test_link_on_the_start_page_preselects_bots() -> None:
    assert "/table/new/?bots=player" in Client().get("/").content.decode()
    page = Client().get("/table/new/?bots=player").content.decode()
    for chosen in ('name="bots" value="player" checked', 'name="dice" value="rolled" checked'):
        assert chosen in page


def test_results_show_the_strength_of_bots() -> None:
    party = finished_party("Ana", "Bot 2")
    Seat.objects.filter(table__code=party.code, number=1).update(token_digest="", bot="expert")
    for page in ("", "history/"):
        shown = unmarked(client_of(party).get(f"/table/{party.code}/{page}"))
        assert "Bot 2 (hard)" in shown


def test_results_of_dice2_show_the_strength_of_bots() -> None:
    party = sit_down_for("major", ("Ana", "Bot 2"))
    party.play_on()
    assert party.game.is_finished
    Seat.objects.filter(table__code=party.code, number=1).update(token_digest="", bot="beginner")
    for page, before in (("", 'id="_verdict"'), ("history/", "<h1")):
        shown = unmarked(client_of(party).get(f"/table/{party.code}/{page}"))
        assert "Bot 2 (easy)" in shown.split(before)[1][:1500]


# While a hard bot thinks --------------------------------------------------------------------------


def test_hard_bot_decides_after_the_act_is_stored_and_the_page_says_so() -> None:
    party = party_with("expert")
    place(party)
    length = party.access().table.length
    assert party.game.player == 1
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert "Bot 2 is thinking …" in page
    assert play_on(party.code, NOW) is None
    assert party.access().table.length == length + 1
    assert party.game.player == 0


def test_hard_bot_draws_all_its_tracks_at_once() -> None:
    """But not those of other players, whose bots draw automatically."""
    rails = {"marks": "tracks", "grid": ["1 2 3 4 5 6 1 2"] * 4, "tracks": {"c2": "ES"}}
    party = party_with("expert", level=TINY | rails)
    while party.game.phase != "marking":
        if party.game.player == 1:
            play_on(party.code, NOW)
        elif any(party.game.legal().values()):
            place(party)
        else:
            party.act("drop", 0)
    owed, length = party.game.owed, party.access().table.length
    assert owed[1].bit_count() > 1
    play_on(party.code, NOW)
    assert party.game.owed == (owed[0], 0)
    assert party.access().table.length == length + owed[1].bit_count()


@pytest.mark.parametrize("game", ["four-wins", "last-man"])
def test_hard_bot_plays_dice2(game: str) -> None:
    party = sit_down_for(game, ("Ana", "Ben"), dice="rolled", start=False)
    seating.free_seat(party.access(), 1)
    seating.seat_bot(party.access(), 1, "expert")
    acts.start(party.access())
    party.act("place", 0, "e5")
    length = party.access().table.length
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert "Bot 2 is thinking …" in page
    assert play_on(party.code, NOW) is None
    assert party.access().table.length == length + 2  # its die, and the next one thrown


@pytest.mark.parametrize("is_done_anew", [False, True])
def test_a_bots_decision_is_discarded_after_an_undo(
    monkeypatch: pytest.MonkeyPatch, is_done_anew: bool
) -> None:
    party = party_with("expert")
    place(party)
    decide = background_bots.decide

    def meanwhile(*asked: Any) -> Sequence[Action]:
        acts.undo(party.access(), 0)
        if is_done_anew:
            place(party)
        return decide(*asked)

    monkeypatch.setattr(background_bots, "decide", meanwhile)
    play_on(party.code, NOW)
    assert party.game.player == int(is_done_anew)
    assert not party.game.sheets[1].dice


@pytest.mark.postgresql
def test_only_one_of_two_servers_makes_the_bots_move(monkeypatch: pytest.MonkeyPatch) -> None:
    party = party_with("expert")
    place(party)
    length, decide = party.access().table.length, background_bots.decide

    def meanwhile(*asked: Any) -> Sequence[Action]:
        monkeypatch.setattr(background_bots, "decide", decide)
        play_on(party.code, NOW)
        return decide(*asked)

    monkeypatch.setattr(background_bots, "decide", meanwhile)
    play_on(party.code, NOW)
    assert party.access().table.length == length + 1


def test_renaming_a_player_keeps_the_bots_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    party = party_with("expert")
    place(party)
    decide = background_bots.decide

    def meanwhile(*asked: Any) -> Sequence[Action]:
        seating.rename(party.access(), 0, "Anna")
        return decide(*asked)

    monkeypatch.setattr(background_bots, "decide", meanwhile)
    play_on(party.code, NOW)
    assert party.game.player == 0
    assert party.game.sheets[1].dice


def test_a_request_that_only_reads_waits_for_the_other_server() -> None:
    party = party_with("expert")
    place(party)
    length = party.access().table.length
    left = play_on(party.code, background_bots.PATIENCE)
    assert left is not None
    assert NOW < left <= background_bots.PATIENCE
    assert party.access().table.length == length


def think_for_ever(*_asked: Any) -> bytes:
    time.sleep(999)
    return b""


def test_hard_bot_without_an_answer_in_time_plays_like_a_medium_one(
    monkeypatch: pytest.MonkeyPatch, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.DRAWING_PROCESSES = 1
    monkeypatch.setattr(background_bots, "_rest", background_bots.Rest())
    pool = process_pool.TaskPool(1)
    monkeypatch.setattr(process_pool, "pool", lambda _count: pool)
    monkeypatch.setattr(
        background_bots, "BOT_MOVES", background_bots.BOT_MOVES._replace(time_limit_seconds=0.2)
    )
    monkeypatch.setattr(background_bots, "think_as_json", think_for_ever)
    party = party_with("expert")
    place(party)
    before = party.game
    play_on(party.code, NOW)
    assert party.game.sheets[1].dice
    assert "did not finish" in caplog.text
    # On a busy machine hard bots pause, as players would wait in vain for each move.
    for until, words in [(background_bots._rest.until, 0), (0.0, 1)]:
        caplog.clear()
        background_bots._rest.until = until
        (action,) = background_bots.decide(family_of(party.access().table), before, 1)
        assert before.apply(action) != before
        assert len(caplog.records) == words
    pool.close()
