"""Personal records on result pages, for each way in which a game is added to a group."""

from __future__ import annotations

import html

import pytest
from django.test import Client
from django.urls import reverse

from sheets.access.keys import Access
from sheets.groups import game_store, store
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.models import Group, GroupGame
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.scoring.score_view import score
from tests.groups.bot_games import add_bot_game, evening_on, play_bots
from tests.groups.played_games import create_scoring
from tests.page_text import unmarked
from tests.table_games import Party, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


def create_group(client: Client) -> Access[Group]:
    """Create a group on this device in which Ana had at most 3 points on the butterfly."""
    url = client.post("/groups/new/", {"name": "Family"}).headers["Location"]
    client.get(url)
    access = store.find(url.split("/")[2])
    old = [
        PaperGame(evening_on(2020, 1, day).date(), "Butterfly", (("Ana", 3),))
        for day in range(1, 5)
    ]
    enter(access, old)
    return access


def record_sentence(total: int) -> str:
    return f"The best that Ana ever had on “Butterfly”: {total}, after 3."


def page_of(client: Client, path: str) -> str:
    return " ".join(html.unescape(unmarked(client.get(path))).split())


@pytest.mark.postgresql
def test_a_result_opened_for_the_group_shows_the_record_at_once(client: Client) -> None:
    access = create_group(client)
    game = play_bots("level-1", 2, 1)
    key = scoring_store.create(game.level, ["Ana", "Ben"])
    scoring = scoring_store.find(key)
    game_store.add_game(access, scoring.resource)
    for sheet, of_it in zip(scoring.resource.sheets.all(), game.sheets, strict=True):
        for at in game.level.names(of_it.crosses & ~game.level.printed):
            sheet.marks.create(at=at, value="cross")
        scoring_store.confirm_blank(scoring, sheet.number)
    total = score(scoring.resource).result.scores[0].total
    assert record_sentence(total) in page_of(client, f"/score/{key}/")
    assert not GroupGame.objects.get(scoring=scoring.resource).is_open
    assert "ever had" not in page_of(Client(), f"/score/{key}/")


def test_a_result_added_by_one_tap_shows_the_record_in_place(client: Client) -> None:
    access = create_group(client)
    key, scoring = create_scoring({"Ana": 30, "Ben": 3})
    assert "ever had" not in page_of(client, f"/score/{key}/")
    assert 'name="back"' in page_of(client, f"/score/{key}/")
    sent = {"group": access.key, "back": "on"}
    there = client.post(f"/groups/keep/score/{key}/", sent).headers["Location"]
    assert there == f"/score/{key}/"
    total = score(scoring).result.scores[0].total
    assert record_sentence(total) in page_of(client, there)
    # The record stays on this result after later games.
    add_bot_game(access, ("Ana", "Ben"), 5)
    enter(
        access,
        [
            PaperGame(evening_on(2100, 1, 1).date(), "Butterfly", (("Ana", most),))
            for most in (4, 99)
        ],
    )
    assert record_sentence(total) in page_of(client, there)


def create_finished_party(*names: str) -> Party:
    return finished_party(*names, level="level-1")


def test_a_finished_table_shows_the_record() -> None:
    party = create_finished_party("Ana", "Ben")
    ana = client_of(party)
    access = create_group(ana)
    assert "ever had" not in page_of(ana, f"/table/{party.code}/")
    sent = {"group": access.key, "back": "on"}
    there = ana.post(f"/groups/keep/table/{party.code}/", sent).headers["Location"]
    assert there == f"/table/{party.code}/"
    total = party.game.scores()[0].total
    assert total > 3
    assert record_sentence(total) in page_of(ana, there)


def test_a_finished_table_opened_for_the_group_shows_the_record() -> None:
    party = create_finished_party("Ana", "Ben")
    ana = client_of(party)
    access = create_group(ana)
    waiting = sit_down(("Ana", "Ben"), level="level-1")
    game = game_store.add_game(access, waiting.access().table)
    assert game.is_open
    # The game has ended meanwhile: its log is a copy of the other one's.
    GroupGame.objects.filter(pk=game.pk).update(table=party.access().table)
    assert record_sentence(party.game.scores()[0].total) in page_of(ana, f"/table/{party.code}/")


def test_a_tally_has_no_level_and_shows_no_record(client: Client) -> None:
    access = create_group(client)
    typed = {"players": "2", "p0-name": "Ana", "p0-crosses": "9", "p1-nothing": "on"}
    for more in range(6):
        key = tally_store.create({**typed, "arrows": str(9 + more), "p0-lines_0": "on"})
        kept = game_store.add_game(access, tally_store.find(key).resource)
        assert kept.results.get(seat=0).total == 9 + more
    page = page_of(client, reverse("tally-results", args=[key]))
    assert "Saved in Family" in page
    assert "ever had" not in page
