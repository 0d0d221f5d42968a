"""Standings of a group: tables, champions, and the winners of evenings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.utils import timezone

from sheets.groups import store
from sheets.groups.documents import FORMAT, GameFile, GroupFile, PlayerFile, ResultFile
from sheets.groups.filters import ALL_GAMES, GameFilter
from sheets.groups.group_file_import import import_group
from sheets.groups.player_statistics import HeadToHead, Rivals, rivals_of
from sheets.groups.standings import (
    MAX_LEVELS,
    MAX_ON_LEVEL,
    Champions,
    StandingsRow,
    champions_of,
    standings_of,
    table_of,
)
from sheets.groups.statistics import read_games
from sheets.models import GroupPlayer
from tests.groups import naive_statistics, page_parsers
from tests.groups.simulated_family import twenty_evenings

pytestmark = pytest.mark.django_db

ANA, BEN, CEM, BOT = 0, 1, 2, -1
CASTLE, MOON = "1" * 16, "2" * 16


def game(
    day: str, points: dict[int, int | None], level: str = "", won: Sequence[int] = ()
) -> GameFile:
    """Return a game on an evening; without ``won`` the players with most points share the win."""
    most = max(total or 0 for total in points.values())
    winners = won or [player for player, total in points.items() if total == most]
    results = [
        ResultFile(
            1 if player in winners else 2,
            None if player == BOT else player,
            "Bot 2" if player == BOT else "",
            points=total,
            won=1 / len(winners) if player in winners and len(points) > 1 else 0.0,
        )
        for player, total in points.items()
    ]
    on = date.fromisoformat(day)
    moment = datetime(on.year, on.month, on.day, 19, len(GAMES) % 60, tzinfo=UTC)
    name = {"en": "Castle" if level == CASTLE else "Moon"} if level else {}
    return GameFile(moment, on, "table" if BOT in points else "sheets", results, name, digest=level)


GAMES: list[GameFile] = []
GAMES += [
    game("2025-03-01", {ANA: 30, BEN: 20, CEM: 10}, CASTLE),
    game("2025-03-01", {ANA: 30, BEN: 30, CEM: 10}, CASTLE),
    game("2025-03-01", {ANA: 12, CEM: 40}, MOON),
    game("2025-05-01", {CEM: 41, BEN: 40}, MOON),
    game("2025-05-01", {CEM: None, BEN: None}, won=[CEM]),
    game("2026-01-02", {ANA: 20, BEN: 21}, MOON),
    game("2026-01-02", {ANA: 22, BEN: 21}, MOON),
    game("2026-01-03", {ANA: 90, BOT: 10}, MOON),
    game("2026-01-03", {ANA: 99}, MOON),
]


def create_club(**more: bool) -> str:
    """Create a group with the games, optionally with Cem retired; return its key."""
    people = [PlayerFile("Ana"), PlayerFile("Ben"), PlayerFile("Cem", **more)]
    return import_group(GroupFile(FORMAT, "Club", people, [], GAMES))


def values_of(
    rows: Sequence[StandingsRow],
) -> list[tuple[int, str, float, int, float | None, int | None]]:
    return [
        (
            row.place,
            row.player.name,
            row.sums.wins,
            row.sums.games,
            row.sums.mean,
            row.sums.best,
        )
        for row in rows
    ]


@pytest.mark.postgresql
def test_tables_count_games_with_others_and_shared_wins_as_parts() -> None:
    found = standings_of(store.find(create_club()).resource)
    assert values_of(found.all_time) == [
        (1, "Cem", 3.0, 5, 101 / 4, 41),
        (2, "Ana", 2.5, 5, 114 / 5, 30),
        (3, "Ben", 1.5, 6, 132 / 5, 40),
    ]
    # Equal wins, and Ana and Ben have 42 points each: they share the first place.
    assert values_of(found.of_year) == [(1, "Ana", 1.0, 2, 21.0, 22), (1, "Ben", 1.0, 2, 21.0, 21)]
    assert [(one.year, one.winners, one.wins) for one in found.champions] == [
        (2026, ["Ana", "Ben"], 1.0),
        (2025, ["Cem"], 3.0),
    ]
    assert [level.title for level in found.levels] == ["Moon", "Castle"]
    assert values_of(found.levels[1].rows) == [
        (1, "Ana", 1.5, 2, 30.0, 30),
        (2, "Ben", 0.5, 2, 25.0, 30),
        (3, "Cem", 0.0, 2, 10.0, 10),
    ]


def test_average_decides_between_equal_wins() -> None:
    key = import_group(
        GroupFile(FORMAT, "Club", [PlayerFile("Ana"), PlayerFile("Ben")], [], GAMES[5:7])
    )
    group = store.find(key).resource
    assert [row.place for row in standings_of(group).all_time] == [1, 1]
    assert champions_of(group, read_games(group, ALL_GAMES)) == Champions(
        2026, ["Ana", "Ben"], 1.0, False
    )
    group.games.get(number=2).results.filter(seat=1).update(total=19)
    assert champions_of(group, read_games(group, ALL_GAMES)) == Champions(2026, ["Ana"], 1.0, True)
    assert [(row.place, row.player.name) for row in standings_of(group).all_time] == [
        (1, "Ana"),
        (2, "Ben"),
    ]


def test_retired_player_is_in_no_table_but_stays_champion() -> None:
    found = standings_of(store.find(create_club(retired=True)).resource)
    assert [(row.place, row.player.name) for row in found.all_time] == [(1, "Ana"), (2, "Ben")]
    assert found.champions[1].winners == ["Cem"]


def test_table_of_a_filter_has_its_games() -> None:
    group = store.find(create_club()).resource
    assert [row.player.name for row in table_of(group, GameFilter(level=CASTLE)).rows] == [
        "Ana",
        "Ben",
        "Cem",
    ]
    assert [row.sums.games for row in table_of(group, GameFilter(year=2025, level=MOON)).rows] == [
        2,
        1,
        1,
    ]


@pytest.mark.postgresql
def test_table_of_a_family_is_the_one_counted_by_hand() -> None:
    family = twenty_evenings()
    rows = {
        row.player.name: row.sums for row in table_of(family.access.resource, GameFilter()).rows
    }
    games = [
        one
        for one in naive_statistics.over(family.games)
        if len(one.seats) > 1 and not any(seat.is_bot for seat in one.seats)
    ]
    playing = [who for who in naive_statistics.people(games) if who not in family.retired]
    assert sorted(rows) == sorted(playing)
    for who in playing:
        seats = naive_statistics.seats_of(games, who)
        totals = naive_statistics.totals_of(games, who)
        assert rows[who].games == len(seats)
        won = sum(naive_statistics.parts_of_win(one)[seat] for one, seat in seats)
        assert rows[who].wins == pytest.approx(won)
        assert rows[who].best == max(totals, default=None)
        assert rows[who].mean == (pytest.approx(sum(totals) / len(totals)) if totals else None)


def test_page_behind_the_view_link_has_no_links_to_changes(
    client: Client,
) -> None:
    access = store.find(create_club())
    page = client.get(f"/groups/{access.share_key}/standings/").text
    assert access.key not in page
    assert '<meta property="og:title" content="Standings · Club">' in page
    tables = page_parsers.tables(page_parsers.read(page))
    assert [row[:3] for row in tables["All time"].rows] == [
        ["1.", "Cem", "3"],
        ["2.", "Ana", "2.5"],
        ["3.", "Ben", "1.5"],
    ]


def test_current_year_has_a_leader_and_a_past_year_a_champion(client: Client) -> None:
    url = f"/groups/{create_club()}/standings/"
    assert ("Champion:" in client.get(url).text) == (timezone.localdate().year > 2026)
    GroupPlayer.objects.filter(name="Cem").update(is_retired=True)
    assert "2025: <b>" in client.get(url).text.replace("\n", "")


def test_group_without_games_with_others_says_so(client: Client) -> None:
    page = client.get(f"/groups/{store.create('Club')}/standings/").text
    assert "No game with others yet." in page
    assert "Print the standings" not in page


@pytest.mark.postgresql
def test_evening_with_several_games_names_the_players_with_most_wins(client: Client) -> None:
    key = create_club()
    page = client.get(f"/groups/{key}/").text
    winners = page.split("Winner of the evening:")[1:]
    # 2 January 2026: one win each. 1 May 2025: both. 1 March 2025: Ana has one and a half.
    names = [
        [name for name in ("Ana", "Ben", "Cem") if f">{name}<" in part.partition("</p>")[0]]
        for part in winners
    ]
    assert names == [["Ana", "Ben"], ["Cem"], ["Ana"]]
    assert "Wins: 1 each" in winners[0]
    assert "Wins: 1.5" in winners[2]
    day = client.get(f"/groups/{store.find(key).share_key}/evening/2025-03-01/").text
    assert "Winner of the evening: <b>" in " ".join(day.split())


def test_year_names_its_champions(client: Client) -> None:
    access = store.find(create_club())
    told = page_parsers.tiles(
        page_parsers.read(client.get(f"/groups/{access.share_key}/year/2025/").text)
    )
    assert told["wins"] == ("3", "Champion: Cem")


def test_rivals_are_described_in_words_and_equal_ones_are_all_named() -> None:
    def against(name: str, ahead: int, behind: int, even: int = 0) -> HeadToHead:
        return HeadToHead(1, name, "", ahead + behind + even, ahead, behind, even)

    ben, cem, dora = against("Ben", 6, 5), against("Cem", 5, 6), against("Dora", 2, 8)
    few = against("Eva", 0, 4)
    assert rivals_of([ben, cem, dora, few]) == Rivals([ben, cem], [dora], [ben])
    assert rivals_of([few]) == Rivals([], [], [])
    even = against("Fee", 3, 3)
    assert rivals_of([even, dora]) == Rivals([even], [dora], [])
    assert rivals_of([dora, few]) == Rivals([], [], [])  # nobody to choose among


def test_standings_of_many_levels_and_players_stay_small(client: Client) -> None:
    names = [PlayerFile(f"Player {n}") for n in range(60)]
    games = [
        game("2026-01-01", {n % 60: 30, (n + 1 + n // 60) % 60: 20}, f"{n % 40:016x}")
        for n in range(600)
    ]
    url = f"/groups/{import_group(GroupFile(FORMAT, 'Club', names, [], games))}/"
    page = client.get(f"{url}standings/").text
    tables = [len(table.rows) for table in page_parsers.tables(page_parsers.read(page)).values()]
    assert tables[:2] == [60, 60]
    assert len(tables) == 2 + MAX_LEVELS
    assert max(tables[2:]) == MAX_ON_LEVEL
    assert "Tap a level to see all its players." in page
    level = re.search(r'href="(/groups/[^"]+\?level=[^"]+)"', page)
    assert level
    all_players = page_parsers.tables(page_parsers.read(client.get(level[1]).text))["Standings"]
    assert len(all_players.rows) > MAX_ON_LEVEL
