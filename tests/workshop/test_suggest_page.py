"""Page of suggested levels."""

from __future__ import annotations

import pickle
import re
from statistics import median
from typing import Any

import pytest
from django.test import Client

from sheets.models import WorkshopLevel
from sheets.rules import format_level, parse_level
from sheets.simulation.balance.shipped_figures import shipped_range
from sheets.simulation.games import Tally, simulate
from sheets.workshop import store
from sheets.workshop.suggest import tuning
from sheets.workshop.suggest.outlines import OUTLINES
from sheets.workshop.suggest.suggestion import CannotSuggest, SuggestionRequest, draw_suggestion
from sheets.workshop.suggest.tuning import suggest
from tests.form_errors import parse_form_errors

pytestmark = pytest.mark.django_db
URL = "/workshop/suggest/"


MEDIANS = shipped_range(1, lambda setting: setting["scores"]["median"])


def shown(response: Any) -> Any:
    """Return the document of the level that a page shows."""
    return format_level(response.context["level"])


@pytest.mark.usefixtures("few_trials")
def test_page_shows_a_suggestion_at_once(client: Client) -> None:
    response = client.get(URL)
    assert response.status_code == 200
    assert shown(response) == suggest(SuggestionRequest())
    assert response.content.decode().count('class="art-sheet"') == 1


@pytest.mark.usefixtures("few_trials")
def test_next_suggestion_has_the_same_wish_and_another_seed(client: Client) -> None:
    page = client.get(URL, {"gems": "6"}).content.decode()
    (seed,) = re.findall(r'<button class="button" form="wish" name="seed" value="(\d+)"', page)
    response = client.get(f"{URL}?gems=6&seed=1&seed={seed}")
    assert shown(response) == suggest(SuggestionRequest(gems=6, seed=int(seed)))
    assert f'<input type="hidden" name="seed" value="{seed}">' in response.content.decode()


@pytest.mark.usefixtures("few_trials")
def test_a_wish_is_tuned_once_for_all_languages_and_for_the_editor(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned: list[SuggestionRequest] = []

    def count(wanted: SuggestionRequest) -> Any:
        tuned.append(wanted)
        return suggest(wanted)

    monkeypatch.setattr("sheets.http.render_tasks.suggest", count)
    pages = [client.get(URL, headers={"accept-language": code}) for code in ("en", "de")]
    assert ['<html lang="de"' in page.content.decode() for page in pages] == [False, True]
    assert shown(pages[0]) == shown(pages[1])
    for _ in range(2):
        response = client.post(URL)
        access = store.find(response.headers["Location"].split("/")[2])
        assert access.resource.document["grid"] == shown(pages[0])["grid"]
    assert tuned == [SuggestionRequest()]


@pytest.mark.usefixtures("few_trials")
def test_address_contains_the_wish(client: Client) -> None:
    response = client.get(URL, {"seed": "8", "gems": "6", "outline": "ring", "rails": "on",
                                "stops": "4", "bombs": "0"})  # fmt: skip
    wanted = SuggestionRequest(seed=8, gems=6, outline="ring", rails=True, stops=4, bombs=0)
    assert shown(response) == suggest(wanted)
    page = response.content.decode()
    assert 'name="gems" value="6"' in page
    assert 'value="ring" checked' in page
    # The wish is the same for another seed, and in the editor.
    assert 'name="rails" value="on" checked' in page
    assert '<input type="hidden" name="rails" value="on">' in page


@pytest.mark.usefixtures("few_trials")
def test_a_suggestion_with_tracks_is_accepted_with_tracks(client: Client) -> None:
    response = client.post(URL, {"seed": "8", "rails": "on", "stops": "4"})
    access = store.find(response.headers["Location"].split("/")[2])
    assert access.resource.document["marks"] == "tracks"


@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("outline", OUTLINES)
def test_the_usual_wish_fits_every_outline(outline: str) -> None:
    assert suggest(SuggestionRequest(outline=outline))


def median_of(document: Any, games: int, seed: int = 2) -> float:
    """Return the median of games by which the level was not tuned."""
    level = parse_level(document)
    return median(
        simulate(level, players=1, games=games, bot="greedy", seed=seed, processes=1).totals
    )


def test_suggestions_have_totals_like_the_shipped_levels() -> None:
    least, most = MEDIANS
    wishes = [SuggestionRequest(seed=seed) for seed in (1, 3, 4)]
    drawn = [median_of(draw_suggestion(wanted), 30) for wanted in wishes]
    assert max(max(least - one, one - most) for one in drawn) > 5, "or there was nothing to tune"
    for wanted in wishes:
        assert least - 3 <= median_of(suggest(wanted), 60) <= most + 3


def test_points_on_rail_levels_are_tuned_to_totals_of_shipped_levels() -> None:
    wanted = SuggestionRequest(seed=1, rails=True, stops=4, bombs=0)
    least, most = MEDIANS
    assert median_of(draw_suggestion(wanted), 12) > most + 20, "or there was nothing to tune"
    assert least - 4 <= median_of(suggest(wanted), 40) <= most + 4


@pytest.mark.slow
def test_a_large_sheet_with_tracks_has_fewer_games_a_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def count(*args: Any, games: int, **more: Any) -> Tally:
        played.append(games)
        return simulate(*args, games=games, **more)

    monkeypatch.setattr(tuning, "simulate", count)
    for columns, rows, rails in ((8, 11, True), (12, 14, True), (12, 14, False)):
        suggest(SuggestionRequest(columns=columns, rows=rows, rails=rails, bombs=0))
    usual, large = tuning.SAMPLE_GAMES, tuning.MIN_GAMES
    assert set(played) == {usual, large}
    assert played[0] == played[-1] == usual


@pytest.mark.parametrize("refused", [CannotSuggest("rails", "stops"), CannotSuggest("crowded")])
def test_a_refusal_can_be_pickled(refused: CannotSuggest) -> None:
    again = pickle.loads(pickle.dumps(refused))  # noqa: S301
    assert (again.reason, again.key) == (refused.reason, refused.key)


@pytest.mark.usefixtures("few_trials")
def test_accepted_suggestion_is_an_own_level(client: Client) -> None:
    response = client.post(URL, {"seed": "8", "gems": "6"})
    access = store.find(response.headers["Location"].split("/")[2])
    wished = suggest(SuggestionRequest(seed=8, gems=6))
    assert access.resource.document | {"id": wished["id"]} == wished
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
def test_impossible_wish_is_refused_in_one_sentence(
    client: Client, method: str, wish: dict[str, str], words: str
) -> None:
    response = getattr(client, method)(URL, wish)
    assert response.status_code == 400
    (sentence,) = parse_form_errors(response.content.decode()).values()
    assert sentence.startswith(words)
    assert not WorkshopLevel.objects.exists()


def test_wrong_method_is_refused(client: Client) -> None:
    assert client.put(URL).status_code == 405
