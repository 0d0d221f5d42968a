"""Round trip of a group's table of results: the same games, each once."""

from __future__ import annotations

import csv
import html
import io
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone, translation

from sheets.access.keys import Access
from sheets.groups import game_store, group_file_import, paper_games_import, players, store
from sheets.groups.documents import format_group, read_group
from sheets.groups.paper_games_import import ImportCounts, PaperGame, typed_game
from sheets.groups.result_table import format_results, read_table
from sheets.groups.winners import LOST, WON, TypedResult
from sheets.models import Group, GroupGame
from tests.dice2_tables import sit_down_for
from tests.groups.bot_games import add_bot_game
from tests.groups.played_games import create_scoring
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db

DAY = date(2026, 3, 4)


def create_group() -> Access[Group]:
    return store.find(store.create("Family"))


def create_family() -> Access[Group]:
    """Create a group with a game of each kind: ties, bots, unnamed players, no points."""
    access = create_group()
    add_bot_game(access, ("Ana", "Ben"), 1)
    game_store.add_game(access, create_scoring({"Ana": 30, "Ben": 30, "": 3})[1])
    game_store.add_game(access, create_scoring({"Ana": 12})[1])
    game_store.add_game(access, finished_party("=Ben", "Ida; Zoë").access().table)
    for game in ("last-man", "square"):
        table = sit_down_for(game)
        table.play_on()
        game_store.add_game(access, table.access().table)
    thirds = (("Ana", 44), ("Ben", 44), ("Cleo", 44))
    with_bots = (("Ana", 20), ("Bot 2", 30), ("Dan → Bot", -10))
    paper_games_import.enter(
        access,
        [
            PaperGame(DAY, "Castle", thirds),
            PaperGame(DAY, "Our attic", (("Ana", -3), ("Ben", 0))),
            PaperGame(DAY, "", (("Ana", 1), ("Ben", 2))),
            PaperGame(DAY, "", (("Ana", 9), ("Ben", 8)), "tally"),
            PaperGame(DAY, "Castle", with_bots, "table"),
            PaperGame(
                DAY,
                "Dice²: 4 Dice Wins",
                (("Ana", None), ("Bot 1", None)),
                "dice2",
                ((2, 0.0), (1, 1.0)),
            ),
            # Two equal games of one evening are two games.
            PaperGame(DAY, "", (("Ana", 1), ("Ben", 2)), copy=1),
            # Points do not decide the winner.
            typed_game(
                DAY,
                "",
                [("Ana", TypedResult(7)), ("Ben", TypedResult(7, WON)), ("Cleo", TypedResult(3))],
            ),
            typed_game(
                DAY, "", [("Ana", TypedResult(None, LOST)), ("Ben", TypedResult(None, WON))]
            ),
        ],
    )
    # Another layout of the same name: its title in the table is "Butterfly, version 2".
    access.resource.games.filter(number=2).update(level_digest="0" * 16)
    return access


def export_results(access: Access[Group], language: str = "en") -> str:
    with translation.override(language):
        return format_results(access.resource).decode("utf-8-sig")


def rows_of(access: Access[Group], language: str = "en") -> list[list[str]]:
    """Return the results without the numbers of the games."""
    return [row[:-1] for row in cells_of(export_results(access, language), language)]


def cells_of(table: str, language: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table), delimiter=";" if language == "de" else ","))


def paste(client: Client, access: Access[Group], text: str, **more: str) -> str:
    """Return the page after a table was pasted."""
    url = f"/groups/{access.key}/enter/"
    answer = client.post(url, {"table": text, **more}, follow=True)
    return html.unescape(answer.content.decode())


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_own_table_yields_the_same_games_each_once(
    client: Client, language: str, separator: str
) -> None:
    access, other = create_family(), create_group()
    table = io.StringIO()
    rows = cells_of(export_results(access, language), language)
    csv.writer(table, delimiter=separator).writerows(rows)
    count = access.resource.games.count()
    for _ in range(2):
        page = paste(client, other, table.getvalue())
        assert f"{count} games were understood" in page
        assert "Not understood" not in page
        paste(client, other, table.getvalue(), keep="yes")
        assert rows_of(other, language) == rows_of(access, language)
    assert page.count("Is there already.") == count
    # Nothing is new to the group that the table is from either.
    assert paste(client, access, table.getvalue()).count("Is there already.") == count


