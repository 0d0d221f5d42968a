"""Static files as a served site has them: collected, under names that change with their content."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from tests.made_once import made_once

_STORAGE: Final = "dizzle_site.static_files.StaticStorage"


def _collect(folder: Path) -> None:
    with override_settings(STATIC_ROOT=str(folder)):
        call_command("collectstatic", interactive=False, verbosity=0)


@contextmanager
def as_collected() -> Iterator[None]:
    """Let pages name the collected files, and a new client fetch them."""
    storages = copy.deepcopy(settings.STORAGES)
    storages["staticfiles"]["BACKEND"] = _STORAGE
    with (
        override_settings(
            STORAGES=storages, WHITENOISE_AUTOREFRESH=False, WHITENOISE_USE_FINDERS=False
        ),
        override_settings(STATIC_ROOT=str(made_once("collected", _collect))),
    ):
        yield
