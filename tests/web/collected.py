"""The static files as a served site has them: collected, joined, and with names that change."""

import copy
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

_STORAGE: Final = "dizzle_site.static_modules.ModuleStorage"


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="dizzle-static-")


@cache
def _collect() -> None:
    call_command("collectstatic", interactive=False, verbosity=0)


@contextmanager
def as_collected() -> Iterator[None]:
    """Let pages name the collected files, and a new client fetch them."""
    storages = copy.deepcopy(settings.STORAGES)
    storages["staticfiles"]["BACKEND"] = _STORAGE
    with override_settings(
        STORAGES=storages,
        STATIC_ROOT=_folder().name,
        WHITENOISE_AUTOREFRESH=False,
        WHITENOISE_USE_FINDERS=False,
    ):
        _collect()
        yield
