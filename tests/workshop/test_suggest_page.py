"""The page that suggests levels."""

from __future__ import annotations

from statistics import median
from typing import Any

import pytest
from django.test import Client

from sheets.models import WorkshopLevel
from sheets.rules import Game, Level, format_level, parse_level
from sheets.simulation.games import play_game, simulate
from sheets.workshop import store
from sheets.workshop.suggest import trying
from sheets.workshop.suggest.outlines import OUTLINES
from sheets.workshop.suggest.suggestion import SAMPLE, Wanted, suggest
from sheets.workshop.suggest.trying import SHOWN, shipped_medians, suggest_tried
from tests.workshop.trying import IN_FULL, LITTLE
from tests.wrong_fields import what_is_wrong

pytestmark = pytest.mark.django_db
URL = "/workshop/suggest/"


def shown(response: Any) -> list[Any]:
    """The documents of the levels that a page shows."""
    return [format_level(one["level"]) for one in response.context["suggestions"]]


def test_page_shows_three_suggestions_with_their_figures_at_once(client: Client) -> None:
    response = client.get(URL)
    assert response.status_code == 200
    found = suggest_tried(Wanted())
    assert shown(response) == [one.document for one in found]
    page = response.content.decode()
    assert page.count('class="art-sheet"') == SHOWN == 3
    for one in found:
        assert f'name="seed" value="{one.seed}"' in page
        assert f"<dd>{one.played.median}</dd>" in page
        assert f"<dd>{one.played.lower}–{one.played.upper}</dd>" in page


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


def test_a_suggestion_with_tracks_is_taken_with_tracks(client: Client) -> None:
    response = client.post(URL, {"seed": "8", "rails": "on", "stops": "4"})
    access = store.find(response.headers["Location"].split("/")[2])
    assert access.thing.document["marks"] == "tracks"


@pytest.mark.parametrize("outline", OUTLINES)
def test_the_usual_wish_fits_every_outline(outline: str) -> None:
    assert suggest(Wanted(outline=outline))


def test_last_of_two_seeds_counts(client: Client) -> None:
    response = client.get(f"{URL}?seed=1&seed=7")
    assert shown(response) == [one.document for one in suggest_tried(Wanted(seed=7))]


def test_each_number_still_gives_its_own_sheet(client: Client) -> None:
    for one in suggest_tried(Wanted(seed=9998)):
        assert one.document == suggest(Wanted(seed=one.seed))
        assert one.seed in (9998, 9999, 0), "after the last number comes the first"


def test_bots_keep_what_plays_most_like_our_own_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CANDIDATES", "FINALISTS"):
        monkeypatch.setattr(trying, name, IN_FULL[name])
    medians = {}
    for seed in range(1, 11):
        level = parse_level(suggest(Wanted(seed=seed)))
        games = simulate(level, players=1, games=30, bot="greedy", seed=2, processes=1)
        medians[seed] = median(games.totals)
    least, most = shipped_medians()
    far = {seed: max(0, least - found, found - most) for seed, found in medians.items()}
    kept = [one.seed for one in suggest_tried(Wanted(seed=1))]
    assert len(kept) == SHOWN
    assert max(far.values()) > 8, "or there was nothing to choose"
    assert max(far[seed] for seed in kept) < max(far.values()) / 2


def test_the_games_for_the_grades_choose_who_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def count(level: Level, players: int, *more: Any) -> Game:
        played.append(players)
        return play_game(level, players, *more)

    monkeypatch.setattr("sheets.simulation.games.play_game", count)
    found = suggest_tried(Wanted())
    assert len(found) == LITTLE["CANDIDATES"] == LITTLE["FINALISTS"]
    assert played.count(1) == len(found) * (SAMPLE + LITTLE["SOLO_GAMES"])
    assert played.count(2) == len(found) * LITTLE["TWO_GAMES"]


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
