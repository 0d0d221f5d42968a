"""Pages of groups: create, add a game with one tap, show, edit with permission, delete."""

from __future__ import annotations

import html
import json
import re
from datetime import date, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client, override_settings

from sheets.access.keys import DEVICE_COOKIE
from sheets.groups import game_store, paper_games_import, store
from sheets.groups.game_results import level_digest
from sheets.groups.game_titles import title_of
from sheets.groups.paper_games_import import PaperGame
from sheets.levels import find_level
from sheets.models import Evening, Group, GroupGame, GroupPlayer
from tests.dice2_tables import sit_down_for
from tests.groups.page_parsers import tonight
from tests.groups.played_games import create_scoring
from tests.page_text import unmarked
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


def create_group(client: Client, name: str = "Family") -> str:
    answer = client.post("/groups/new/", {"name": name})
    url = answer.headers["Location"]
    assert client.get(url).status_code == 200
    return str(url)


def test_a_new_group_is_listed_on_the_home_page(client: Client) -> None:
    url = create_group(client, "Fam‮ily")
    for path in ("/", "/my/"):
        page = client.get(path).content.decode()
        assert f'href="{url}"' in page
        assert "Fam ily" in page
    assert url not in Client().get("/").content.decode()


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_a_group_needs_a_name(client: Client, name: str) -> None:
    assert client.post("/groups/new/", {"name": name}).status_code == 400
    assert Group.objects.count() == 0


def test_a_result_is_added_by_one_tap(client: Client) -> None:
    url = create_group(client)
    key, _scoring = create_scoring({"Ana": 30, "Ben": 3})
    page = unmarked(client.get(f"/score/{key}/"))
    assert "Add to Family" in page
    sent = {"group": url.split("/")[2]}
    for _twice in range(2):
        assert client.post(f"/groups/keep/score/{key}/", sent).headers["Location"] == url
    assert "Saved in Family" in unmarked(client.get(f"/score/{key}/"))
    page = unmarked(client.get(url))
    assert page.count('class="did won"') == 1
    assert "Ana" in page
    assert "leads with 1 win in 1 game." in page


@pytest.mark.parametrize("kind", ["score", "table"])
def test_result_that_was_typed_into_the_group_is_not_offered_again(kind: str) -> None:
    party = finished_party("Ana", "Ben")
    name, source = party.code, party.access().table
    if kind == "score":
        name, source = create_scoring({"Ana": 30, "Ben": 3})
    client = client_of(party)
    access = store.find(create_group(client).split("/")[2])
    game, day = game_store.result_of_source(source), game_store.day_of(source)
    assert game
    assert day
    link = f"/groups/keep/{kind}/{name}/"

    def has_button(totals: tuple[tuple[str, int | None], ...], when: date) -> bool:
        paper_games_import.enter(access, [PaperGame(when, title_of(game), totals)])
        page = unmarked(client.get(f"/{kind}/{name}/"))
        assert ("Add to Family" in page) != ("Saved in Family" in page)
        return "Add to Family" in page

    totals = tuple((one.name, one.total) for one in game.results)
    assert has_button((("Ana", 1), ("Ben", 2)), day)
    assert has_button(totals, day - timedelta(1))
    assert not has_button(totals[::-1], day)
    assert "Saved in Family" in unmarked(client.get(link))
    client.post(link, {"group": access.key})
    assert GroupGame.objects.count() == 3


def test_a_group_is_created_with_a_result(client: Client) -> None:
    party = finished_party("Ana", "Ben")
    ana = client_of(party)
    link = f"/groups/keep/table/{party.code}/"
    assert link in ana.get(f"/table/{party.code}/").content.decode()
    answer = ana.post(link, {"name": "Club"}, follow=True)
    assert "Club</bdi></h1>" in answer.content.decode()
    assert answer.content.decode().count('class="did') == 2
    assert client.get("/groups/keep/table/ABC23/").status_code == 404
    assert client.get(f"/groups/keep/{'x' * 40}/y/").status_code == 404


