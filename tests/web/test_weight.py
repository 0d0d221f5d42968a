"""Is a page's first load small enough for a phone with one bar of signal?"""

import gzip
import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from dizzle_site.static_modules import without_comments
from tests.addresses import plain_pages
from tests.tables.table_clients import finished_party

LIMIT_BYTES = 60_000
LOADED = r'<(?:link rel="(?:stylesheet|modulepreload)" href|script[^>]* src|img src)="([^"]+)'
"""What names a file that comes with a page; modules name all that they import."""
DRAWN = "/print/"
"""The one page that shows pictures which are drawn when they are asked for."""
PAGES = (
    *(path for path in plain_pages() if path != DRAWN),
    *("/levels/level-4/", "/levels/level-7/", "/dice2/score/?game=major&players=3"),
)


@pytest.mark.parametrize("path", PAGES)
def test_first_load_stays_small(client: Client, path: str) -> None:
    parts = weigh(client, path)
    assert sum(parts.values()) < LIMIT_BYTES, parts


@pytest.mark.django_db
def test_first_load_of_the_largest_replay_stays_small(client: Client) -> None:
    party = finished_party("Ana", "Ben", "Cem", "Dora", "Eva", "Fee", level="level-6")
    parts = weigh(client, f"/table/{party.code}/history/?at=999")
    assert sum(parts.values()) < LIMIT_BYTES, parts


def weigh(client: Client, path: str) -> dict[str, int]:
    """The compressed bytes of a page and of everything it loads, by address."""
    response = client.get(path, headers={"accept-encoding": "gzip", "accept-language": "de"})
    assert response.headers["Content-Encoding"] == "gzip"
    page = gzip.decompress(response.content).decode()
    loaded = set(re.findall(LOADED, page))
    assert loaded
    parts = {path: len(response.content)}
    for address in loaded:
        file = finders.find(address.removeprefix("/static/"))
        with open(file, "rb") as content:
            parts[address] = len(gzip.compress(without_comments(address, content.read())))
    return parts
