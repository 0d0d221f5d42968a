"""Who tries too often is asked to wait; nobody else notices."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client, RequestFactory

from sheets import limits
from sheets.levels import find_level
from sheets.limits import Limit, address_of
from sheets.live import SEAT_COOKIE
from sheets.models import Table
from sheets.tables import seating

pytestmark = pytest.mark.django_db

TOKEN = "x" * 43
ELSEWHERE = {"REMOTE_ADDR": "192.168.1.99"}


@pytest.fixture
def code() -> str:
    level = find_level("level-1")
    return seating.open_table(level, "level-1", players=2, dice="table", name="", token=TOKEN)


@pytest.fixture
def _three_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WRONG_CODES", Limit("wrong-codes", "3/minute"))


def guess(client: Client, count: int = 3) -> None:
    for number in range(count):
        assert client.get(f"/table/WRNG{number}/").status_code == 404


@pytest.mark.usefixtures("_three_guesses")
def test_who_guesses_codes_has_to_wait(client: Client, code: str) -> None:
    guess(client)
    for answer in (
        client.get("/table/WRNGX/"),
        client.get(f"/table/{code}/"),  # else one could go on guessing
        client.post("/table/", {"code": "WRNGX"}),
        client.post("/table/", {"code": code}),
    ):
        assert answer.status_code == 429
        assert answer["Retry-After"] == "60"
        assert 'role="alert"' in answer.text
        assert "Wait a minute" in answer.text


@pytest.mark.usefixtures("_three_guesses")
def test_guesses_in_the_form_count_too(client: Client, code: str) -> None:
    for _ in range(3):
        assert client.post("/table/", {"code": "WRNGX"}).status_code == 404
    assert client.get(f"/table/{code}/").status_code == 429


@pytest.mark.usefixtures("_three_guesses")
def test_who_sits_there_plays_on_beside_somebody_who_guesses(client: Client, code: str) -> None:
    guess(client)
    client.cookies[SEAT_COOKIE] = TOKEN
    assert client.get(f"/table/{code}/").status_code == 200
    client.cookies[SEAT_COOKIE] = "y" * 43
    assert client.get(f"/table/{code}/").status_code == 429


@pytest.mark.usefixtures("_three_guesses")
def test_other_addresses_are_let_in(client: Client, code: str) -> None:
    guess(client)
    assert client.get(f"/table/{code}/", **ELSEWHERE).status_code == 200  # type: ignore[arg-type]


@pytest.mark.usefixtures("_three_guesses")
def test_right_codes_are_no_guesses(client: Client, code: str) -> None:
    for _ in range(5):
        assert client.get(f"/table/{code}/").status_code == 200


def test_only_so_many_tables_are_opened(client: Client) -> None:
    sent = {"level": "level-1", "players": 2, "dice": "table", "name": "Ana"}
    allowed = int(limits.NEW_TABLES.rates.partition("/")[0])
    answers = [client.post("/table/new/", sent).status_code for _ in range(allowed + 1)]
    assert answers == [302] * allowed + [429]
    assert client.get("/table/new/").status_code == 200
    assert Table.objects.count() == allowed


def test_uploads_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = int(limits.UPLOADS.rates.partition("/")[0])
    for _ in range(allowed):
        assert client.post("/score/import/").status_code == 400
    assert client.post("/score/import/").status_code == 429


def address(remote: str, forwarded: str = "") -> str:
    more: dict[str, Any] = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    return address_of(RequestFactory().get("/", REMOTE_ADDR=remote, **more))


def test_at_home_nobody_is_believed_to_come_from_elsewhere() -> None:
    assert address("192.168.1.7", "203.0.113.9") == "192.168.1.7"


def test_in_public_exactly_one_proxy_is_believed(settings: Any) -> None:
    settings.SITE_URL = "https://dizzle.example.org"
    assert address("127.0.0.1", "203.0.113.9") == "203.0.113.9"
    assert address("127.0.0.1", "10.0.0.1, 198.51.100.4 , 203.0.113.9") == "203.0.113.9"
    assert address("127.0.0.1") == "127.0.0.1"
    assert address("", "nonsense") == "unknown"
    scope = {
        "client": ("127.0.0.1", 4),
        "headers": [(b"x-forwarded-for", b"10.0.0.1"), (b"x-forwarded-for", b"203.0.113.9")],
    }
    assert limits.address_of_scope(scope) == "203.0.113.9"


def test_one_connection_counts_as_one_with_all_its_addresses() -> None:
    assert address("2001:db8:1:2:aaaa::1") == address("2001:db8:1:2:bbbb::2")
    assert address("2001:db8:1:2::1") != address("2001:db8:1:3::1")
    assert address("::ffff:192.168.1.7") == "192.168.1.7"


def test_without_redis_each_process_counts_for_itself(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    limit = Limit("for-this-test", "2/minute")
    assert [limit.take("10.0.0.1") for _ in range(3)] == [True, True, False]
    assert limit.is_used_up("10.0.0.1")
    assert not limit.is_used_up("10.0.0.2")
