"""Figures on all pages of a group, compared with the reference implementation."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import groupby
from statistics import quantiles
from xml.etree.ElementTree import Element

import pytest
from django.test import Client

from sheets.groups import players, store
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.groups.player_figures import wins_words
from sheets.text.symbols import CATEGORY_NAMES
from tests.groups import naive_statistics, page_parsers
from tests.groups.simulated_family import (
    EDITED,
    LONG,
    UNEDITED,
    Family,
    FamilyGame,
    Seat,
    twenty_evenings,
)
from tests.table_games import TINY, level_of
from tests.tables.table_clients import SHORT

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

GRADES = (
    *("Warming up", "Finding the way", "Steady hand", "Well played"),
    *("Sharp pencil", "Dice whisperer", "Living legend"),
)
PAYING_CATEGORIES = tuple(part for part in CATEGORY_NAMES if part not in ("bombs", "heaps"))
PRINTED = {
    data: {field.name for field in level.fields if field.printed}
    for data, sheet in (
        *((name, name) for name in ("level-1", "level-2", "level-5")),
        *(("own", UNEDITED), ("edited", EDITED), ("short", SHORT), ("tiny", TINY)),
    )
    for level, _id in (level_of(sheet),)
}
"""Printed crosses of each level, by its data."""
NO_TABLE = page_parsers.Table([], [])
Fetch = Callable[[str], str]
Wanted = Callable[[FamilyGame], bool]
CHOICES: tuple[tuple[dict[str, str], Wanted], ...] = (
    ({}, lambda _game: True),
    ({"year": "2025"}, lambda game: game.evening.year == 2025),
    ({"players": "1"}, lambda game: len(game.seats) == 1),
    ({"players": "4"}, lambda game: len(game.seats) == 4),
    *(
        ({"kind": kind}, lambda game, kind=kind: game.kind == kind)
        for kind in ("sheets", "table", "tally", "dice2", "typed")
    ),
    *(
        ({"level": data}, lambda game, data=data: game.data == data)
        for data in ("level-5", "own", "edited", "attic")
    ),
    (
        {"year": "2025", "players": "3", "kind": "sheets"},
        lambda game: (game.evening.year, len(game.seats), game.kind) == (2025, 3, "sheets"),
    ),
    ({"year": "2024", "kind": "dice2"}, lambda _game: False),
    (
        {"bots": "without"},
        lambda game: game.is_over and not any(seat.is_bot for seat in game.seats),
    ),
)
"""Parameters of a filter, a level by its data, and a predicate for its games."""


def near(seen: float | None, counted: float | None, step: float) -> bool:
    """Return whether a number is the counted one, rounded to steps, or both are missing."""
    if seen is None or counted is None:
        return seen is counted
    return abs(seen - counted) <= step / 2 + 1e-9


def is_line(seen: naive_statistics.Line, counted: naive_statistics.Line) -> bool:
    """Return whether the shown figures of a player equal the counted ones."""
    percents = ("share", "expected_percent", "low", "high")
    return (
        all(near(getattr(seen, name), getattr(counted, name), 1) for name in percents)
        and near(seen.wins, counted.wins, 0.01)
        and near(seen.mean, counted.mean, 0.1)
        and all(
            getattr(seen, name) == getattr(counted, name)
            for name in ("games", "best", "worst", "says", "last")
        )
    )


@pytest.fixture
def family() -> Family:
    """Return the group of the simulated family."""
    return twenty_evenings()


@pytest.fixture
def fetch(client: Client, family: Family) -> Fetch:
    """Return a function that fetches a page of the group by the view link."""
    client.get(f"/groups/{family.access.key}/")

    def get(below: str) -> str:
        return client.get(f"/groups/{family.access.share_key}/{below}").content.decode()

    return get


def numbers_of(fetch: Fetch) -> dict[str, int]:
    """Return the number of each player in addresses, by name."""
    links = re.findall(r"players/(\d+)/\"><bdi translate=\"no\">([^<]+)<", fetch(""))
    return {name: int(number) for number, name in links}


def wanted_levels(fetch: Fetch, family: Family) -> dict[str, str]:
    """Return the sent values of the list of levels, by the data of the level."""
    offered = page_parsers.choices(page_parsers.read(fetch("")), "level")
    named = {game.data: game.title for game in family.games if game.data}
    found = {}
    for data, title in named.items():
        versions = [sent for said, sent in offered.items() if re.match(rf"{title}(, v|$)", said)]
        same = {one for one, other in named.items() if other == title}
        assert len(versions) == len(same)
        for sent in versions:
            page = page_parsers.read(fetch(f"?level={sent}"))
            seen = [game for day in page_parsers.days(page) for game in day.games]
            games = [game for game in family.games if game.data == data and game.is_over]
            newest = sorted(games, key=lambda game: (game.evening, game.when))[-1]
            if [points for _n, points, _w in seen[0].did] == in_order(newest):
                found[data] = sent
    assert found.keys() == named.keys()
    return found


def in_order(game: FamilyGame) -> list[int | None]:
    """Return the points of all players, the first place first."""
    ranked = sorted(zip(naive_statistics.places(game), range(len(game.seats)), strict=True))
    return [game.seats[i].points for _place, i in ranked]


def pages(fetch: Fetch, query: str) -> Iterator[page_parsers.ShownDay]:
    """Yield the evenings of all pages, following the link to older ones."""
    for _ in range(9):
        html = fetch(query)
        yield from page_parsers.days(page_parsers.read(html))
        older = re.search(r'href="([^"]+)">Older<', html)
        if not older:
            return
        query = older[1].replace("&amp;", "&")
    raise AssertionError("there is no end")


def test_each_figure_equals_the_reference_implementation(
    client: Client, family: Family, fetch: Fetch
) -> None:
    check_that_every_case_occurs(family)
    fetch = cache(fetch)  # the group does not change, and many checks need the first page
    levels = wanted_levels(fetch, family)
    for sent, is_wanted in CHOICES:
        if "level" in sent:
            sent = {"level": levels[sent["level"]]}
        check_filtered_page(family, fetch, sent, is_wanted)
    for sent, is_wanted in CHOICES:
        if "level" in sent:
            sent = {"level": levels[sent["level"]]}
        check_player_pages(family, fetch, sent, is_wanted)
        for data, level in () if "level" in sent else levels.items():
            html = fetch(f"levels/{level}/{query_of(sent)}")
            check_level_page(family, data, html, is_wanted)
    check_years(family, fetch)
    check_evening_pages_and_result_table(client, family, fetch)


def short(number: float) -> str:
    """Format a number with one decimal unless it is an integer."""
    return page_parsers.one_decimal(number).removesuffix(".0")


def named(names: Sequence[str]) -> str:
    """Format the holders of a record: three by name."""
    known = [name or "someone" for name in names]
    if len(known) > 3:
        return f"{', '.join(known[:3])} and {len(known) - 3} more"
    return " and ".join((", ".join(known[:-1]), known[-1])) if len(known) > 1 else known[0]


def query_of(sent: Mapping[str, str]) -> str:
    """Return the query string of an address."""
    return "?" + "&".join(f"{name}={value}" for name, value in sent.items()) if sent else ""


def test_figures_stay_correct_when_games_and_players_change(family: Family, fetch: Fetch) -> None:
    levels = wanted_levels(fetch, family)
    places = dict(zip(range(len(family.games)), numbers_of_games(family), strict=True))
    gone = next(i for i, game in enumerate(family.games) if game.data == "level-5")
    access, all_played = family.access, family.games
    day = date(2025, 5, 1)
    seats = (Seat("Ana", 99), Seat("Ben", 98))
    when = datetime.combine(day, time(20), UTC)
    typed = FamilyGame(when, day, "typed", "By the lake", "level-5", seats)
    store.delete_game(access, places[gone])
    family = family._replace(games=[*all_played[:gone], *all_played[gone + 1 :]])
    enter(access, [PaperGame(day, "By the lake", (("Ana", 99), ("Ben", 98)))])
    family = family._replace(games=[*family.games, typed])
    check_all_pages(family, fetch, levels)
    number = {one.name: one.number for one in access.resource.players.all()}
    players.merge(access, number[LONG], number["Kim"])
    check_all_pages(called(family, {LONG: "Kim"}), fetch, levels)
    players.split_merged(access, number[LONG])
    check_all_pages(family, fetch, levels)
    players.rename(access, number["Ana"], "Anna Lena")
    family = called(family, {"Ana": "Anna Lena"})
    players.delete(access, number["Tom"])
    check_all_pages(called(family, {"Tom": ""}), fetch, levels)


def numbers_of_games(family: Family) -> list[int]:
    """Return the numbers of a group's games in the order of their addition."""
    return list(family.access.resource.games.order_by("number").values_list("number", flat=True))


