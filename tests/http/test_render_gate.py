"""Gate for requests for rendered files."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.test import RequestFactory

from sheets.http.render_gate import leave_gate, with_gate
from tests.event_loop import run


@pytest.mark.parametrize(
    ("path", "most"),
    [("/table/ABCDE/0.png", 1), ("/workshop/suggest/", 1), ("/static/a.png", 9), ("/rules/", 9)],
)
def test_requests_for_drawings_are_admitted_one_at_a_time(path: str, most: int) -> None:
    seen, inside = [], []

    async def site(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "http.request"
        inside.append(1)
        await asyncio.sleep(0.01)
        seen.append(len(inside))
        inside.pop()
        await send({"type": "http.response.start"})
        await asyncio.sleep(0.05)  # a slow phone

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        pass

    async def ask_often() -> None:
        gated = with_gate(site)
        await asyncio.gather(
            *(gated({"type": "http", "path": path}, receive, send) for _ in range(9))
        )

    run(ask_often())
    assert max(seen) == most


def test_a_waiting_request_leaves_the_gate() -> None:
    came: list[int] = []

    async def site(scope: Any, receive: Any, send: Any) -> None:
        came.append(1)
        request = RequestFactory().get("/", **{"asgi.scope": scope})
        await asyncio.to_thread(leave_gate, request)
        while len(came) < 3:
            await asyncio.sleep(0.01)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def ask_often() -> None:
        gated, scope = with_gate(site), {"type": "http", "path": "/print/sheets.pdf"}
        asked = (gated(scope, receive, receive) for _ in range(3))  # type: ignore[arg-type]
        await asyncio.wait_for(asyncio.gather(*asked), 60)

    run(ask_often())
    assert len(came) == 3
