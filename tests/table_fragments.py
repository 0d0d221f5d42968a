"""State in a table's fragments, as pages get them from requests and streams."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import accumulate
from typing import Any, Final

FROM_SCRIPT: Final = {"HX-Request": "true"}
"""Header of the requests that a page's script sends."""

STATE = re.compile(r'<script id="state" type="application/json">(.*?)</script>', re.DOTALL)
VOID = {"br", "hr", "img", "input"}
"""Elements without content, which have no end."""


def state_in(html: str) -> dict[str, Any]:
    """Return the data, and under ``parts`` the fragments by id."""
    found = STATE.match(html)
    assert found, html[:200]
    parser = _Roots(html[found.end() :])
    ends = [*parser.begins.values(), len(parser.html)][1:]
    parts = {
        name: parser.html[begin:end].strip()
        for (name, begin), end in zip(parser.begins.items(), ends, strict=True)
    }
    return {**json.loads(found[1]), "parts": parts}


class _Roots(HTMLParser):
    """Finds the positions of the elements that are in no other element, by id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.begins: dict[str, int] = {}
        self._depth = 0
        self._lines = [0, *accumulate(len(line) for line in html.splitlines(keepends=True))]
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        self._depth += tag not in VOID

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._depth:
            line, column = self.getpos()
            self.begins[dict(attrs).get("id") or tag] = self._lines[line - 1] + column

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag not in VOID