def called(family: Family, names: Mapping[str, str]) -> Family:
    """Return the same family with other names."""
    return family._replace(
        games=[
            game._replace(
                seats=tuple(seat._replace(who=names.get(seat.who, seat.who)) for seat in game.seats)
            )
            for game in family.games
        ]
    )


def check_all_pages(family: Family, fetch: Fetch, levels: Mapping[str, str]) -> None:
    """Check the pages of players, levels and years, for all games and for some of them.

    Each page is fetched only once.
    """
    fetch = cache(fetch)
    for sent, is_wanted in (CHOICES[0], CHOICES[-3]):
        check_filtered_page(family, fetch, sent, is_wanted)
        check_player_pages(family, fetch, sent, is_wanted)
        for data in ("level-5", "own"):
            html = fetch(f"levels/{levels[data]}/{query_of(sent)}")
            check_level_page(family, data, html, is_wanted)
    check_years(family, fetch)


def check_filtered_page(
    family: Family, fetch: Fetch, sent: Mapping[str, str], is_wanted: Wanted
) -> None:
    """Check the page of a group for one filter: its table and its evenings."""
    query = query_of(sent)
    games = [game for game in family.games if is_wanted(game)]
    html = fetch(query)
    page = page_parsers.read(html)
    check_standings(page, games, family.retired)
    check_evenings(list(pages(fetch, query)), games)