def test_a_finished_game_of_dice2_can_be_added_to_a_group() -> None:
    party = sit_down_for("last-man")
    while not party.game.is_finished:
        sitting = party.game
        assert sitting.game
        legal = sitting.game.legal()
        die = next((die for die in range(1, 7) if legal[die]), 1)
        party.act("place", sitting.player or 0, next(iter(legal[die])), die=die)
    ana = client_of(party)
    link = f"/groups/keep/table/{party.code}/"
    assert link in unmarked(ana.get(f"/table/{party.code}/"))
    page = unmarked(ana.post(link, {"name": "Club"}, follow=True))
    assert "Dice²: " in page
    create_group(ana, "Family")
    page = unmarked(ana.get(f"/table/{party.code}/"))
    assert "Saved in Club" in page
    assert "Add to Family" in page
    assert "Saved in Club" in unmarked(ana.get(f"/table/{party.code}/"))


def test_a_relay_in_progress_can_be_added_to_a_group() -> None:
    party = sit_down_for("relay", target=5)
    ana = client_of(party)
    link = f"/groups/keep/table/{party.code}/"
    assert f'href="{link}"' in unmarked(ana.get(f"/table/{party.code}/"))
    page = unmarked(ana.post(link, {"name": "Club"}, follow=True))
    assert "<b>Dice²: Relay</b>" in page
    assert "Not finished yet" in page


@pytest.mark.postgresql
def test_games_are_opened_for_the_group_used_last(client: Client) -> None:
    first = create_group(client, "Family").split("/")[2]
    last = create_group(client, "Club").split("/")[2]
    for path in ("/score/new/level-1/", "/table/new/", "/dice2/"):
        page = unmarked(client.get(path))
        assert re.search(rf'<option value="{last}" selected>Club', page), path
        assert "Family" in page
        assert 'name="group"' not in unmarked(Client().get(path))
    client.post("/score/new/level-1/", {"count": 2, "group": first})
    client.post(
        "/table/new/",
        {"level": "level-1", "players": 2, "dice": "table", "name": "Ana", "group": first},
    )
    client.post("/dice2/", {"game": "four-wins", "players": 2, "dice": "typed", "group": first})
    assert [game.kind for game in GroupGame.objects.order_by("number")] == [
        "sheets",
        "table",
        "dice2",
    ]
    assert GroupGame.objects.filter(group__name="Family").count() == 3
    page = unmarked(client.get(f"/groups/{first}/"))
    assert "Not finished yet" in page
    assert "<b>Dice²: 4 Dice Wins</b>" in page
    # A game is opened for any sent group.
    assert client.post("/score/new/level-1/", {"count": 2, "group": "x"}).status_code == 302


def suggested_group(client: Client, path: str) -> str:
    """Return the name of the group that a page for a new game suggests."""
    found = re.search(r"<option[^>]* selected>([^<]+)", unmarked(client.get(path)))
    assert found
    return found[1]


def test_the_group_chosen_last_is_suggested_next(client: Client) -> None:
    first, last = (create_group(client, name) for name in ("Family", "Club"))
    paths = ("/score/new/level-1/", "/table/new/", "/dice2/")
    assert {suggested_group(client, path) for path in paths} == {"Club"}
    client.post("/score/new/level-1/", {"count": 2, "group": first.split("/")[2]})
    assert {suggested_group(client, path) for path in paths} == {"Family"}
    key, _scoring = create_scoring({"Ana": 30})
    client.post(f"/groups/keep/score/{key}/", {"group": last.split("/")[2]})
    assert {suggested_group(client, path) for path in paths} == {"Club"}
    client.post("/score/new/level-1/", {"count": 2, "group": ""})
    assert {suggested_group(client, path) for path in paths} == {"no group"}
    # Forms without a group, such as a rematch, do not change the suggestion.
    client.post("/score/new/level-1/", {"count": 2, "group": first.split("/")[2]})
    client.post("/score/new/level-1/", {"count": 2})
    assert {suggested_group(client, path) for path in paths} == {"Family"}


