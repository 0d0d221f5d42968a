"""Size of the first load of pages, for a phone with one bar of signal.

It counts all that a browser loads, including headers and files of style sheets, without random
padding. Later requests of a page are measured in a browser (`tests/browser/test_weight.py`).
"""

import gzip
import posixpath
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests.addresses import plain_pages
from tests.tables.table_clients import finished_party
from tests.web.collected import as_collected

LIMIT_BYTES = 90_000
LOADED = (
    r'<(?:link rel="(?:stylesheet|modulepreload|icon)" href|script[^>]* src|img\s+src)'
    r'="([^"]+)'
)
"""Patterns of the files that a page loads; modules contain their imports."""
NOT_SCRIPTED = re.compile("<noscript>.*?</noscript>", re.DOTALL)
FACE = re.compile("@font-face *{[^}]*}")
HIDDEN = re.compile('<form class="languages".*?</form>', re.DOTALL)
"""Names of languages, which are not rendered until somebody opens the list."""
PAGES = (
    *plain_pages(),
    *("/tutorial/1/", "/tutorial/5/"),
    *("/score/here/level-4/", "/score/here/level-6/", "/score/here/level-7/"),
    *("/levels/level-4/", "/levels/level-7/", "/dice2/score/?game=major&players=3"),
)


@pytest.mark.django_db
@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("path", PAGES)
def test_first_load_stays_small(client: Client, path: str) -> None:
    parts = weigh(client, path)
    assert sum(parts.values()) < LIMIT_BYTES, parts


@pytest.mark.django_db
def test_first_load_of_the_largest_replay_stays_small(client: Client) -> None:
    party = finished_party("Ana", "Ben", "Cem", "Dora", "Eva", "Fee", level="level-6")
    parts = weigh(client, f"/table/{party.code}/history/?at=999")
    assert sum(parts.values()) < LIMIT_BYTES, parts


def weigh(client: Client, path: str, language: str = "de") -> dict[str, int]:
    """Return the transferred bytes of a page and of all files it loads, by address."""
    with as_collected():
        response = client.get(
            path, headers={"accept-encoding": "gzip", "accept-language": language}
        )
        assert response.headers["Content-Encoding"] == "gzip"
        page = gzip.decompress(response.content).decode()
        waiting = sorted(set(re.findall(LOADED, NOT_SCRIPTED.sub("", page))))
        assert waiting
        parts = {path: _head(response) + len(response.content) - _padding(response.content)}
        fetching = Client()
        while waiting:
            address = waiting.pop()
            answer = fetching.get(address, headers={"accept-encoding": "gzip"})
            assert answer.status_code == 200, address
            content = answer.getvalue()
            parts[address] = _head(answer) + len(content)
            if address.endswith(".css"):
                if answer.headers.get("Content-Encoding") == "gzip":
                    content = gzip.decompress(content)
                css = re.sub(FACE, lambda face: face[0] * _needs(page, face[0]), content.decode())
                named = re.findall(r'url\("?([^")]+)', css)
                there = {posixpath.normpath(f"{posixpath.dirname(address)}/{one}") for one in named}
                waiting += sorted(there - {*parts, *waiting})
        return parts


def _needs(page: str, face: str) -> bool:
    """Return whether a page has characters of a typeface's file."""
    ranges = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", face)
    characters = {chr(i) for a, b in ranges for i in range(int(a, 16), int(b or a, 16) + 1)}
    return not ranges or not characters.isdisjoint(unescape(HIDDEN.sub("", page)))


def _padding(content: bytes) -> int:
    """Return the length of the random file name of up to 100 bytes that Django adds to a compressed
    page against BREACH. Without subtracting it, the test would fail at random."""
    has_name = content[3] & 8
    return content.index(b"\0", 10) + 1 - 10 if has_name else 0


def _head(response: Any) -> int:
    """Return the bytes of status line and headers, including those that the server adds."""
    date = {"Date": "Thu, 01 Jan 1970 00:00:00 GMT"}
    lines = [f"{name}: {value}" for name, value in {**date, **response.headers}.items()]
    cookies = [f"Set-Cookie: {cookie.OutputString()}" for cookie in response.cookies.values()]
    return sum(len(line) + 2 for line in ["HTTP/1.1 200 OK", *lines, *cookies, ""])
