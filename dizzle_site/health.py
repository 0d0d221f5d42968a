"""Is the site well? For a monitor or a proxy that asks every few seconds."""

import logging
from importlib import import_module

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

log = logging.getLogger(__name__)


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 and "ok" if the database answers, else 503; a silent Redis is told but does no harm."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as problem:
        log.error("The database does not answer: %s", problem)
        return _plain("The database does not answer.", 503)
    if settings.REDIS_URL and not _redis_answers():
        return _plain("ok, but Redis does not answer", 200)
    return _plain("ok", 200)


def _redis_answers() -> bool:
    # The package is there only where it is needed.
    redis = import_module("redis")
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _plain(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(sentence + "\n", status=status, content_type="text/plain; charset=utf-8")