def check_standings(page: Element, games: list[FamilyGame], retired: Collection[str]) -> None:
    """Check the table of games with others and without bots, or of all games if there are none."""
    over = naive_statistics.over(games)
    with_others = [one for one in over if naive_statistics.is_match(one)]
    counted = []
    for who in naive_statistics.people(with_others or over):
        if who in retired:
            continue
        seats = naive_statistics.seats_of(with_others or over, who)
        totals = naive_statistics.totals_of(with_others or over, who)
        mean = sum(totals) / len(totals) if totals else None
        wins = sum(naive_statistics.parts_of_win(game)[seat] for game, seat in seats)
        counted.append(
            (wins if with_others else 0, mean, who, len(seats), max(totals, default=None))
        )
    counted.sort(key=lambda one: (-one[0], -math.inf if one[1] is None else -one[1]))
    rows = page_parsers.tables(page)["Standings"].rows if counted else []
    for row, (wins, mean, who, count, best) in zip(
        sorted(rows, key=lambda row: row[1]), sorted(counted, key=lambda one: one[2]), strict=True
    ):
        told = [wins_words(wins)] if with_others else []
        average = "–" if mean is None else page_parsers.one_decimal(mean)
        points = "–" if best is None else f"{best}".replace("-", "−")
        assert row[1:] == [who, *told, str(count), average, points]
    assert [row[1] for row in rows if row[0] == "1."][:1] == [one[2] for one in counted[:1]]


def check_trend(drawn: list[tuple[float, float]], last: list[int]) -> None:
    """Check that the trend line shows the totals to scale, from left to right."""
    assert bool(drawn) == bool(last)
    if drawn:
        low, high = min(last), max(last)
        assert [x for x, _y in drawn] == pytest.approx(
            [100 * i / (len(drawn) - 1) for i in range(len(drawn))], abs=0.1
        )
        heights = [(30 - y) * (high - low) / 30 + low for _x, y in drawn]
        assert heights == pytest.approx(last, abs=0.1)


