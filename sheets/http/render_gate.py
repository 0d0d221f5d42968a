"""ASGI middleware that admits requests for rendered files one at a time.

Forty such requests at once, even for cached files, would leave a move a fortieth of the
interpreter's time; with this gate a move gets half. A request leaves the gate before it waits for
the process pool or for a slow phone. gunicorn needs no gate, because it has few threads.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.conf import settings
from django.http import HttpRequest

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

RENDERED_PATHS: Final = re.compile(r"\.(?:png|pdf|svg)$|^/workshop/suggest/$")
"""Paths of rendered files."""

LEAVE_GATE: Final = "leave_gate"
"""ASGI scope key of the function with which a request leaves the gate."""


def with_gate(application: Application) -> Application:
    """Return an ASGI application with the gate in front of it.

    Use it inside `BodyLimit`, so that no request waits for its body while it holds the gate.
    """
    gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    async def gated(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        is_static = path.startswith(f"/{settings.STATIC_URL.strip('/')}/")
        if scope["type"] != "http" or is_static or not RENDERED_PATHS.search(path):
            await application(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        gate = gates.setdefault(loop, asyncio.Semaphore(1))
        await gate.acquire()
        inside = [True]

        def leave_gate() -> None:
            with suppress(IndexError):
                inside.pop()
                gate.release()

        async def send_outside(message: Message) -> None:
            leave_gate()
            await send(message)

        scope = {**scope, LEAVE_GATE: lambda: loop.call_soon_threadsafe(leave_gate)}
        try:
            await application(scope, receive, send_outside)
        finally:
            leave_gate()

    return gated


def leave_gate(request: HttpRequest) -> None:
    """Let a request leave the gate, before it waits. Does nothing for a request without a gate."""
    scope = request.META.get("asgi.scope", {})
    if LEAVE_GATE in scope:
        scope[LEAVE_GATE]()
