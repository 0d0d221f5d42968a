"""ASGI middleware that admits requests for rendered files one at a time.

Forty such requests at once, even for cached files, would leave a move a fortieth of the
interpreter; with this gate they leave it half. A request that waits for the render pool, or for a
slow phone, has left the gate. gunicorn has few threads, which does the same.
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

RENDERED: Final = re.compile(r"\.(?:png|pdf|svg)$|^/workshop/suggest/$")
"""Paths of rendered files."""

LET_NEXT_IN: Final = "let_next_in"
"""Key in the scope of a request, of the function that lets it leave the gate."""


def with_gate(application: Application) -> Application:
    """Return the ASGI application behind the gate, where the bodies of requests have arrived."""
    gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    async def gated(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        is_static = path.startswith(f"/{settings.STATIC_URL.strip('/')}/")
        if scope["type"] != "http" or is_static or not RENDERED.search(path):
            await application(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        gate = gates.setdefault(loop, asyncio.Semaphore(1))
        await gate.acquire()
        inside = [True]

        def let_next_in() -> None:
            with suppress(IndexError):
                inside.pop()
                gate.release()

        async def send_outside(message: Message) -> None:
            let_next_in()
            await send(message)

        scope = {**scope, LET_NEXT_IN: lambda: loop.call_soon_threadsafe(let_next_in)}
        try:
            await application(scope, receive, send_outside)
        finally:
            let_next_in()

    return gated


def let_next_in(request: HttpRequest) -> None:
    """Let the request leave the gate, because it will wait for something."""
    scope = request.META.get("asgi.scope", {})
    if LET_NEXT_IN in scope:
        scope[LET_NEXT_IN]()
