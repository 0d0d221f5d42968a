"""Snapshots of levels: tables and scorings keep the level as it was at their beginning."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from django.test import Client

from sheets.access.keys import delete_resource, new_token
from sheets.tables import acts, seating
from sheets.tables.access import find_access
from sheets.workshop import store
from sheets.workshop.acts import AnyAct, Grid, SymbolPoints, Text
from tests.device_secrets import secret_of
from tests.table_games import Party, play_on
from tests.tables.table_clients import SHORT

pytestmark = pytest.mark.django_db

LOTS = re.compile(rb'(name=\\?"request\\?" value=|X-CSRFToken|csrfmiddlewaretoken)[^>]*')
PAGES = ("", "log/", "history/", "screen/", "game.json", "sheets.json", "sheets.pdf")


def edit(key: str) -> None:
    """Change fields, points and name of a level."""
    acts: list[AnyAct] = [
        Grid(rows=["1x 2Gp 3", "4 5 6"]),
        SymbolPoints(of="gem", colour="purple", points=99),
        Text(of="name", language="en", text="Swamp"),
        Text(of="name", language="de", text="Sumpf"),
    ]
    store.act(store.find(key), acts)
    changed = store.find(key).resource.document
    assert changed["points"]["gem"]["purple"] == 99
    assert len(changed["grid"]) != len(SHORT["grid"])


def delete(key: str) -> None:
    delete_resource(store.find(key))


CHANGES = pytest.mark.parametrize("change", [edit, delete])


def seen(client: Client, url: str, *parts: str) -> dict[str, bytes]:
    """Return the responses of all pages of a table or a scoring, without random parts."""
    answers = {}
    for part in parts:
        response = client.get(url + part)
        assert response.status_code == 200, part
        answers[part] = LOTS.sub(b"", response.content)
        assert b"Swamp" not in response.content
    return answers


@CHANGES
def test_table_keeps_the_level_it_began_with(client: Client, change: Callable[[str], None]) -> None:
    key = store.create(SHORT)
    sent = {"players": 2, "dice": "table", "name": "Ana"}
    url = client.post(f"/workshop/{key}/play/", sent).headers["Location"]
    party = Party(url.split("/")[2], (secret_of(client), new_token()))
    seating.take_seat(find_access(party.code), 1, "Ben", party.tokens[1])
    acts.start(party.access())
    play_on(party, Random(1), 1)
    before = seen(client, url, *PAGES)
    change(key)
    assert seen(client, url, *PAGES) == before
    play_on(party, Random(2), 999)
    document = client.get(f"{url}game.json").json()
    assert document["level"] == SHORT
    assert client.get(f"{url}sheets.json").json()["level"] == SHORT
    assert client.get(f"{url}1.png").content.startswith(b"\x89PNG")
    again = client.post(f"{url}again/").headers["Location"]
    assert find_access(again.split("/")[2]).table.level == SHORT


@CHANGES
def test_paper_sheets_are_scored_by_the_level_they_began_with(
    client: Client, change: Callable[[str], None]
) -> None:
    key = store.create(SHORT)
    sent = {"count": 2, "name-1": "Ana", "name-2": "Ben"}
    first = client.post(f"/workshop/{key}/score/", sent).headers["Location"]
    for at in ("b1", "c1"):
        client.post(f"{first}mark/", {"at": at})
    url = "/".join(first.split("/")[:3]) + "/"
    parts = ("", "1/", "1/state/", "2/state/", "sheets.json", "scores.csv", "1/sheet.png")
    filled = f"/print/filled/{url.split('/')[2]}.pdf"
    before = seen(client, url, *parts), seen(client, filled, "")
    change(key)
    assert (seen(client, url, *parts), seen(client, filled, "")) == before
    assert client.get(f"{url}sheets.json").json()["level"] == SHORT
    client.post(f"{url}2/mark/", {"at": "b1"})
    assert client.get(f"{url}2/state/").status_code == 200
