"""What a player's page shows is what a plain recomputation gives, whatever changes."""

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
from sheets.groups import documents, joining, keeping, players, reckoning, store
from sheets.groups.entering import Entered, enter
from sheets.groups.filters import ALL, level_names
from sheets.groups.one_player import (
    OnLevel,
    best_of,
    count_alone,
    grades_of,
    last_alone,
    levels_of,
)
from sheets.groups.player_figures import blocks_of, figures_of_player, means_of, rating_words
from sheets.groups.reckoning import months_of, reckon, sums_of
from sheets.groups.standings import table_of
from sheets.groups.sums import PER_UNIT, OneResult, Rating, Strength, Sums, add_game
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult, PlayerMonth, Scoring
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
            "grades": [],
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
        mine["grades"].append(game.rating)


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
    """All that is kept of a group is what a plain recomputation gives."""
    assert reckon(group) == 0
    found, plain = sums_of(group), plainly(group)
    assert found.keys() == plain.keys()
    for id, mine in found.items():
        told = plain[id]
        assert mine.mu == pytest.approx(told["rating"].mu)
        assert mine.sigma == pytest.approx(told["rating"].sigma)
        assert mine.rated == told["rated"]
        assert_streaks(mine, told["won"])
        assert mine.split == len(told["parts"])
        for part, points in mine.parts.items():
            assert points == sum(parts.get(part, 0) for parts in told["parts"])
        for levels, kept in ((told["levels"], mine.levels), (told["alone"], mine.alone)):
            assert kept.keys() == levels.keys()
            for digest, level in kept.items():
                totals = [total for total, _day in levels[digest]]
                assert (level.games, level.points) == (len(totals), sum(totals))
                best = next(day for total, day in levels[digest] if total == max(totals))
                assert (level.best, level.when) == (max(totals), best)
        assert mine.grades == [told["grades"].count(grade) for grade in range(7)]
        assert mine.met.keys() == told["met"].keys()
        for other, met in mine.met.items():
            apart = told["met"][other]
            assert met.games == len(apart)
            assert (met.ahead, met.behind) == (
                sum(one > 0 for one in apart),
                sum(one < 0 for one in apart),
            )
        months = months_of(group.players.get(pk=id))
        assert [total for _month, sums in months for total in sums.totals] == told["totals"]


def assert_streaks(mine: Sums, won: list[tuple[bool, date]]) -> None:
    runs: list[tuple[int, date]] = []
    run = 0
    for has_won, day in won:
        run = run + 1 if has_won else 0
        runs.append((run, day))
    assert mine.matches == len(won)
    assert mine.run == run
    longest = max((run for run, _day in runs), default=0)
    assert mine.longest == longest
    if longest:
        assert mine.longest_on == [day for run, day in runs if run == longest][-1]


def number(access: Access[Group], name: str) -> int:
    return access.thing.players.get(name=name).number


@pytest.mark.postgresql
def test_all_that_adds_up_is_what_a_plain_count_gives() -> None:
    access = club()
    assert_adds_up(access.thing)
    assert min(sums.rated for sums in sums_of(access.thing).values()) > 20
    assert PlayerMonth.objects.filter(player=access.thing.players.all()[0]).count() > 5


def enter_old(access: Access[Group]) -> None:
    game = GroupGame.objects.create(
        group=access.thing,
        number=access.thing.last_number + 1,
        is_open=False,
        kind="typed",
        played=datetime(2026, 2, 3, 20, tzinfo=UTC),
        evening=date(2026, 2, 3),
    )
    results = [
        keeping.playing.Result(name, False, total, 0, place, share, {})
        for name, total, place, share in (("Ana", 50, 1, 1.0), ("Eva", 40, 2, 0.0))
    ]
    keeping.write_results(
        access.thing,
        game,
        keeping.playing.Played("typed", game.played, {}, "", "", None, results),
    )


def delete_one(access: Access[Group]) -> None:
    game = access.thing.games.filter(results__player__name="Ana").order_by("played")[3]
    store.delete_game(access, game.number)


def settle_again(access: Access[Group]) -> None:
    _key, scoring = scored({"Ana": 40, "Ben": 10})
    keeping.keep(access, scoring)
    reckon(access.thing)
    scoring.sheets.get(number=1).marks.all().delete()
    Scoring.objects.filter(pk=scoring.pk).update(revision=99)
    keeping.look_again(store.find(access.key).thing)


