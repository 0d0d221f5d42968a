"""What if there were one symbol more? A plugin (``pytest -p tests.one_more_symbol``) that adds one.

It does what CONTRIBUTING asks of whoever adds a symbol that pays when it is crossed: a row, a
drawing and two words. Nothing else knows of it. Its letter is one that no row of the table has, so
that a real symbol may take any.
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
ROW = '    Symbol("{letter}", "bridge", False, Pays.EACH, "bridges", usual=2),\n'


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None]:
    """Add the symbol before Django, or any test, asks for the table."""
    add_row()
    add_drawing_and_words()
    return (yield)


def add_row() -> None:
    """Load the table from its source with one more row in it."""
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
    """Lend it a drawing, and words that are in both languages already."""
    from django.utils.translation import gettext_lazy as _

    from sheets.artwork import things
    from sheets.texts import symbols

    things.THINGS["bridge"] = ("stop", things.sign_link)
    vars(symbols)["SYMBOLS"]["bridge"] = _("bridge")
    vars(symbols)["CATEGORIES"]["bridges"] = _("Bridges")
