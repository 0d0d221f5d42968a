"""Is the HTML of all pages as it should be? Browsers mend what is not, each in its way."""

from __future__ import annotations

import os.path
import re
from pathlib import Path

import pytest
from django.test import Client

from sheets.workshop import store
from tests.addresses import plain_pages
from tests.dice2_tables import sit_down_for
from tests.score_levels import GARDEN
from tests.table_games import Party, sit_down
from tests.tables.table_clients import client_of, finished_party
from tests.web.html_checker import faults, faults_by_vnu, find_jar

WORKSHOP = (
    *("", "guide/numbers/", "guide/symbols/", "guide/check/", "guide/done/"),
    *("print/", "links/", "code/", "play/", "balance/", "delete/"),
)
SCORING = ("", "../", "../players/", "../delete/")
TABLE = ("", "log/", "screen/", "history/")
OTHERS = (
    *("/levels/level-4/", "/levels/level-8/", "/nothing/", "/print/?copies=9999"),
    *("/dice2/score/?game=major&players=3", "/print/?level=level-3&paper=a4"),
)


@pytest.mark.django_db
def test_a_checker_finds_nothing(client: Client, tmp_path: Path) -> None:
    pages = all_pages(client)
    assert len(pages) > 50
    if jar := find_jar():
        assert faults_by_vnu(jar, pages, tmp_path) == []
    found = {path: list(faults(page)) for path, page in pages.items()}
    assert {path: some for path, some in found.items() if some} == {}
    for path, page in pages.items():
        title = " ".join(re.findall("<title>(.*?)</title>", page, re.DOTALL)[0].split())
        assert title.endswith("Dizzle Companion"), path
        assert not re.search("^·|· ·|[–|]", title), f"{path}: {title}"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<svg id=a aria-hidden=true aria-hidden=true></svg>", "duplicate-attribute"),
        ("<div></p></div>", "unexpected-end-tag"),
        ("<i id=a></i><i id=a></i>", "id a 2 times"),
        ("<label for=b>x</label>", "nothing is called {'b'}"),
        ("<a hx-get=x>x</a>", "hx-get is data-hx-get"),
        ("<img src=x>", "img without src or alt"),
        ("<button aria-label='To it'>Next<i aria-hidden=true>3</i></button>", "shows 'next'"),
        ("<h3>x</h3>", "h3 'x' after h1"),
        ("<h1>x</h1>", "h1 'x' after h1"),
        ("<div role=gridcell> </div>", "no name"),
    ],
)
def test_what_is_wrong_is_found_without_java(body: str, fault: str) -> None:
    found = list(faults(f"<!doctype html><title>x</title><h1>y</h1>{body}"))
    assert len(found) == 1
    assert fault in found[0]


def all_pages(client: Client) -> dict[str, str]:
    """Every kind of page there is, by its address."""
    pages: dict[str, str] = {}

    def take(path: str, by: Client = client) -> None:
        answer = by.get(path, follow=True)
        assert answer.status_code != 200 or "private" in answer["Cache-Control"], path
        pages[path] = answer.content.decode()

    for path in (*plain_pages(), *OTHERS):
        take(path)
    workshop = f"/workshop/{store.create(GARDEN)}/"
    scoring = client.post("/score/new/level-7/", {"count": 3}).headers["Location"]
    for below in WORKSHOP:
        take(workshop + below)
    for below in SCORING:
        take(f"{os.path.normpath(scoring + below)}/")
    tables: tuple[Party, ...] = (sit_down(), finished_party("Ana", "Ben"), sit_down_for("major"))
    for party in tables:
        for below in TABLE:
            take(f"/table/{party.code}/{below}", client_of(party))
    lobby = sit_down(start=False)
    take(f"/table/{lobby.code}/", client_of(lobby))
    return pages
