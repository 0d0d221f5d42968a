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
from sheets.groups import documents, game_store, group_file_import, players, ratings, store
from sheets.groups.filters import ALL_GAMES, level_names
from sheets.groups.game_results import FinishedGame, Result
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.groups.player_charts import blocks_of, figures_of_player, rating_words
from sheets.groups.player_statistics import (
    PlayerOnLevel,
    PlayerStatistics,
    best_of,
    grades_of,
    latest_solo_games,
    levels_of,
    solo_levels_of,
    statistics_of,
)
from sheets.groups.ratings import (
    NEW_STRENGTH,
    POINTS_PER_UNIT,
    Rating,
    Strength,
    course_of,
    update_ratings,
)
from sheets.groups.standings import table_of
from sheets.groups.statistics import MIN_GAMES, PlayedGame, Seat, meetings_of, part_means, solo_in
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult, RatingMonth, Scoring
from sheets.scoring import store as scoring_store
from sheets.scoring.sentences import GRADES
from tests.groups import page_parsers
from tests.groups.played_games import create_scoring
from tests.groups.player_figures import figures_of
from tests.page_text import unmarked

pytestmark = pytest.mark.django_db

PEOPLE = ("Ana", "Ben", "Ida", "Tom", "Zoe")
KINDS = ("sheets", "table", "tally", "typed", "dice2")


def create_club(count: int = 80, seed: int = 1) -> Access[Group]:
    """Create a group with random games of all kinds over some months: bots, ties, equal names."""
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
    random.shuffle(games)  # games may be added in another order than played
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
    return store.find(group_file_import.import_group(told))


def count_plainly(group: Group) -> dict[int, dict[str, Any]]:
    """Recompute the statistics of all players game by game, as plainly as possible."""
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
    # In the order of seats, because sums of floats depend on the order in the last digit.
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
    """Assert that all statistics of players equal a plain recomputation."""
    assert update_ratings(group) == 0
    plain = count_plainly(group)
    names = level_names(group)
    assert {player.pk for player in group.players.all() if course_of(player)} == {
        id for id, told in plain.items() if told["rated"]
    }
    for id, told in plain.items():
        player = group.players.get(pk=id)
        found = statistics_of(group, player, ALL_GAMES)
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
        assert_levels(solo_levels_of(names, found), told["alone"])
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
        if level.games >= MIN_GAMES:
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
    return access.resource.players.get(name=name).number


@pytest.mark.postgresql
def test_statistics_equal_a_plain_recomputation() -> None:
    access = create_club()
    assert_adds_up(access.resource)
    assert min(one.games for one in latest_ratings(access.resource).values()) > 20
    assert RatingMonth.objects.filter(player=access.resource.players.all()[0]).count() > 5


def enter_old(access: Access[Group]) -> None:
    when = datetime(2026, 2, 3, 20, tzinfo=UTC)
    results = [
        Result(name, False, total, 0, place, share, {})
        for name, total, place, share in (("Ana", 50, 1, 1.0), ("Eva", 40, 2, 0.0))
    ]
    game = FinishedGame("typed", when, {}, "", "", None, results)
    game_store.add_games(store.find(access.key).resource, [(game, when.date())])


def delete_one(access: Access[Group]) -> None:
    game = access.resource.games.filter(results__player__name="Ana").order_by("played")[3]
    store.delete_game(access, game.number)


def settle_again(access: Access[Group]) -> None:
    _key, scoring = create_scoring({"Ana": 40, "Ben": 10})
    game_store.add_game(access, scoring)
    update_ratings(access.resource)
    scoring.sheets.get(number=1).marks.all().delete()
    Scoring.objects.filter(pk=scoring.pk).update(revision=99)
    game_store.update_changed_games(store.find(access.key).resource)


def open_again(access: Access[Group]) -> None:
    """Reopen a finished game, which has no results until it is settled again."""
    key, scoring = create_scoring({"Ana": 40, "Ben": 10})
    game = game_store.add_game(access, scoring)
    update_ratings(access.resource)
    ana = access.resource.players.get(name="Ana")
    before = course_of(ana)[-1].games
    scoring_store.add_sheet(scoring_store.find(key), "Ida")
    game_store.update_changed_games(store.find(access.key).resource)
    assert access.resource.games.get(pk=game.pk).is_open
    update_ratings(access.resource)
    assert course_of(ana)[-1].games == before - 1
    delete_one(access)


