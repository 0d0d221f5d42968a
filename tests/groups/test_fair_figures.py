"""Figures for ties, bots, few games, and levels known only by name, worked out by hand."""

from __future__ import annotations

import html
import json
import re
from datetime import date

import pytest
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import documents, group_file_import, store
from sheets.groups.filters import GameFilter
from sheets.groups.game_results import FinishedGame, Result, name_digest
from sheets.groups.game_store import add_games
from sheets.groups.identity_keys import moment_of
from sheets.groups.level_charts import level_figures
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.groups.player_figures import wins_words
from sheets.groups.standings import table_of
from sheets.groups.year import year_of
from sheets.models import Group
from sheets.stats import quantile
from tests.groups import page_parsers
from tests.groups.player_figures import lines_of

pytestmark = pytest.mark.django_db

Totals = dict[str, int]


def group_with(*games: Totals, level: str = "") -> Access[Group]:
    """Create a group with a typed game on each day from 1 May 2025 on."""
    access = store.find(store.create("Club"))
    enter(
        access,
        [
            PaperGame(date(2025, 5, day), level, tuple(totals.items()))
            for day, totals in enumerate(games, start=1)
        ],
    )
    return access


def add_game_with_a_bot(access: Access[Group], day: int, totals: Totals, bot: int) -> None:
    """Add a game at a table against a bot; the best total wins."""
    best = max(bot, *totals.values())
    results = [
        Result(name, name == "Bot", total, 0, 1 + (total < best), float(total == best), {})
        for name, total in {**totals, "Bot": bot}.items()
    ]
    when = date(2025, 5, day)
    played = FinishedGame("table", moment_of(when), {"en": "Attic"}, "", "a" * 16, None, results)
    group = Group.objects.get(pk=access.resource.pk)
    add_games(group, [(played, when)])


def page_of(client: Client, access: Access[Group], below: str = "") -> str:
    """Return a page of the group, opened by the view link."""
    return html.unescape(client.get(f"/groups/{access.share_key}/{below}").content.decode())


def tiles(client: Client, access: Access[Group], below: str) -> dict[str, tuple[str, str]]:
    return page_parsers.tiles(page_parsers.read(page_of(client, access, below)))


def test_shared_wins_add_up_on_the_page(client: Client) -> None:
    tied = {"Ana": 30, "Ben": 30, "Ida": 30}
    access = group_with({"Ana": 30, "Ben": 30, "Ida": 20, "Tom": 10}, tied)
    lines = lines_of(client, access)
    assert {name: line.wins for name, line in lines.items()} == {
        "Ana": 0.83,
        "Ben": 0.83,
        "Ida": 0.33,
        "Tom": 0,
    }
    assert [wins_words(wins) for wins in (2, 2.5, 1 / 3 + 1 / 3 + 1 / 3, 10, 0)] == [
        *("2", "2.5", "1", "10", "0")
    ]


def test_a_shared_win_is_one_half_on_the_page_of_the_year_too(client: Client) -> None:
    access = group_with(
        {"Ana": 30, "Ben": 30}, {"Ana": 30, "Ben": 20}, {"Ana": 30, "Ben": 10}, *[{"Ana": 9}] * 2
    )
    assert lines_of(client, access, "?year=2025")["Ana"].wins == 2.5
    told = tiles(client, access, "players/1/year/2025/")
    assert told["wins"] == ("2.5", "Of 3 games with others")


def test_a_shared_win_ends_a_streak(client: Client) -> None:
    win, tie = {"Ana": 30, "Ben": 20}, {"Ana": 30, "Ben": 30}
    access = group_with(win, win, tie, win, win, win)
    page = page_of(client, access, "players/1/")
    assert "3 wins in a row, up to the latest game. A shared win ends a streak." in page
    assert tiles(client, access, "year/2025/")["outright wins in a row"] == ("3", "Ana")
    enter(access, [PaperGame(date(2025, 5, 9), "", tuple(tie.items()))])
    assert "up to the latest game" not in page_of(client, access, "players/1/")


