"""Requests that tests of the scoring pages share."""

from __future__ import annotations

import json
import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from tests.score_levels import sheets_document

BY_HTMX = {"hx-request": "true"}
"""Headers of a request by htmx."""


def upload(client: Client, content: bytes, **more: str) -> HttpResponse:
    """Import a file."""
    file = SimpleUploadedFile("sheets.json", content, "application/json")
    return client.post("/score/import/", {"document": file, **more})


def begin(client: Client, level: dict[str, Any], *sheets: dict[str, Any], **more: Any) -> str:
    """Begin a scoring with a document and return its path, ``/score/KEY/``."""
    entries = sheets or ({"player": "Ana"}, {"player": "Ben"})
    response = upload(client, json.dumps(sheets_document(level, *entries, **more)).encode())
    assert response.status_code == 302, response.content.decode()
    return response.headers["Location"]


def tap(client: Client, url: str, *fields: str, number: int = 1, **more: str) -> None:
    """Tap fields as a page without script does."""
    for at in fields:
        response = client.post(f"{url}{number}/mark/", {"at": at, **more})
        assert response.status_code == 302, (at, response.status_code)


def state(client: Client, url: str, number: int = 1) -> dict[str, Any]:
    """Return the server's state of a sheet."""
    return client.get(f"{url}{number}/state/").json()


def totals(client: Client, url: str) -> list[int]:
    """Return the totals on the result page."""
    page = client.get(url).content.decode()
    row = page[page.index("<tfoot>") : page.index("</tr>", page.index("<tfoot>"))]
    return [int(n.replace("−", "-")) for n in re.findall(r"<td[^>]*>\s*(−?\d+)</td>", row)]


def revision(client: Client, url: str) -> int:
    """Return the revision that the result page of a scoring or tally shows."""
    found = re.search(r"/news/\?revision=(\d+)", client.get(url).content.decode())
    assert found
    return int(found[1])


def share_url(client: Client, url: str) -> str:
    """Return the path of the read-only link."""
    page = client.get(url).content.decode()
    found = re.search(r"data-share-url>http://testserver(/score/[^<]+/)<", page)
    assert found
    return found[1]


def ranking(page: str) -> list[str]:
    """Return the text of each step of the podium and of each player below, for screen readers."""
    lists = re.findall(r'<ol class="(?:podium|ranking)".*?</ol>', page, re.DOTALL)
    lines = [line for part in lists for line in re.findall(r"<li.*?</li>", part, re.DOTALL)]
    return [" ".join(re.sub(r"<[^>]*>", " ", line).split()) for line in lines]


def details(page: str) -> str:
    """Return the text below the winner, or the points of a solo game; empty for none."""
    found = re.search(r'class="(?:verdict-detail|solo-points)">(.*?)</p>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", found[1]).split()) if found else ""