def check_evenings(seen: list[page_parsers.ShownDay], games: list[FamilyGame]) -> None:
    """Check the evenings and their games, the latest first, with winners and open games."""
    latest = sorted(
        enumerate(games), key=lambda one: (one[1].evening, one[1].when, one[0]), reverse=True
    )
    counted = [
        (day, [game for _i, game in some])
        for day, some in groupby(latest, key=lambda one: one[1].evening)
    ]
    assert [day.heading for day in seen] == [page_parsers.day_words(day) for day, _some in counted]
    for day, (_date, some) in zip(seen, counted, strict=True):
        assert day.games == [expected_game(game) for game in some]


def expected_game(game: FamilyGame) -> page_parsers.ShownGame:
    """Return the expected game of an evening."""
    if not game.is_over:
        return page_parsers.ShownGame(game.title, "", [], True)
    wins = naive_statistics.parts_of_win(game)
    ranked = sorted(zip(naive_statistics.places(game), range(len(game.seats)), strict=True))
    did = [
        (game.seats[i].who or "someone", game.seats[i].points, wins[i] > 0) for _place, i in ranked
    ]
    grade = "" if game.grade is None else GRADES[game.grade]
    return page_parsers.ShownGame(game.title, grade, did, False)


def check_level_page(family: Family, data: str, html: str, is_wanted: Wanted) -> None:
    """Check totals by number of players, records and crosses on the page of a level."""
    page = page_parsers.read(html)
    tables = page_parsers.tables(page)
    games = [
        game
        for game in naive_statistics.over(naive_statistics.order(family.games))
        if game.data == data and is_wanted(game)
    ]
    if not games:
        assert "No game matches." in html
        assert not tables
        return
    sheets = [(game, seat) for game in games for seat in game.seats if not seat.is_bot]
    assert f"From {len(games)} game" in html
    totals: dict[int, list[int]] = {}
    for game, seat in sheets:
        totals.setdefault(len(game.seats), []).append(seat.points or 0)
    rows = tables["By number of players"].rows
    assert [row[:2] for row in rows] == [
        [str(count), str(len(some))] for count, some in sorted(totals.items())
    ]
    for row, (_count, some) in zip(rows, sorted(totals.items()), strict=True):
        counted = sum(some) / len(some) if len(some) >= naive_statistics.MIN_GAMES else None
        assert near(None if row[2] == "–" else float(row[2]), counted, 0.1)
    five = [
        [str(len(some)), *map(short, (min(some), *quantiles(some, method="inclusive"), max(some)))]
        for _count, some in sorted(totals.items())
        if len(some) >= 5
    ]
    drawn = [row for row in tables.get("Totals", NO_TABLE).rows if row[1] == "You"]
    assert [row[2:] for row in drawn] == five
    check_records(page, sheets)
    on_sheets = [(game, seat) for game, seat in sheets if seat.crossed]
    heat = tables.get("Crossed fields", NO_TABLE)
    if len({id(game) for game, _seat in on_sheets}) < naive_statistics.MIN_GAMES:
        assert heat.rows == []
        return
    seen = {
        f"{letter}{row[0]}": share
        for row in heat.rows
        for letter, share in zip(heat.heads[1:], row[1:], strict=True)
        if share
    }
    for at, share in seen.items():
        count = sum(at in seat.crossed for _game, seat in on_sheets)
        assert near(float(share), 100 * count / len(on_sheets), 1), at
    assert {at for _game, seat in on_sheets for at in seat.crossed} <= seen.keys()


def check_records(page: Element, sheets: Sequence[tuple[FamilyGame, Seat]]) -> None:
    """Check the best value of each kind, all holders, and the first evening."""
    holders: dict[str, tuple[int, dict[str, date]]] = {}

    def compare(name: str, points: int, game: FamilyGame, seat: Seat) -> None:
        # A total can be negative; categories are no record without points.
        most, who = holders.get(name, (-1000 if "total" in name else 0, {}))
        if points > most:
            holders[name] = points, {seat.who or "someone": game.evening}
        elif points == most and who:
            who.setdefault(seat.who or "someone", game.evening)

    for game, seat in sheets:
        compare("Best total", seat.points or 0, game, seat)
        if len(game.seats) == 1:
            compare("Best total alone", seat.points or 0, game, seat)
        for part, points in seat.parts:
            if part in PAYING_CATEGORIES:
                compare(f"Most for: {CATEGORY_NAMES[part]}", points, game, seat)
    assert page_parsers.records(page) == {
        name: (
            points,
            "; ".join(f"{one}, {page_parsers.day_words(day)}" for one, day in who.items()),
        )
        for name, (points, who) in holders.items()
        if points  # zero points are no record
    }


