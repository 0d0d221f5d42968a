"""Figures of a group, compared with a plain recomputation of its games."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from random import Random
from statistics import mean

import pytest
from django.template.defaultfilters import floatformat
from django.test import Client
from django.utils import timezone

from sheets.access.keys import digest
from sheets.charts.numbers import one_decimal
from sheets.groups import game_store, store
from sheets.groups.evenings import evenings_page
from sheets.groups.filters import ALL_GAMES, filter_options_of, level_names, parse_filter
from sheets.groups.game_results import FinishedGame, Result
from sheets.groups.player_figures import SIGNS, Figures
from sheets.groups.player_statistics import head_to_heads, levels_of, statistics_of
from sheets.groups.standings import table_of
from sheets.models import Group
from sheets.rules.scoring import Score, find_winners
from sheets.stats import wilson_interval
from tests.groups.player_figures import figures_of

pytestmark = pytest.mark.django_db

PEOPLE = ("Ana", "Ben", "Ida", "Tom")


def evenings(count: int, seed: int = 1) -> tuple[Group, list[list[tuple[str, int, float]]]]:
    """Create a group with random games; return it with points and share of the win by game."""
    group, random = store.find(store.create("Family")).resource, Random(seed)
    games, played = [], []
    for number in range(1, count + 1):
        names = random.sample(PEOPLE, random.randint(1, 4))
        totals = [random.randint(10, 30) for _ in names]
        winners = find_winners([Score(total, 0, {}, ()) for total in totals])
        shares = [
            1 / len(winners) if i in winners and len(names) > 1 else 0.0 for i in range(len(names))
        ]
        games.append(list(zip(names, totals, shares, strict=True)))
        when = timezone.now() - timedelta(days=count - number)
        results = [
            Result(name, False, total, 0, 1 if share else 2, share, {})
            for name, total, share in games[-1]
        ]
        game = FinishedGame("sheets", when, {}, "", "", None, results)
        played.append((game, timezone.localdate(when)))
    game_store.add_games(group, played)
    return group, games


@pytest.mark.postgresql
def test_figures_equal_a_plain_recomputation() -> None:
    group, games = evenings(60)
    totals, wins, chances = defaultdict(list), defaultdict(float), defaultdict(list)
    for game in games:
        for name, total, share in game:
            totals[name].append(total)
            if len(game) > 1:
                wins[name] += share
                chances[name].append(1 / len(game))
    found = figures_of(group)
    assert set(found) == set(PEOPLE)
    for name, figure in found.items():
        assert figure.games == figure.scored == len(totals[name])
        assert figure.matches == len(chances[name])
        assert figure.wins == pytest.approx(wins[name])
        assert figure.chance == pytest.approx(mean(chances[name]))
        assert figure.mean == pytest.approx(mean(totals[name]))
        assert (figure.best, figure.worst) == (max(totals[name]), min(totals[name]))
        assert figure.last == totals[name][-10:]
        assert figure.interval
        assert figure.interval.share == pytest.approx(wins[name] / len(chances[name]))
        assert figure.interval.low < figure.interval.share < figure.interval.high


@pytest.mark.postgresql
def test_a_filter_counts_only_its_games(client: Client) -> None:
    group, games = evenings(40)
    pairs = [game for game in games if len(game) == 2]
    choice = parse_filter({"players": "2", "kind": "sheets", "year": "", "level": "nonsense"})
    assert choice.query == "players=2&kind=sheets"
    assert sum(row.sums.games for row in table_of(group, choice).rows) == 2 * len(pairs)
    shown = evenings_page(group, "1", choice.games(), {})
    assert shown.game_count == len(pairs)
    assert all(len(game.results) == 2 for day in shown.days for game in day.games)
    year = timezone.now().year
    for sent, count in (({"year": f"{year + 1}"}, 0), ({"kind": "table"}, 0), ({"kind": "x"}, 40)):
        assert evenings_page(group, "1", parse_filter(sent).games(), {}).game_count == count
    key = "k" * 32
    Group.objects.update(key_digest=digest(key))
    page = client.get(f"/groups/{key}/?players=2&page=1", follow=True).content.decode()
    assert f"from {len(pairs)} games with others" in page
    assert '<option value="2" selected>2</option>' in page


@pytest.mark.postgresql
def test_only_years_with_games_are_offered() -> None:
    group, _games = evenings(3)
    for number, year in ((1, 1998), (2, 2024), (3, 2024)):
        group.games.filter(number=number).update(evening=f"{year}-12-31")
    assert filter_options_of(group).years == [2024, 1998]


def test_a_level_of_the_same_name_that_was_edited_says_so() -> None:
    group, _games = evenings(2)
    for number in (1, 2):
        name, told = {"en": "Garden", "de": "Garten"}, f"{number}" * 16
        group.games.filter(number=number).update(level_name=name, level_digest=told)
    assert filter_options_of(group).levels == [
        ("1" * 16, "Garden"),
        ("2" * 16, "Garden, version 2"),
    ]


def test_few_games_allow_no_conclusion() -> None:
    group, games = evenings(4)
    played = sum(name == "Ana" for game in games for name, _total, _share in game)
    ana = figures_of(group)["Ana"]
    assert ana.games == played
    assert (ana.interval, ana.mean, ana.last, ana.compared_with_chance) == (None, None, [], "")
    assert ana.best == max(total for game in games for name, total, _s in game if name == "Ana")


def test_few_games_on_a_level_allow_no_conclusion(client: Client) -> None:
    group, games = evenings(30)
    group.games.update(level_digest="a" * 16, level_name={"en": "Butterfly"})
    own = group.games.filter(results__player__name="Ana").order_by("number")
    few = list(own.values_list("number", flat=True)[:4])
    group.games.filter(number__in=few).update(level_digest="b" * 16, level_name={"en": "Garden"})
    mine = statistics_of(group, group.players.get(name="Ana"), ALL_GAMES)
    often, seldom = levels_of(level_names(group), mine)
    totals = [total for game in games for name, total, _share in game if name == "Ana"][:4]
    assert seldom[:5] == ("Garden", "b" * 16, 4, None, max(totals))
    assert seldom.others_mean is None
    assert often.games == sum(name == "Ana" for game in games for name, _t, _s in game) - 4 > 4
    assert None not in often
    key = "k" * 32
    Group.objects.update(key_digest=digest(key))
    page = client.get(f"/groups/{key}/players/{group.players.get(name='Ana').number}/")
    assert page.content.decode().count("<td>–</td>") >= 2


def test_a_conclusion_needs_a_significant_difference() -> None:
    # From tables: Wilson's 95 % intervals of 9 and 5 of 10.
    assert [round(part, 3) for part in wilson_interval(9, 10)] == [0.9, 0.596, 0.982]
    assert [round(part, 3) for part in wilson_interval(5, 10)] == [0.5, 0.237, 0.763]
    figure = Figures(10, 10, 9, 0.5, wilson_interval(9, 10), 0, 0, 0, 0, [])
    assert figure.compared_with_chance == "more"
    assert figure._replace(interval=wilson_interval(1, 10)).compared_with_chance == "less"
    assert figure._replace(interval=wilson_interval(6, 10)).compared_with_chance == ""


@pytest.mark.postgresql
def test_figures_against_others_and_on_levels_equal_a_plain_recomputation(
    client: Client,
) -> None:
    group, games = evenings(60)
    ana = group.players.get(name="Ana")
    for game in group.games.all():
        told = f"{game.number % 3}" * 16
        game.level_digest, game.level_name = told, {"en": f"Level {game.number % 3}"}
        game.save()
    met, best = defaultdict(list), defaultdict(list)
    for number, game in enumerate(games, start=1):
        totals = {name: total for name, total, _share in game}
        if "Ana" in totals:
            best[f"Level {number % 3}"].append(totals["Ana"])
            for name in totals.keys() - {"Ana"}:
                # Places follow from shares of the win here: 1 for all winners, else 2.
                places = {one: 1 if share else 2 for one, _total, share in game}
                met[name].append(places[name] - places["Ana"])
    mine = statistics_of(group, ana, ALL_GAMES)
    for other in head_to_heads(group, mine):
        found = met.pop(other.name)
        assert other.games == len(found)
        assert other.ahead == sum(one > 0 for one in found)
        assert (other.behind, other.even) == (sum(one < 0 for one in found), found.count(0))
    assert not met
    for level in levels_of(level_names(group), mine):
        points = best.pop(level.title)
        assert (level.games, level.best) == (len(points), max(points))
        assert level.mean == pytest.approx(mean(points))
        assert group.games.filter(evening=level.when, results__total=max(points)).exists()
    assert not best
    won = [
        share == 1 for game in games if len(game) > 1 for name, _t, share in game if name == "Ana"
    ]
    assert mine.streak.now == next(i for i, one in enumerate(won[::-1]) if not one)
    key = "k" * 32
    Group.objects.update(key_digest=digest(key))
    page = client.get(f"/groups/{key}/players/{ana.number}/").content.decode()
    section = page.split("Against each of the others")[1]
    assert section.count("<tr>") == 1 + 3
    assert all(f'<bdi translate="no">{name}</bdi>' in section for name in ("Ben", "Ida", "Tom"))
    assert client.get(f"/groups/{key}/players/99/").status_code == 404


def test_a_trend_is_drawn_from_the_oldest_to_the_latest() -> None:
    figure = Figures(3, 0, 0, 0, None, 3, 0, 0, 0, [15, 10, 20])
    assert '<polyline points="0,15 50,30 100,0"/>' in figure.trend


@pytest.mark.parametrize("mean", [31.25, 31.35, -2.25, 7.0])
def test_means_are_rounded_the_same_way_everywhere(mean: float) -> None:
    assert one_decimal(mean) == floatformat(mean, 1).replace("-", "−")
    assert one_decimal(31.25) == "31.3"


def test_signs_are_distinct() -> None:
    assert len(set(SIGNS)) == len(SIGNS) >= 24