def separate(access: Access[Group]) -> None:
    """Remove the common games of Zoe and Ida, so that they can be merged."""
    both = access.resource.games.filter(results__player__name="Ida")
    for game in both.filter(results__player__name="Zoe").distinct():
        store.delete_game(access, game.number)


def merge(access: Access[Group]) -> None:
    separate(access)
    update_ratings(access.resource)
    players.merge(access, number(access, "Zoe"), number(access, "Ida"))


def split_merged(access: Access[Group]) -> None:
    merge(access)
    update_ratings(access.resource)
    players.split_merged(access, number(access, "Zoe"))


def forget(access: Access[Group]) -> None:
    players.delete(access, number(access, "Ben"))


CHANGES: list[Callable[[Access[Group]], None]] = [
    enter_old,
    delete_one,
    settle_again,
    open_again,
    merge,
    split_merged,
    forget,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_changed_games_are_added_up_again(change: Callable[[Access[Group]], None]) -> None:
    access = create_club()
    update_ratings(access.resource)
    before = latest_ratings(access.resource)
    change(access)
    assert_adds_up(access.resource)
    assert before != latest_ratings(access.resource)


@pytest.mark.postgresql
def test_only_the_months_from_a_change_on_are_added_up_again() -> None:
    access = create_club()
    update_ratings(access.resource)
    kept = set(RatingMonth.objects.filter(month__lt="2026-05-01").values_list("pk", flat=True))
    later = set(RatingMonth.objects.filter(month__gte="2026-05-01").values_list("pk", flat=True))
    game = access.resource.games.filter(played__gte="2026-05-01T12:00Z").order_by("played")[0]
    store.delete_game(access, game.number)
    update_ratings(access.resource)
    now = set(RatingMonth.objects.values_list("pk", flat=True))
    assert kept <= now
    assert not later & now
    # Without changes, nothing is recomputed.
    update_ratings(access.resource)
    assert now == set(RatingMonth.objects.values_list("pk", flat=True))


@pytest.mark.postgresql
def test_many_games_are_added_up_in_batches(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = create_club()
    monkeypatch.setattr(ratings, "MAX_GAMES", 15)
    url = f"/groups/{access.share_key}/players/{number(access, 'Ana')}/"
    page = client.get(url).content.decode()
    told = [int(re.search(r"again: (\d+) games are left", page)[1])]  # type: ignore[index]
    while left := update_ratings(access.resource):
        told.append(left)
    assert all(before - 25 <= after < before for before, after in pairwise(told))
    assert len(told) > 3
    assert "are left" not in client.get(url).content.decode()
    assert_adds_up(access.resource)


def test_a_group_opened_from_its_file_has_the_same_figures() -> None:
    access = create_club()
    merge(access)
    update_ratings(access.resource)
    content = documents.format_group(access.resource)
    assert b"rating" not in content.replace(b'"rating":', b"")
    other = store.find(group_file_import.import_group(documents.read_group(content).group)).resource
    update_ratings(other)

    def by_name(group: Group) -> dict[str, tuple[Any, ...]]:
        return {
            player.name: (found.figures, found.streak, found.totals, found.course)
            for player in group.players.filter(merged_into=None)
            for found in (statistics_of(group, player, ALL_GAMES),)
        }

    assert by_name(other) == by_name(access.resource)


def test_points_are_those_of_elo() -> None:
    assert NEW_STRENGTH.rating == Rating(1500, 480, 0)
    assert Strength(date(2026, 1, 1), 25 + 200 / POINTS_PER_UNIT, 1, 9).rating == (1700, 60, 9)
    assert rating_words(Rating(1540, 60, 12)) == "1,540\u00a0±\u00a060"
    with translation.override("de"):
        assert rating_words(Rating(1540, 60, 12)) == "1.540\u00a0±\u00a060"


def strengths_after(*games: Sequence[int]) -> dict[int, list[Strength]]:
    """Return the ratings of players 1 and 2 after games in one month, by places in each game."""
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


def test_a_win_raises_the_rating_and_a_tie_changes_it_little() -> None:
    even = strengths_after((1, 1))
    assert even[1][0].mu == pytest.approx(even[2][0].mu)
    won = strengths_after((1, 1), (1, 2))
    assert won[1][-1].mu > 25 > won[2][-1].mu
    assert won[1][-1].sigma < 25 / 3
    # Each evening has one point, the rating after its last game.
    assert [one.games for one in won[1]] == [2]


def test_bots_and_people_without_a_name_have_no_rating() -> None:
    access = store.find(store.create("Family"))
    game_store.add_game(access, create_scoring({"Ana": 40, "": 10})[1])
    found = statistics_of(access.resource, access.resource.players.get(), ALL_GAMES)
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


def test_plots_have_all_figures() -> None:
    access = create_club()
    ana = access.resource.players.get(name="Ana")
    found = statistics_of(access.resource, ana, ALL_GAMES)
    rating, points, parts = figures_of_player(found)
    plain = count_plainly(access.resource)
    own = plain.pop(ana.pk)["parts"]
    all_parts = [parts for one in plain.values() for parts in one["parts"]]
    assert [row[1:] for row in parts.rows] == [
        [page_parsers.one_decimal(mean(told[part] for told in of)) for of in (own, all_parts)]
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


def test_few_games_have_no_plots() -> None:
    access = create_club(count=4)
    for player in access.resource.players.all():
        assert list(figures_of_player(statistics_of(access.resource, player, ALL_GAMES))) == []


def test_the_best_level_is_the_one_farthest_above_the_others() -> None:
    access = create_club(count=150)
    plain = count_plainly(access.resource)
    for id in plain:
        found = statistics_of(access.resource, access.resource.players.get(pk=id), ALL_GAMES)
        levels = levels_of(level_names(access.resource), found)
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
def test_solo_games_are_listed_with_their_grades(client: Client) -> None:
    access = create_club(count=150)
    ana = access.resource.players.get(name="Ana")
    alone = [
        game
        for game in access.resource.games.order_by("-played", "-number")
        if game.results.count() == 1 and game.results.get().player == ana and game.kind != "dice2"
    ]
    assert len(alone) >= 3
    solo = solo_in(statistics_of(access.resource, ana, ALL_GAMES).own)
    assert [
        one.total for one in latest_solo_games(access.resource, level_names(access.resource), solo)
    ] == [game.results.get().total for game in alone[:10]]
    grades = [str(GRADES[game.rating].title) for game in alone if game.rating is not None]
    shown = dict(grades_of(solo))
    rest = shown.pop("without a grade", 0)
    assert shown == {grade: grades.count(grade) for grade in grades}
    assert rest + len(grades) == len(solo) == len(alone)
    page = client.get(f"/groups/{access.key}/players/{ana.number}/").content.decode()
    for grade in grades:
        assert f"<b>{grades.count(grade)} ×</b> {grade}" in page


def test_ratings_are_shown_from_five_games_on(client: Client) -> None:
    access = create_club()
    ana = access.resource.players.get(name="Ana")
    page = client.get(f"/groups/{access.share_key}/players/{ana.number}/").content.decode()
    last = course_of(ana)[-1]
    assert f'<p class="rating">{rating_words(last.rating)}</p>' in page
    assert f"From {last.games} games against others of the group" in page
    few = create_club(count=5)
    for player in few.resource.players.all():
        page = client.get(f"/groups/{few.key}/players/{player.number}/").content.decode()
        assert 'class="rating"' not in page


def test_figures_of_a_player_are_those_of_the_table() -> None:
    access = create_club()
    figures = figures_of(access.resource)
    rows = table_of(access.resource, ALL_GAMES).rows
    assert len(rows) > 3
    for row in rows:
        own = figures[row.player.name]
        assert own.matches == row.sums.games
        assert own.wins == pytest.approx(row.sums.wins)


def test_names_stay_right_when_players_change(client: Client) -> None:
    access = create_club()
    url = f"/groups/{access.key}/players/{number(access, 'Ana')}/"
    players.rename(access, number(access, "Ben"), "Benno")
    players.retire(access, number(access, "Tom"), True)
    forgotten = number(access, "Zoe")
    players.delete(access, forgotten)
    page = client.get(url).content.decode()
    assert "Benno" in page
    assert "Tom" in page
    assert "Zoe" not in page
    assert not GroupPlayer.objects.filter(number=forgotten, group=access.resource).exists()


def test_a_solo_game_without_level_and_grade_is_listed(client: Client) -> None:
    access = store.find(store.create("Family"))
    for crosses in range(10):
        game_store.add_game(access, create_scoring({"Ana": 5 + crosses})[1])
    enter(access, [PaperGame(date(2020, 1, 1), "", (("Ana", 3),))])
    page = " ".join(unmarked(client.get(f"/groups/{access.share_key}/players/1/")).split())
    medals = re.findall(r"<b>(\d+) ×</b> ([^<]+)</li>", page)
    assert sum(int(count) for count, _grade in medals) == 11
    assert medals[-1] == ("1", "without a grade")
    assert re.search(r"Level not known </th> <td>1</td>", page)
