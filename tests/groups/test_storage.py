"""Storage limits of imports into groups, which are checked before anything is stored."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from msgspec.json import encode
from msgspec.structs import replace

from sheets.groups import group_file_import, paper_games_import, store
from sheets.groups.documents import FORMAT, EveningFile, GameFile, GroupFile, PlayerFile, ResultFile
from sheets.groups.paper_games_import import PaperGame
from sheets.groups.ratings import update_ratings
from sheets.groups.storage_estimate import GameSize, estimate_games
from sheets.http import rate_limits
from sheets.http.rate_limits import STORED, STORED_UNIT_BYTES, Limit
from sheets.models import Evening, Group, GroupGame, GroupPlayer
from tests.groups.played_games import create_scoring

pytestmark = pytest.mark.django_db

LAST = datetime(2026, 1, 17, 20, tzinfo=UTC)
GEMS = {"gems": 30}
PASTED = "\tAna\tBen\n2025-01-17\t30\t20\n"


@pytest.fixture
def half_a_kib(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave half a KiB of the hourly storage limit of an address."""
    monkeypatch.setattr(rate_limits, "STORED_UNIT_BYTES", 512)
    monkeypatch.setattr(rate_limits, "STORED", Limit("stored-in-this-test", "1000/hour"))
    assert rate_limits.STORED.hit("127.0.0.1", cost=999)


def create_club_file(
    games: int,
    *,
    people: int = 6,
    levels: int = 8,
    days: int = 1,
    parts: Mapping[str, int] = GEMS,
) -> GroupFile:
    """Return a group file with games of six people on the levels, spread over some days."""
    random = Random(games)
    played = []
    for n in range(games):
        when = LAST - timedelta(days=n * days // games)
        seats = random.sample(range(people), 6)
        results = [ResultFile(1, one, points=30, parts=dict(parts)) for one in seats]
        level = f"{n % levels:016x}"
        played.append(GameFile(when, when.date(), "sheets", results, {"en": "Moon"}, digest=level))
    return GroupFile(FORMAT, "Club", [PlayerFile(f"P{n}") for n in range(people)], [], played)


def on_one_evening(found: GroupFile) -> GroupFile:
    """Return the same file with games without a time of their end."""
    return replace(found, games=[replace(game, day=LAST.date()) for game in found.games])


def sent(found: GroupFile) -> dict[str, object]:
    return {"document": SimpleUploadedFile("group.json", encode(found))}


def assert_refused(client: Client, url: str, form: dict[str, object]) -> str:
    """Assert that a form is refused and changes nothing; return the page that says so."""
    before = [model.objects.count() for model in (Group, GroupGame, GroupPlayer, Evening)]
    answer = client.post(url, form)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "3600"
    assert "Your network has stored as much as it can today" in answer.content.decode()
    after = [model.objects.count() for model in (Group, GroupGame, GroupPlayer, Evening)]
    assert after == before
    return html.unescape(answer.text)


@pytest.mark.postgresql
@pytest.mark.usefixtures("half_a_kib")
def test_group_file_is_refused_before_anything_is_stored(client: Client) -> None:
    assert_refused(client, "/groups/file/", sent(create_club_file(30)))
    key = store.create("Club")
    assert_refused(client, "/groups/file/", {**sent(create_club_file(30)), "into": key})


@pytest.mark.usefixtures("half_a_kib")
def test_evenings_without_games_count(client: Client) -> None:
    evenings = [EveningFile(date(2025, 1, day), "At Ben's", "Cake") for day in range(1, 29)]
    assert_refused(client, "/groups/file/", sent(GroupFile(FORMAT, "Club", [], evenings, [])))


@pytest.mark.usefixtures("half_a_kib")
def test_tables_typed_games_and_files_are_refused(client: Client) -> None:
    url = f"/groups/{store.create('Family')}/enter/"
    page = assert_refused(client, url, {"table": PASTED, "keep": "1"})
    assert f">{PASTED}</textarea>" in page
    typed = {"day": "2025-01-17", "name-new-1": "Ana", "points-new-1": "30", "other": "Attic"}
    shown = html.unescape(client.post(url, typed).text)
    told = re.search(r'name="keep" value="(.*?\])"', shown)
    assert told
    page = assert_refused(client, url, {**typed, "keep": told[1]})
    assert all(f'value="{value}"' in page for value in typed.values())
    key, _scoring = create_scoring({"Ana": 30, "Ben": 3})
    sheets = SimpleUploadedFile("sheets.json", client.get(f"/score/{key}/sheets.json").content)
    page = client.post(f"{url}files/", {"document": sheets})
    (seen,) = page.context["games"]
    form = {"keep": "1", "game": seen.sealed, "day-0": "2025-01-17"}
    page = assert_refused(client, f"{url}files/", form)
    assert 'name="game" value="' in page
    assert 'value="2025-01-17"' in page


@pytest.mark.usefixtures("half_a_kib")
def test_file_that_is_refused_can_be_joined_later_without_choosing_it_again(client: Client) -> None:
    key = store.create("Club")
    client.get(f"/groups/{key}/")
    sealed = client.post("/groups/file/", sent(create_club_file(30))).context["sealed"]
    page = assert_refused(client, "/groups/file/", {"sealed": sealed, "into": key})
    assert f'name="into" value="{key}"' in page
    again = client.post("/groups/file/", {"sealed": sealed, "again": "yes"})
    assert again.status_code == 429
    rate_limits.reset()
    sealed = again.context["sealed"]
    assert client.post("/groups/file/", {"sealed": sealed, "into": key}).status_code == 302


def test_an_import_that_never_fits_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "STORED", Limit("stored-in-this-test", "1/hour;2/day"))
    answer = client.post("/groups/file/", sent(create_club_file(400)))
    assert answer.status_code == 400
    assert "This is too much at once: it takes about 2 MiB" in answer.text
    assert not Group.objects.exists()


