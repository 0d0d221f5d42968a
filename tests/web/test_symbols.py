"""All symbols on pages, in print, in the workshop and in reports."""

from __future__ import annotations

import html
import json
import re
from io import BytesIO
from itertools import product
from random import Random
from typing import Any

import pypdf
import pytest
from django.test import Client
from django.utils import translation

from sheets.art.drawings import drawing, symbol_id
from sheets.art.path_compression import short_path
from sheets.bots.field_values import FieldValues
from sheets.documents.structure import read_level
from sheets.levels.legend import legend
from sheets.printing.legend import legend_entries
from sheets.printing.score_tracks import categories
from sheets.rules import Level, new_game, parse_level
from sheets.rules.symbols import (
    CATEGORIES,
    COLOURED_SYMBOLS,
    PAYING,
    PLAIN_PAYING,
    SYMBOL_BY_TOKEN,
    SYMBOLS,
    Pays,
)
from sheets.scoring.score_view import signs
from sheets.simulation.balance.figures import figures
from sheets.simulation.balance.report import PlannedGames, measure
from sheets.simulation.balance.sentences import sentences
from sheets.simulation.balance.shipped_figures import find_other_levels
from sheets.simulation.summary import GROUPS
from sheets.text.symbols import category_name, column_label, symbol_name
from sheets.workshop import store
from sheets.workshop.checks import find_errors
from sheets.workshop.draft import SQUARE_PATTERN, parse_square
from sheets.workshop.paper_checklist import find_checklist_items
from tests.scoring import scoring_pages
from tests.symbol_levels import colour_of, level_with, notation_of, usual_points
from tests.table_games import play_on, sit_down
from tests.tables.table_clients import client_of
from tests.workshop import test_pages

pytestmark = pytest.mark.django_db
every_symbol = pytest.mark.parametrize("name", SYMBOLS)
LANGUAGES = ("de", "en")


def level_of(name: str) -> Level:
    return read_level(json.dumps(level_with(name)).encode())


def drawing_of(name: str) -> str:
    return symbol_id(name, colour_of(name))


def called(name: str, language: str) -> str:
    with translation.override(language):
        return symbol_name(level_of(name), name, colour_of(name))


def text_of(client: Client, address: str, language: str = "en") -> str:
    response = client.get(address, headers={"accept-language": language})
    assert response.status_code == 200, address
    return html.unescape(response.content.decode())


def test_every_symbol_has_another_name_in_german() -> None:
    assert [name for name in SYMBOLS if called(name, "de") == called(name, "en")] == []


@every_symbol
def test_level_page_shows_it_with_its_effect(client: Client, name: str) -> None:
    url = f"/workshop/{store.create(level_with(name))}/"
    shared = f"{test_pages.share_url(client, url)}/"
    for language in LANGUAGES:
        page = text_of(client, shared, language)
        assert f'id="art-{drawing_of(name)}"' in page
        assert called(name, language) in page
        with translation.override(language):
            entries = legend(level_of(name))
        (entry,) = (entry for entry in entries if entry.drawing == drawing_of(name))
        assert entry.sentence
        assert entry.sentence in page


@every_symbol
def test_score_pages_show_its_line(client: Client, name: str) -> None:
    level, category = level_of(name), SYMBOLS[name].category
    url = scoring_pages.begin(client, level_with(name))
    for language in LANGUAGES:
        sheet = text_of(client, f"{url}1/", language)
        assert called(name, language) in sheet
        if category:
            with translation.override(language):
                title = category_name(level, category)
            more = [text_of(client, f"{url}{path}", language) for path in ("", "scores.csv")]
            assert all(title in page for page in (sheet, *more))
    assert not category or drawing_of(name) in signs(level)
    for path in ("1/sheet.png", "sheets.json", "", "scores.csv"):
        assert client.get(f"{url}{path}").status_code == 200, path


@pytest.mark.parametrize("name", [name for name in PAYING if PAYING[name].pays is Pays.EACH])
def test_crossing_it_counts_immediately(client: Client, name: str) -> None:
    url = scoring_pages.begin(client, level_with(name))
    scoring_pages.tap(client, url, "b1", "b2")
    # The other sheet is not scored yet, so it has no total.
    assert scoring_pages.totals(client, url) == [2 * SYMBOLS[name].default_points]


