"""Exports of a bought sheet, by address and by role of the device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, get_resolver

from sheets.access import export_rules
from sheets.access.keys import delete_resource, new_token, renew_key
from sheets.models import Scoring, Table, WorkshopLevel
from sheets.tables import seating
from sheets.workshop import store
from tests.device_secrets import secret_of
from tests.table_games import Party, play_on, sit_down
from tests.tables.table_clients import SHORT, client_of

pytestmark = pytest.mark.django_db

ROLES = ("nobody", "viewer", "player", "owner")
NEVER: frozenset[str] = frozenset()
OWNER = frozenset({"owner"})
ALL_ROLES = frozenset(ROLES)
WORKSHOP = {
    "level.json": OWNER,
    "code/": NEVER,
    "sheet.png": ALL_ROLES,
    "sheet.pdf": ALL_ROLES,
    "print/": ALL_ROLES,
    "page-1.svg": ALL_ROLES,
}
TABLE = {
    "game.json": OWNER,
    "sheets.json": OWNER,
    "sheets.pdf": ALL_ROLES,
    "scores.csv": ALL_ROLES,
    "print/page-1.svg": ALL_ROLES,
    "result.png": ALL_ROLES,
    "0.png": ALL_ROLES,
}
SCORING = {
    "/score/{key}/sheets.json": OWNER,
    "/score/{key}/scores.csv": ALL_ROLES,
    "/score/{key}/result.png": ALL_ROLES,
    "/score/{key}/1/sheet.png": ALL_ROLES,
    "/print/filled/{key}.pdf": ALL_ROLES,
    "/print/filled/{key}/page-1.svg": ALL_ROLES,
}


class Sheet:
    """An own level, bought or not, and the devices of its owner and of a viewer."""

    def __init__(self, *, is_bought: bool) -> None:
        self.key = store.create(SHORT, is_bought=is_bought)
        self.share_key = store.find(self.key).share_key
        self.owner, self.viewer = Client(), Client()
        assert self.owner.get(f"/workshop/{self.key}/").status_code == 200
        assert self.viewer.get(f"/workshop/{self.share_key}/").status_code == 200

    def by(self, role: str, link: str = "") -> str:
        """Return an address below the link of a role."""
        return f"/workshop/{self.key if role == 'owner' else self.share_key}/{link}"

    def table(self, *, is_over: bool) -> Party:
        """Open a table for two by the view link."""
        sent = {"players": 2, "dice": "table", "name": "Ana"}
        url = self.viewer.post(self.by("viewer", "play/"), sent)["Location"]
        code = url.split("/")[2]
        tokens = (secret_of(self.viewer), new_token())
        party = Party(code, tokens)
        seating.take_seat(party.access(), 1, "Ben", tokens[1])
        self.viewer.post(f"/table/{code}/start/")
        if is_over:
            play_on(party, Random(1), 999)
            assert party.game.phase == "finished"
        return party

    def scoring(self) -> str:
        """Score a sheet by the view link; return the key of the scoring."""
        answer = self.viewer.post(self.by("viewer", "score/"), {"count": 1, "player": "Ana"})
        return answer["Location"].split("/")[2]

    def device(self, role: str, party: Party | None = None) -> Client:
        if role == "player" and party:
            return client_of(party, 1)
        return {"owner": self.owner, "viewer": self.viewer}.get(role, Client())


@pytest.fixture
def bought() -> Sheet:
    return Sheet(is_bought=True)


def status_of(client: Client, url: str) -> int:
    """Return the status of an address; a refusal must have a reason and nothing of the layout."""
    answer = client.get(url)
    if answer.status_code == 403:
        assert "private use" in answer.text
        assert "grid" not in answer.text
    else:
        assert answer.status_code == 200, (url, answer.status_code)
    return answer.status_code


def expected(allowed: frozenset[str], role: str) -> int:
    return 200 if role in allowed else 403


@pytest.mark.parametrize("role", ROLES)
def test_every_export_of_a_bought_sheet_follows_one_rule(bought: Sheet, role: str) -> None:
    """The role ``nobody`` has no link to the workshop, but those to the table and the scoring."""
    party, key = bought.table(is_over=True), bought.scoring()
    device = bought.device(role, party)
    if role in ("viewer", "owner"):
        for link, allowed in WORKSHOP.items():
            assert status_of(device, bought.by(role, link)) == expected(allowed, role), link
    for link, allowed in TABLE.items():
        assert status_of(device, f"/table/{party.code}/{link}") == expected(allowed, role), link
    for link, allowed in SCORING.items():
        assert status_of(device, link.format(key=key)) == expected(allowed, role), link


def test_a_view_link_allows_a_solo_game_but_no_file(bought: Sheet) -> None:
    url = bought.viewer.post(bought.by("viewer", "solo/"))["Location"]
    assert bought.viewer.get(url).status_code == 200
    assert status_of(bought.viewer, f"{url}game.json") == 403
    assert status_of(bought.owner, f"{url}game.json") == 200
    assert bought.owner.get(f"{url}game.json").json()["level"]["grid"] == SHORT["grid"]


def test_pages_offer_only_allowed_exports(bought: Sheet) -> None:
    party, key = bought.table(is_over=True), bought.scoring()
    shown = bought.viewer.get(bought.by("viewer")).text
    edited = bought.owner.get(bought.by("owner", "?whole")).text
    assert bought.by("viewer", "level.json") not in shown
    assert bought.by("owner", "level.json") in edited
    for url, link in (f"/table/{party.code}/", "game.json"), (f"/score/{key}/", "sheets.json"):
        assert link not in bought.viewer.get(url).text
        assert link in bought.owner.get(url).text


WHY_NO_FILES = "Files with the layout are only for those who edit this sheet"
NO_COPIES = "Somebody has bought this sheet and entered it for private use"


def test_pages_explain_the_exports_that_are_not_allowed(bought: Sheet) -> None:
    party, key = bought.table(is_over=True), bought.scoring()
    assert NO_COPIES in bought.viewer.get(bought.by("viewer")).text
    assert NO_COPIES not in bought.owner.get(bought.by("owner", "?whole")).text
    for url in (f"/table/{party.code}/", f"/score/{key}/"):
        assert WHY_NO_FILES in bought.viewer.get(url).text
        assert WHY_NO_FILES not in bought.owner.get(url).text
    invented = Sheet(is_bought=False)
    party = invented.table(is_over=True)
    assert NO_COPIES not in invented.viewer.get(invented.by("viewer")).text
    assert WHY_NO_FILES not in invented.viewer.get(f"/table/{party.code}/").text


def test_the_refusal_of_a_file_links_to_the_page_before(bought: Sheet) -> None:
    party = bought.table(is_over=True)
    page = f"http://testserver/table/{party.code}/"
    refused = bought.viewer.get(f"{page}game.json", HTTP_REFERER=page)
    assert f'<a class="button primary" href="{page}">Back</a>' in refused.text


def test_the_next_game_of_a_bought_sheet_stays_marked(bought: Sheet) -> None:
    party = bought.table(is_over=True)
    url = bought.viewer.post(f"/table/{party.code}/again/")["Location"]
    assert status_of(bought.viewer, f"{url}game.json") == 403
    assert status_of(bought.owner, f"{url}game.json") == 200


def test_the_owner_is_the_device_with_the_current_edit_link(bought: Sheet) -> None:
    url = bought.viewer.post(bought.by("viewer", "solo/"))["Location"]
    phone = Client()
    assert status_of(phone, f"{url}game.json") == 403
    phone.get(bought.by("owner"))
    assert status_of(phone, f"{url}game.json") == 200
    key = renew_key(store.find(bought.key))
    assert status_of(phone, f"{url}game.json") == 403
    phone.get(f"/workshop/{key}/")
    assert status_of(phone, f"{url}game.json") == 200
    delete_resource(store.find(key))
    assert status_of(phone, f"{url}game.json") == 403
    assert phone.get(url).status_code == 200  # the game goes on


@pytest.mark.slow
def test_levels_that_were_not_bought_are_exported_for_all() -> None:
    invented = Sheet(is_bought=False)
    party, key = invented.table(is_over=False), invented.scoring()
    for link in WORKSHOP:
        assert status_of(invented.viewer, invented.by("viewer", link)) == 200
    for role in ROLES:
        device = invented.device(role, party)
        for link in (*TABLE, *SCORING):
            url = link.format(key=key) if link.startswith("/") else f"/table/{party.code}/{link}"
            assert status_of(device, url) == 200
    assert not invented.owner.session.keys()


def test_tables_of_shipped_levels_are_not_marked() -> None:
    party = sit_down()
    assert not party.access().table.is_bought
    assert Client().get(f"/table/{party.code}/game.json").status_code == 200


def patterns(of: Any, before: str = "") -> Iterator[tuple[str, Callable[..., object]]]:
    for pattern in of.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield path, pattern.callback
        else:
            yield from patterns(pattern, path)


def test_every_address_of_an_export_is_tested_here() -> None:
    """Addresses with the ending of a file, below the workshop's, a table's or a scoring's address.

    Tallies have no layout, and groups do not export that of a bought sheet (tests/groups).
    """
    links = [f"workshop/<key:key>/{link}" for link in WORKSHOP if "." in link]
    links += [f"table/<code:code>/{link}" for link in TABLE]
    links += [link.lstrip("/").replace("{key}", "<key:key>") for link in SCORING]
    names = {"page-1": "page-<int:number>", "0.png": "<int:number>.png", "/1/": "/<sheet:number>/"}
    # Photos need an edit key (tests/photos, tests/workshop/test_empty_sheets.py).
    known = {*links, "score/<key:key>/<sheet:number>/photo.jpg"}
    known |= {"workshop/<key:key>/empty-sheet.webp"}
    for one, of_all in names.items():
        known = {link.replace(one, of_all) for link in known}
    found = {
        path
        for path, _view in patterns(get_resolver("sheets.pages.urls"))
        if "." in path.rpartition("/")[2]
        and ("<key:" in path or "<code:" in path)
        and not path.startswith(("tally/", "groups/"))
    }
    assert found == known


def test_tables_of_earlier_versions_are_marked_by_the_id_of_their_level(bought: Sheet) -> None:
    party, _key = bought.table(is_over=False), bought.scoring()
    other = sit_down()
    Table.objects.update(is_bought=False, bought_level=None)
    Scoring.objects.update(is_bought=False, bought_level=None)
    import_module("sheets.migrations.0012_bought_sheets").find_bought_sheets(apps, None)
    level = WorkshopLevel.objects.get()
    assert party.access().table.bought_level == level
    assert not other.access().table.is_bought
    assert Scoring.objects.get().bought_level == level


def test_a_session_keeps_the_latest_bought_sheets(bought: Sheet) -> None:
    access, session = store.find(bought.key), dict[str, list[str]]()
    digests = [f"{number:016x}" + 48 * "0" for number in range(export_rules.MAX_OWNED + 1)]
    for digest in [*digests[:-1], digests[0], digests[-1]]:
        access.resource.key_digest = digest
        export_rules.note_owner(access, session)
    kept_digests = [*digests[2:-1], digests[0], digests[-1]]
    kept = [digest[: export_rules.DIGEST_LENGTH] for digest in kept_digests]
    assert session[export_rules.OWNED] == kept