def open_again(access: Access[Group]) -> None:
    """A game that was over goes on: its results are gone until it is settled once more."""
    key, scoring = scored({"Ana": 40, "Ben": 10})
    game = keeping.keep(access, scoring)
    reckon(access.thing)
    before = sums_of(access.thing)[access.thing.players.get(name="Ana").pk].rated
    scoring_store.add_sheet(scoring_store.find(key), "Ida")
    keeping.look_again(store.find(access.key).thing)
    assert access.thing.games.get(pk=game.pk).is_open
    reckon(access.thing)
    assert sums_of(access.thing)[access.thing.players.get(name="Ana").pk].rated == before - 1
    delete_one(access)


def separate(access: Access[Group]) -> None:
    """Zoe and Ida play no more in one game, so that they can be one person."""
    both = access.thing.games.filter(results__player__name="Ida")
    for game in both.filter(results__player__name="Zoe").distinct():
        store.delete_game(access, game.number)


def merge(access: Access[Group]) -> None:
    separate(access)
    reckon(access.thing)
    players.merge(access, number(access, "Zoe"), number(access, "Ida"))


def take_apart(access: Access[Group]) -> None:
    merge(access)
    reckon(access.thing)
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
    reckon(access.thing)
    before = {id: sums.mu for id, sums in sums_of(access.thing).items()}
    change(access)
    assert_adds_up(access.thing)
    assert before != {id: sums.mu for id, sums in sums_of(access.thing).items()}


@pytest.mark.postgresql
def test_only_the_months_from_a_change_on_are_added_up() -> None:
    access = club()
    reckon(access.thing)
    kept = set(PlayerMonth.objects.filter(month__lt="2026-05-01").values_list("pk", flat=True))
    later = set(PlayerMonth.objects.filter(month__gte="2026-05-01").values_list("pk", flat=True))
    game = access.thing.games.filter(played__gte="2026-05-01T12:00Z").order_by("played")[0]
    store.delete_game(access, game.number)
    reckon(access.thing)
    now = set(PlayerMonth.objects.values_list("pk", flat=True))
    assert kept <= now
    assert not later & now
    # Nothing has changed, nothing is made anew.
    reckon(access.thing)
    assert now == set(PlayerMonth.objects.values_list("pk", flat=True))


