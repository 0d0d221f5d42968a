"""Tests that requests of strangers are refused and change nothing."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.access.keys import DEVICE_COOKIE
from sheets.http import rate_limits
from sheets.models import Entry, Seat, Table
from sheets.rules.documents.game import format_game
from sheets.tables import acts, seating
from sheets.tables.access import find_access
from tests.table_games import Party, sit_down
from tests.tables.table_clients import SHORT, client_of, finished_party, played_record

pytestmark = pytest.mark.django_db

MARKUP = "<b>Ana</b>\"'&{{x}}<svg/on"


@pytest.fixture
def party() -> Party:
    """Return a table in the middle of a pass: Ana, the host, has placed a die and proposed."""
    party = sit_down(("Ana", "Ben"), SHORT)
    party.act("place", 0, party.game.legal()[0][0])
    return party


def posts(party: Party) -> dict[str, dict[str, Any]]:
    """Return what the host Ana could send to each address that changes a table."""
    moment = party.loaded.state.moment
    at = next(iter(party.game.legal()[0]), "a1")
    return {
        "rename": {"number": 0, "name": "Eve"},
        "free": {"number": 1},
        "bot": {"number": 1, "bot": "greedy"},
        "host": {"number": 1},
        "start": {},
        "link": {"number": 0},
        "act": {"do": "place", "player": 0, "at": at, "moment": moment},
        "act?end": {"do": "end_pass", "moment": moment},
        "act?tap": {"do": "tap", "player": 0, "at": at, "moment": moment},
        "done": {"player": 0, "done": "yes", "moment": moment},
        "undo": {"player": 0},
        "propose": {"player": 0, "to": 1},
        "stand-in": {"player": 0},
        "answer": {"answer": "yes", "proposal": 2},
        "again": {},
    }


def send(client: Client, party: Party, name: str, **more: Any) -> int:
    """Post to one of these addresses and return the status."""
    sent = {**posts(party)[name], **more.pop("sent", {})}
    path = f"/table/{party.code}/{name.partition('?')[0]}/"
    return client.post(path, sent, **more).status_code


def snapshot() -> list[Any]:
    """Return everything that is stored of all tables."""
    return [list(model.objects.order_by("pk").values()) for model in (Table, Seat, Entry)]


def with_cookie(value: str) -> Client:
    client = Client()
    client.cookies[DEVICE_COOKIE] = value
    return client


ADDRESSES = (
    *("rename", "free", "bot", "host", "start", "link", "act", "act?end", "act?tap", "done"),
    *("undo", "propose", "stand-in", "answer", "again"),
)


def test_visitors_without_a_seat_change_nothing(party: Party) -> None:
    elsewhere = sit_down(("Eve", "Mallory"), SHORT)
    before = snapshot()
    digests = Seat.objects.filter(table__code=party.code).values_list("token_digest", flat=True)
    forged = {
        "nobody": Client(),
        "host of another table": client_of(elsewhere),
        "made up": with_cookie("A" * 43),
        "empty": with_cookie(""),
        "what the database knows": with_cookie(digests[0]),
        "cut": with_cookie(party.tokens[0][:-1]),
        "longer": with_cookie(party.tokens[0] + "A"),
        "huge": with_cookie("A" * 4000),
    }
    found = {}
    for who, name in product(forged, ADDRESSES):
        rate_limits.reset()
        found[who, name] = send(forged[who], party, name)
    assert {case: status for case, status in found.items() if status != 403} == {}
    assert snapshot() == before


def test_players_cannot_act_for_other_seats(party: Party) -> None:
    before = snapshot()
    names = ("rename", "link", "act", "act?tap", "done", "undo", "propose")
    found = {name: send(client_of(party, 1), party, name) for name in names}
    assert found == dict.fromkeys(names, 403)
    assert snapshot() == before


def test_only_the_host_can_use_the_hosts_addresses(party: Party) -> None:
    before = snapshot()
    sent = {"free": {"number": 0}, "bot": {"number": 0, "bot": "player"}}
    names = ("free", "bot", "start", "act?end", "stand-in")
    ben = client_of(party, 1)
    found = {name: send(ben, party, name, sent=sent.get(name, {})) for name in names}
    assert found == dict.fromkeys(names, 403)
    # Ben cannot become host while Ana is there, nor make Ana host who is it already.
    assert send(ben, party, "host") == 409
    assert send(ben, party, "host", sent={"number": 0}) == 403
    assert snapshot() == before


def test_a_player_whose_seat_was_freed_has_no_rights(party: Party) -> None:
    seating.free_seat(party.access(1), 1)
    before = snapshot()
    ben = client_of(party, 1)
    moment = party.loaded.state.moment
    sent = {"player": 1, "moment": moment, "done": "yes", "number": 1, "name": "Ben"}
    for name in ("act", "done", "undo", "propose", "rename", "link", "answer"):
        assert send(ben, party, name, sent=sent) == 403, name
    assert snapshot() == before


def test_a_free_seat_belongs_to_no_device(party: Party) -> None:
    seating.free_seat(party.access(1), 1)
    assert find_access(party.code, "").seats == frozenset()
    assert send(Client(), party, "undo", sent={"player": 1}) == 403


def test_a_seat_that_is_taken_stays_with_its_owner(party: Party) -> None:
    before = snapshot()
    for number in (0, 1):
        sent = {"number": number, "name": "Eve"}
        assert Client().post(f"/table/{party.code}/sit/", sent).status_code == 409
    assert snapshot() == before


def test_personal_links_are_valid_at_one_table_only(party: Party) -> None:
    elsewhere = sit_down(("Eve", "Mallory"), SHORT)
    key = seating.new_rescue_key(party.access(0), 0)
    before = snapshot()
    for code, guess in (
        (party.code, "A" * 43),
        (party.code, ""),
        (party.code, party.tokens[0]),
        (elsewhere.code, key),
    ):
        path = f"/table/{code}/seat/{guess}/"
        assert Client().post(path).status_code == 404, guess
    assert Client().get(f"/table/{party.code}/seat/{key}/").status_code == 200  # only asks
    assert snapshot() == before
    assert Client().post(f"/table/{party.code}/seat/{key}/").status_code == 302
    assert party.access(0).seats == frozenset()


def test_unknown_and_malformed_codes_find_no_table() -> None:
    paths = ("", "screen/", "log/", "history/", "game.json", "sheets.pdf", "0.png")
    found = {}
    for code in ("AAAAA", "ABC", "A" * 12, "A" * 13, "AB%00C", "..", "ÄÖÜ12"):
        rate_limits.reset()
        for path in paths:
            found[code, path] = Client().get(f"/table/{code}/{path}").status_code
        posted = Client().post(f"/table/{code}/undo/", {"player": 0})
        found[code, "undo/"] = posted.status_code
    assert {case: status for case, status in found.items() if status != 404} == {}


def test_secrets_are_on_no_page(party: Party) -> None:
    seating.new_rescue_key(party.access(0), 0)
    digests = Seat.objects.values_list("token_digest", "rescue_digest")
    secrets = {*party.tokens, *(secret for pair in digests for secret in pair if secret)}
    ana = client_of(party)
    for path in ("", "screen/", "log/", "history/", "game.json"):
        page = ana.get(f"/table/{party.code}/{path}").content.decode()
        assert not [secret for secret in secrets if secret in page], path


# Forgery ----------------------------------------------------------------------------------------


def test_other_sites_cannot_act_with_a_seat(party: Party) -> None:
    ana = Client(enforce_csrf_checks=True)
    ana.cookies[DEVICE_COOKIE] = party.tokens[0]
    names = ("act", "done", "undo", "propose", "rename", "free", "link")
    assert {name: send(ana, party, name) for name in names} == dict.fromkeys(names, 403)
    ana.get(f"/table/{party.code}/")  # now it has its token
    before = snapshot()
    token = {"csrfmiddlewaretoken": ana.cookies[settings.CSRF_COOKIE_NAME].value}
    evil = {"headers": {"origin": "https://evil.example"}}
    made_up = {"csrfmiddlewaretoken": "A" * 64}
    found = {
        name: (send(ana, party, name, sent=token, **evil), send(ana, party, name, sent=made_up))
        for name in names
    }
    assert found == dict.fromkeys(names, (403, 403))
    assert snapshot() == before


def test_a_form_of_this_site_is_accepted(party: Party) -> None:
    ana = Client(enforce_csrf_checks=True)
    ana.cookies[DEVICE_COOKIE] = party.tokens[0]
    ana.get(f"/table/{party.code}/")
    token = ana.cookies[settings.CSRF_COOKIE_NAME].value
    assert send(ana, party, "undo", sent={"csrfmiddlewaretoken": token}) == 302


# Nonsense ---------------------------------------------------------------------------------------


def test_oversized_posts_change_nothing(party: Party) -> None:
    before = snapshot()
    ana = client_of(party)
    names = ("rename", "act", "done", "undo", "propose", "answer", "sit")
    found = {}
    for name in names:
        rate_limits.reset()
        path = f"/table/{party.code}/{name}/"
        file = SimpleUploadedFile("x", b"x" * 2_000_000)
        large: tuple[dict[str, Any], ...] = ({"name": "A" * 2_000_000}, {"player": file})
        many = {f"field{n}": "x" for n in range(2000)}
        found[name] = (
            all(ana.post(path, sent).status_code in (400, 413) for sent in large),
            ana.post(path, many).status_code,
        )
    assert found == dict.fromkeys(names, (True, 400))
    assert snapshot() == before


def test_malformed_proposals_change_nothing(party: Party) -> None:
    before = snapshot()
    cases = (
        {"player": "0", "to": "-1"},
        {"player": "0", "to": "1.5"},
        {"player": "9", "to": "1"},
        {"player": "0", "to": "1", "request": "<script>"},
        {"player": "0", "to": "1", "request": "x" * 41},
        {"player": "٠", "to": ""},
        {"to": "1"},
        {},
    )
    ana, path = client_of(party), f"/table/{party.code}/propose/"
    assert [sent for sent in cases if ana.post(path, sent).status_code != 400] == []
    assert snapshot() == before


def test_proposals_back_to_nothing_change_nothing(party: Party) -> None:
    before = snapshot()
    ana, path = client_of(party), f"/table/{party.code}/propose/"
    found = {
        to: ana.post(path, {"player": 0, "to": to}).status_code
        for to in (0, 2, 99, 2**31, 2**63, 10**30)
    }
    assert {to: status for to, status in found.items() if status not in (400, 409)} == {}
    assert snapshot() == before


def test_binary_posts_change_nothing(party: Party) -> None:
    before = snapshot()
    contents = (b"\x00\xff\xfe", b"{", b"to=%ff%00&number=%00", b"=" * 999)
    kinds = ("application/x-www-form-urlencoded", "application/json", "multipart/form-data")
    found = {}
    for content, kind, name in product(contents, kinds, ("act", "undo", "propose", "rename")):
        rate_limits.reset()
        path = f"/table/{party.code}/{name}/"
        answer = client_of(party).post(path, content, content_type=kind)
        found[content, kind, name] = answer.status_code
    assert {case: status for case, status in found.items() if status != 400} == {}
    assert snapshot() == before


# Names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [MARKUP, "{% now 'Y' %}", "%(who)s %s", "‮Ana", "Zoë 🎲", "=1+1"])
def test_names_are_text_wherever_they_stand(name: str) -> None:
    party = finished_party(name, "Ben")
    ana = client_of(party)
    acts.propose(party.access(0), 0, 1, request="propose-it")
    paths = ("", "screen/", "log/", "log/?before=1", "history/", "history/?at=3")
    for path in [f"/table/{party.code}/{path}" for path in paths] + ["/"]:
        answer = ana.get(path)
        assert answer.status_code == 200, path
        assert "<b>Ana" not in answer.content.decode(), path
        assert "<svg/on" not in answer.content.decode(), path
    assert ana.get(f"/table/{party.code}/game.json").json()["players"][0] == name
    for path in ("0.png", "sheets.pdf", "sheets.json"):
        assert ana.get(f"/table/{party.code}/{path}").status_code == 200, path


def test_names_in_a_file_are_text(client: Client) -> None:
    record = played_record(names=(MARKUP, "Ben"))
    content = json.dumps(format_game(record)).encode()
    file = SimpleUploadedFile(MARKUP, content, "text/html")
    url = client.post("/table/file/", {"document": file}).headers["Location"]
    for at in (0, 1, 9999):
        page = client.get(f"{url}?at={at}").content.decode()
        assert "<b>Ana" not in page
        assert "&lt;b&gt;Ana" in page


def test_a_long_name_is_refused(party: Party) -> None:
    before = snapshot()
    sent = {"number": 0, "name": "A" * 41}
    assert client_of(party).post(f"/table/{party.code}/rename/", sent).status_code == 400
    assert snapshot() == before


@pytest.mark.parametrize(
    "name",
    [
        "\\u0000",
        pytest.param("A\\u0000B", marks=pytest.mark.postgresql),
        *("\\ud800", "\\u001b[31m", "\\u2028"),
    ],
)
@pytest.mark.parametrize("place", ["players", "about"])
def test_odd_characters_in_a_file_break_nothing(client: Client, place: str, name: str) -> None:
    document = format_game(played_record())
    document["level"]["about"] = "@@"
    if place == "players":
        document["players"][0], document["level"]["about"] = "@@", "x"
    content = json.dumps(document).replace("@@", name).encode()
    file = SimpleUploadedFile("game.json", content, "application/json")
    answer = client.post("/table/file/", {"document": file})
    assert answer.status_code in (302, 400)
    if answer.status_code == 302:
        assert client.get(answer.headers["Location"]).status_code == 200