def check_player_pages(
    family: Family, fetch: Fetch, sent: Mapping[str, str], is_wanted: Wanted
) -> None:
    """Check streaks, rating, levels, points by category, solo games and opponents for a filter."""
    everybody = naive_statistics.people(family.games)
    chosen = family._replace(games=[game for game in family.games if is_wanted(game)])
    for who, number in numbers_of(fetch).items():
        html = fetch(f"players/{number}/{query_of(sent)}")
        page = page_parsers.read(html)
        tables = page_parsers.tables(page)
        check_ratings(page, tables, family, who, is_chosen=bool(sent))
        card = page_parsers.card(page)
        if not naive_statistics.seats_of(chosen.games, who):
            assert card is None
            assert "No game matches." in html
            assert not tables
            continue
        assert card is not None
        counted = naive_statistics.line_of(chosen.games, who)
        assert is_line(page_parsers.line(card), counted), (who, page_parsers.line(card), counted)
        check_trend(page_parsers.trend(card), counted.last)
        streak = 0 if sent else naive_statistics.streak_of(family.games, who)
        assert re.findall(r"(\d+) wins in a row", html) == ([str(streak)] if streak > 1 else [])
        check_levels(
            tables, "Level by level", naive_statistics.levels_of(chosen.games, who), family
        )
        check_categories(page, tables, chosen, who, [one for one in everybody if one != who])
        check_facts(page, chosen, who)
        check_solo_games(page, tables, chosen, who)
        blocks = naive_statistics.blocks_of(naive_statistics.totals_of(chosen.games, who))
        drawn = tables.get("Points, from the first game to the latest", NO_TABLE).rows
        assert [int(row[1]) for row in drawn] == [n for n, _m in blocks if len(blocks) > 1]
        assert all(
            near(float(row[2]), mean, 0.1) for row, (_n, mean) in zip(drawn, blocks, strict=False)
        )
        met = naive_statistics.met_by(chosen.games, who)
        others = tables["Against each of the others"].rows if met else []
        assert {row[0]: tuple(map(int, row[1:5])) for row in others} == met
        assert [int(row[1]) for row in others] == sorted((m[0] for m in met.values()), reverse=True)


def check_levels(
    tables: Mapping[str, page_parsers.Table],
    name: str,
    levels: Mapping[str, naive_statistics.OnLevel],
    family: Family,
) -> None:
    """Check the figures of each level, the most played first."""
    table = tables[name] if levels else NO_TABLE
    titles = {game.data: game.title for game in family.games}
    counted = sorted(
        (
            (titles[data], one.games, one.when, *map(mean_words, (one.mean, one.others)), one.best)
            for data, one in levels.items()
        ),
        key=str,
    )
    columns = [name for name in ("On average", "The others", "Best") if name in table.heads]
    seen = []
    unknown = [row for row in table.rows if row[0] == "Level not known"]
    assert not unknown or "The others" not in table.heads
    for row in table.rows[: len(table.rows) - len(unknown)]:
        cells = {name: row[table.heads.index(name)] for name in columns}
        day = re.search(r"best on (\d+ \w+ \d+)", row[0])
        best = None if cells["Best"] == "–" else page_parsers.number(cells["Best"])
        title = page_parsers.plain_title(row[0].partition(" best on ")[0])
        when = page_parsers.day_of(day[1]) if day else None
        means = cells["On average"], cells.get("The others", "")
        seen.append((title, int(row[1]), when, *means, best))
    if "The others" not in columns:
        counted = [(*one[:4], "", one[5]) for one in counted]
    seen.sort(key=str)
    assert seen == counted
    assert len({row[0] for row in table.rows}) == len(table.rows)
    games = [int(row[1]) for row in table.rows if row not in unknown]
    assert games == sorted(games, reverse=True)


