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

from .environment import COMMAND
from .storage import failure_of, quiet_log

HEARTBEAT: Final = "sheets.Heartbeat"
"""Model whose only row is written to see whether anything can be stored."""

OK_SECONDS: Final = 10
"""How long a process repeats "ok" without another write."""

FAILURE_SECONDS: Final = 1
"""How long a process repeats a failure without another try."""

PADDING_BYTES: Final = 32_768
"""Size of the row, a little more than a move writes: if it fits, so does the next move."""

REFUSED: Final = f"The database refuses to store. Has {COMMAND} prepare been run?"


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Answer in plain text."""
    failure = cache.get("health")
    if failure is None:
        failure = _failure()
        cache.set("health", failure, FAILURE_SECONDS if failure else OK_SECONDS)
    return _plain(failure, 503) if failure else _plain("ok", 200)


def _failure() -> str:
    """Write one row; return why that failed, or nothing."""
    rows = apps.get_model(HEARTBEAT)._default_manager
    try:
        rows.update_or_create(pk=1, defaults={"padding": secrets.token_hex(PADDING_BYTES // 2)})
    except Error as problem:
        failure = failure_of(problem) or REFUSED
        quiet_log.error(failure, problem)
        return failure
    return ""


def _plain(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(sentence + "\n", status=status, content_type="text/plain; charset=utf-8")
