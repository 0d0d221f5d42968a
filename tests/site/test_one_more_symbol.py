"""A new symbol that scores when it is crossed needs only a row, a drawing and two words."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings

FILES = (
    *("tests/rules/test_symbols.py", "tests/web/test_symbols.py", "tests/text/test_rulebook.py"),
    "tests/workshop/test_empty_sheets.py",
)
ABOUT_IT = "bridge or test_no_letter or test_every_symbol or anchor_on_the_page or stay_small"


@pytest.mark.slow
def test_every_page_supports_a_new_symbol() -> None:
    """Run the tests of all symbols with one more, which `tests.one_more_symbol` adds."""
    own = {name: os.environ[name] for name in os.environ if not name.startswith("PYTEST")}
    plugins = ["-p", "no:cacheprovider", "-p", "tests.one_more_symbol"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *plugins, *FILES, "-k", ABOUT_IT],
        cwd=settings.BASE_DIR,
        env=own | {"DATABASE_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
