"""Pytest plugin that adds a symbol (``pytest -p tests.one_more_symbol``).

It follows the recipe of CONTRIBUTING for a symbol that pays when it is crossed: a row, a drawing
and two words. No other code knows the symbol. Its letter is one that no row of the table has, so
that real symbols may use any letter.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from string import ascii_uppercase

import pytest

FILE = Path(__file__).resolve().parents[1] / "sheets" / "rules" / "symbols.py"
FIRST_LINE = "_ROWS: Final = (\n"
ROW = '    Symbol("{letter}", "bridge", False, Pays.EACH, "bridges", default_points=2),\n'


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None]:
    """Add the symbol before Django or a test imports the table of symbols."""
    add_row()
    add_drawing_and_words()
    return (yield)


def add_row() -> None:
    """Load the table of symbols from its source with an additional row."""
    name = "sheets.rules.symbols"
    assert name not in sys.modules
    source = FILE.read_text("utf-8")
    assert source.count(FIRST_LINE) == 1
    row = ROW.format(letter=free_letter(source))
    spec = spec_from_file_location(name, FILE)
    assert spec
    sys.modules[name] = module = module_from_spec(spec)
    exec(source.replace(FIRST_LINE, FIRST_LINE + row), module.__dict__)  # noqa: S102  our own file


def free_letter(source: str) -> str:
    """Return a letter that no row has; X marks crosses in drawings of sheets."""
    taken = {"X", *re.findall(r'Symbol\("([A-Z])"', source)}
    return next(letter for letter in ascii_uppercase if letter not in taken)


def add_drawing_and_words() -> None:
    """Give the symbol an existing drawing, and words that are already translated."""
    from django.utils.translation import gettext_lazy as _

    from sheets.art import plain_symbols
    from sheets.text import symbols

    plain_symbols.PLAIN_SYMBOLS["bridge"] = ("stop", plain_symbols.sign_link)
    vars(symbols)["SYMBOL_NAMES"]["bridge"] = _("bridge")
    vars(symbols)["CATEGORY_NAMES"]["bridges"] = _("Bridges")
