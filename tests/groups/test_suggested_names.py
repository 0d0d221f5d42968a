"""Suggestions of a group's names where its paper games are scored."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import players, store
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.models import Group

pytestmark = pytest.mark.django_db


def create_group(client: Client, name: str, *people: str) -> Access[Group]:
    """Create a group on a device in which each player has a solo game, the first player's last."""
    access = store.find(
        client.post("/groups/new/", {"name": name}).headers["Location"].split("/")[2]
    )
    client.get(f"/groups/{access.key}/")
    for day, one in enumerate(reversed(people), start=1):
        enter(access, [PaperGame(date(2025, 5, day), "", ((one, 3),))])
    return access


def suggested_names(client: Client, path: str) -> list[str]:
    """Return the names that each name field of a page suggests."""
    page = client.get(path).content.decode()
    fields = re.findall(r'<input type="text" name="name-[^>]*>', page)
    assert fields
    names = re.findall(r"<option value=\"([^\"]+)\">\s*(?=<option|</datalist>)", page)
    assert {'list="group-names"' in field for field in fields} == {bool(names)}
    return names


def test_scoring_paper_for_a_group_suggests_its_names(client: Client) -> None:
    access = create_group(client, "Family", "Ana", "Ben", "Ida", "Tom")
    players.retire(access, 1, True)  # Tom
    players.merge(access, 2, 3)  # Ida is Ben
    client.post(f"/groups/{access.key}/play/", {"to": "score"})
    assert suggested_names(client, "/score/new/level-1/") == ["Ana", "Ben"]
    sent = {"count": 2, "name-1": "Ana", "group": access.key}
    scoring = client.post("/score/new/level-1/", sent).headers["Location"].split("/")[2]
    other = create_group(client, "Club", "Zoe")
    client.post(f"/groups/{other.key}/play/", {"to": "score"})
    assert suggested_names(client, "/score/new/level-1/") == ["Zoe"]
    # The game still belongs to the family.
    assert suggested_names(client, f"/score/{scoring}/players/") == ["Ana", "Ben"]
    assert suggested_names(Client(), f"/score/{scoring}/players/") == []


def test_without_a_group_nothing_is_suggested(client: Client) -> None:
    create_group(client, "Family", "Ana")
    client.post("/score/new/level-1/", {"count": 2, "group": ""})
    assert suggested_names(client, "/score/new/level-1/") == []
    assert suggested_names(Client(), "/score/new/level-1/") == []
