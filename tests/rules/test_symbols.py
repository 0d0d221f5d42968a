"""Consistency of the table of symbols and of the data derived from it."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from django.conf import settings

from sheets.art.drawings import drawings, symbol_id
from sheets.art.plain_symbols import PLAIN_SYMBOLS
from sheets.documents.structure import Colour
from sheets.rules import DocumentError, parse_level, score_sheet
from sheets.rules.symbols import (
    CATEGORIES,
    COLOURED_SYMBOLS,
    COLOURS,
    PAYING,
    SYMBOL_BY_TOKEN,
    SYMBOL_KEYS,
    SYMBOL_PATTERN,
    SYMBOLS,
    Pays,
)
from tests.rules.drawing import sheet_of
from tests.rules.random_games import SYMBOLS as RANDOM_SYMBOLS
from tests.symbol_levels import level_with, notation_of

WITH_OWN_RULE = (Pays.TRACK, Pays.EXPLODED, Pays.ON_LOOP)
"""The ways of paying that depend on a rule of their own."""


def test_letters_names_and_categories_are_unique() -> None:
    symbols = SYMBOLS.values()
    assert len({symbol.letter for symbol in symbols}) == len(SYMBOLS)
    assert all(re.fullmatch("[A-Z]", symbol.letter) for symbol in symbols)
    assert len({symbol.category for symbol in PAYING.values()}) == len(PAYING)
    assert not {*SYMBOLS} & {"name", "about", "author", "lines", "areas", "tracks"}


@pytest.mark.parametrize("name", SYMBOLS)
def test_symbol_that_pays_has_a_category_and_default_points(name: str) -> None:
    symbol = SYMBOLS[name]
    pays = symbol.pays is not Pays.NOTHING
    assert bool(symbol.category) == bool(symbol.default_points) == pays
    assert isinstance(symbol.default_points, tuple) == (symbol.pays is Pays.TRACK)
    if isinstance(symbol.default_points, int):
        assert symbol.costs == (symbol.default_points < 0)
    if pays:
        assert CATEGORIES.count(symbol.category) == 1
    if symbol.pays in (Pays.ALL, Pays.TRACK):
        assert symbol.is_coloured


@pytest.mark.parametrize("pays", WITH_OWN_RULE)
def test_each_way_of_paying_with_its_own_rule_has_one_symbol(pays: Pays) -> None:
    """The rules refer to flags, bombs and stops by name."""
    names = {Pays.TRACK: "flag", Pays.EXPLODED: "bomb", Pays.ON_LOOP: "stop"}
    assert [name for name, symbol in SYMBOLS.items() if symbol.pays is pays] == [names[pays]]


def test_every_symbol_has_one_notation_and_a_drawing() -> None:
    assert set(drawings()) >= {symbol_id(*found) for found in SYMBOL_BY_TOKEN.values()}
    assert set(PLAIN_SYMBOLS) == {*SYMBOLS} - {*COLOURED_SYMBOLS}
    assert len(SYMBOL_KEYS) == len(set(SYMBOL_KEYS)) == len(SYMBOL_BY_TOKEN)
    for token in SYMBOL_BY_TOKEN:
        assert re.fullmatch(SYMBOL_PATTERN, token)
    letters = [symbol.letter for symbol in SYMBOLS.values()]
    for letter in (*letters, "X"):
        for colour in ("", *COLOURS, "x"):
            fits = re.fullmatch(SYMBOL_PATTERN, letter + colour)
            assert bool(fits) == (letter + colour in SYMBOL_BY_TOKEN)


def test_random_levels_have_every_symbol() -> None:
    assert set("".join(RANDOM_SYMBOLS.values())) == {symbol.letter for symbol in SYMBOLS.values()}


def test_format_is_described_with_every_letter() -> None:
    text = (settings.BASE_DIR / "docs" / "formats.md").read_text("utf-8")
    section = text[text.index("at most one symbol:") : text.index("The colour letters")]
    assert set(re.findall("`([A-Z])`", section)) == {symbol.letter for symbol in SYMBOLS.values()}


def test_glossary_has_every_symbol() -> None:
    text = (settings.BASE_DIR / "docs" / "glossary.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \| [^|]+ \|$", text, re.M)
    words = {word for row in rows for word in re.findall("[a-z]+", row)}
    named = {word for name in SYMBOLS for word in name.split("-")}
    assert named <= words


def test_documents_know_the_same_colours() -> None:
    assert get_args(Colour) == tuple(COLOURS.values())


@pytest.mark.parametrize("name", PAYING)
def test_symbol_that_pays_needs_its_points(name: str) -> None:
    document = level_with(name)
    parse_level(document)
    with pytest.raises(DocumentError):
        parse_level(document | {"points": {}})


@pytest.mark.parametrize("name", PAYING)
def test_crosses_on_a_symbol_score_by_its_way_of_paying(name: str) -> None:
    """Two of a symbol, first one of them crossed, then both."""
    symbol, level = SYMBOLS[name], parse_level(level_with(name))
    start = "1" if level.rails else "1x"
    results = []
    for marks in ("", "X"):
        drawing = f"{start} 2{notation_of(name)}X 4\n5 3{notation_of(name)}{marks} 6"
        sheet = sheet_of(drawing, level)
        results.append(score_sheet(sheet, solo=False).by_category[symbol.category])
    usual = symbol.default_points if isinstance(symbol.default_points, int) else 0
    assert (
        results
        == {
            Pays.EACH: [usual, 2 * usual],
            Pays.ALL: [0, usual],
            # These need more than crosses: a circled number, an explosion, a loop.
            Pays.TRACK: [0, 0],
            Pays.EXPLODED: [0, 0],
            Pays.ON_LOOP: [0, 0],
        }[symbol.pays]
    )