@pytest.mark.postgresql
def test_many_games_are_added_up_some_at_a_time(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = club()
    monkeypatch.setattr(reckoning, "AT_ONCE", 15)
    url = f"/groups/{access.share_key}/players/{number(access, 'Ana')}/"
    page = client.get(url).content.decode()
    told = [int(re.search(r"again: (\d+) are left", page)[1])]  # type: ignore[index]
    while left := reckon(access.thing):
        told.append(left)
    assert all(before - 25 <= after < before for before, after in pairwise(told))
    assert len(told) > 3
    assert "still to come" not in client.get(url).content.decode()
    assert_adds_up(access.thing)


def test_a_group_opened_from_its_file_has_the_same_figures() -> None:
    access = club()
    merge(access)
    reckon(access.thing)
    content = documents.format_group(access.thing)
    assert b"rating" not in content.replace(b'"rating":', b"")
    other = store.find(joining.take_in(documents.read_group(content).group)).thing
    reckon(other)

    def by_name(group: Group) -> dict[str, tuple[Any, ...]]:
        names = {player.pk: player.name for player in group.players.all()}
        return {
            names[id]: (sums.rating, sums.mu, sums.sigma, sums.longest, sums.parts, sums.grades)
            for id, sums in sums_of(group).items()
        }

    assert by_name(other) == by_name(access.thing)


def test_points_are_those_of_elo() -> None:
    assert Sums().rating == Rating(1500, 480, 0)
    assert Strength(date(2026, 1, 1), 25 + 200 / PER_UNIT, 1, 9).rating == (1700, 60, 9)
    assert rating_words(Rating(1540, 60, 12)) == "1,540\u00a0±\u00a060"
    with translation.override("de"):
        assert rating_words(Rating(1540, 60, 12)) == "1.540\u00a0±\u00a060"


def test_two_hundred_points_are_three_wins_of_four() -> None:
    random, sums = Random(3), {1: Sums(), 2: Sums()}
    apart = []
    for game in range(3000):
        places = (1, 2) if random.random() < 0.76 else (2, 1)
        add_game(sums, results_of(sums, places))
        if game > 500:
            apart.append(sums[1].rating.points - sums[2].rating.points)
    assert 180 < mean(apart) < 220


def results_of(sums: Mapping[int, Sums], places: Sequence[int]) -> list[OneResult]:
    """A game in which everybody came in so."""
    day = date(2026, 1, 1)
    return [
        OneResult(
            1, player, place, 0, 1 / len(places), 9, {}, day, "typed", "", None, is_match=True
        )
        for player, place in zip(sums, places, strict=True)
    ]


def test_who_wins_rises_and_ties_change_little() -> None:
    sums = {1: Sums(), 2: Sums()}
    add_game(sums, results_of(sums, (1, 1)))
    assert sums[1].mu == pytest.approx(sums[2].mu)
    add_game(sums, results_of(sums, (1, 2)))
    assert sums[1].mu > 25 > sums[2].mu
    assert sums[1].sigma < 25 / 3
    # One evening is one point, the last of it.
    assert [one.games for one in sums[1].strengths] == [2]


def test_bots_and_people_without_a_name_have_no_rating() -> None:
    access = store.find(store.create("Family"))
    keeping.keep(access, scored({"Ana": 40, "": 10})[1])
    reckon(access.thing)
    (mine,) = sums_of(access.thing).values()
    assert (mine.rated, mine.matches, mine.met) == (0, 1, {})


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
    reckon(access.thing)
    everybody = sums_of(access.thing)
    ana = access.thing.players.get(name="Ana")
    mine, months = everybody[ana.pk], months_of(ana)
    others = [sums for pk, sums in everybody.items() if pk != ana.pk]
    rating, points, parts = figures_of_player(mine, others, months)
    plain = plainly(access.thing)
    own = plain.pop(ana.pk)["parts"]
    all_parts = [parts for one in plain.values() for parts in one["parts"]]
    assert [row[1:] for row in parts.rows] == [
        [shown.one_decimal(mean(told[part] for told in of)) for of in (own, all_parts)]
        for part in ("gems", "lines", "heaps")
    ]
    assert f"from {len(own)} games" in parts.sentence
    assert f"from {len(all_parts)} sheets" in parts.sentence
    assert rating.rows[-1][2] == rating_words(mine.rating)
    assert int(rating.rows[0][1]) >= 5
    assert len(rating.rows) == rating.plot.count("<circle") <= 24
    assert len(points.rows) == points.plot.count("<circle")
    assert [int(row[1]) for row in points.rows] == [
        block.games
        for block in blocks_of([(month, one) for month, sums in months for one in sums.totals])
    ]
    for figure in (rating, points, parts):
        assert f'aria-label="{figure.title}"' in figure.plot
    assert means_of([]) == (0, {})


def test_there_is_nothing_to_draw_of_few_games() -> None:
    access = club(count=4)
    reckon(access.thing)
    for player in access.thing.players.filter(months__isnull=False).distinct():
        everybody = sums_of(access.thing)
        mine = everybody.pop(player.pk)
        assert list(figures_of_player(mine, [*everybody.values()], months_of(player))) == []


def test_the_best_level_is_the_one_farthest_above_the_others() -> None:
    access = club(count=150)
    reckon(access.thing)
    everybody, plain = sums_of(access.thing), plainly(access.thing)
    for id, mine in everybody.items():
        rest = [sums for pk, sums in everybody.items() if pk != id]
        levels = levels_of(level_names(access.thing), mine.levels, rest)
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
    alone = OnLevel("Alone", "a", 9, 40.0, 50, date(2026, 1, 1))
    assert best_of([OnLevel("Few", "f", 4), alone]) is None


@pytest.mark.postgresql
def test_games_alone_are_told_with_their_grades(client: Client) -> None:
    access = club(count=150)
    reckon(access.thing)
    ana = access.thing.players.get(name="Ana")
    mine = sums_of(access.thing)[ana.pk]
    alone = [
        game
        for game in access.thing.games.order_by("-played", "-number")
        if game.results.count() == 1 and game.results.get().player == ana and game.kind != "dice2"
    ]
    assert len(alone) >= 3
    assert [one.total for one in last_alone(ana, level_names(access.thing))] == [
        game.results.get().total for game in alone[:10]
    ]
    grades = [str(GRADES[game.rating].title) for game in alone if game.rating is not None]
    shown = dict(grades_of(mine, count_alone(ana)))
    rest = shown.pop("without a grade", 0)
    assert shown == {grade: grades.count(grade) for grade in grades}
    assert rest + len(grades) == count_alone(ana)
    page = client.get(f"/groups/{access.key}/players/{ana.number}/").content.decode()
    for grade in grades:
        assert f"<b>{grades.count(grade)} ×</b> {grade}" in page


def test_the_pages_tell_ratings_from_five_games_on(client: Client) -> None:
    access = club()
    ana = access.thing.players.get(name="Ana")
    page = client.get(f"/groups/{access.share_key}/players/{ana.number}/").content.decode()
    mine = sums_of(access.thing)[ana.pk]
    assert f'<p class="rating">{rating_words(mine.rating)}</p>' in page
    assert f"From {mine.rated} games against others of the group" in page
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
        assert own.matches == row.record.games
        assert own.wins == pytest.approx(row.record.wins)


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