def mean_words(mean: float | None) -> str:
    """Format a mean like a table."""
    return "–" if mean is None else page_parsers.one_decimal(mean)


def check_ratings(
    page: Element,
    tables: Mapping[str, page_parsers.Table],
    family: Family,
    who: str,
    *,
    is_chosen: bool,
) -> None:
    """Check the current rating and its course from five games on, always of all games."""
    strengths = naive_statistics.strengths_of(family.games, who)
    known = [one for one in strengths if one.games >= naive_statistics.MIN_GAMES]
    said = page_parsers.text(page_parsers.section(page, "rating-title"))
    if known:
        assert f"Rating {known[-1].points:,} ± {known[-1].within} " in said
        assert f"From {known[-1].games} games against others of the group" in said
        assert ("A rating is always that of all games" in said) == is_chosen
    else:
        assert "±" not in said
    drawn = tables.get("Rating, evening by evening", NO_TABLE).rows
    assert drawn == [
        [page_parsers.day_words(one.day), str(one.games), f"{one.points:,} ± {one.within}"]
        for one in known
        if len(known) > 1 and not is_chosen
    ]


def check_categories(
    page: Element,
    tables: Mapping[str, page_parsers.Table],
    family: Family,
    who: str,
    others: Sequence[str],
) -> None:
    """Check the points by category, compared with those of the others."""
    own, mine = naive_statistics.parts_of(family.games, [who])
    sheets, means = naive_statistics.parts_of(family.games, others)
    drawn = tables.get("What the points are for", NO_TABLE).rows
    if own < naive_statistics.MIN_GAMES:
        assert drawn == []
        return
    assert {row[0] for row in drawn} == {
        str(CATEGORY_NAMES[part]) for part in {*mine, *means} if mine.get(part) or means.get(part)
    }
    names = {str(words): part for part, words in CATEGORY_NAMES.items()}
    for label, seen, beside in drawn:
        assert near(float(seen.replace("−", "-")), mine.get(names[label], 0), 0.1)
        there = None if beside == "–" else float(beside.replace("−", "-"))
        assert near(there, means.get(names[label], 0) if sheets else None, 0.1)
    said = f"from {own} games."
    if sheets:
        said += f" The diamond is the mean of the others of the group, from {sheets} sheet"
    assert said in page_parsers.text(page)


def check_facts(page: Element, family: Family, who: str) -> None:
    """Check the most played level, the best one compared with the group, and the longest streak."""
    facts = page_parsers.facts(page)
    levels = naive_statistics.levels_of(family.games, who)
    titles = {game.data: game.title for game in family.games}
    most = max((one.games for one in levels.values()), default=0)
    favourites = [titles[data] for data, one in levels.items() if one.games == most >= 5]
    told = ", ".join(facts[name] for name in facts if name.startswith("Played most"))
    seen_titles = re.sub(r", version \d+", "", told).split(", ") if told else []
    assert sorted(seen_titles) == sorted(favourites)
    ahead = {
        data: one.mean - one.others
        for data, one in levels.items()
        if one.mean is not None and one.others is not None and one.mean > one.others
    }
    best = max(ahead, key=lambda data: ahead[data], default="")
    seen = {
        page_parsers.plain_title(facts[name]) for name in facts if name.startswith("Best level")
    }
    assert seen == ({titles[best]} if best else set())
    assert not best or any(
        f" {page_parsers.one_decimal(ahead[best])} above the others" in name for name in facts
    )
    longest, day = naive_statistics.longest_of(family.games, who)
    matches = sum(
        naive_statistics.is_match(game) for game, _i in naive_statistics.seats_of(family.games, who)
    )
    streaks = {name: facts[name] for name in facts if name.startswith("Most wins in a row")}
    assert list(streaks.values()) == ([str(longest)] if longest > 1 and matches >= 5 else [])
    for name in streaks:
        assert day
        assert f"up to {page_parsers.day_words(day)}, of {matches} games" in name


def check_years(family: Family, fetch: Fetch) -> None:
    """Check each tile of each year, of the group and of each player with games in it."""
    for year in {game.evening.year for game in naive_statistics.over(family.games)}:
        games = [game for game in family.games if game.evening.year == year]
        check_year_page(fetch(f"year/{year}/"), games)
        for who, number in numbers_of(fetch).items():
            if naive_statistics.seats_of(games, who):
                check_year_page(fetch(f"players/{number}/year/{year}/"), games, who)