def test_bots_and_people_without_a_name_do_not_become_players(client: Client) -> None:
    access, other = create_family(), create_group()
    paste(client, other, export_results(access), keep="yes")
    names = {player.name for player in other.resource.players.all()}
    assert names == {player.name for player in access.resource.players.all()}
    labels = {one.label for game in other.resource.games.all() for one in game.results.all()}
    assert {"Bot 1", "Bot 2", "Dan → Bot"} <= labels
    ties = GroupGame.objects.filter(group=other.resource, results__won__range=(0.333, 0.334))
    assert {one.won for one in ties.first().results.all()} == {1 / 3}  # type: ignore[union-attr]


def test_renamed_and_merged_players_are_recognised(client: Client) -> None:
    access = create_family()
    text = export_results(access)
    ana = access.resource.players.get(name="Ana")
    players.rename(access, ana.number, "Annika")
    page = paste(client, access, text)
    assert page.count("Is there already.") == access.resource.games.count()


def test_a_file_leads_to_the_same_preview(client: Client) -> None:
    access, other = create_family(), create_group()
    url = f"/groups/{other.key}/enter/files/"
    count = access.resource.games.count()
    in_german = export_results(access, "de")
    for content in (
        format_results(access.resource),
        in_german.encode("utf-16"),
        in_german.replace("→", "->").replace("²", "2").encode("cp1252"),
    ):
        answer = client.post(url, {"document": SimpleUploadedFile("results.csv", content)})
        page = html.unescape(answer.content.decode())
        assert f"{count} games were understood" in page
        assert '<textarea name="table"' in page
        assert 'name="keep"' in page
    assert not other.resource.games.exists()
    wide = SimpleUploadedFile("old.csv", b"Day;Ana;Ben\n2025-12-26;44;51\n")
    assert "1 game was understood" in client.post(url, {"document": wide}).content.decode()
    two = [SimpleUploadedFile(f"{n}.csv", b"Day;Ana\n2025-12-26;44\n") for n in range(2)]
    page = client.post(url, {"document": two}).content.decode()
    assert page.count("This is a table. Open it alone, without other files.") == 2


def test_table_is_not_taken_for_a_whole_group(client: Client) -> None:
    file = SimpleUploadedFile("results.csv", format_results(create_family().resource))
    answer = client.post("/groups/file/", {"document": file})
    assert answer.status_code == 400
    assert "This is a table of results. Open it in its group" in answer.content.decode()


def test_faulty_line_leaves_out_its_game_only_and_says_why() -> None:
    head = "Date;Game;Player;Points;Place;Share of the win;Kind;Game number"
    lines = {
        "2025-12-26;Castle;Ana;x;1;1;Entered by hand;1": ("points", "x"),
        "2025-12-26;Castle;Ana;12345;1;1;Entered by hand;0": ("points", "12345"),
        "2025-12-26;Castle;Ana;4;1;2;Entered by hand;2": ("share", "2"),
        "yesterday;Castle;Ana;4;1;0;Entered by hand;3": ("day", "yesterday"),
        "Mon 2025-12-26;Castle;Ana;4;1;0;;9": ("weekday", "Friday, 26 December 2025"),
        "2199-12-31;Castle;Ana;4;1;0;Entered by hand;4": ("ahead", ""),
        "2025-12-26;Castle;Ana;;;;Entered by hand;5": ("empty", ""),
    }
    twice = ["2025-12-26;Castle;Ana;4;1;1;;6", "2025-12-26;Castle;ana;3;2;0;;6"]
    many = [f"2025-12-26;Castle;P{n};4;1;0;;7" for n in range(7)]
    good = ["2025-12-26;Castle;Ana;4;1;1;;8", "2025-12-26;Castle;Ben;3;2;0;;8"]
    text = "\n".join([head, *lines, *twice, *many, *good])
    read = read_table(text, create_group().resource)
    assert [(one.line, (one.why, one.what)) for one in read.faulty_lines] == [
        *lines.items(),
        (twice[1], ("twice", "ana")),
        (many[6], ("many", "")),
    ]
    assert [game.totals for game in read.games] == [(("Ana", 4), ("Ben", 3))]
    old_mac = read_table("\r".join([head, *good]), create_group().resource)
    assert [game.totals for game in old_mac.games] == [(("Ana", 4), ("Ben", 3))]


