"""A group as a document and as a table; old paper typed in."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from sheets.access.keys import Access
from sheets.groups import keeping, players, store
from sheets.groups.documents import format_group, read_group
from sheets.groups.entering import read_day, read_table
from sheets.groups.figures import figures_of
from sheets.models import Group, GroupGame, GroupResult
from sheets.rules import DocumentError
from tests.groups.played_games import scored
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db

SMALL: dict[str, Any] = {
    "format": "dizzle-group/1",
    "name": "Family",
    "players": [{"name": "Ana"}],
    "evenings": [],
    "games": [
        {
            "played": "2026-11-22T19:30:00Z",
            "day": "2026-11-22",
            "kind": "sheets",
            "results": [{"place": 1, "player": 0, "points": 44}],
        }
    ],
}


def family() -> Access[Group]:
    access = store.find(store.create("Family"))
    keeping.keep(access, scored({"Ana": 30, "Ben": 3})[1])
    keeping.keep(access, scored({"Anna": 20, "": 3})[1])
    keeping.keep(access, finished_party("=Ben", "Ida").access().table)
    players.merge(access, 3, 1)
    players.retire(access, 2, True)
    players.rename(access, 5, "Ida Maria")
    store.describe(access, timezone.localdate(), "At Ben's", "Cake")
    return access


def opened(client: Client, content: bytes) -> Any:
    return client.post("/groups/file/", {"document": SimpleUploadedFile("g.json", content)})


def test_a_group_is_opened_elsewhere_whole(client: Client) -> None:
    access = family()
    content = client.get(f"/groups/{access.key}/group.json").content
    answer = opened(client, content)
    other = store.find(answer.headers["Location"].split("/")[2]).thing
    assert other.pk != access.thing.pk
    assert format_group(other) == content == format_group(access.thing)
    told = [
        [one._replace(player=None) for one in figures_of(group)]  # type: ignore[arg-type]
        for group in (access.thing, other)
    ]
    assert told[0] == told[1]
    # Who was merged is taken apart there, too.
    players.take_apart(store.find(answer.headers["Location"].split("/")[2]), 3)
    assert {one.player.name for one in figures_of(other)} >= {"Ana", "Anna"}


@pytest.mark.parametrize(
    "change",
    [
        {"format": "dizzle-group/2"},
        {"name": ""},
        {"players": [{"name": "Ana", "same_as": 0}]},
        {"players": []},
        {"players": [{"name": "Ana", "same_as": 7}]},
        {"players": [{"name": "Ana", "also": ["x"] * 11}]},
        {"games": [SMALL["games"][0] | {"kind": "chess"}]},
        {"games": [SMALL["games"][0] | {"results": []}]},
        {"games": [SMALL["games"][0] | {"played": "2026-11-22T19:30:00"}]},
        {"games": [SMALL["games"][0] | {"day": "0026-11-22"}]},
        {"games": [SMALL["games"][0] | {"digest": "\u0000"}]},
        {"games": [SMALL["games"][0] | {"level": "A\u0000"}]},
        {"games": [SMALL["games"][0] | {"kind": "dice2"}]},
        {"games": [SMALL["games"][0] | {"kind": "dice2", "level": "level-1"}]},
        {"more": 1},
    ],
)
def test_what_is_no_group_is_refused(client: Client, change: dict[str, Any]) -> None:
    assert read_group(json.dumps(SMALL).encode())
    text = json.dumps(SMALL | change).encode()
    with pytest.raises(DocumentError):
        read_group(text)
    assert opened(client, text).status_code == 400
    assert Group.objects.count() == 0


def test_old_names_of_a_file_are_one_person_each(client: Client) -> None:
    people = [
        {"name": "Ana", "also": ["Anna", "ben", "Аnnа", " "]},
        {"name": "Ben", "also": ["Benno", "anna"]},
    ]
    url = opened(client, json.dumps(SMALL | {"players": people}).encode()).headers["Location"]
    group = store.find(url.split("/")[2]).thing
    assert [one.also for one in group.players.order_by("number")] == [["Anna"], ["Benno"]]


def test_a_game_of_dice2_that_nobody_knows_has_a_plain_title(client: Client) -> None:
    game = SMALL["games"][0] | {"kind": "dice2", "level": "square"}
    url = opened(client, json.dumps(SMALL | {"games": [game]}).encode()).headers["Location"]
    assert "Dice²: Square Dice" in client.get(url).content.decode()
    GroupGame.objects.update(level_id="nix")
    page = client.get(url).content.decode()
    assert "Dice²" in page
    assert "Dice²:" not in page


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 5000, b"\xff", b"[1]", b"null"])
def test_what_is_no_document_is_refused(client: Client, text: bytes) -> None:
    assert opened(client, text).status_code == 400


def test_all_results_are_a_table_without_formulas(client: Client) -> None:
    access = family()
    text = client.get(f"/groups/{access.share_key}/results.csv").content.decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head == ["Date", "Game", "Player", "Points", "Place", "Share of the win"]
    assert len(rows) == GroupResult.objects.count() == 6
    assert [row[2] for row in rows] == ["Ana", "Ben", "Ana", "someone", "'=Ben", "Ida Maria"]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025-12-26", date(2025, 12, 26)),
        (" 26.12.2025", date(2025, 12, 26)),
        ("12/26/2025", date(2025, 12, 26)),
        ("31.2.2025", None),
        ("26.12.0025", None),
        ("yesterday", None),
    ],
)
def test_days_are_read_as_people_write_them(text: str, day: date | None) -> None:
    assert read_day(text) == day


def test_a_table_says_what_it_understood() -> None:
    text = (
        "Datum;Level;Ana;Ben;Ida\n26.12.2025;Burg;44;51;\n\n2025-12-27;;−3;;7\n?;x;1;2;3\n"
        "2025-12-28;;many;2;3\n"
    )
    games, strange, *_counts = read_table(text)
    assert [(game.day.day, game.level, game.totals) for game in games] == [
        (26, "Burg", (("Ana", 44), ("Ben", 51))),
        (27, "", (("Ana", -3), ("Ida", 7))),
    ]
    assert [one.number for one in strange] == [5, 6]
    without_level = read_table("day,Ana,Ben\n2025-12-26,44,51")
    assert without_level.games[0].totals == (("Ana", 44), ("Ben", 51))
    assert read_table('day,"Ana\n' + "x" * 200_000) == read_table("") == ([], [], 0, 0)


def test_the_same_totals_on_another_level_are_another_game(client: Client) -> None:
    access = store.find(store.create("Family"))
    url = f"/groups/{access.key}/enter/"
    lines = ["day;level;Ana;Ben", *(f"26.12.2025;{name};44;51" for name in ("Castle", "Attic", ""))]
    client.post(url, {"table": "\n".join(lines), "keep": "yes"})
    assert GroupGame.objects.count() == 3
    # "Burg" is what the castle is called in German.
    more = [*lines, "26.12.2025;Burg;44;51", "26.12.2025;Attic;45;51"]
    sent = {"table": "\n".join(more)}
    assert "1 line says the same as one before it" in client.post(url, sent).content.decode()
    page = client.post(url, sent | {"keep": "yes"}, follow=True).content.decode()
    assert "1 new, 3 were there already." in page
    assert GroupGame.objects.count() == 4


def test_a_day_that_is_yet_to_come_is_refused(client: Client) -> None:
    access = store.find(store.create("Family"))
    today = timezone.localdate()
    days = [today + timedelta(days=ahead) for ahead in (0, 1, 2)]
    text = "\n".join(["Day;Ana", *(f"{day};44" for day in days)])
    read = read_table(text)
    assert [game.day for game in read.games] == days[:2]
    assert [(one.number, one.is_ahead) for one in read.strange] == [(4, True)]
    only = client.post(f"/groups/{access.key}/enter/", {"table": "Day;Ana\n2199-12-31;44"})
    assert only.status_code == 400
    assert "This day is yet to come." in only.content.decode()


@pytest.mark.parametrize(
    ("head", "level"), [("Level", ""), ("level", "7"), ("Sheet", ""), ("", "Attic")]
)
def test_a_column_of_levels_is_told_by_all_of_it(head: str, level: str) -> None:
    rows = [["2025-12-26", level, "44"], ["2025-12-27", "Castle", "51"], ["2025-12-28", "", "3"]]
    read = read_table("\n".join(";".join(row) for row in [["Day", head, "Ana"], *rows]))
    assert read.strange == []
    assert [(game.level, game.totals) for game in read.games] == [
        (level, (("Ana", 44),)),
        ("Castle", (("Ana", 51),)),
        ("", (("Ana", 3),)),
    ]


def test_one_mistyped_total_is_no_level() -> None:
    read = read_table("Day;Ana\n2025-12-26;many\n2025-12-27;51\n2025-12-28;3")
    assert [game.totals for game in read.games] == [(("Ana", 51),), (("Ana", 3),)]
    assert [one.number for one in read.strange] == [2]


def test_what_is_too_much_at_once_is_said(client: Client) -> None:
    access = store.find(store.create("Family"))
    text = "day;Ana\n" + "".join(f"2025-12-26;{number}\n\n" for number in range(600))
    read = read_table(text)
    assert (len(read.games), read.games[-1].totals, read.left) == (500, (("Ana", 499),), 100)
    page = client.post(f"/groups/{access.key}/enter/", {"table": text}).content.decode()
    assert "100 further lines were not read" in page


def test_old_paper_is_looked_at_and_then_kept_once(client: Client) -> None:
    access = store.find(store.create("Family"))
    url = f"/groups/{access.key}/enter/"
    sent = {"table": "day;level;Ana;Ben\n26.12.2025;Castle;44;44\n27.12.2025;Attic;38;"}
    page = client.post(url, sent).content.decode()
    assert "2 games were understood" in page
    assert GroupGame.objects.count() == 0
    for said in ("2 new.", "0 new, 2 were there already."):
        answer = client.post(url, sent | {"keep": "yes"}, follow=True)
        assert answer.redirect_chain[0][1] == 302
        assert said in answer.content.decode()
    first, second = GroupGame.objects.order_by("number")
    assert (first.kind, first.level_id, first.evening) == ("typed", "level-2", date(2025, 12, 26))
    assert [(one.place, one.won) for one in first.results.all()] == [(1, 0.5), (1, 0.5)]
    assert (second.level_id, second.level_name["en"]) == ("", "Attic")
    assert second.results.get().won == 0
    assert client.post(url, {"table": "nothing"}).status_code == 400
    looker = f"/groups/{access.share_key}/enter/"
    assert client.post(looker, sent | {"keep": "yes"}).status_code == 403
