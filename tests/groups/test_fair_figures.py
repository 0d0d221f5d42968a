"""Figures worked out by hand for ties, bots, few games, and levels known by name only."""

from __future__ import annotations

import html
import json
import re
from datetime import date

import pytest
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import documents, joining, store
from sheets.groups.entering import Entered, enter
from sheets.groups.figures import wins_words
from sheets.groups.filters import GameFilter
from sheets.groups.identity import moment_of
from sheets.groups.keeping import add_games
from sheets.groups.level_figures import level_figures
from sheets.groups.played import FinishedGame, Result, name_digest
from sheets.groups.standings import table_of
from sheets.groups.year import year_of
from sheets.models import Group
from sheets.stats import quantile
from tests.groups import shown
from tests.groups.counted import lines_of

pytestmark = pytest.mark.django_db

Totals = dict[str, int]


def group_with(*games: Totals, level: str = "") -> Access[Group]:
    """A group with a typed game on each day from the 1st of May 2025 on."""
    access = store.find(store.create("Club"))
    enter(
        access,
        [
            Entered(date(2025, 5, day), level, tuple(totals.items()))
            for day, totals in enumerate(games, start=1)
        ],
    )
    return access


def add_game_with_a_bot(access: Access[Group], day: int, totals: Totals, bot: int) -> None:
    """Keep a game at a table against a bot; the best total wins."""
    best = max(bot, *totals.values())
    results = [
        Result(name, name == "Bot", total, 0, 1 + (total < best), float(total == best), {})
        for name, total in {**totals, "Bot": bot}.items()
    ]
    when = date(2025, 5, day)
    played = FinishedGame("table", moment_of(when), {"en": "Attic"}, "", "a" * 16, None, results)
    group = Group.objects.get(pk=access.thing.pk)
    add_games(group, [(played, when)])


def page_of(client: Client, access: Access[Group], below: str = "") -> str:
    """A page of the group as a reader sees it."""
    return html.unescape(client.get(f"/groups/{access.share_key}/{below}").content.decode())


def tiles(client: Client, access: Access[Group], below: str) -> dict[str, tuple[str, str]]:
    return shown.tiles(shown.read(page_of(client, access, below)))


def test_shares_of_a_win_are_seen_to_add_up(client: Client) -> None:
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
    enter(access, [Entered(date(2025, 5, 9), "", tuple(tie.items()))])
    assert "up to the latest game" not in page_of(client, access, "players/1/")


def test_all_who_hold_a_record_of_a_year_are_named(client: Client) -> None:
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


def test_many_who_hold_a_record_are_counted(client: Client) -> None:
    names = ("Ana", "Ben", "Clara", "Dora", "Emil")
    access = group_with(*({name: 50} for name in names))
    assert tiles(client, access, "year/2025/")["The best total"][1] == "Ana, Ben, Clara and 2 more"


def test_the_closest_game_of_somebody_is_one_they_decided(client: Client) -> None:
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
    assert closest[""]["point decided it"] == ("1", "Ana – Clara, 1 May 2025")
    assert closest["players/1/"]["point decided it"] == ("1", "Ana – Clara, 1 May 2025")
    words = "points decided it"
    assert closest["players/2/"][words] == ("5", "Ana – Ben, 1 more game")


def test_a_shared_second_place_decides_a_game_for_both(client: Client) -> None:
    access = group_with({"Ana": 50, "Ben": 49, "Clara": 49}, *[{"Clara": 1}] * 4)
    told = tiles(client, access, "players/3/year/2025/")
    assert told["point decided it"] == ("1", "Ana – Clara, 1 May 2025")


def test_all_levels_that_were_played_most_are_named(client: Client) -> None:
    access = group_with(*[{"Ana": 1}] * 5, level="Castle")
    enter(access, [Entered(date(2025, 6, day), "Attic", (("Ana", 2),)) for day in range(1, 6)])
    facts = shown.facts(shown.read(page_of(client, access, "players/1/")))
    assert facts["Played most, 5 games"] == "Attic, Castle"


def test_the_others_are_all_but_the_player(client: Client) -> None:
    access = group_with(*[{"Ana": 60, "Ben": 40}] * 6, level="Castle")
    table = shown.tables(shown.read(page_of(client, access, "players/1/")))["Level by level"]
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
def test_a_median_is_the_mean_of_the_two_in_the_middle(values: list[int], five: list[str]) -> None:
    many = sorted(values * 4) if len(values) < 5 else values
    assert quantile(values, 0.5) == {2: 56.5, 4: 3, 5: 4}[len(values)]
    (figure,) = level_figures({1: many}, {}, None)
    assert figure.rows[0][5] == five[2]
    assert [
        shown.one_decimal(quantile(values, part / 4)).removesuffix(".0") for part in range(5)
    ] == five
    assert f">{five[2]}</text>" in figure.plot