def test_tally_counts_it_if_it_scores(client: Client) -> None:
    pages = [text_of(client, "/tally/", language) for language in LANGUAGES]
    wrong = []
    for name, symbol in SYMBOLS.items():
        pays_alone = (
            symbol.pays in (Pays.EACH, Pays.ALL) and symbol.is_coloured
        ) or name in PLAIN_PAYING
        field = f"{name}_red" if symbol.is_coloured else name
        if not pays_alone:
            wrong += [(name, "asked for") for page in pages if f'name="{name}"' in page]
            continue
        shown = (f'name="{field}"', f'id="art-{drawing_of(name)}"')
        wrong += [(name, part) for part in shown for page in pages if part not in page]
        counted = field if symbol.is_coloured else symbol.category
        sent = {"players": "2", field: symbol.default_points, f"p0-{counted}": 1}
        if symbol.pays is Pays.ON_LOOP:
            sent["rails"] = "on"
        for language in LANGUAGES:
            response = client.post("/tally/", sent, headers={"accept-language": language})
            totals = [player["total"] for player in response.context["players"]]
            if totals != [str(symbol.default_points).replace("-", "−"), "0"]:
                wrong.append((name, language, totals))
    assert wrong == []


@every_symbol
def test_a_table_plays_with_it_to_the_end(name: str) -> None:
    party = sit_down(("Ana", "Ben"), level_with(name))
    client = client_of(party)
    assert f'id="art-{drawing_of(name)}"' in text_of(client, f"/table/{party.code}/")
    play_on(party, Random(1), 1)
    text_of(client, f"/table/{party.code}/")
    play_on(party, Random(1), 999)
    results = text_of(client, f"/table/{party.code}/")
    if SYMBOLS[name].category:
        assert category_name(level_of(name), SYMBOLS[name].category) in results
    for path in ("log/", "screen/", "history/", "sheets.json", "sheets.pdf", "1.png"):
        assert client.get(f"/table/{party.code}/{path}").status_code == 200, path


@every_symbol
def test_print_has_it_on_the_sheet_and_in_the_legend(client: Client, name: str) -> None:
    level, category = level_of(name), SYMBOLS[name].category
    if category:
        assert categories(level)[category] == drawing_of(name)
    url = f"/workshop/{store.create(level_with(name))}/"
    for language in LANGUAGES:
        pdf = client.get(f"{url}sheet.pdf", headers={"accept-language": language})
        text = "".join(page.extract_text() for page in pypdf.PdfReader(BytesIO(pdf.content)).pages)
        assert str(level.name[""]) in text
        with translation.override(language):
            entries = legend_entries(level)
            assert not category or column_label(level, category) in text
        shown = [pair for entry in entries for pair in (*entry.drawings, *entry.objects)]
        assert drawing_of(name) in {id for id, _points in shown}
    picture = client.get(f"{url}page-1.svg?paper=a4")
    assert picture.status_code == 200
    paths = [short_path(shape.path) for shape in drawing(drawing_of(name)).shapes]
    assert all(path in picture.content.decode() for path in paths)
    assert client.get(f"{url}sheet.png").status_code == 200


def put(name: str) -> dict[str, Any]:
    return {"do": "squares", "put": {at: {"symbol": notation_of(name)} for at in ("b1", "b2")}}


