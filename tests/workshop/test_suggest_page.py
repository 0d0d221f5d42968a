"""The page that suggests levels."""

from __future__ import annotations

import json
from collections import Counter
from statistics import median
from typing import Any

import pytest
from django.test import Client

from sheets.charts.numbers import percent
from sheets.models import WorkshopLevel
from sheets.rules import format_level, parse_level
from sheets.simulation.games import Order, Tally, play_order, simulate
from sheets.workshop import store
from sheets.workshop.suggest import trying
from sheets.workshop.suggest.outlines import OUTLINES
from sheets.workshop.suggest.suggestion import Wanted, draw_suggestion
from sheets.workshop.suggest.trying import (
    RANGES,
    SHOWN,
    games_for,
    set_beside,
    suggest_tried,
)
from sheets.workshop.suggest.tuning import suggest, suggest_played
from tests.workshop.trials import FEW
from tests.wrong_fields import what_is_wrong

pytestmark = pytest.mark.django_db
URL = "/workshop/suggest/"


def shown(response: Any) -> list[Any]:
    """The documents of the levels that a page shows."""
    return [format_level(one["level"]) for one in response.context["suggestions"]]


@pytest.mark.usefixtures("few_trials")
def test_page_shows_three_suggestions_with_their_figures_at_once(client: Client) -> None:
    response = client.get(URL)
    assert response.status_code == 200
    found = suggest_tried(Wanted())
    assert shown(response) == [one.document for one in found]
    page = response.content.decode()
    assert page.count('class="art-sheet"') == SHOWN == 3
    for one in found:
        assert f'name="seed" value="{one.seed}"' in page
        assert f"<dd>{round(one.played.median)}</dd>" in page
        assert f"<dd>{round(one.played.lower)} to {round(one.played.upper)}: " in page
    for name in ("median", "spread"):
        assert (
            page.count(f"ours: {round(RANGES[name].least)} to {round(RANGES[name].most)}") == SHOWN
        )
    assert page.count(f"ours: {percent(RANGES['first'].least)} to ") == SHOWN


@pytest.mark.usefixtures("few_trials")
def test_a_wish_is_tried_once_for_all_languages(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Wanted] = []

    def count(wanted: Wanted) -> Any:
        tried.append(wanted)
        return suggest_tried(wanted)

    monkeypatch.setattr("sheets.http.render_tasks.suggest_tried", count)
    pages = [client.get(URL, headers={"accept-language": code}) for code in ("en", "de")]
    assert ['<html lang="de"' in page.content.decode() for page in pages] == [False, True]
    assert shown(pages[0]) == shown(pages[1])
    assert tried == [Wanted()]


@pytest.mark.usefixtures("few_trials")
def test_what_lies_outside_is_said_with_how_far(client: Client) -> None:
    tiny = Wanted(columns=5, rows=5, gems=2, puzzles=0, keys=0, flags=0, lines=1)
    found = suggest_tried(tiny)
    page = client.get(URL, tiny._asdict() | {"rails": ""}).content.decode()
    for one in found:
        far = RANGES["median"].least - one.played.median
        assert far > 10
        assert f'<dd class="off">{round(far)} too few</dd>' in page
    assert "outside are marked" in page


@pytest.mark.usefixtures("few_trials")
def test_address_is_the_wish(client: Client) -> None:
    response = client.get(URL, {"seed": "8", "gems": "6", "outline": "ring", "rails": "on",
                                "stops": "4", "bombs": "0"})  # fmt: skip
    wanted = Wanted(seed=8, gems=6, outline="ring", rails=True, stops=4, bombs=0)
    seeds = [one["seed"] for one in response.context["suggestions"]]
    assert sorted(seeds) == [8, 9, 10]
    assert shown(response) == [suggest(wanted._replace(seed=seed)) for seed in seeds]
    page = response.content.decode()
    assert 'name="gems" value="6"' in page
    assert 'value="ring" checked' in page
    # What is taken, or shown anew with another seed, is the same wish.
    assert 'name="rails" value="on" checked' in page
    assert '<input type="hidden" name="rails" value="on">' in page


@pytest.mark.usefixtures("few_trials")
def test_a_suggestion_with_tracks_is_taken_with_tracks(client: Client) -> None:
    response = client.post(URL, {"seed": "8", "rails": "on", "stops": "4"})
    access = store.find(response.headers["Location"].split("/")[2])
    assert access.thing.document["marks"] == "tracks"


@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("outline", OUTLINES)
def test_the_usual_wish_fits_every_outline(outline: str) -> None:
    assert suggest(Wanted(outline=outline))


@pytest.mark.usefixtures("few_trials")
def test_last_of_two_seeds_counts(client: Client) -> None:
    response = client.get(f"{URL}?seed=1&seed=7")
    assert shown(response) == [one.document for one in suggest_tried(Wanted(seed=7))]


@pytest.mark.usefixtures("few_trials")
def test_each_number_still_gives_its_own_sheet(client: Client) -> None:
    for one in suggest_tried(Wanted(seed=9998)):
        assert one.document == suggest(Wanted(seed=one.seed))
        assert one.seed in (9998, 9999, 0), "after the last number comes the first"


def median_of(document: Any, games: int, seed: int = 2) -> float:
    """By games by which nothing was chosen."""
    level = parse_level(document)
    return median(
        simulate(level, players=1, games=games, bot="greedy", seed=seed, processes=1).totals
    )


