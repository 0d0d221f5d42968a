"""ASGI application of the whole site: streams in front of Django's pages."""

import gc
import os
import sys
from threading import Thread
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")

from .body_limit import App, BodyLimit
from .checks import log_problems
from .release import release

SWITCH_S = 0.0005
"""Interval in seconds after which a thread that computes releases the GIL. With Python's 5 ms, a
move during many large prints took 43 ms instead of 25 (`bench/drawing.py`)."""

THREADS = 256
"""Maximum number of pages that are rendered at once; further requests wait."""


def make_application() -> App:
    """Return the site's application for the settings of this moment.

    Views are synchronous: Django's own ASGI handler would start a thread for each request and
    switch between it and the event loop six times. WSGI keeps its threads.
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

    Runs in the background of the first requests. A full garbage collection of all that is loaded
    took 160 ms, for which all requests waited: the 99th percentile of a tap doubled
    (`bench/load.py`).
    """
    release()
    log_problems()
    gc.freeze()


Thread(target=warm_up, name="warm-up", daemon=True).start()
