"""Collected static files with hashed names, as on a served site."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from tests.shared_cache import shared_folder

_STORAGE: Final = "dizzle_site.static_files.StaticStorage"


def _collect(folder: Path) -> None:
    with override_settings(STATIC_ROOT=str(folder)):
        call_command("collectstatic", interactive=False, verbosity=0)


@contextmanager
def as_collected() -> Iterator[None]:
    """Let pages link to the collected files, and clients load them."""
    storages = copy.deepcopy(settings.STORAGES)
    storages["staticfiles"]["BACKEND"] = _STORAGE
    with (
        override_settings(
            STORAGES=storages, WHITENOISE_AUTOREFRESH=False, WHITENOISE_USE_FINDERS=False
        ),
        override_settings(STATIC_ROOT=str(shared_folder("collected", _collect))),
    ):
        yield