@pytest.mark.usefixtures("no_time_limit")
def test_what_is_kept_plays_as_our_own_levels_do() -> None:
    least, most = RANGES["median"]
    drawn = [median_of(draw_suggestion(Wanted(seed=seed)), 30) for seed in (1, 3, 4)]
    assert max(max(least - one, one - most) for one in drawn) > 5, "or there was nothing to mend"
    found = suggest_tried(Wanted(seed=1))
    assert len(found) == SHOWN
    for one in found:
        assert not any(figure.off for figure in set_beside(one.played))
        assert least - 3 <= median_of(one.document, 90) <= most + 3


@pytest.mark.usefixtures("no_time_limit")
@pytest.mark.parametrize("seed", [1])
def test_tracks_leave_other_things_worth_what_brings_the_sheet_to_ours(seed: int) -> None:
    wanted = Wanted(seed=seed, rails=True, stops=4, bombs=0)
    least, most = RANGES["median"]
    assert median_of(draw_suggestion(wanted), 12) > most + 20, "or there was nothing to mend"
    assert least - 4 <= median_of(suggest(wanted), 40) <= most + 4


@pytest.mark.usefixtures("no_time_limit")
@pytest.mark.slow
def test_the_search_ends_with_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    played: Counter[str] = Counter()

    def count(order: Order) -> Tally:
        played[order.level] += order.end - order.first
        return play_order(order)

    monkeypatch.setattr("sheets.simulation.games.play_order", count)
    found = suggest_tried(Wanted(seed=1))
    assert SHOWN <= sum(games >= trying.GAMES for games in played.values()) < 12
    last = max(one.seed for one in found)
    ids = {json.loads(level)["id"] for level in played}
    assert ids <= {f"suggested-{seed}" for seed in range(1, last + 1)}


@pytest.mark.usefixtures("few_trials")
def test_what_takes_too_long_is_not_searched_to_the_end(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = Wanted(columns=5, rows=5, gems=2, puzzles=0, keys=0, flags=0, lines=1)
    assert len(suggest_tried(tiny)) == SHOWN
    assert "There are fewer than three" not in client.get(URL, {"seed": 1}).content.decode()
    monkeypatch.setattr(trying, "ENOUGH_SECONDS", -1)
    (only,) = suggest_tried(tiny)
    assert only.seed == tiny.seed
    assert [figure.name for figure in set_beside(only.played)] == ["median", "spread", "first"]
    page = client.get(URL, tiny._asdict() | {"rails": ""}).content.decode()
    assert page.count("<article>") == 1
    assert "There are fewer than three this time" in page


@pytest.mark.usefixtures("few_trials")
def test_time_up_leaves_out_only_what_is_still_to_be_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = iter([0.0, *[1.0] * FEW[trying, "CANDIDATES"], *[99.0] * SHOWN])
    monkeypatch.setattr(trying, "monotonic", lambda: next(now))
    monkeypatch.setattr(trying, "ENOUGH_SECONDS", 50)
    tiny = Wanted(columns=5, rows=5, gems=2, puzzles=0, keys=0, flags=0, lines=1)
    assert len(suggest_tried(tiny)) == 1, "all are hopeless, and the nearest is tried all the same"


@pytest.mark.usefixtures("no_time_limit")
@pytest.mark.slow
def test_a_large_sheet_with_tracks_is_tried_less() -> None:
    wish = {"rails": True, "bombs": 0}
    usual, large = Wanted(**wish), Wanted(columns=12, rows=14, **wish)
    assert games_for(large) * 2 < games_for(usual) < games_for(Wanted(columns=12, rows=14))
    played = [suggest_played(wanted)[1].games for wanted in (usual, large)]
    assert played[1] * 2 <= played[0]


@pytest.mark.usefixtures("few_trials")
def test_taken_suggestion_is_a_level_of_ones_own(client: Client) -> None:
    response = client.post(URL, {"seed": "8", "gems": "6"})
    access = store.find(response.headers["Location"].split("/")[2])
    wished = suggest(Wanted(seed=8, gems=6))
    assert access.thing.document | {"id": wished["id"]} == wished
    assert client.get(response.headers["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"gems": "41"}, "Gems: a number from 0 to 40."),
        ({"columns": "x"}, "Columns: a number from 5 to 12."),
        ({"rows": ""}, "Rows: a number from 5 to 14."),
        ({"seed": "9" * 400}, "Number of the suggestion: a number from 0 to 9999."),
        ({"outline": "heart"}, "There is no such outline."),
        ({"columns": "5", "rows": "5"}, "That many symbols do not fit"),
        ({"stops": "2"}, "Stops are for sheets with tracks only."),
        ({"rails": "on", "volcanoes": "1"}, "Sheets with tracks are suggested without rockets"),
        ({"rockets": "1"}, "Rockets need planets"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_wish_that_cannot_be_is_refused_in_one_sentence(
    client: Client, method: str, wish: dict[str, str], words: str
) -> None:
    response = getattr(client, method)(URL, wish)
    assert response.status_code == 400
    (sentence,) = what_is_wrong(response.content.decode()).values()
    assert sentence.startswith(words)
    assert not WorkshopLevel.objects.exists()


def test_wrong_method(client: Client) -> None:
    assert client.put(URL).status_code == 405