@pytest.mark.parametrize(
    ("to", "there", "path"),
    [("table-new", "/table/new/", "/table/new/"), ("score", "/score/", "/score/new/level-1/")],
)
def test_games_begun_on_a_group_s_page_are_its_games(
    client: Client, to: str, there: str, path: str
) -> None:
    url = create_group(client, "Family")
    create_group(client, "Club")
    page = unmarked(client.get(url))
    assert f'action="{url}play/"' in page
    assert re.search(rf'<button[^>]* name="to" value="{to}"', page)
    client.post("/score/new/level-1/", {"count": 2, "group": ""})
    assert client.post(f"{url}play/", {"to": to}).headers["Location"] == there
    assert suggested_group(client, path) == "Family"
    assert client.get(f"{url}play/").headers["Location"] == url
    assert client.post(f"{url}play/", {"to": "group-new"}).status_code == 400


def test_a_viewer_sees_everything_and_changes_nothing(client: Client) -> None:
    access = store.find(store.create("Family"))
    game_store.add_game(access, create_scoring({"Ana": 30, "Ben": 3})[1])
    page = client.get(f"/groups/{access.share_key}/").content.decode()
    assert "Ana" in page
    assert access.key not in page
    assert "Delete" not in page
    kept = str(list(GroupGame.objects.values())) + str(list(GroupPlayer.objects.values()))
    today = tonight()
    sent = {"do": "renew", "number": "1", "name": "Eve", "place": "x"}
    level = f"levels/{level_digest(find_level('level-1'))}/"
    for below in ("", "players/1/", level, f"year/{today.year}/", "?players=2"):
        answer = client.get(f"/groups/{access.share_key}/{below}")
        assert answer.status_code == 200, below
        main = answer.content.decode().partition("<main")[2].partition("</main")[0]
        assert 'method="post"' not in main, below
        assert access.key not in main, below
        assert not re.search(r'href="[^"]*/(delete|links|enter|evening)/', main), below
    editors = ("links/", "delete/", "players/", "players/1/delete/", "games/1/delete/", "enter/")
    for below in editors:
        url = f"/groups/{access.share_key}/{below}"
        assert client.get(url).status_code == client.post(url, sent).status_code == 403, below
    evening = f"/groups/{access.share_key}/evening/{today}/"
    page = client.get(evening).content.decode()
    assert "Ana" in page
    assert access.key not in page
    assert "Delete" not in page
    assert 'method="post"' not in page.partition("<main")[2].partition("</main")[0]
    assert client.post(evening, sent).status_code == 403
    key, _scoring = create_scoring({"Eve": 3})
    answer = client.post(f"/groups/keep/score/{key}/", {"group": access.share_key})
    assert answer.status_code == 400
    assert kept == str(list(GroupGame.objects.values())) + str(list(GroupPlayer.objects.values()))


def test_links_are_withdrawn(client: Client) -> None:
    url = create_group(client)
    access = store.find(url.split("/")[2])
    client.post(f"{url}links/", {"do": "unshare"})
    assert client.get(f"/groups/{access.share_key}/").status_code == 404
    new = client.post(f"{url}links/", {"do": "renew"}).headers["Location"]
    assert client.get(url).status_code == 404
    page = client.get(new).content.decode()
    assert "There is no link to view." in page
    assert client.post(new, {"do": "rename", "name": "Club"}).status_code == 302
    assert Group.objects.get().name == "Club"
    assert client.post(new, {"do": "rename", "name": ""}).status_code == 400
    assert client.post(new, {"do": "dance"}).status_code == 400
    assert new.replace("links/", "") in client.get("/").content.decode()


