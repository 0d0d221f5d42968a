"""Django behind ASGI, each request in one thread from its first signal to its last.

Views and middleware here are synchronous, all of them. Django's own handler starts a thread for
each request and hands it over to the loop and back some six times, which costs as much as a small
page. Threads here are kept, as those of WSGI servers are; an answer to a slow phone holds none.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import IO, Any, Final, cast

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpResponseBase
from django.urls import set_script_prefix

MOST_THREADS: Final = 256
"""So many requests are worked at, and more wait. Threads are started as they are needed."""


class OneThread(ASGIHandler):
    """Django's handler, with all that is synchronous in one go, in ``most`` threads at most."""

    def __init__(self, most: int = MOST_THREADS) -> None:
        BaseHandler.__init__(self)
        self.load_middleware()
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="request")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request; one whose client goes is worked at to its end."""
        if scope["type"] != "http":
            raise ValueError(f"what is served is HTTP, not {scope['type']}")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        run = copy_context().run  # so that no language, say, is left behind in the thread
        loop = asyncio.get_running_loop()
        response = await loop.run_in_executor(self._threads, run, self._respond, scope, body)
        await self.send_response(response, send)

    def _respond(self, scope: dict[str, Any], body: IO[bytes]) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = self.get_response(request) if request else refusal
        response._handler_class = self.__class__
        try:
            parts = list(response.streaming_content) if response.streaming else None
        finally:
            response.close()  # here, because what is to be closed belongs to this thread
            body.close()
        if parts is not None:
            response.streaming_content = _each(parts)
        return cast("HttpResponseBase", response)


async def _each(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