@every_symbol
def test_workshop_asks_for_its_points_and_stores_them(client: Client, name: str) -> None:
    url = test_pages.begin(client)
    grid = {"do": "grid", "rows": ["1x 2 3", "4 5 6"]}
    rails = {"do": "marks", "marks": "tracks" if SYMBOLS[name].pays is Pays.ON_LOOP else "crosses"}
    assert test_pages.send(client, url, grid, rails, put(name)).status_code == 200
    document = test_pages.stored(url).document
    letter = SYMBOLS[name].letter
    for language in LANGUAGES:
        with translation.override(language):
            missing = [error for error in find_errors(document) if error.tool == "points"]
        assert len(missing) == (name in PAYING)
        assert all(called(name, language) in error.sentence for error in missing)
        page = text_of(client, f"{url}guide/points/", language)
        words = json.loads(re.search(r'<script id="words"[^>]*>(.*?)</script>', page, re.S)[1])
        assert words["letters"][name] == letter
        assert words["written"][notation_of(name)]["of"] == name
        assert ("pays" in words["symbols"][letter]) == (name in PAYING)
        assert words["symbols"][letter]["isColoured"] == (name in COLOURED_SYMBOLS)
    if name in PAYING:
        points = words["symbols"][letter]["pays"]["usual"]
        edit = {"do": "points", "of": name, "colour": colour_of(name), "points": points}
        assert test_pages.send(client, url, edit).status_code == 200
        document = test_pages.stored(url).document
        assert document["points"] == usual_points(name)
        for language in LANGUAGES:
            with translation.override(language):
                things = find_checklist_items(document)
                (thing,) = (thing for thing in things if thing.fields == ("b1", "b2"))
                assert thing.sentence.lower().startswith(called(name, language).lower())
        told = test_pages.send(client, url, {"do": "undo"}).json()["told"]
        assert called(name, "en") in told
    assert not list(find_errors(document))
    for step, language in zip(("symbols", "points", "check"), ("de", "en", "de"), strict=True):
        assert f'id="art-{drawing_of(name)}"' in text_of(client, f"{url}guide/{step}/", language)


@every_symbol
def test_workshop_refuses_points_for_symbols_that_do_not_score_by_points(
    client: Client, name: str
) -> None:
    url = test_pages.begin(client)
    symbol, colour = SYMBOLS[name], colour_of(name)
    edit = {"do": "points", "of": name, "colour": colour, "points": -1}
    wrong = [edit | {"points": [3, 2] if symbol.pays is not Pays.TRACK else 3}]
    wrong += [edit | {"colour": "" if colour else "red"}]
    if symbol.costs:
        wrong.append(edit | {"points": 1})
    if symbol.pays is Pays.NOTHING:
        wrong.append(edit)
    for sent in wrong:
        assert test_pages.send(client, url, sent).status_code == 400, sent


def test_pasted_squares_are_those_that_the_server_parses() -> None:
    """The script matches `SQUARE_PATTERN`, the server parses with `parse_square`."""
    wrong = {}
    for name in SYMBOLS:
        own = [token for token, (symbol, _colour) in SYMBOL_BY_TOKEN.items() if symbol == name]
        parts = (
            ("", *"0123456-?.", "7"),
            ("", "x"),
            ("", *own, SYMBOLS[name].letter, f"{own[0]}x"),
        )
        for token in map("".join, product(*parts)):
            try:
                is_square = parse_square(token).token == token
            except ValueError:
                is_square = False
            if bool(re.fullmatch(SQUARE_PATTERN, token)) != is_square:
                wrong[token] = is_square
    assert wrong == {}


@every_symbol
def test_bots_and_reports_know_whether_it_scores(name: str) -> None:
    level, symbol = level_of(name), SYMBOLS[name]
    report = measure(level, [PlannedGames(1, 4), PlannedGames(2, 4)], processes=1)
    for language in ("de", "en"):
        with translation.override(language):
            assert figures(level, report, find_other_levels(level)), language
            assert sentences(level, report), language
    pays = report["settings"][0]["pays"]
    if symbol.category in GROUPS:
        assert pays[symbol.category]
    elif symbol.pays is Pays.EACH:
        assert f"{name} {colour_of(name)}" in pays["symbols"]
    # A bot values a field with it differently from the same field without.
    if symbol.pays in (Pays.EACH, Pays.ALL, Pays.TRACK, Pays.EXPLODED):
        without = level_with(name)
        without["grid"] = [row.replace(notation_of(name), "") for row in without["grid"]]
        worths = [
            FieldValues(new_game(found, ["Ana", "Ben"], tracked=False), 0).gain(1)
            for found in (level, parse_level(without))
        ]
        assert (worths[0] < worths[1]) if name == "heap" else (worths[0] > worths[1])


def test_categories_have_names() -> None:
    categories = {name: symbol.category for name, symbol in SYMBOLS.items() if symbol.category}
    assert set(categories.values()) <= set(CATEGORIES)
    with translation.override("de"):
        named = {name: category_name(level_of(name), of) for name, of in categories.items()}
    assert all(named.values()), named
