"""Link previews: title, description and picture for the crawler of a messenger."""

from __future__ import annotations

from html.parser import HTMLParser
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from sheets.access.keys import set_shared
from sheets.groups import game_store
from sheets.groups import store as groups
from sheets.groups.game_results import level_digest
from sheets.groups.statistics import MIN_GAMES
from sheets.levels import find_level
from sheets.models import GroupGame, Tally
from sheets.workshop import store as workshop
from tests.dice2_tables import sit_down_for
from tests.groups.played_games import create_scoring
from tests.groups.test_dates import DAY, ENGLISH, TALLY, end_at
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin, share_url, tap
from tests.table_games import sit_down
from tests.tables.table_clients import SHORT, client_of, finished_party

pytestmark = pytest.mark.django_db


class _Head(HTMLParser):
    """Parser of the meta tags of a page by name or property; duplicates are an error."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("property") or given.get("name")
        if tag == "meta" and name and name != "theme-color":
            assert name not in self.found
            self.found[name] = given["content"] or ""


def crawler() -> Client:
    """Return a client without cookies, with the user agent of WhatsApp."""
    return Client(headers={"user-agent": "WhatsApp/2.23.20.0 A"})


def preview(path: str) -> dict[str, str]:
    """Return the preview of a page; its picture must exist and have the size in the tags."""
    found = _Head(crawler().get(path).text).found
    assert found["og:site_name"] == "Dizzle Companion"
    assert found["og:description"] == found["description"]
    image = found["og:image"]
    assert image.startswith("http://testserver/")
    answer = crawler().get(image.removeprefix("http://testserver"))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == found["og:image:type"] == "image/png"
    size = Image.open(BytesIO(answer.getvalue())).size
    assert size == (int(found["og:image:width"]), int(found["og:image:height"]))
    is_icon = "icon-512" in image
    assert found["twitter:card"] == ("summary" if is_icon else "summary_large_image")
    return found


def words(found: dict[str, str]) -> tuple[str, str]:
    return found["og:title"], found["og:description"]


def is_icon(found: dict[str, str]) -> bool:
    return "icon-512" in found["og:image"]


def test_scored_sheets_show_their_result_without_the_edit_key(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1")
    shared = share_url(client, url)
    unfinished = preview(url)
    title, told = words(unfinished)
    assert title == "Results · Garden"
    assert told.startswith("Ana and Ben · ")
    assert is_icon(unfinished)
    tap(client, url, "c2", number=2)
    for path in (url, shared):
        found = preview(path)
        title, told = words(found)
        assert title == "Ana wins · Garden"
        assert told.startswith("Ana 2, Ben 0 · ")
        assert found["og:image"] == f"http://testserver{shared}result.png"


def test_tally_shows_its_result_without_the_edit_key(client: Client) -> None:
    url = client.post("/tally/new/", TALLY | {"p0-name": "Ana", "p1-name": "Ben"})["Location"]
    game_store.add_game(groups.find(groups.create("Family")), Tally.objects.get())
    GroupGame.objects.update(evening=DAY)
    title, told = words(found := preview(url))
    assert title.endswith(" · Tally")
    assert told == f"Ana 0, Ben 0 · {ENGLISH}"
    assert url.split("/")[2] not in found["og:image"]
    counting = preview(f"{url}count/")
    assert words(counting) == ("Count together · Tally", "Ana and Ben")
    assert is_icon(counting)


def test_table_invites_and_later_shows_its_result() -> None:
    party = sit_down(level=SHORT, start=False)
    lobby = preview(f"/table/{party.code}/")
    assert lobby["og:title"] == "Join Ana for a game of Garden"
    assert "take a seat" in lobby["og:description"]
    assert is_icon(lobby)
    playing = preview(f"/table/{sit_down(level=SHORT).code}/")
    assert words(playing) == ("Garden · Ana and Ben", "Watch the game at this table.")
    board = sit_down_for("major")
    running = preview(f"/table/{board.code}/")
    board.play_on()
    end_at(board.code, 2026, 11, 28, 20)
    finished = preview(f"/table/{board.code}/")
    assert running["og:title"] == finished["og:title"] == "Major Dice · Ana and Ben"
    assert "Watch" in running["og:description"]
    assert finished["og:description"].startswith(("Ana", "Ben"))
    assert finished["og:description"].endswith(f" · {ENGLISH}")
    over = finished_party()
    end_at(over.code, 2026, 11, 28, 20)
    found = preview(f"/table/{over.code}/")
    assert found["og:title"] == "Ana wins · Garden"
    assert found["og:description"].endswith(f" · {ENGLISH}")
    assert found["og:image"] == f"http://testserver/table/{over.code}/result.png"


def test_players_of_a_table_load_no_preview() -> None:
    party = sit_down()
    assert "og:title" not in client_of(party).get(f"/table/{party.code}/").text


def test_pages_of_a_group_show_what_was_played() -> None:
    key = groups.create("Family")
    access = groups.find(key)
    for more in range(MIN_GAMES):
        game_store.add_game(access, create_scoring({"Ana": 30 - more, "Ben": 3})[1])
    GroupGame.objects.update(evening=DAY)
    groups.describe(access, DAY, "At Ben's", "")
    url = f"/groups/{key}/"
    assert words(preview(url)) == ("Family", "5 games · Ana and Ben")
    evening = preview(f"{url}evening/{DAY}/")
    assert words(evening) == (f"{ENGLISH} · Family", "5 games · At Ben's · Butterfly")
    level = preview(f"{url}levels/{level_digest(find_level('level-1'))}/")
    assert words(level) == ("Butterfly · Family", "5 games")
    assert words(preview(f"{url}players/1/")) == ("Ana · Family", "5 games")
    year = GroupGame.objects.all()[0].played.year
    for below in ("", "players/1/"):
        found = preview(f"{url}{below}year/{year}/")
        assert found["og:title"].startswith(f"{year} · ")
        assert not is_icon(found)
        assert key not in found["og:image"]


def test_standings_without_a_game_have_a_sentence() -> None:
    found = preview(f"/groups/{groups.create('Family')}/standings/")
    assert words(found) == ("Standings · Family", "No game with others yet.")


def test_group_without_a_view_link_has_no_picture_of_its_year() -> None:
    key = groups.create("Family")
    access = groups.find(key)
    for _game in range(MIN_GAMES):
        game_store.add_game(access, create_scoring({"Ana": 30, "Ben": 3})[1])
    set_shared(access, False)
    assert is_icon(preview(f"/groups/{key}/year/{GroupGame.objects.all()[0].played.year}/"))


def test_levels_show_their_sheet() -> None:
    shipped = preview("/levels/level-1/")
    assert shipped["og:title"] == "Butterfly"
    assert shipped["og:image"] == "http://testserver/levels/level-1/sheet.png"
    access = workshop.find(workshop.create(GARDEN))
    shared = set_shared(access, True)
    found = preview(f"/workshop/{shared.share_key}/")
    assert words(found) == ("Garden", "A level for the dice game Dizzle.")
    assert found["og:image"].endswith("/sheet.png")


def test_preview_is_in_the_language_of_the_crawler() -> None:
    code = finished_party().code
    german = crawler().get(f"/table/{code}/", headers={"accept-language": "de"}).text
    assert _Head(german).found["og:title"] == "Ana gewinnt · Garten"
