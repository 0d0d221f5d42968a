"""Suggestions of a group's names where its paper games are scored."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import players, store
from sheets.groups.entering import Entered, enter
from sheets.models import Group

pytestmark = pytest.mark.django_db


def group_of(client: Client, name: str, *people: str) -> Access[Group]:
    """A group of a device, in which everybody has played alone, the first one last."""
    access = store.find(
        client.post("/groups/new/", {"name": name}).headers["Location"].split("/")[2]
    )
    client.get(f"/groups/{access.key}/")
    for day, one in enumerate(reversed(people), start=1):
        enter(access, [Entered(date(2025, 5, day), "", ((one, 3),))])
    return access


def suggested(client: Client, path: str) -> list[str]:
    """The names that a page suggests; each field for a name has them."""
    page = client.get(path).content.decode()
    fields = re.findall(r'<input type="text" name="name-[^>]*>', page)
    assert fields
    names = re.findall(r"<option value=\"([^\"]+)\">\s*(?=<option|</datalist>)", page)
    assert {'list="group-names"' in field for field in fields} == {bool(names)}
    return names


def test_who_scores_paper_for_a_group_is_offered_its_names(client: Client) -> None:
    access = group_of(client, "Family", "Ana", "Ben", "Ida", "Tom")
    players.retire(access, 1, True)  # Tom
    players.merge(access, 2, 3)  # Ida is Ben
    client.post(f"/groups/{access.key}/play/", {"to": "score"})
    assert suggested(client, "/score/new/level-1/") == ["Ana", "Ben"]
    sent = {"count": 2, "name-1": "Ana", "group": access.key}
    scoring = client.post("/score/new/level-1/", sent).headers["Location"].split("/")[2]
    other = group_of(client, "Club", "Zoe")
    client.post(f"/groups/{other.key}/play/", {"to": "score"})
    assert suggested(client, "/score/new/level-1/") == ["Zoe"]
    # The game belongs to the family still.
    assert suggested(client, f"/score/{scoring}/players/") == ["Ana", "Ben"]
    assert suggested(Client(), f"/score/{scoring}/players/") == []


def test_without_a_group_nothing_is_suggested(client: Client) -> None:
    group_of(client, "Family", "Ana")
    client.post("/score/new/level-1/", {"count": 2, "group": ""})
    assert suggested(client, "/score/new/level-1/") == []
    assert suggested(Client(), "/score/new/level-1/") == []