def test_columns_may_be_moved_or_deleted_and_dates_rewritten() -> None:
    text = (
        "Game number;Points;Share of the win;Player;Date\n"
        "7;44;0.5;Ana;15/04/2026\n7;44;0,5;Ben;15/04/2026\n8;;1;Ana;03/04/2026\n8;;0;Ben;03/04/2026\n"
    )
    read = read_table(text, create_group().resource, is_month_first=True)
    assert [(game.day, game.totals, game.ranks) for game in read.games] == [
        (date(2026, 4, 15), (("Ana", 44), ("Ben", 44)), ((1, 0.5), (1, 0.5))),
        (date(2026, 4, 3), (("Ana", None), ("Ben", None)), ((1, 1.0), (2, 0.0))),
    ]


def test_lines_beyond_the_limit_come_with_the_next_preview(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sheets.groups.result_table.MAX_LINES", 9)
    access, other = create_family(), create_group()
    count = access.resource.games.count()
    page = paste(client, other, export_results(access))
    assert f"{count - 9} further games are not listed" in page
    for _ in range(2):
        paste(client, other, export_results(access), keep="yes")
    assert rows_of(other) == rows_of(access)


def test_file_of_a_group_adds_no_game_that_came_as_a_table(client: Client) -> None:
    access, other = create_family(), create_group()
    # The file does not say "version 2".
    store.delete_game(access, 2)
    paste(client, other, export_results(access), keep="yes")
    content = format_group(access.resource)
    assert group_file_import.import_into_group(other, read_group(content).group).new == 0


def test_file_of_a_group_identifies_a_level_by_its_name_in_each_language(client: Client) -> None:
    access, other = create_group(), create_group()
    paper_games_import.enter(access, [PaperGame(DAY, "Castle", (("Ana", 1), ("Ben", 9)))])
    names = {"en": "Attic", "de": "Dachboden"}
    access.resource.games.update(level_id="own", level_digest="1" * 16, level_name=names)
    paste(client, other, export_results(access, "de"), keep="yes")
    assert group_file_import.import_into_group(
        other, read_group(format_group(access.resource)).group
    ) == ImportCounts(0, 1)


def test_game_without_a_time_is_recognised_from_each_time_zone() -> None:
    one, other = create_group(), create_group()
    for access, zone in ((one, "Pacific/Auckland"), (other, "America/Los_Angeles")):
        with timezone.override(zone):
            paper_games_import.enter(
                access, [PaperGame(DAY, "Castle", (("Ana", 1), ("Ben", 9)), "table")]
            )
    assert group_file_import.import_into_group(
        one, read_group(format_group(other.resource)).group
    ) == ImportCounts(0, 1)


def test_games_of_one_day_and_kind_are_distinguished() -> None:
    games = [PaperGame(DAY, "Castle", (("Ana", n), ("Ben", 9)), "table") for n in (1, 2)]
    both, one = create_group(), create_group()
    paper_games_import.enter(both, games)
    paper_games_import.enter(one, games[:1])
    assert group_file_import.import_into_group(
        one, read_group(format_group(both.resource)).group
    ) == ImportCounts(1, 1)
    # Of two equal games, the group may have one.
    equal = [games[0], games[0]._replace(copy=1)]
    assert paper_games_import.enter(one, equal) == ImportCounts(1, 1)
    assert paper_games_import.enter(one, equal) == ImportCounts(0, 2)