@pytest.mark.postgresql
def test_an_evening_has_a_place_and_a_note(client: Client) -> None:
    url = create_group(client)
    game_store.add_game(store.find(url.split("/")[2]), create_scoring({"Ana": 30})[1])
    day = f"{url}evening/{tonight()}/"
    assert client.post(day, {"place": "At Ben's", "note": "x" * 301}).status_code == 400
    assert client.post(day, {"place": "At Ben's", "note": "Cake"}).status_code == 302
    assert client.post(day, {"place": "At Ida's", "note": "Cake"}).status_code == 302
    assert Evening.objects.count() == 1
    page = client.get(url).content.decode()
    assert "At Ida&#x27;s" in page
    assert "Cake" in page
    assert "At Ida&#x27;s" in client.get(day).content.decode()
    assert client.get(f"{url}evening/2026-02-31/").status_code == 404


@pytest.mark.postgresql
def test_players_are_renamed_merged_separated_retired_and_forgotten(client: Client) -> None:
    url = create_group(client)
    for crosses in ({"Ana": 30}, {"Anna": 3, "Ben": 9}):
        game_store.add_game(store.find(url.split("/")[2]), create_scoring(crosses)[1])
    page = f"{url}players/"

    def act(**sent: object) -> int:
        return client.post(page, sent).status_code

    assert act(number=1, do="rename", name="Ida") == 302
    assert GroupPlayer.objects.get(number=1).name == "Ida"
    assert act(number=1, do="rename", name="x" * 41) == 400
    assert act(number=2, do="merge", into=1) == 302
    assert act(number=2, do="merge", into=3) == act(number=9, do="retire") == act(do="x") == 400
    assert "also Anna" in unmarked(client.get(page))
    assert act(number=2, do="apart") == 302
    answer = client.post(page, {"number": 2, "do": "merge", "into": 3})
    assert answer.status_code == 400
    assert "These two played in the same game" in unmarked(answer)
    assert act(number=3, do="retire") == 302
    assert "no longer plays" in unmarked(client.get(page))
    assert "Ben</bdi></a></span>" not in client.get(url).text
    assert act(number=3, do="return") == 302
    assert "Ben</bdi></a></span>" in client.get(url).text
    assert client.get(f"{page}1/delete/").status_code == 200
    client.post(f"{page}1/delete/")
    assert client.get(f"{page}1/delete/").status_code == 404
    assert "someone" in unmarked(client.get(url))


def test_a_taken_name_is_refused_and_the_two_players_can_be_merged(client: Client) -> None:
    url = create_group(client)
    group = store.find(url.split("/")[2])
    for crosses in ({"Ana": 30}, {"Ben": 3, "Ida": 9}):
        game_store.add_game(group, create_scoring(crosses)[1])
    page = f"{url}players/"
    answer = client.post(page, {"number": 2, "do": "rename", "name": "ana"})
    assert answer.status_code == 400
    said = unmarked(answer)
    assert "“ana” is somebody else here already." in said
    assert 'value="ana"' in said
    assert said.count("Ben and Ana are the same: merge them") == 1
    assert [one.name for one in group.resource.players.order_by("number")] == ["Ana", "Ben", "Ida"]
    # Players who have played with each other are different people.
    met = unmarked(client.post(page, {"number": 2, "do": "rename", "name": "Ida"}))
    assert "“Ida” is somebody else here already." in met
    assert "are the same: merge them" not in met
    into = re.search(r'name="into" value="(\d+)"', said)
    assert into
    sent = {"number": 2, "name": "ana", "into": into[1], "do": "merge"}
    assert client.post(page, sent).status_code == 302
    assert "also Ben" in unmarked(client.get(page))
    same = unmarked(client.post(page, {"number": 1, "do": "rename", "name": "Ben"}))
    assert "“Ben” is the same player already. Take the two apart first." in same
    assert "are the same: merge them" not in same


