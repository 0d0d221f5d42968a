"""Page of a player, compared with a plain recomputation after each kind of change."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from random import Random
from statistics import mean
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from openskill.models import PlackettLuce

from sheets.access.keys import Access
from sheets.groups import documents, joining, keeping, players, ratings, store
from sheets.groups.entering import Entered, enter
from sheets.groups.filters import ALL, level_names
from sheets.groups.one_player import (
    PlayerOnLevel,
    PlayerStatistics,
    alone_on_levels,
    best_of,
    grades_of,
    last_alone,
    levels_of,
    statistics_of,
)
from sheets.groups.played import FinishedGame, Result
from sheets.groups.player_figures import blocks_of, figures_of_player, rating_words
from sheets.groups.ratings import NEW, PER_UNIT, Rating, Strength, course_of, update_ratings
from sheets.groups.standings import table_of
from sheets.groups.statistics import (
    ENOUGH,
    PlayedGame,
    Seat,
    meetings_of,
    part_means,
    solo_in,
)
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult, RatingMonth, Scoring
from sheets.scoring import store as scoring_store
from sheets.scoring.words import GRADES
from tests.groups import shown
from tests.groups.counted import figures_of
from tests.groups.played_games import scored

pytestmark = pytest.mark.django_db

PEOPLE = ("Ana", "Ben", "Ida", "Tom", "Zoe")
KINDS = ("sheets", "table", "tally", "typed", "dice2")


def club(count: int = 80, seed: int = 1) -> Access[Group]:
    """A group with games by chance over some months: bots, ties, one name twice, and all kinds."""
    random = Random(seed)
    games: list[dict[str, Any]] = []
    for number in range(count):
        when = datetime(2026, 1, 10, 20, tzinfo=UTC) + timedelta(days=number * 3)
        seats = [random.choice([*range(len(PEOPLE)), None]) for _ in range(random.randint(1, 4))]
        totals = [random.randint(20, 26) for _ in seats]
        best, kind = max(totals), random.choice(KINDS)
        is_alone = len(seats) == 1
        results = []
        for seat, total in zip(seats, totals, strict=True):
            gems = random.randint(0, total)
            results.append(
                {
                    "place": 1 + sum(other > total for other in totals),
                    "player": seat,
                    "label": "" if seat is not None else "Bot",
                    "points": total,
                    "won": 0 if is_alone or total < best else 1 / totals.count(best),
                    "parts": {"gems": gems, "lines": total - gems + 2, "heaps": -2},
                }
            )
        level = random.randint(1, 3)
        has_level = kind not in ("tally", "dice2")
        games.append(
            {
                "played": when.isoformat(),
                "day": when.date().isoformat(),
                "kind": kind,
                "results": results,
                "name": {"en": f"Level {level}"},
                "level": "square" if kind == "dice2" else "",
                "digest": f"{level}" * 16 if has_level else "",
                "rating": random.randint(0, 6) if is_alone and has_level else None,
            }
        )
    random.shuffle(games)  # they need not come in as they were played
    told = documents.decoder(documents.GroupFile).decode(
        documents.msgspec.json.encode(
            {
                "format": documents.FORMAT,
                "name": "Club",
                "players": [{"name": name} for name in PEOPLE],
                "evenings": [],
                "games": games,
            }
        )
    )
    return store.find(joining.take_in(told))


def plainly(group: Group) -> dict[int, dict[str, Any]]:
    """What adds up for everybody, game by game, in the plainest way."""
    people: dict[int, dict[str, Any]] = defaultdict(
        lambda: {
            "rating": PlackettLuce().rating(),
            "rated": 0,
            "won": [],
            "parts": [],
            "levels": defaultdict(list),
            "alone": defaultdict(list),
            "met": defaultdict(list),
            "totals": [],
        }
    )
    for game in group.games.filter(is_open=False).order_by("played", "number"):
        everybody = list(game.results.order_by("seat"))
        results = [one for one in everybody if one.player_id]
        for one in results:
            has_bots = any(other.label for other in everybody)
            count_result(people[one.player_id or 0], game, one, len(everybody) == 1, has_bots)
        count_meeting(people, results)
    return dict(people)


def count_result(
    mine: dict[str, Any], game: GroupGame, one: GroupResult, is_alone: bool, has_bots: bool
) -> None:
    if not is_alone and not has_bots:
        mine["won"].append((one.won == 1, game.evening))
    if one.total is None:
        return
    mine["totals"].append(one.total)
    if game.kind != "typed":
        mine["parts"].append(one.parts)
    if game.level_digest:
        mine["levels"][game.level_digest].append((one.total, game.evening))
    if game.level_digest and is_alone:
        mine["alone"][game.level_digest].append((one.total, game.evening))


def count_meeting(people: dict[int, dict[str, Any]], results: Sequence[GroupResult]) -> None:
    # As they sit: sums of floats depend on their order in the last digit.
    ids = list(dict.fromkeys(one.player_id or 0 for one in results))
    if len(ids) < 2:
        return
    places = [min(one.place for one in results if one.player_id == id) for id in ids]
    teams = [[people[id]["rating"]] for id in ids]
    rated = PlackettLuce().rate(teams, ranks=[float(place) for place in places])
    for id, place, (rating,) in zip(ids, places, rated, strict=True):
        people[id]["rating"] = rating
        people[id]["rated"] += 1
        for other, others in zip(ids, places, strict=True):
            if other != id:
                people[id]["met"][other].append(others - place)


def assert_adds_up(group: Group) -> None:
    """Assert that all statistics of players are what a plain recomputation gives."""
    assert update_ratings(group) == 0
    plain = plainly(group)
    names = level_names(group)
    assert {player.pk for player in group.players.all() if course_of(player)} == {
        id for id, told in plain.items() if told["rated"]
    }
    for id, told in plain.items():
        player = group.players.get(pk=id)
        found = statistics_of(group, player, ALL)
        assert found.rated == told["rated"]
        if found.rated:
            assert found.course[-1].mu == pytest.approx(told["rating"].mu)
            assert found.course[-1].sigma == pytest.approx(told["rating"].sigma)
        assert_streaks(found, told["won"])
        count, means = part_means(found.own, lambda seat, id=id: seat.player == id)
        assert count == len(told["parts"])
        for part, points in means.items():
            assert points == pytest.approx(mean(parts.get(part, 0) for parts in told["parts"]))
        assert_levels(levels_of(names, found), told["levels"])
        assert_levels(alone_on_levels(names, found), told["alone"])
        meetings = meetings_of(found.own, id)
        assert meetings.keys() == told["met"].keys()
        for other, met in meetings.items():
            apart = told["met"][other]
            assert met.games == len(apart)
            assert (met.ahead, met.behind) == (
                sum(one > 0 for one in apart),
                sum(one < 0 for one in apart),
            )
        assert [total for _evening, total in found.totals] == told["totals"]


def assert_levels(
    levels: Sequence[PlayerOnLevel], told: Mapping[str, Sequence[tuple[int, date]]]
) -> None:
    assert {level.digest for level in levels} == told.keys()
    for level in levels:
        totals = [total for total, _day in told[level.digest]]
        assert level.games == len(totals)
        if level.games >= ENOUGH:
            assert level.mean == pytest.approx(mean(totals))
        best = next(day for total, day in told[level.digest] if total == max(totals))
        assert (level.best, level.when) == (max(totals), best)


def assert_streaks(found: PlayerStatistics, won: list[tuple[bool, date]]) -> None:
    runs: list[tuple[int, date]] = []
    run = 0
    for has_won, day in won:
        run = run + 1 if has_won else 0
        runs.append((run, day))
    assert found.match_sums.games == len(won)
    longest = max((run for run, _day in runs), default=0)
    last = [day for run, day in runs if run == longest][-1] if longest else None
    assert found.streak == (run, longest, last)


def latest_ratings(group: Group) -> dict[int, Strength]:
    return {
        player.pk: course[-1] for player in group.players.all() if (course := course_of(player))
    }


def number(access: Access[Group], name: str) -> int:
    return access.thing.players.get(name=name).number


@pytest.mark.postgresql
def test_all_that_adds_up_is_what_a_plain_count_gives() -> None:
    access = club()
    assert_adds_up(access.thing)
    assert min(one.games for one in latest_ratings(access.thing).values()) > 20
    assert RatingMonth.objects.filter(player=access.thing.players.all()[0]).count() > 5


def enter_old(access: Access[Group]) -> None:
    when = datetime(2026, 2, 3, 20, tzinfo=UTC)
    results = [
        Result(name, False, total, 0, place, share, {})
        for name, total, place, share in (("Ana", 50, 1, 1.0), ("Eva", 40, 2, 0.0))
    ]
    game = FinishedGame("typed", when, {}, "", "", None, results)
    keeping.add_games(store.find(access.key).thing, [(game, when.date())])


def delete_one(access: Access[Group]) -> None:
    game = access.thing.games.filter(results__player__name="Ana").order_by("played")[3]
    store.delete_game(access, game.number)


def settle_again(access: Access[Group]) -> None:
    _key, scoring = scored({"Ana": 40, "Ben": 10})
    keeping.keep(access, scoring)
    update_ratings(access.thing)
    scoring.sheets.get(number=1).marks.all().delete()
    Scoring.objects.filter(pk=scoring.pk).update(revision=99)
    keeping.look_again(store.find(access.key).thing)


def open_again(access: Access[Group]) -> None:
    """A game that was over goes on: its results are gone until it is settled once more."""
    key, scoring = scored({"Ana": 40, "Ben": 10})
    game = keeping.keep(access, scoring)
    update_ratings(access.thing)
    ana = access.thing.players.get(name="Ana")
    before = course_of(ana)[-1].games
    scoring_store.add_sheet(scoring_store.find(key), "Ida")
    keeping.look_again(store.find(access.key).thing)
    assert access.thing.games.get(pk=game.pk).is_open
    update_ratings(access.thing)
    assert course_of(ana)[-1].games == before - 1
    delete_one(access)


def separate(access: Access[Group]) -> None:
    """Zoe and Ida play no more in one game, so that they can be one person."""
    both = access.thing.games.filter(results__player__name="Ida")
    for game in both.filter(results__player__name="Zoe").distinct():
        store.delete_game(access, game.number)


def merge(access: Access[Group]) -> None:
    separate(access)
    update_ratings(access.thing)
    players.merge(access, number(access, "Zoe"), number(access, "Ida"))


def take_apart(access: Access[Group]) -> None:
    merge(access)
    update_ratings(access.thing)
    players.take_apart(access, number(access, "Zoe"))


def forget(access: Access[Group]) -> None:
    players.delete(access, number(access, "Ben"))


CHANGES: list[Callable[[Access[Group]], None]] = [
    enter_old,
    delete_one,
    settle_again,
    open_again,
    merge,
    take_apart,
    forget,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_what_changes_is_added_up_anew(change: Callable[[Access[Group]], None]) -> None:
    access = club()
    update_ratings(access.thing)
    before = latest_ratings(access.thing)
    change(access)
    assert_adds_up(access.thing)
    assert before != latest_ratings(access.thing)


@pytest.mark.postgresql
def test_only_the_months_from_a_change_on_are_added_up() -> None:
    access = club()
    update_ratings(access.thing)
    kept = set(RatingMonth.objects.filter(month__lt="2026-05-01").values_list("pk", flat=True))
    later = set(RatingMonth.objects.filter(month__gte="2026-05-01").values_list("pk", flat=True))
    game = access.thing.games.filter(played__gte="2026-05-01T12:00Z").order_by("played")[0]
    store.delete_game(access, game.number)
    update_ratings(access.thing)
    now = set(RatingMonth.objects.values_list("pk", flat=True))
    assert kept <= now
    assert not later & now
    # Nothing has changed, nothing is made anew.
    update_ratings(access.thing)
    assert now == set(RatingMonth.objects.values_list("pk", flat=True))


@pytest.mark.postgresql
def test_many_games_are_added_up_some_at_a_time(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = club()
    monkeypatch.setattr(ratings, "MAX_GAMES", 15)
    url = f"/groups/{access.share_key}/players/{number(access, 'Ana')}/"
    page = client.get(url).content.decode()
    told = [int(re.search(r"again: (\d+) games are left", page)[1])]  # type: ignore[index]
    while left := update_ratings(access.thing):
        told.append(left)
    assert all(before - 25 <= after < before for before, after in pairwise(told))
    assert len(told) > 3
    assert "are left" not in client.get(url).content.decode()
    assert_adds_up(access.thing)


def test_a_group_opened_from_its_file_has_the_same_figures() -> None:
    access = club()
    merge(access)
    update_ratings(access.thing)
    content = documents.format_group(access.thing)
    assert b"rating" not in content.replace(b'"rating":', b"")
    other = store.find(joining.take_in(documents.read_group(content).group)).thing
    update_ratings(other)

    def by_name(group: Group) -> dict[str, tuple[Any, ...]]:
        return {
            player.name: (found.figures, found.streak, found.totals, found.course)
            for player in group.players.filter(merged_into=None)
            for found in (statistics_of(group, player, ALL),)
        }

    assert by_name(other) == by_name(access.thing)


def test_points_are_those_of_elo() -> None:
    assert NEW.rating == Rating(1500, 480, 0)
    assert Strength(date(2026, 1, 1), 25 + 200 / PER_UNIT, 1, 9).rating == (1700, 60, 9)
    assert rating_words(Rating(1540, 60, 12)) == "1,540\u00a0±\u00a060"
    with translation.override("de"):
        assert rating_words(Rating(1540, 60, 12)) == "1.540\u00a0±\u00a060"


def strengths_after(*games: Sequence[int]) -> dict[int, list[Strength]]:
    """Courses of players 1 and 2 after games in one month, by their places in each game."""
    day = date(2026, 1, 1)
    played = [
        PlayedGame(
            number,
            day,
            None,
            "typed",
            "",
            None,
            False,
            [
                Seat(player - 1, player, "", place, 0, 9, "{}", "")
                for player, place in enumerate(places, 1)
            ],
        )
        for number, places in enumerate(games, start=1)
    ]
    return {
        month.player_id: [Strength(day, *row[1:]) for row in month.course]
        for month in ratings.rating_months({}, played)
    }


def test_two_hundred_points_are_three_wins_of_four() -> None:
    random = Random(3)
    games = [(1, 2) if random.random() < 0.76 else (2, 1) for _game in range(3000)]
    apart = []
    for count in (1000, 1500, 2000, 2500, 3000):
        courses = strengths_after(*games[:count])
        apart.append(courses[1][-1].rating.points - courses[2][-1].rating.points)
    assert 150 < mean(apart) < 250


def test_who_wins_rises_and_ties_change_little() -> None:
    even = strengths_after((1, 1))
    assert even[1][0].mu == pytest.approx(even[2][0].mu)
    won = strengths_after((1, 1), (1, 2))
    assert won[1][-1].mu > 25 > won[2][-1].mu
    assert won[1][-1].sigma < 25 / 3
    # One evening is one point, the last of it.
    assert [one.games for one in won[1]] == [2]


def test_bots_and_people_without_a_name_have_no_rating() -> None:
    access = store.find(store.create("Family"))
    keeping.keep(access, scored({"Ana": 40, "": 10})[1])
    found = statistics_of(access.thing, access.thing.players.get(), ALL)
    assert (found.rated, found.match_sums.games, meetings_of(found.own, found.player)) == (
        0,
        1,
        {},
    )


def test_points_over_time_are_means_of_equal_parts() -> None:
    month = date(2026, 1, 1)
    assert blocks_of([(month, 5)] * 4) == []
    assert [block.games for block in blocks_of([(month, 5)] * 11)] == [5, 6]
    random = Random(1)
    totals = [(month + timedelta(days=31 * i), random.randint(0, 50)) for i in range(200)]
    blocks = blocks_of(totals)
    assert len(blocks) == 12
    assert sum(block.games for block in blocks) == 200
    begin = 0
    for block in blocks:
        some = totals[begin : begin + block.games]
        assert block.mean == pytest.approx(mean(total for _month, total in some))
        assert (block.begin, block.end) == (some[0][0], some[-1][0])
        begin += block.games


def test_figures_are_drawn_with_all_that_is_in_them() -> None:
    access = club()
    ana = access.thing.players.get(name="Ana")
    found = statistics_of(access.thing, ana, ALL)
    rating, points, parts = figures_of_player(found)
    plain = plainly(access.thing)
    own = plain.pop(ana.pk)["parts"]
    all_parts = [parts for one in plain.values() for parts in one["parts"]]
    assert [row[1:] for row in parts.rows] == [
        [shown.one_decimal(mean(told[part] for told in of)) for of in (own, all_parts)]
        for part in ("gems", "lines", "heaps")
    ]
    assert f"from {len(own)} games" in parts.sentence
    assert f"from {len(all_parts)} sheets" in parts.sentence
    assert found.rating
    assert rating.rows[-1][2] == rating_words(found.rating)
    assert int(rating.rows[0][1]) >= 5
    assert len(rating.rows) == rating.plot.count("<circle") <= 24
    assert len(points.rows) == points.plot.count("<circle")
    assert [int(row[1]) for row in points.rows] == [
        block.games for block in blocks_of(found.totals)
    ]
    for figure in (rating, points, parts):
        assert f'aria-label="{figure.title}"' in figure.plot


def test_there_is_nothing_to_draw_of_few_games() -> None:
    access = club(count=4)
    for player in access.thing.players.all():
        assert list(figures_of_player(statistics_of(access.thing, player, ALL))) == []


def test_the_best_level_is_the_one_farthest_above_the_others() -> None:
    access = club(count=150)
    plain = plainly(access.thing)
    for id in plain:
        found = statistics_of(access.thing, access.thing.players.get(pk=id), ALL)
        levels = levels_of(level_names(access.thing), found)
        ahead = {}
        for level in "123":
            others = [one for pk, one in plain.items() if pk != id]
            all_totals = [t for one in others for t, _day in one["levels"][level * 16]]
            own = [total for total, _day in plain[id]["levels"][level * 16]]
            ahead[f"Level {level}"] = mean(own) - mean(all_totals)
        best = best_of(levels)
        title, most = max(ahead.items(), key=lambda one: one[1])
        if most > 0:
            assert best
            assert (best.title, best.ahead) == (title, pytest.approx(most))
        else:
            assert best is None
    alone = PlayerOnLevel("Alone", "a", 9, 40.0, 50, date(2026, 1, 1))
    assert best_of([PlayerOnLevel("Few", "f", 4), alone]) is None


@pytest.mark.postgresql
def test_games_alone_are_told_with_their_grades(client: Client) -> None:
    access = club(count=150)
    ana = access.thing.players.get(name="Ana")
    alone = [
        game
        for game in access.thing.games.order_by("-played", "-number")
        if game.results.count() == 1 and game.results.get().player == ana and game.kind != "dice2"
    ]
    assert len(alone) >= 3
    solo = solo_in(statistics_of(access.thing, ana, ALL).own)
    assert [one.total for one in last_alone(access.thing, level_names(access.thing), solo)] == [
        game.results.get().total for game in alone[:10]
    ]
    grades = [str(GRADES[game.rating].title) for game in alone if game.rating is not None]
    shown = dict(grades_of(solo))
    rest = shown.pop("without a grade", 0)
    assert shown == {grade: grades.count(grade) for grade in grades}
    assert rest + len(grades) == len(solo) == len(alone)
    page = client.get(f"/groups/{access.key}/players/{ana.number}/").content.decode()
    for grade in grades:
        assert f"<b>{grades.count(grade)} ×</b> {grade}" in page


def test_the_pages_tell_ratings_from_five_games_on(client: Client) -> None:
    access = club()
    ana = access.thing.players.get(name="Ana")
    page = client.get(f"/groups/{access.share_key}/players/{ana.number}/").content.decode()
    last = course_of(ana)[-1]
    assert f'<p class="rating">{rating_words(last.rating)}</p>' in page
    assert f"From {last.games} games against others of the group" in page
    few = club(count=5)
    for player in few.thing.players.all():
        page = client.get(f"/groups/{few.key}/players/{player.number}/").content.decode()
        assert 'class="rating"' not in page


def test_figures_of_a_player_are_those_of_the_table() -> None:
    access = club()
    figures = figures_of(access.thing)
    rows = table_of(access.thing, ALL).rows
    assert len(rows) > 3
    for row in rows:
        own = figures[row.player.name]
        assert own.matches == row.sums.games
        assert own.wins == pytest.approx(row.sums.wins)


def test_names_stay_right_when_players_change(client: Client) -> None:
    access = club()
    url = f"/groups/{access.key}/players/{number(access, 'Ana')}/"
    players.rename(access, number(access, "Ben"), "Benno")
    players.retire(access, number(access, "Tom"), True)
    forgotten = number(access, "Zoe")
    players.delete(access, forgotten)
    page = client.get(url).content.decode()
    assert "Benno" in page
    assert "Tom" in page
    assert "Zoe" not in page
    assert not GroupPlayer.objects.filter(number=forgotten, group=access.thing).exists()


def test_a_solo_game_without_level_and_grade_counts_among_those_alone(client: Client) -> None:
    access = store.find(store.create("Family"))
    for crosses in range(10):
        keeping.keep(access, scored({"Ana": 5 + crosses})[1])
    enter(access, [Entered(date(2020, 1, 1), "", (("Ana", 3),))])
    page = " ".join(client.get(f"/groups/{access.share_key}/players/1/").content.decode().split())
    medals = re.findall(r"<b>(\d+) ×</b> ([^<]+)</li>", page)
    assert sum(int(count) for count, _grade in medals) == 11
    assert medals[-1] == ("1", "without a grade")
    assert re.search(r"Level not known </th> <td>1</td>", page)
