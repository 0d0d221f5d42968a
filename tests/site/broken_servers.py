"""Servers with failing applications, for their log: `python -m tests.site.broken_servers PORT`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")

import django

django.setup()


def wsgi(environ: Mapping[str, Any], start_response: object) -> list[bytes]:
    raise RuntimeError("on purpose", environ)


async def asgi(scope: Mapping[str, Any], receive: object, send: object) -> None:
    raise RuntimeError("on purpose", scope)


if __name__ == "__main__":
    from dizzle_site.server import run
    from dizzle_site.serving import listen

    listener = listen("127.0.0.1", int(sys.argv[1]))
    run([(listener, None)], "tests.site.broken_servers:asgi")