def check_holders(
    seen: Mapping[str, tuple[str, str]], counted: naive_statistics.Year, who: str
) -> None:
    """Check all holders of the records of a year, and all weekdays with most evenings."""
    if counted.streak and not who:
        holders = re.split(", | and ", seen["outright win in a row"][1])
        assert set(holders[:3]) <= counted.streak_of
        assert len(holders) == min(4, len(counted.streak_of))
    if counted.together:
        detail = seen["game together"][1].removeprefix("with ")
        pairs = [{*pair.split(" – "), *([who] if who else [])} for pair in detail.split(" and ")]
        if len(counted.pairs) < 3:
            assert sorted(map(sorted, pairs)) == sorted(map(sorted, counted.pairs))
    if counted.closest:
        more = re.search(r", (\d+) more games?$", seen["point ahead in the closest game"][1])
        assert (int(more[1]) if more else 0) == counted.as_close - 1
    assert ("is when you play most" in seen) == (counted.weekday > 0 and len(counted.days) < 3)
    if "is when you play most" in seen:
        day_names, detail = seen["is when you play most"]
        assert day_names == ", ".join(counted.days)
        each = " each" * (len(counted.days) > 1)
        assert detail == f"{counted.weekday} of {counted.evenings} evenings{each}"


def wins_of(games: Sequence[FamilyGame]) -> dict[str, float]:
    """Return the wins of each player in games with others."""
    wins: defaultdict[str, float] = defaultdict(float)
    for game in filter(naive_statistics.is_match, naive_statistics.over(games)):
        for seat, share in zip(game.seats, naive_statistics.parts_of_win(game), strict=True):
            if naive_statistics.counts(seat):
                wins[seat.who] += share
    return wins


def check_year_page(html: str, games: Sequence[FamilyGame], who: str = "") -> None:
    """Check the page of a year, of the group or of a player."""
    page, counted = page_parsers.read(html), naive_statistics.year_of(games, who)
    seen = {
        words.replace("wins", "win").replace("games", "game").replace("points", "point"): tile
        for words, tile in page_parsers.tiles(page).items()
    }
    headline = page_parsers.text(page.find(".//div[@class='year-head']/p"))
    assert list(map(int, re.findall(r"\d+", headline))) == [counted.games, counted.evenings]
    if counted.games < naive_statistics.MIN_GAMES:
        assert seen == {}
        return
    figures = {
        "The best total": counted.best,
        "outright win in a row": counted.streak or None,
        "game together": counted.together or None,
        "point ahead in the closest game": counted.closest or None,
        "point for bombs and heaps": counted.lost or None,
    }
    for words, figure in figures.items():
        assert (page_parsers.number(seen[words][0]) if words in seen else None) == figure, words
    wins = counted.wins if who else max(wins_of(games).values(), default=0)
    assert near(float(seen["win"][0]) if "win" in seen else None, wins or None, 0.01)
    if counted.best_in and len(counted.best_of) > 1 and not who:
        assert seen["The best total"][1] == named(counted.best_of)
    elif counted.best_in:
        title, day, name = counted.best_in
        told = seen["The best total"][1].removeprefix(f"{name}: " if name and not who else "")
        assert told.endswith(f", {page_parsers.day_words(day)}")
        assert (
            page_parsers.plain_title(told.removesuffix(f", {page_parsers.day_words(day)}")) == title
        )
    if counted.wins:
        assert f"Of {counted.matches} game" in seen["win"][1]
    check_holders(seen, counted, who)
    sheets = [
        (game.data, sorted(set(seat.crossed) - PRINTED[game.data]))
        for game in naive_statistics.over(games)
        for seat in game.seats
        if seat.crossed and not seat.is_bot and who in ("", seat.who)
    ]
    crosses = sum(len(crossed) for _data, crossed in sheets)
    assert ("crosses" in seen) == bool(crosses)
    assert not crosses or seen["crosses"][0] == f"{crosses:,}"
    most = max(counted.levels.values(), default=0)
    favourite = page_parsers.text(page.find(".//figure/figcaption/b"))
    levels = {game.data: game.title for game in games if counted.levels.get(game.data) == most}
    told = re.sub(r"(, version \d+)?, \d+ games?$", "", favourite)
    assert not counted.levels or (told in levels.values() and f", {most} game" in favourite)
    for words in seen.keys() & {"the field most loved", "the fields most loved"}:
        fields, detail = seen[words]
        on_it = [crossed for data, crossed in sheets if levels.get(data) == told]
        often = Counter(at for crossed in on_it for at in crossed)
        best = max(often.values())
        assert sorted(fields.split(", ")) == sorted(at for at in often if often[at] == best)
        assert detail.endswith(f": on {best} of {len(on_it)} sheets")