def test_a_game_and_a_group_are_deleted(client: Client) -> None:
    url = create_group(client)
    game_store.add_game(store.find(url.split("/")[2]), create_scoring({"Ana": 30})[1])
    day = client.get(f"{url}evening/{tonight()}/").content.decode()
    assert f'href="{url}games/1/delete/"' in day
    assert client.get(f"{url}games/1/delete/").status_code == 200
    client.post(f"{url}games/1/delete/")
    assert GroupGame.objects.count() == 0
    client.post(f"{url}delete/")
    assert client.get(url).status_code == 404
    assert Group.objects.count() == 0
    assert client.get("/groups/deleted/").status_code == 200


def test_a_phone_that_joins_by_the_link_has_the_group(client: Client) -> None:
    url = create_group(client)
    phone = Client()
    phone.get(url)
    assert DEVICE_COOKIE in phone.cookies
    assert f'href="{url}"' in phone.get("/").content.decode()


def test_a_record_is_shown_with_its_result(client: Client) -> None:
    url = create_group(client)
    access = store.find(url.split("/")[2])
    for count in (5, 9, 12, 7):
        game_store.add_game(access, create_scoring({"Ana": count, "Ben": 3})[1])
    for count, is_told in ((6, False), (60, True)):
        key, scoring = create_scoring({"Ana": count, "Ben": 2})
        game_store.add_game(access, scoring)
        page = unmarked(client.get(f"/score/{key}/"))
        assert ("The best that Ana ever had on “Butterfly”" in page) is is_told
        assert "The best that Ben" not in page
    assert "The best that Ana" not in unmarked(Client().get(f"/score/{key}/"))


def play_of(page: str) -> dict[str, Any]:
    """Return the play in the only link to BG Stats on a page."""
    link = re.search(r'href="(https://app\.bgstatsapp\.com/createPlay\.html\?[^"]+)"', page)
    assert link
    assert "+" not in link[1]
    play: dict[str, Any] = json.loads(parse_qs(urlsplit(html.unescape(link[1])).query)["data"][0])
    return play


def test_a_game_is_exported_to_bg_stats(client: Client) -> None:
    url = create_group(client)
    game = game_store.add_game(
        store.find(url.split("/")[2]), create_scoring({"Ana & Co": 30, "Ben": 3})[1]
    )
    day = f"{url}evening/{game.evening}/"
    play = play_of(client.get(day).content.decode())
    first, second = play["players"]
    assert (first["name"], first["winner"], first["rank"]) == ("Ana & Co", True, 1)
    assert int(first["score"]) > int(second["score"])
    assert play["playDate"] == f"{game.played:%Y-%m-%d %H:%M:%S}"
    assert (play["game"]["name"], play["board"]) == ("Dizzle", "Butterfly")
    assert "bggId" not in play["game"]
    assert play == play_of(client.get(day).content.decode())
    # Equal numbers of another installation's database are other games and players.
    with override_settings(SECRET_KEY="x" * 40):
        other = play_of(client.get(day).content.decode())
    ids = {play["sourcePlayId"], *(one["sourcePlayerId"] for one in play["players"])}
    others = {other["sourcePlayId"], *(one["sourcePlayerId"] for one in other["players"])}
    assert len(ids | others) == 6


def test_anonymous_players_stay_distinct_in_bg_stats(client: Client) -> None:
    url = create_group(client)
    game = game_store.add_game(
        store.find(url.split("/")[2]), create_scoring({"": 30, "Ana": 20})[1]
    )
    game.results.update(player=None)
    play = play_of(client.get(f"{url}evening/{game.evening}/").content.decode())
    assert [one["name"] for one in play["players"]] == ["someone", "someone 2"]
    assert len({one["sourcePlayerId"] for one in play["players"]}) == 2


def test_dice2_is_a_game_of_its_own_in_bg_stats(client: Client) -> None:
    url = create_group(client)
    game = game_store.add_game(
        store.find(url.split("/")[2]), create_scoring({"Ana": 30, "Ben": 3})[1]
    )
    GroupGame.objects.update(kind="dice2", level_id="four-wins")
    play = play_of(client.get(f"{url}evening/{game.evening}/").content.decode())
    assert (play["game"]["name"], play["board"]) == ("Dice²", "Dice²: 4 Dice Wins")
