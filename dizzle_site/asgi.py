"""ASGI application of the whole site: event streams, and Django's pages in threads."""

import gc
import os
import sys
from threading import Thread
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")

from dizzle_site.body_limit import App, BodyLimit
from dizzle_site.checks import log_problems
from dizzle_site.release_fingerprint import release

SWITCH_S = 0.0005
"""Interval in seconds after which a thread that computes releases the GIL. With Python's 5 ms, a
move during many large prints took 43 ms instead of 25 (`bench/drawing.py`)."""

THREADS = 256
"""Maximum number of pages that are rendered at once; further requests wait."""


def make_application() -> App:
    """Return the site's ASGI application for the current settings.

    Views are synchronous. Django's own ASGI handler would start a thread for each request and
    switch six times between that thread and the event loop. `WSGIMiddleware` reuses its threads.
    """
    django: Any = get_wsgi_application()
    from sheets.http.render_gate import with_gate  # these need Django to be set up
    from sheets.live.sse import with_streams

    pages: Any = WSGIMiddleware(django, workers=THREADS)
    gated: Any = with_gate(pages)
    return with_streams(BodyLimit(gated))


application = make_application()

sys.setswitchinterval(SWITCH_S)


def warm_up() -> None:
    """Read the release, run the system checks, and exempt loaded objects from garbage collection.

    Runs in the background of the first requests. A full garbage collection of all loaded objects
    took 160 ms, for which all requests waited: the 99th percentile of the time of a tap doubled
    (`bench/load.py`).
    """
    release()
    log_problems()
    gc.freeze()


Thread(target=warm_up, name="warm-up", daemon=True).start()