def test_all_holders_of_a_record_of_a_year_are_named(client: Client) -> None:
    access = group_with(
        *[{"Ana": 10, "Ben": 81}] * 2,
        *[{"Clara": 81, "Ben": 7}] * 2,
        {"Ana": 3, "Clara": 2},
        {"Ben": 1},
    )
    told = tiles(client, access, "year/2025/")
    assert told["The best total"] == ("81", "Ben and Clara")
    assert told["outright wins in a row"] == ("2", "Ben and Clara")
    assert told["games together"] == ("2", "Ana – Ben and Ben – Clara")
    of_ben = tiles(client, access, "players/2/year/2025/")
    assert of_ben["games together"] == ("2", "with Ana and Clara")
    assert of_ben["The best total"][1].endswith("1 May 2025")


def test_many_holders_of_a_record_are_counted(client: Client) -> None:
    names = ("Ana", "Ben", "Clara", "Dora", "Emil")
    access = group_with(*({name: 50} for name in names))
    assert tiles(client, access, "year/2025/")["The best total"][1] == "Ana, Ben, Clara and 2 more"


def test_the_closest_game_of_a_player_is_one_the_player_decided(client: Client) -> None:
    access = group_with(
        {"Ana": 50, "Ben": 20, "Clara": 49},
        *[{"Ana": 50, "Ben": 45}] * 2,
        *[{"Ben": 1}] * 2,
        *[{"Ana": 1}] * 2,
    )
    closest = {
        below: tiles(client, access, f"{below}year/2025/")
        for below in ("", "players/1/", "players/2/")
    }
    for path in ("", "players/1/"):
        told = closest[path]["point ahead in the closest game"]
        assert told == ("1", "Ana – Clara, 1 May 2025")
    words = "points ahead in the closest game"
    assert closest["players/2/"][words] == ("5", "Ana – Ben, 1 more game")


def test_a_shared_second_place_decides_a_game_for_both(client: Client) -> None:
    access = group_with({"Ana": 50, "Ben": 49, "Clara": 49}, *[{"Clara": 1}] * 4)
    told = tiles(client, access, "players/3/year/2025/")
    assert told["point ahead in the closest game"] == ("1", "Ana – Clara, 1 May 2025")


def test_all_levels_that_were_played_most_are_named(client: Client) -> None:
    access = group_with(*[{"Ana": 1}] * 5, level="Castle")
    enter(access, [PaperGame(date(2025, 6, day), "Attic", (("Ana", 2),)) for day in range(1, 6)])
    facts = page_parsers.facts(page_parsers.read(page_of(client, access, "players/1/")))
    assert facts["Played most, 5 games"] == "Attic, Castle"


def test_the_mean_of_the_others_excludes_the_player(client: Client) -> None:
    access = group_with(*[{"Ana": 60, "Ben": 40}] * 6, level="Castle")
    table = page_parsers.tables(page_parsers.read(page_of(client, access, "players/1/")))[
        "Level by level"
    ]
    assert table.heads[-1] == "The others"
    assert table.rows[0][-1] == "40.0"


@pytest.mark.parametrize(
    ("values", "five"),
    [
        ([55, 58], ["55", "55.8", "56.5", "57.3", "58"]),
        ([1, 2, 4, 10], ["1", "1.8", "3", "5.5", "10"]),
        ([3, 3, 4, 5, 9], ["3", "3", "4", "5", "9"]),
    ],
)
def test_a_median_of_an_even_number_is_the_mean_of_the_middle_two(
    values: list[int], five: list[str]
) -> None:
    many = sorted(values * 4) if len(values) < 5 else values
    assert quantile(values, 0.5) == {2: 56.5, 4: 3, 5: 4}[len(values)]
    (figure,) = level_figures({1: many}, {}, None)
    assert figure.rows[0][5] == five[2]
    assert [
        page_parsers.one_decimal(quantile(values, part / 4)).removesuffix(".0") for part in range(5)
    ] == five
    assert f">{five[2]}</text>" in figure.plot


