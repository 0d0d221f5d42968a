"""Figures on all pages of a family after twenty evenings, compared with a plain recount."""

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
from sheets.groups.entering import Entered, enter
from sheets.groups.figures import wins_words
from sheets.texts.symbols import CATEGORIES
from tests.groups import recounted, shown
from tests.groups.family import (
    EDITED,
    LONG,
    UNEDITED,
    Family,
    Happened,
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
PAYING = tuple(part for part in CATEGORIES if part not in ("bombs", "heaps"))
PRINTED = {
    data: {field.name for field in level.fields if field.printed}
    for data, sheet in (
        *((name, name) for name in ("level-1", "level-2", "level-5")),
        *(("own", UNEDITED), ("edited", EDITED), ("short", SHORT), ("tiny", TINY)),
    )
    for level, _id in (level_of(sheet),)
}
"""The fields that are crossed on the sheets of a level before anybody begins."""
NO_TABLE = shown.Table([], [])
Look = Callable[[str], str]
Wanted = Callable[[Happened], bool]
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
"""What is chosen, as a page sends it, a level by its data; and which games that means."""


def near(seen: float | None, counted: float | None, step: float) -> bool:
    """Whether a number is what was counted, rounded to steps; neither may be there."""
    if seen is None or counted is None:
        return seen is counted
    return abs(seen - counted) <= step / 2 + 1e-9


def is_line(seen: recounted.Line, counted: recounted.Line) -> bool:
    """Whether a player's figures are those that were counted, as far as they are written out."""
    percents = ("share", "luck", "low", "high")
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
    """Twenty evenings of a family."""
    return twenty_evenings()


@pytest.fixture
def look(client: Client, family: Family) -> Look:
    """A page of the family, as who may only look sees it; after a first look at all."""
    client.get(f"/groups/{family.access.key}/")

    def get(below: str) -> str:
        return client.get(f"/groups/{family.access.share_key}/{below}").content.decode()

    return get


def numbers_of(look: Look) -> dict[str, int]:
    """The number of each player in addresses, by name."""
    links = re.findall(r"players/(\d+)/\"><bdi translate=\"no\">([^<]+)<", look(""))
    return {name: int(number) for number, name in links}


def wanted_levels(look: Look, family: Family) -> dict[str, str]:
    """What the list of levels sends, by the data they have; the last one edited comes last."""
    offered = shown.choices(shown.read(look("")), "level")
    named = {game.data: game.title for game in family.games if game.data}
    found = {}
    for data, title in named.items():
        versions = [sent for said, sent in offered.items() if re.match(rf"{title}(, v|$)", said)]
        same = {one for one, other in named.items() if other == title}
        assert len(versions) == len(same)
        for sent in versions:
            page = shown.read(look(f"?level={sent}"))
            seen = [game for day in shown.days(page) for game in day.games]
            games = [game for game in family.games if game.data == data and game.is_over]
            newest = sorted(games, key=lambda game: (game.evening, game.when))[-1]
            if [points for _n, points, _w in seen[0].did] == in_order(newest):
                found[data] = sent
    assert found.keys() == named.keys()
    return found


def in_order(game: Happened) -> list[int | None]:
    """Everybody's points, the first place first."""
    ranked = sorted(zip(recounted.places(game), range(len(game.seats)), strict=True))
    return [game.seats[i].points for _place, i in ranked]


def pages(look: Look, query: str) -> Iterator[shown.ShownDay]:
    """The evenings of all pages, by the link that leads to older ones."""
    for _ in range(9):
        html = look(query)
        yield from shown.days(shown.read(html))
        older = re.search(r'href="([^"]+)">Older<', html)
        if not older:
            return
        query = older[1].replace("&amp;", "&")
    raise AssertionError("there is no end")


def test_each_figure_is_what_a_plain_recount_gives(
    client: Client, family: Family, look: Look
) -> None:
    assert_the_family_has_met_all_that_can_happen(family)
    look = cache(look)  # nothing changes any more, and many ask for the first page
    levels = wanted_levels(look, family)
    for sent, is_wanted in CHOICES:
        if "level" in sent:
            sent = {"level": levels[sent["level"]]}
        assert_what_is_chosen_is_counted(family, look, sent, is_wanted)
    for sent, is_wanted in CHOICES:
        if "level" in sent:
            sent = {"level": levels[sent["level"]]}
        assert_each_players_page_is_counted(family, look, sent, is_wanted)
        for data, level in () if "level" in sent else levels.items():
            html = look(f"levels/{level}/{query_of(sent)}")
            assert_a_level_is_counted(family, data, html, is_wanted)
    assert_each_year_is_counted(family, look)
    assert_each_evenings_page_and_the_table_are_counted(client, family, look)


def short(number: float) -> str:
    """A number with one decimal, if it has any."""
    return shown.one_decimal(number).removesuffix(".0")


def named(names: Sequence[str]) -> str:
    """All who hold a record: three by name."""
    told = [name or "someone" for name in names]
    if len(told) > 3:
        return f"{', '.join(told[:3])} and {len(told) - 3} more"
    return " and ".join((", ".join(told[:-1]), told[-1])) if len(told) > 1 else told[0]


def query_of(sent: Mapping[str, str]) -> str:
    """What follows the path in an address."""
    return "?" + "&".join(f"{name}={value}" for name, value in sent.items()) if sent else ""


def test_figures_stay_true_when_games_and_players_change(family: Family, look: Look) -> None:
    levels = wanted_levels(look, family)
    places = dict(zip(range(len(family.games)), numbers_of_games(family), strict=True))
    gone = next(i for i, game in enumerate(family.games) if game.data == "level-5")
    access, all_played = family.access, family.games
    day = date(2025, 5, 1)
    seats = (Seat("Ana", 99), Seat("Ben", 98))
    when = datetime.combine(day, time(20), UTC)
    typed = Happened(when, day, "typed", "By the lake", "level-5", seats)
    store.delete_game(access, places[gone])
    family = family._replace(games=[*all_played[:gone], *all_played[gone + 1 :]])
    enter(access, [Entered(day, "By the lake", (("Ana", 99), ("Ben", 98)))])
    family = family._replace(games=[*family.games, typed])
    assert_all_is_counted(family, look, levels)
    number = {one.name: one.number for one in access.thing.players.all()}
    players.merge(access, number[LONG], number["Kim"])
    assert_all_is_counted(called(family, {LONG: "Kim"}), look, levels)
    players.take_apart(access, number[LONG])
    assert_all_is_counted(family, look, levels)
    players.rename(access, number["Ana"], "Anna Lena")
    family = called(family, {"Ana": "Anna Lena"})
    players.delete(access, number["Tom"])
    assert_all_is_counted(called(family, {"Tom": ""}), look, levels)


def numbers_of_games(family: Family) -> list[int]:
    """The numbers of a group's games, in the order in which they came."""
    return list(family.access.thing.games.order_by("number").values_list("number", flat=True))


def called(family: Family, names: Mapping[str, str]) -> Family:
    """The same family with other names."""
    return family._replace(
        games=[
            game._replace(
                seats=tuple(seat._replace(who=names.get(seat.who, seat.who)) for seat in game.seats)
            )
            for game in family.games
        ]
    )


def assert_all_is_counted(family: Family, look: Look, levels: Mapping[str, str]) -> None:
    """The pages of players and levels, of all games and of some of them, and those of years.

    As they are now: each page is asked for once.
    """
    look = cache(look)
    for sent, is_wanted in (CHOICES[0], CHOICES[-3]):
        assert_what_is_chosen_is_counted(family, look, sent, is_wanted)
        assert_each_players_page_is_counted(family, look, sent, is_wanted)
        for data in ("level-5", "own"):
            html = look(f"levels/{levels[data]}/{query_of(sent)}")
            assert_a_level_is_counted(family, data, html, is_wanted)
    assert_each_year_is_counted(family, look)


def assert_what_is_chosen_is_counted(
    family: Family, look: Look, sent: Mapping[str, str], is_wanted: Wanted
) -> None:
    """The page of a group for one choice of its games: its table and its evenings."""
    query = query_of(sent)
    games = [game for game in family.games if is_wanted(game)]
    html = look(query)
    page = shown.read(html)
    assert_table(page, games, family.retired)
    assert_evenings(list(pages(look, query)), games)


def assert_table(page: Element, games: list[Happened], retired: Collection[str]) -> None:
    """The table of the games with others, without bots; of all games if there are no such games."""
    over = recounted.over(games)
    with_others = [one for one in over if recounted.is_match(one)]
    counted = []
    for who in recounted.people(with_others or over):
        if who in retired:
            continue
        seats = recounted.seats_of(with_others or over, who)
        totals = recounted.totals_of(with_others or over, who)
        mean = sum(totals) / len(totals) if totals else None
        wins = sum(recounted.parts_of_win(game)[seat] for game, seat in seats)
        counted.append(
            (wins if with_others else 0, mean, who, len(seats), max(totals, default=None))
        )
    counted.sort(key=lambda one: (-one[0], -math.inf if one[1] is None else -one[1]))
    rows = shown.tables(page)["Standings"].rows if counted else []
    for row, (wins, mean, who, count, best) in zip(
        sorted(rows, key=lambda row: row[1]), sorted(counted, key=lambda one: one[2]), strict=True
    ):
        told = [wins_words(wins)] if with_others else []
        average = "–" if mean is None else shown.one_decimal(mean)
        points = "–" if best is None else f"{best}".replace("-", "−")
        assert row[1:] == [who, *told, str(count), average, points]
    assert [row[1] for row in rows if row[0] == "1."][:1] == [one[2] for one in counted[:1]]


def assert_trend(drawn: list[tuple[float, float]], last: list[int]) -> None:
    """The drawn line rises and falls as the totals do, from the left to the right, to scale."""
    assert bool(drawn) == bool(last)
    if drawn:
        low, high = min(last), max(last)
        assert [x for x, _y in drawn] == pytest.approx(
            [100 * i / (len(drawn) - 1) for i in range(len(drawn))], abs=0.1
        )
        heights = [(30 - y) * (high - low) / 30 + low for _x, y in drawn]
        assert heights == pytest.approx(last, abs=0.1)


def assert_evenings(seen: list[shown.ShownDay], games: list[Happened]) -> None:
    """Evenings and their games, the latest first, and who has won; open ones say so."""
    latest = sorted(
        enumerate(games), key=lambda one: (one[1].evening, one[1].when, one[0]), reverse=True
    )
    counted = [
        (day, [game for _i, game in some])
        for day, some in groupby(latest, key=lambda one: one[1].evening)
    ]
    assert [day.heading for day in seen] == [shown.day_words(day) for day, _some in counted]
    for day, (_date, some) in zip(seen, counted, strict=True):
        assert day.games == [told(game) for game in some]


def told(game: Happened) -> shown.ShownGame:
    """A game as an evening tells it."""
    if not game.is_over:
        return shown.ShownGame(game.title, "", [], True)
    wins = recounted.parts_of_win(game)
    ranked = sorted(zip(recounted.places(game), range(len(game.seats)), strict=True))
    did = [
        (game.seats[i].who or "someone", game.seats[i].points, wins[i] > 0) for _place, i in ranked
    ]
    grade = "" if game.grade is None else GRADES[game.grade]
    return shown.ShownGame(game.title, grade, did, False)


def assert_a_level_is_counted(family: Family, data: str, html: str, is_wanted: Wanted) -> None:
    """Totals by number of players, records, and what is crossed, on the page of a level."""
    page = shown.read(html)
    tables = shown.tables(page)
    games = [
        game
        for game in recounted.over(recounted.order(family.games))
        if game.data == data and is_wanted(game)
    ]
    if not games:
        assert "No game is like that." in html
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
        counted = sum(some) / len(some) if len(some) >= recounted.ENOUGH else None
        assert near(None if row[2] == "–" else float(row[2]), counted, 0.1)
    five = [
        [str(len(some)), *map(short, (min(some), *quantiles(some, method="inclusive"), max(some)))]
        for _count, some in sorted(totals.items())
        if len(some) >= 5
    ]
    drawn = [row for row in tables.get("Totals", NO_TABLE).rows if row[1] == "You"]
    assert [row[2:] for row in drawn] == five
    assert_records(page, sheets)
    on_sheets = [(game, seat) for game, seat in sheets if seat.crossed]
    heat = tables.get("Crossed fields", NO_TABLE)
    if len({id(game) for game, _seat in on_sheets}) < recounted.ENOUGH:
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


def assert_records(page: Element, sheets: Sequence[tuple[Happened, Seat]]) -> None:
    """The best of each kind, all who had it, and the first evening."""
    holders: dict[str, tuple[int, dict[str, date]]] = {}

    def compare(name: str, points: int, game: Happened, seat: Seat) -> None:
        # A total can be negative; what pays is no record without points.
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
            if part in PAYING:
                compare(f"Most for: {CATEGORIES[part]}", points, game, seat)
    assert shown.records(page) == {
        name: (points, "; ".join(f"{one}, {shown.day_words(day)}" for one, day in who.items()))
        for name, (points, who) in holders.items()
        if points  # nobody holds a record of no points
    }


def assert_each_players_page_is_counted(
    family: Family, look: Look, sent: Mapping[str, str], is_wanted: Wanted
) -> None:
    """Streaks, rating, levels, points by part, solo games, each of the others, of a choice."""
    everybody = recounted.people(family.games)
    chosen = family._replace(games=[game for game in family.games if is_wanted(game)])
    for who, number in numbers_of(look).items():
        html = look(f"players/{number}/{query_of(sent)}")
        page = shown.read(html)
        tables = shown.tables(page)
        assert_strengths(page, tables, family, who, is_chosen=bool(sent))
        card = shown.card(page)
        if not recounted.seats_of(chosen.games, who):
            assert card is None
            assert "No game is like that." in html
            assert not tables
            continue
        assert card is not None
        counted = recounted.line_of(chosen.games, who)
        assert is_line(shown.line(card), counted), (who, shown.line(card), counted)
        assert_trend(shown.trend(card), counted.last)
        streak = 0 if sent else recounted.streak_of(family.games, who)
        assert re.findall(r"(\d+) wins in a row", html) == ([str(streak)] if streak > 1 else [])
        assert_levels(tables, "Level by level", recounted.levels_of(chosen.games, who), family)
        assert_parts(page, tables, chosen, who, [one for one in everybody if one != who])
        assert_facts(page, chosen, who)
        assert_alone(page, tables, chosen, who)
        blocks = recounted.blocks_of(recounted.totals_of(chosen.games, who))
        drawn = tables.get("Points, from the first game to the latest", NO_TABLE).rows
        assert [int(row[1]) for row in drawn] == [n for n, _m in blocks if len(blocks) > 1]
        assert all(
            near(float(row[2]), mean, 0.1) for row, (_n, mean) in zip(drawn, blocks, strict=False)
        )
        met = recounted.met_by(chosen.games, who)
        others = tables["Against each of the others"].rows if met else []
        assert {row[0]: tuple(map(int, row[1:5])) for row in others} == met
        assert [int(row[1]) for row in others] == sorted((m[0] for m in met.values()), reverse=True)


def assert_levels(
    tables: Mapping[str, shown.Table],
    name: str,
    levels: Mapping[str, recounted.OnLevel],
    family: Family,
) -> None:
    """Each level with what was done on it; the most played first."""
    table = tables[name] if levels else NO_TABLE
    titles = {game.data: game.title for game in family.games}
    counted = sorted(
        (
            (titles[data], one.games, one.when, *map(mean_words, (one.mean, one.beside)), one.best)
            for data, one in levels.items()
        ),
        key=str,
    )
    columns = [name for name in ("On average", "The others", "Best") if name in table.heads]
    seen = []
    unknown = [row for row in table.rows if row[0] == "Level not known"]
    assert not unknown or "The others" not in table.heads
    for row in table.rows[: len(table.rows) - len(unknown)]:
        told = {name: row[table.heads.index(name)] for name in columns}
        day = re.search(r"best on (\d+ \w+ \d+)", row[0])
        best = None if told["Best"] == "–" else shown.number(told["Best"])
        title = shown.plain_title(row[0].partition(" best on ")[0])
        when = shown.day_of(day[1]) if day else None
        means = told["On average"], told.get("The others", "")
        seen.append((title, int(row[1]), when, *means, best))
    if "The others" not in columns:
        counted = [(*one[:4], "", one[5]) for one in counted]
    seen.sort(key=str)
    assert seen == counted
    assert len({row[0] for row in table.rows}) == len(table.rows)
    games = [int(row[1]) for row in table.rows if row not in unknown]
    assert games == sorted(games, reverse=True)


def mean_words(mean: float | None) -> str:
    """A mean as a table has it."""
    return "–" if mean is None else shown.one_decimal(mean)


def assert_strengths(
    page: Element,
    tables: Mapping[str, shown.Table],
    family: Family,
    who: str,
    *,
    is_chosen: bool,
) -> None:
    """The rating by now, and evening by evening from five games on, always of all games."""
    strengths = recounted.strengths_of(family.games, who)
    known = [one for one in strengths if one.games >= recounted.ENOUGH]
    said = shown.text(shown.section(page, "rating-title"))
    if known:
        assert f"Rating {known[-1].points:,} ± {known[-1].within} " in said
        assert f"From {known[-1].games} games against others of the group" in said
        assert ("A rating is always that of all games" in said) == is_chosen
    else:
        assert "±" not in said
    drawn = tables.get("Rating, evening by evening", NO_TABLE).rows
    assert drawn == [
        [shown.day_words(one.day), str(one.games), f"{one.points:,} ± {one.within}"]
        for one in known
        if len(known) > 1 and not is_chosen
    ]


def assert_parts(
    page: Element,
    tables: Mapping[str, shown.Table],
    family: Family,
    who: str,
    others: Sequence[str],
) -> None:
    """What the points are for, beside the others."""
    own, mine = recounted.parts_of(family.games, [who])
    sheets, means = recounted.parts_of(family.games, others)
    drawn = tables.get("What the points are for", NO_TABLE).rows
    if own < recounted.ENOUGH:
        assert drawn == []
        return
    assert {row[0] for row in drawn} == {
        str(CATEGORIES[part]) for part in {*mine, *means} if mine.get(part) or means.get(part)
    }
    names = {str(words): part for part, words in CATEGORIES.items()}
    for label, seen, beside in drawn:
        assert near(float(seen.replace("−", "-")), mine.get(names[label], 0), 0.1)
        there = None if beside == "–" else float(beside.replace("−", "-"))
        assert near(there, means.get(names[label], 0) if sheets else None, 0.1)
    said = f"from {own} games."
    if sheets:
        said += f" The diamond is the mean of the others of the group, from {sheets} sheet"
    assert said in shown.text(page)


def assert_facts(page: Element, family: Family, who: str) -> None:
    """The level played most, the best one beside the group, and the longest streak."""
    facts = shown.facts(page)
    levels = recounted.levels_of(family.games, who)
    titles = {game.data: game.title for game in family.games}
    most = max((one.games for one in levels.values()), default=0)
    favourites = [titles[data] for data, one in levels.items() if one.games == most >= 5]
    told = ", ".join(facts[name] for name in facts if name.startswith("Played most"))
    seen_titles = re.sub(r", version \d+", "", told).split(", ") if told else []
    assert sorted(seen_titles) == sorted(favourites)
    ahead = {
        data: one.mean - one.beside
        for data, one in levels.items()
        if one.mean is not None and one.beside is not None and one.mean > one.beside
    }
    best = max(ahead, key=lambda data: ahead[data], default="")
    seen = {shown.plain_title(facts[name]) for name in facts if name.startswith("Best level")}
    assert seen == ({titles[best]} if best else set())
    assert not best or any(
        f" {shown.one_decimal(ahead[best])} above the others" in name for name in facts
    )
    longest, day = recounted.longest_of(family.games, who)
    matches = sum(recounted.is_match(game) for game, _i in recounted.seats_of(family.games, who))
    streaks = {name: facts[name] for name in facts if name.startswith("Most wins in a row")}
    assert list(streaks.values()) == ([str(longest)] if longest > 1 and matches >= 5 else [])
    for name in streaks:
        assert day
        assert f"up to {shown.day_words(day)}, of {matches} games" in name


def assert_each_year_is_counted(family: Family, look: Look) -> None:
    """Each tile of each year, of all and of everybody who played then."""
    for year in {game.evening.year for game in recounted.over(family.games)}:
        games = [game for game in family.games if game.evening.year == year]
        assert_a_year_is_told(look(f"year/{year}/"), games)
        for who, number in numbers_of(look).items():
            if recounted.seats_of(games, who):
                assert_a_year_is_told(look(f"players/{number}/year/{year}/"), games, who)


def assert_holders_are_named(
    seen: Mapping[str, tuple[str, str]], counted: recounted.Year, who: str
) -> None:
    """All who hold a record of a year, and all days on which most was played."""
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
        more = re.search(r", (\d+) more games?$", seen["point decided it"][1])
        assert (int(more[1]) if more else 0) == counted.as_close - 1
    assert ("is when you play most" in seen) == (counted.weekday > 0 and len(counted.days) < 3)
    if "is when you play most" in seen:
        day_names, detail = seen["is when you play most"]
        assert day_names == ", ".join(counted.days)
        each = " each" * (len(counted.days) > 1)
        assert detail == f"{counted.weekday} of {counted.evenings} evenings{each}"


def wins_of(games: Sequence[Happened]) -> dict[str, float]:
    """The wins of each player in games with others."""
    wins: defaultdict[str, float] = defaultdict(float)
    for game in filter(recounted.is_match, recounted.over(games)):
        for seat, share in zip(game.seats, recounted.parts_of_win(game), strict=True):
            if recounted.counts(seat):
                wins[seat.who] += share
    return wins


def assert_a_year_is_told(html: str, games: Sequence[Happened], who: str = "") -> None:
    """The page of a year, of all or of somebody."""
    page, counted = shown.read(html), recounted.year_of(games, who)
    seen = {
        words.replace("wins", "win").replace("games", "game").replace("points", "point"): tile
        for words, tile in shown.tiles(page).items()
    }
    headline = shown.text(page.find(".//div[@class='year-head']/p"))
    assert list(map(int, re.findall(r"\d+", headline))) == [counted.games, counted.evenings]
    if counted.games < recounted.ENOUGH:
        assert seen == {}
        return
    figures = {
        "The best total": counted.best,
        "outright win in a row": counted.streak or None,
        "game together": counted.together or None,
        "point decided it": counted.closest or None,
        "point for bombs and heaps": counted.lost or None,
    }
    for words, figure in figures.items():
        assert (shown.number(seen[words][0]) if words in seen else None) == figure, words
    wins = counted.wins if who else max(wins_of(games).values(), default=0)
    assert near(float(seen["win"][0]) if "win" in seen else None, wins or None, 0.01)
    if counted.best_in and len(counted.best_of) > 1 and not who:
        assert seen["The best total"][1] == named(counted.best_of)
    elif counted.best_in:
        title, day, name = counted.best_in
        told = seen["The best total"][1].removeprefix(f"{name}: " if name and not who else "")
        assert told.endswith(f", {shown.day_words(day)}")
        assert shown.plain_title(told.removesuffix(f", {shown.day_words(day)}")) == title
    if counted.wins:
        assert f"Of {counted.matches} game" in seen["win"][1]
    assert_holders_are_named(seen, counted, who)
    sheets = [
        (game.data, sorted(set(seat.crossed) - PRINTED[game.data]))
        for game in recounted.over(games)
        for seat in game.seats
        if seat.crossed and not seat.is_bot and who in ("", seat.who)
    ]
    crosses = sum(len(crossed) for _data, crossed in sheets)
    assert ("crosses" in seen) == bool(crosses)
    assert not crosses or seen["crosses"][0] == f"{crosses:,}"
    most = max(counted.levels.values(), default=0)
    favourite = shown.text(page.find(".//figure/figcaption/b"))
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


def assert_alone(
    page: Element, tables: Mapping[str, shown.Table], family: Family, who: str
) -> None:
    """Solo games: how often which grade, level by level, and the last ten."""
    alone = recounted.alone_of(family.games, who)
    titles = [GRADES[game.grade] for game, _points in alone if game.grade is not None]
    part = shown.section(page, "alone-title")
    medals = [] if part is None else [shown.text(one) for one in part.iterfind(".//li")]
    graded = [f"{titles.count(one)} × {one}" for one in GRADES[::-1] if one in titles]
    rest = len(alone) - len(titles)
    assert medals == (graded + [f"{rest} × without a grade"] * bool(rest) if graded else [])
    assert_levels(
        tables, "Alone, level by level", recounted.levels_of(family.games, who, 1), family
    )
    last = tables.get("The last games alone", NO_TABLE).rows
    assert [[re.sub(r", version \d+ ", " ", row[0]), *row[1:]] for row in last] == [
        [
            f"{game.title} {shown.day_words(game.evening)}",
            str(points),
            "–" if game.grade is None else GRADES[game.grade],
        ]
        for game, points in alone[:10]
    ]


def assert_each_evenings_page_and_the_table_are_counted(
    client: Client, family: Family, look: Look
) -> None:
    """Each evening as who may change it sees it, and the table of all results."""
    for day in {game.evening for game in family.games}:
        html = client.get(f"/groups/{family.access.key}/evening/{day}/").content.decode()
        games = [game for game in family.games if game.evening == day]
        assert_evenings(shown.days(shown.read(html)), games)
    head, *rows = csv.reader(io.StringIO(look("results.csv").removeprefix("\ufeff")))
    assert len(head) == 8
    kinds = ("Scored sheets", "At a table", "Tally", "Dice²", "Entered by hand")
    assert {row.pop(6) for row in rows} == set(kinds)
    numbers = [int(row.pop()) for row in rows]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == len(recounted.over(family.games))
    rows = [[row[0], shown.plain_title(row[1]), *row[2:]] for row in rows]
    counted = [
        [
            game.evening.isoformat(),
            game.title,
            seat.who or "someone",
            "" if seat.points is None else str(seat.points),
            str(place),
            f"{part:g}" if part in (0, 0.5, 1) else str(round(part, 3)),
        ]
        for game in recounted.over(family.games)
        for seat, place, part in zip(
            game.seats, recounted.places(game), recounted.parts_of_win(game), strict=True
        )
    ]
    assert rows == counted


def assert_the_family_has_met_all_that_can_happen(family: Family) -> None:
    """So that what is compared is not empty."""
    games = family.games
    over = recounted.over(games)
    assert len({game.evening for game in games}) >= 20
    assert {len(game.seats) for game in over} == {1, 2, 3, 4, 5}
    assert {game.kind for game in games} == {"sheets", "table", "tally", "dice2", "typed"}
    assert any(0 < part < 1 for game in over for part in recounted.parts_of_win(game))
    assert any(game.grade for game in over)
    lines = [recounted.line_of(games, who) for who in recounted.people(games)]
    assert {line.says for line in lines} >= {None, "same"}
    assert any(recounted.streak_of(games, who) > 1 for who in recounted.people(games))
