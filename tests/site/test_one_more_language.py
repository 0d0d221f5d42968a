"""A new language needs only a line of the settings and a catalogue."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings

FILES = ("tests/web/test_languages.py", "tests/pages/test_home.py")


@pytest.mark.slow
def test_every_page_supports_a_new_language() -> None:
    """Run the tests of all languages with one more, which `tests.one_more_language` adds."""
    own = {name: os.environ[name] for name in os.environ if not name.startswith("PYTEST")}
    del own["DJANGO_SETTINGS_MODULE"]
    more = ["-n", "0", "-p", "no:cacheprovider", "--ds", "tests.one_more_language"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *more, *FILES, "-k", "eo"],
        cwd=settings.BASE_DIR,
        env=own | {"DATABASE_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