def test_group_files_have_a_limit_of_their_own(client: Client) -> None:
    statuses = [
        client.post("/groups/file/", sent(create_club_file(1))).status_code for _ in range(7)
    ]
    assert statuses == 6 * [302] + [429]


@pytest.mark.postgresql
def test_games_that_a_group_has_cost_nothing_again() -> None:
    access = store.find(group_file_import.import_group(create_club_file(100)))
    charged: list[int] = []
    group_file_import.import_into_group(access, create_club_file(100), charged.append)
    assert charged[0] < 1024


@pytest.mark.skipif(connection.vendor != "sqlite", reason="pages are counted of an SQLite file")
@pytest.mark.parametrize(
    "found",
    [
        create_club_file(400),
        create_club_file(400, days=400),
        on_one_evening(create_club_file(400, levels=100, days=8000)),
        create_club_file(400, people=100, levels=400, days=2000),
    ],
    ids=[
        "one evening",
        "a year",
        "years said to be one evening",
        "many people, levels and months",
    ],
)
def test_estimate_is_not_below_what_is_stored(found: GroupFile) -> None:
    before = pages()
    charged: list[int] = []
    group = store.find(group_file_import.import_group(found, charged.append)).resource
    while update_ratings(group):
        pass
    stored = 4096 * (pages() - before)
    assert stored < charged[0] < 5 * stored


def pages() -> int:
    """Return the number of used pages of the database."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        (count,) = cursor.fetchone()
        cursor.execute("PRAGMA freelist_count")
        (unused,) = cursor.fetchone()
    return int(count) - int(unused)


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="pages are counted of an SQLite file")
def test_game_of_today_costs_one_unit_and_games_of_the_past_what_they_add() -> None:
    access = store.find(
        group_file_import.import_group(create_club_file(600, people=60, levels=20, days=1200))
    )
    while update_ratings(access.resource):
        pass
    before = pages()
    charged: list[int] = []
    today = PaperGame((LAST + timedelta(days=1)).date(), "", (("P1", 4), ("P2", 3), ("P3", 2)))
    paper_games_import.enter(access, [today], charged.append)
    assert charged[0] < STORED_UNIT_BYTES
    long_ago = [
        PaperGame(date(2022, 1, 1), f"Level {n}", (("P1", n), ("P2", n))) for n in range(50)
    ]
    paper_games_import.enter(access, long_ago, charged.append)
    while update_ratings(access.resource):
        pass
    assert 4096 * (pages() - before) < sum(charged)


def test_club_may_import_its_whole_history_twice() -> None:
    count = estimate_games(history())
    cost = count // STORED_UNIT_BYTES
    assert all(STORED.hit("10.0.0.1", cost=cost) for _ in range(2))


def history() -> Iterator[GameSize]:
    """Return 10,000 games of six people each."""
    for _game in range(10_000):
        texts = [{"en": "Level 12", "de": "Level 12"}, "a" * 64, [["", {"gems": 12}, "f" * 80]] * 6]
        yield GameSize(6, texts)
