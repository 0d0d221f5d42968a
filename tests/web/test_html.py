"""Valid HTML of all pages, because browsers repair invalid HTML in different ways."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from sheets.access.keys import DEVICE_COOKIE
from tests.every_page import every_page
from tests.web.html_checker import faults, faults_by_vnu, find_jar


@pytest.mark.usefixtures("few_trials")
@pytest.mark.django_db
def test_a_checker_finds_no_fault(client: Client, tmp_path: Path) -> None:
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
        ("<form method=post><button type=button>x</button></form>", "form without a button"),
    ],
)
def test_faults_are_found_without_java(body: str, fault: str) -> None:
    found = list(faults(f"<!doctype html><title>x</title><h1>y</h1>{body}"))
    assert len(found) == 1
    assert fault in found[0]


def all_pages(client: Client) -> dict[str, str]:
    """Return a page of every kind by its address."""
    pages: dict[str, str] = {}
    for path, token in every_page(client):
        reader = Client()
        reader.cookies[DEVICE_COOKIE] = token
        answer = reader.get(path, follow=True)
        assert answer.status_code != 200 or "private" in answer["Cache-Control"], path
        pages[path] = answer.content.decode()
    return pages