def check_solo_games(
    page: Element, tables: Mapping[str, page_parsers.Table], family: Family, who: str
) -> None:
    """Check the solo games: numbers of grades, levels, and the last ten games."""
    alone = naive_statistics.alone_of(family.games, who)
    titles = [GRADES[game.grade] for game, _points in alone if game.grade is not None]
    part = page_parsers.section(page, "alone-title")
    medals = [] if part is None else [page_parsers.text(one) for one in part.iterfind(".//li")]
    graded = [f"{titles.count(one)} × {one}" for one in GRADES[::-1] if one in titles]
    rest = len(alone) - len(titles)
    assert medals == (graded + [f"{rest} × without a grade"] * bool(rest) if graded else [])
    check_levels(
        tables, "Alone, level by level", naive_statistics.levels_of(family.games, who, 1), family
    )
    last = tables.get("The last games alone", NO_TABLE).rows
    assert [[re.sub(r", version \d+ ", " ", row[0]), *row[1:]] for row in last] == [
        [
            f"{game.title} {page_parsers.day_words(game.evening)}",
            str(points),
            "–" if game.grade is None else GRADES[game.grade],
        ]
        for game, points in alone[:10]
    ]


def check_evening_pages_and_result_table(client: Client, family: Family, fetch: Fetch) -> None:
    """Check each evening's page for editors, and the table of all results."""
    for day in {game.evening for game in family.games}:
        html = client.get(f"/groups/{family.access.key}/evening/{day}/").content.decode()
        games = [game for game in family.games if game.evening == day]
        check_evenings(page_parsers.days(page_parsers.read(html)), games)
    head, *rows = csv.reader(io.StringIO(fetch("results.csv").removeprefix("\ufeff")))
    assert len(head) == 8
    kinds = ("Scored sheets", "At a table", "Tally", "Dice²", "Entered by hand")
    assert {row.pop(6) for row in rows} == set(kinds)
    numbers = [int(row.pop()) for row in rows]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == len(naive_statistics.over(family.games))
    rows = [[row[0], page_parsers.plain_title(row[1]), *row[2:]] for row in rows]
    counted = [
        [
            game.evening.isoformat(),
            game.title,
            seat.who or "someone",
            "" if seat.points is None else str(seat.points),
            str(place),
            f"{part:g}" if part in (0, 0.5, 1) else str(round(part, 3)),
        ]
        for game in naive_statistics.over(family.games)
        for seat, place, part in zip(
            game.seats,
            naive_statistics.places(game),
            naive_statistics.parts_of_win(game),
            strict=True,
        )
    ]
    assert rows == counted


def check_that_every_case_occurs(family: Family) -> None:
    """Check that the simulated evenings contain every case."""
    games = family.games
    over = naive_statistics.over(games)
    assert len({game.evening for game in games}) >= 20
    assert {len(game.seats) for game in over} == {1, 2, 3, 4, 5}
    assert {game.kind for game in games} == {"sheets", "table", "tally", "dice2", "typed"}
    assert any(0 < part < 1 for game in over for part in naive_statistics.parts_of_win(game))
    assert any(game.grade for game in over)
    lines = [naive_statistics.line_of(games, who) for who in naive_statistics.people(games)]
    assert {line.says for line in lines} >= {None, "same"}
    assert any(naive_statistics.streak_of(games, who) > 1 for who in naive_statistics.people(games))
