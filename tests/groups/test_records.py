"""Personal records on result pages, for each way in which a game is added to a group."""

from __future__ import annotations

import html

import pytest
from django.test import Client
from django.urls import reverse

from sheets.access.keys import Access
from sheets.groups import keeping, store
from sheets.groups.entering import Entered, enter
from sheets.models import Group, GroupGame
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.scoring.score_view import score
from tests.groups.bot_games import keep_game, on, played
from tests.groups.played_games import scored
from tests.table_games import Party, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


def group_of(client: Client) -> Access[Group]:
    """A group that this device has, where Ana had at most 3 points on the butterfly."""
    url = client.post("/groups/new/", {"name": "Family"}).headers["Location"]
    client.get(url)
    access = store.find(url.split("/")[2])
    old = [Entered(on(2020, 1, day).date(), "Butterfly", (("Ana", 3),)) for day in range(1, 5)]
    enter(access, old)
    return access


def told(total: int) -> str:
    return f"The best that Ana ever had on “Butterfly”: {total}, after 3."


def page_of(client: Client, path: str) -> str:
    return " ".join(html.unescape(client.get(path).content.decode()).split())


@pytest.mark.postgresql
def test_a_result_that_was_opened_for_the_group_says_so_at_once(client: Client) -> None:
    access = group_of(client)
    game = played("level-1", 2, 1)
    key = scoring_store.create(game.level, ["Ana", "Ben"])
    scoring = scoring_store.find(key)
    keeping.keep(access, scoring.thing)
    for sheet, of_it in zip(scoring.thing.sheets.all(), game.sheets, strict=True):
        for at in game.level.names(of_it.crosses & ~game.level.printed):
            sheet.marks.create(at=at, value="cross")
        scoring_store.say_blank(scoring, sheet.number)
    total = score(scoring.thing).result.scores[0].total
    assert told(total) in page_of(client, f"/score/{key}/")
    assert not GroupGame.objects.get(scoring=scoring.thing).is_open
    assert "ever had" not in page_of(Client(), f"/score/{key}/")


def test_a_result_that_is_kept_by_one_tap_says_so_where_it_stands(client: Client) -> None:
    access = group_of(client)
    key, scoring = scored({"Ana": 30, "Ben": 3})
    assert "ever had" not in page_of(client, f"/score/{key}/")
    assert 'name="back"' in page_of(client, f"/score/{key}/")
    sent = {"group": access.key, "back": "on"}
    there = client.post(f"/groups/keep/score/{key}/", sent).headers["Location"]
    assert there == f"/score/{key}/"
    total = score(scoring).result.scores[0].total
    assert told(total) in page_of(client, there)
    # It was so then, whatever is played later.
    keep_game(access, ("Ana", "Ben"), 5)
    enter(
        access, [Entered(on(2100, 1, 1).date(), "Butterfly", (("Ana", most),)) for most in (4, 99)]
    )
    assert told(total) in page_of(client, there)


def finished(*names: str) -> Party:
    return finished_party(*names, level="level-1")


def test_a_table_says_so_when_it_is_over() -> None:
    party = finished("Ana", "Ben")
    ana = client_of(party)
    access = group_of(ana)
    assert "ever had" not in page_of(ana, f"/table/{party.code}/")
    sent = {"group": access.key, "back": "on"}
    there = ana.post(f"/groups/keep/table/{party.code}/", sent).headers["Location"]
    assert there == f"/table/{party.code}/"
    total = party.game.scores()[0].total
    assert total > 3
    assert told(total) in page_of(ana, there)


def test_a_table_that_was_opened_for_the_group_says_so_when_it_is_over() -> None:
    party = finished("Ana", "Ben")
    ana = client_of(party)
    access = group_of(ana)
    waiting = sit_down(("Ana", "Ben"), level="level-1")
    game = keeping.keep(access, waiting.access().table)
    assert game.is_open
    # It has come to an end since: its log is that of the other one.
    GroupGame.objects.filter(pk=game.pk).update(table=party.access().table)
    assert told(party.game.scores()[0].total) in page_of(ana, f"/table/{party.code}/")


def test_a_tally_knows_no_level_and_says_nothing(client: Client) -> None:
    access = group_of(client)
    typed = {"players": "2", "p0-name": "Ana", "p0-crosses": "9", "p1-nothing": "on"}
    for more in range(6):
        key = tally_store.create({**typed, "arrows": str(9 + more), "p0-lines_0": "on"})
        kept = keeping.keep(access, tally_store.find(key).thing)
        assert kept.results.get(seat=0).total == 9 + more
    page = page_of(client, reverse("tally-results", args=[key]))
    assert "Saved in Family" in page
    assert "ever had" not in page
