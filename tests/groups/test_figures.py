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
from sheets.groups import keeping, store
from sheets.groups.evenings import evenings_page
from sheets.groups.figures import SIGNS, Figures
from sheets.groups.filters import ALL, level_names, offered_in, read_choice
from sheets.groups.one_player import against_others, levels_of, statistics_of
from sheets.groups.played import FinishedGame, Result
from sheets.groups.standings import table_of
from sheets.models import Group
from sheets.rules.scoring import Score, find_winners
from sheets.stats import wilson
from tests.groups.counted import figures_of

pytestmark = pytest.mark.django_db

PEOPLE = ("Ana", "Ben", "Ida", "Tom")


def evenings(count: int, seed: int = 1) -> tuple[Group, list[list[tuple[str, int, float]]]]:
    """A group with games by chance; of each game who had how many points, and what of the win."""
    group, random = store.find(store.create("Family")).thing, Random(seed)
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
    keeping.add_games(group, played)
    return group, games


@pytest.mark.postgresql
def test_figures_are_what_a_plain_count_gives() -> None:
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
def test_a_choice_of_games_counts_only_them(client: Client) -> None:
    group, games = evenings(40)
    pairs = [game for game in games if len(game) == 2]
    choice = read_choice({"players": "2", "kind": "sheets", "year": "", "level": "nonsense"})
    assert choice.query == "players=2&kind=sheets"
    assert sum(row.sums.games for row in table_of(group, choice).rows) == 2 * len(pairs)
    shown = evenings_page(group, "1", choice.games(), {})
    assert shown.game_count == len(pairs)
    assert all(len(game.did) == 2 for day in shown.days for game in day.games)
    year = timezone.now().year
    for sent, count in (({"year": f"{year + 1}"}, 0), ({"kind": "table"}, 0), ({"kind": "x"}, 40)):
        assert evenings_page(group, "1", read_choice(sent).games(), {}).game_count == count
    key = "k" * 32
    Group.objects.update(key_digest=digest(key))
    page = client.get(f"/groups/{key}/?players=2&page=1", follow=True).content.decode()
    assert f">{len(pairs)} games<" in page
    assert '<option value="2" selected>2</option>' in page


@pytest.mark.postgresql
def test_only_years_with_games_are_offered() -> None:
    group, _games = evenings(3)
    for number, year in ((1, 1998), (2, 2024), (3, 2024)):
        group.games.filter(number=number).update(evening=f"{year}-12-31")
    assert offered_in(group).years == [2024, 1998]


def test_a_level_of_the_same_name_that_was_edited_says_so() -> None:
    group, _games = evenings(2)
    for number in (1, 2):
        name, told = {"en": "Garden", "de": "Garten"}, f"{number}" * 16
        group.games.filter(number=number).update(level_name=name, level_digest=told)
    assert offered_in(group).levels == [
        ("1" * 16, "Garden"),
        ("2" * 16, "Garden, version 2"),
    ]


def test_there_is_no_opinion_on_few_games() -> None:
    group, games = evenings(4)
    played = sum(name == "Ana" for game in games for name, _total, _share in game)
    ana = figures_of(group)["Ana"]
    assert ana.games == played
    assert (ana.interval, ana.mean, ana.last, ana.says) == (None, None, [], "")
    assert ana.best == max(total for game in games for name, total, _s in game if name == "Ana")


def test_there_is_no_opinion_on_few_games_of_a_level(client: Client) -> None:
    group, games = evenings(30)
    group.games.update(level_digest="a" * 16, level_name={"en": "Butterfly"})
    own = group.games.filter(results__player__name="Ana").order_by("number")
    few = list(own.values_list("number", flat=True)[:4])
    group.games.filter(number__in=few).update(level_digest="b" * 16, level_name={"en": "Garden"})
    mine = statistics_of(group, group.players.get(name="Ana"), ALL)
    often, seldom = levels_of(level_names(group), mine)
    totals = [total for game in games for name, total, _share in game if name == "Ana"][:4]
    assert seldom[:5] == ("Garden", "b" * 16, 4, None, max(totals))
    assert seldom.beside is None
    assert often.games == sum(name == "Ana" for game in games for name, _t, _s in game) - 4 > 4
    assert None not in often
    key = "k" * 32
    Group.objects.update(key_digest=digest(key))
    page = client.get(f"/groups/{key}/players/{group.players.get(name='Ana').number}/")
    assert page.content.decode().count("<td>–</td>") >= 2


def test_an_opinion_needs_more_than_luck() -> None:
    # From tables: Wilson's 95 % intervals of 9 and 5 of 10.
    assert [round(part, 3) for part in wilson(9, 10)] == [0.9, 0.596, 0.982]
    assert [round(part, 3) for part in wilson(5, 10)] == [0.5, 0.237, 0.763]
    figure = Figures(10, 10, 9, 0.5, wilson(9, 10), 0, 0, 0, 0, [])
    assert figure.says == "more"
    assert figure._replace(interval=wilson(1, 10)).says == "less"
    assert figure._replace(interval=wilson(6, 10)).says == ""


@pytest.mark.postgresql
def test_a_player_against_others_and_on_levels_is_what_a_plain_count_gives(
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
                # Places are told by shares of the win here: 1 for all who share it, else 2.
                places = {one: 1 if share else 2 for one, _total, share in game}
                met[name].append(places[name] - places["Ana"])
    mine = statistics_of(group, ana, ALL)
    for other in against_others(group, mine):
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
def test_means_are_rounded_alike_wherever_they_stand(mean: float) -> None:
    assert one_decimal(mean) == floatformat(mean, 1).replace("-", "−")
    assert one_decimal(31.25) == "31.3"


def test_signs_are_told_apart() -> None:
    assert len(set(SIGNS)) == len(SIGNS) >= 24