def test_a_game_with_a_bot_is_no_game_with_others(client: Client) -> None:
    access = group_with(*[{"Ana": 30, "Ben": 20}] * 5)
    for day in (6, 7):
        add_game_with_a_bot(access, day, {"Ana": 10}, bot=60)
    add_game_with_a_bot(access, 8, {"Ana": 10, "Ben": 11}, bot=9)
    line = lines_of(client, access)["Ana"]
    assert (line.games, line.wins, line.share, line.luck) == (8, 5, 100, 50)
    assert line.mean == 22.5
    assert "5 wins in a row, up to the latest game." in page_of(client, access, "players/1/")
    told = tiles(client, access, "year/2025/")
    assert told["points decided it"][0] == "10"
    # Whoever chooses games with bots sees how they do against them.
    for choice, games, wins in (
        (GameFilter(bots="without"), 5, 5),
        (GameFilter(bots="with"), 3, 0),
    ):
        query = choice.asked
        line = lines_of(client, access, query)["Ana"]
        assert (line.games, line.wins) == (games, wins), query
        (row,) = (row for row in table_of(access.thing, choice).rows if row.player.name == "Ana")
        assert (row.sums.games, row.sums.wins) == (games, wins), query
    assert lines_of(client, access, "?bots=with")["Ben"].wins == 1
    assert page_of(client, access, "?bots=with").count('<article class="card evening">') == 3
    assert client.get(f"/groups/{access.share_key}/?bots=some").status_code == 302


def test_the_best_needs_no_number_of_games(client: Client) -> None:
    access = group_with({"Ana": 42, "Ben": 17}, level="Castle")
    lines = lines_of(client, access)
    assert (lines["Ana"].best, lines["Ana"].mean, lines["Ana"].worst) == (42, None, None)
    table = shown.tables(shown.read(page_of(client, access, "players/2/")))["Level by level"]
    assert table.rows == [["Castle best on 1 May 2025", "1", "–", "17", "–"]]


def test_a_level_that_was_only_typed_has_its_page_filter_and_rows(client: Client) -> None:
    access = group_with({"Ana": 42, "Ben": 17}, {"Ana": 12, "Ben": 27}, level="Tante Ernas Block")
    enter(access, [Entered(date(2025, 6, 1), "tante ernas block", (("Ana", 50),))])
    enter(access, [Entered(date(2025, 6, 2), "Castle", (("Ana", 9),))])
    page = page_of(client, access)
    offered = shown.choices(shown.read(page), "level")
    assert [name.casefold() for name in offered] == ["castle", "tante ernas block"]
    digest = offered["tante ernas block"]
    assert f"/levels/{digest}/" in page
    level = page_of(client, access, f"levels/{digest}/")
    assert "From 3 games." in level
    assert "balance report" not in level
    assert shown.records(shown.read(level))["Best total"] == (50, "Ana, 1 Jun 2025")
    assert lines_of(client, access, f"?level={digest}")["Ana"].games == 3
    rows = shown.tables(shown.read(page_of(client, access, "players/1/")))["Level by level"].rows
    assert rows[0][:2] == ["tante ernas block best on 1 Jun 2025", "3"]
    assert year_of(access.thing, 2025).games == 4


def test_files_from_before_know_typed_levels_by_their_names(client: Client) -> None:
    access = group_with({"Ana": 42, "Ben": 17}, level="Tante Ernas Block")
    known = access.thing.games.get().level_digest
    add_game_with_a_bot(access, 3, {"Ana": 42}, bot=17)
    written = json.loads(documents.format_group(access.thing))
    assert written["games"][0].pop("digest") == known
    again = store.find(joining.take_in(documents.read_group(json.dumps(written).encode()).group))
    assert again.thing.games.get(number=1).level_digest == known
    assert dict(again.thing.games.values_list("number", "has_bots")) == {1: False, 2: True}
    assert re.search(r"Tante Ernas Block", page_of(client, again))


def test_levels_of_files_from_before_take_as_much_room_as_those_of_new_ones() -> None:
    access = group_with(*[{"Ana": 42, "Ben": 17}] * 5)
    for game in access.thing.games.all():
        access.thing.games.filter(pk=game.pk).update(
            level_name={"en": f"Level {game.number}"},
            level_digest=name_digest({"en": f"Level {game.number}"}),
        )
    written = json.loads(documents.format_group(access.thing))
    charged: list[int] = []
    joining.take_in(documents.read_group(json.dumps(written).encode()).group, charged.append)
    for game in written["games"]:
        del game["digest"]
    joining.take_in(documents.read_group(json.dumps(written).encode()).group, charged.append)
    assert charged[0] == charged[1]
