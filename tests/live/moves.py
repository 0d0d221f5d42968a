"""Client that plays at a table over HTTP, one act after the other, and records the responses."""

from __future__ import annotations

import http.client
import secrets
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.live.player import token_of
from tests.processes import TIMEOUT_S
from tests.table_fragments import FROM_SCRIPT, state_in

CSRF = "c" * 32


class Response(NamedTuple):
    """A response; the names of its headers are in lower case."""

    status: int
    body: str
    headers: dict[str, str]


class Answered(NamedTuple):
    """The response to one act, with the id of its request."""

    request: str
    status: int
    body: str
    headers: dict[str, str]


def ask(
    port: int,
    method: str,
    path: str,
    body: str | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """Send a request as a page of the site does."""
    ours = {"Cookie": f"csrftoken={CSRF}", "X-CSRFToken": CSRF} | (headers or {})
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    try:
        connection.request(method, path, body, ours)
        answer = connection.getresponse()
        text = answer.read().decode()
    finally:
        connection.close()
    return Response(answer.status, text, {k.lower(): v for k, v in answer.getheaders()})


class Mover:
    """Player at a seat of a table who places a die and takes it back, in turns."""

    def __init__(self, port: int, code: str, seat: int = 0) -> None:
        self.port, self.code, self.seat = port, code, seat
        self.state: dict[str, Any] = {}
        self.read()

    def read(self) -> int:
        """Fetch the state of the table; return the status."""
        status, body, _headers = self._ask("GET", f"?seat={self.seat}")
        if status == 200:
            self.state = state_in(body)
        return status

    def move(self, request: str = "") -> Answered:
        """Carry out the next act; with the id of a request, send that one again."""
        mine = self.state["marks"][self.seat]
        do, form = "act", {"do": "place", "at": self._free_field()}
        if any(value.startswith("die-") for value in mine.values()):
            do, form = "undo", {}
        sent = {
            "player": str(self.seat),
            "moment": str(self.state["moment"]),
            "request": request or secrets.token_urlsafe(12),
        }
        status, body, headers = self._ask("POST", f"{do}/?seat={self.seat}", form | sent)
        if status == 200:
            self.state = state_in(body)
        return Answered(sent["request"], status, body, headers)

    def _free_field(self) -> str:
        return next((at for at, hint in self.state["hints"].items() if hint == "strong"), "")

    def _ask(self, method: str, path: str, form: dict[str, str] | None = None) -> Response:
        headers = {
            **FROM_SCRIPT,
            "Cookie": f"csrftoken={CSRF}; dizzle_seat={token_of(self.seat)}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urlencode(form) if form else None
        return ask(self.port, method, f"/table/{self.code}/{path}", body, headers)
