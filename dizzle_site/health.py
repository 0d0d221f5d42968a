"""`/health/` for monitors: 200 if the site can store a change, else 503 and the reason."""

from __future__ import annotations

import secrets
from typing import Final

from django.apps import apps
from django.core.cache import cache
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dizzle_site.database_errors import failure_of, throttled_log
from dizzle_site.environment import COMMAND

HEARTBEAT: Final = "sheets.Heartbeat"
"""Model whose only row is written to see whether anything can be stored."""

OK_SECONDS: Final = 10
"""How long a process caches the answer "ok", in seconds."""

FAILURE_SECONDS: Final = 1
"""How long a process caches the answer of a failure, in seconds."""

PADDING_BYTES: Final = 32_768
"""Size of the row in bytes. If there is room for it, there is room for a move, which is smaller."""

REFUSED: Final = f"The database refuses to store. Has {COMMAND} prepare been run?"


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Answer "ok", or why the database cannot store, as plain text."""
    failure = cache.get("health")
    if failure is None:
        failure = _failure()
        cache.set("health", failure, FAILURE_SECONDS if failure else OK_SECONDS)
    return _plain(failure, 503) if failure else _plain("ok", 200)


def _failure() -> str:
    """Write one row; return why that failed, "" if it succeeded."""
    rows = apps.get_model(HEARTBEAT)._default_manager
    try:
        rows.update_or_create(pk=1, defaults={"padding": secrets.token_hex(PADDING_BYTES // 2)})
    except Error as problem:
        failure = failure_of(problem) or REFUSED
        throttled_log.error(failure, problem)
        return failure
    return ""


def _plain(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(sentence + "\n", status=status, content_type="text/plain; charset=utf-8")