def test_a_game_with_a_bot_is_no_game_with_others(client: Client) -> None:
    access = group_with(*[{"Ana": 30, "Ben": 20}] * 5)
    for day in (6, 7):
        add_game_with_a_bot(access, day, {"Ana": 10}, bot=60)
    add_game_with_a_bot(access, 8, {"Ana": 10, "Ben": 11}, bot=9)
    line = lines_of(client, access)["Ana"]
    assert (line.games, line.wins, line.share, line.expected_percent) == (8, 5, 100, 50)
    assert line.mean == 22.5
    assert "5 wins in a row, up to the latest game." in page_of(client, access, "players/1/")
    told = tiles(client, access, "year/2025/")
    assert told["points ahead in the closest game"][0] == "10"
    # The filter for games with bots shows the figures against them.
    for choice, games, wins in (
        (GameFilter(bots="without"), 5, 5),
        (GameFilter(bots="with"), 3, 0),
    ):
        query = choice.query_suffix
        line = lines_of(client, access, query)["Ana"]
        assert (line.games, line.wins) == (games, wins), query
        (row,) = (row for row in table_of(access.resource, choice).rows if row.player.name == "Ana")
        assert (row.sums.games, row.sums.wins) == (games, wins), query
    assert lines_of(client, access, "?bots=with")["Ben"].wins == 1
    assert page_of(client, access, "?bots=with").count('<article class="card evening">') == 3
    assert client.get(f"/groups/{access.share_key}/?bots=some").status_code == 302


def test_the_best_total_needs_no_minimum_number_of_games(client: Client) -> None:
    access = group_with({"Ana": 42, "Ben": 17}, level="Castle")
    lines = lines_of(client, access)
    assert (lines["Ana"].best, lines["Ana"].mean, lines["Ana"].worst) == (42, None, None)
    table = page_parsers.tables(page_parsers.read(page_of(client, access, "players/2/")))[
        "Level by level"
    ]
    assert table.rows == [["Castle best on 1 May 2025", "1", "–", "17", "–"]]


def test_a_level_that_was_only_typed_has_its_page_filter_and_rows(client: Client) -> None:
    access = group_with({"Ana": 42, "Ben": 17}, {"Ana": 12, "Ben": 27}, level="Tante Ernas Block")
    enter(access, [PaperGame(date(2025, 6, 1), "tante ernas block", (("Ana", 50),))])
    enter(access, [PaperGame(date(2025, 6, 2), "Castle", (("Ana", 9),))])
    page = page_of(client, access)
    offered = page_parsers.choices(page_parsers.read(page), "level")
    assert [name.casefold() for name in offered] == ["castle", "tante ernas block"]
    digest = offered["tante ernas block"]
    assert f"/levels/{digest}/" in page
    level = page_of(client, access, f"levels/{digest}/")
    assert "From 3 games." in level
    assert "balance report" not in level
    assert page_parsers.records(page_parsers.read(level))["Best total"] == (50, "Ana, 1 Jun 2025")
    assert lines_of(client, access, f"?level={digest}")["Ana"].games == 3
    rows = page_parsers.tables(page_parsers.read(page_of(client, access, "players/1/")))[
        "Level by level"
    ].rows
    assert rows[0][:2] == ["tante ernas block best on 1 Jun 2025", "3"]
    assert year_of(access.resource, 2025).games == 4


def test_files_of_earlier_versions_identify_typed_levels_by_name(client: Client) -> None:
    access = group_with({"Ana": 42, "Ben": 17}, level="Tante Ernas Block")
    known = access.resource.games.get().level_digest
    add_game_with_a_bot(access, 3, {"Ana": 42}, bot=17)
    written = json.loads(documents.format_group(access.resource))
    assert written["games"][0].pop("digest") == known
    again = store.find(
        group_file_import.import_group(documents.read_group(json.dumps(written).encode()).group)
    )
    assert again.resource.games.get(number=1).level_digest == known
    assert dict(again.resource.games.values_list("number", "has_bots")) == {1: False, 2: True}
    assert re.search(r"Tante Ernas Block", page_of(client, again))


def test_levels_of_files_of_earlier_versions_cost_as_many_bytes_as_new_ones() -> None:
    access = group_with(*[{"Ana": 42, "Ben": 17}] * 5)
    for game in access.resource.games.all():
        access.resource.games.filter(pk=game.pk).update(
            level_name={"en": f"Level {game.number}"},
            level_digest=name_digest({"en": f"Level {game.number}"}),
        )
    written = json.loads(documents.format_group(access.resource))
    charged: list[int] = []
    group_file_import.import_group(
        documents.read_group(json.dumps(written).encode()).group, charged.append
    )
    for game in written["games"]:
        del game["digest"]
    group_file_import.import_group(
        documents.read_group(json.dumps(written).encode()).group, charged.append
    )
    assert charged[0] == charged[1]
