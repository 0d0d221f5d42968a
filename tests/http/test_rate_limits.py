"""Rate limits: counted addresses, costs, and threads."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.test import Client, RequestFactory

from sheets.http import rate_limits
from sheets.http.rate_limits import Limit, address_of, customer_address_of
from sheets.models import Table

pytestmark = pytest.mark.django_db


def test_new_tables_are_limited(client: Client) -> None:
    sent = {"level": "level-1", "players": 2, "dice": "table", "name": "Ana"}
    allowed = int(rate_limits.NEW_TABLES.rates.partition("/")[0])
    answers = [client.post("/table/new/", sent).status_code for _ in range(allowed + 1)]
    assert answers == [302] * allowed + [429]
    assert client.get("/table/new/").status_code == 200
    assert Table.objects.count() == allowed


def test_uploads_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = int(rate_limits.UPLOADS.rates.partition("/")[0])
    for _ in range(allowed):
        assert client.post("/score/import/").status_code == 400
    assert client.post("/score/import/").status_code == 429


def address(remote: str, forwarded: str = "") -> str:
    more: dict[str, Any] = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    return address_of(RequestFactory().get("/", REMOTE_ADDR=remote, **more))


def test_at_home_forwarded_addresses_are_ignored() -> None:
    assert address("192.168.1.7", "203.0.113.9") == "192.168.1.7"


def test_in_public_exactly_one_proxy_is_trusted(settings: Any) -> None:
    settings.SITE_URL = "https://dizzle.example.org"
    assert address("127.0.0.1", "203.0.113.9") == "203.0.113.9"
    assert address("127.0.0.1", "10.0.0.1, 198.51.100.4 , 203.0.113.9") == "203.0.113.9"
    assert address("127.0.0.1") == "127.0.0.1"
    assert address("", "nonsense") == "unknown"
    scope = {
        "method": "GET",
        "path": "/",
        "client": ("127.0.0.1", 4),
        "headers": [(b"x-forwarded-for", b"10.0.0.1"), (b"x-forwarded-for", b"203.0.113.9")],
    }
    assert address_of(ASGIRequest(scope, BytesIO())) == "203.0.113.9"


def test_all_addresses_of_an_ipv6_connection_count_together() -> None:
    assert address("2001:db8:1:2:aaaa::1") == address("2001:db8:1:2:bbbb::2")
    assert address("2001:db8:1:2::1") != address("2001:db8:1:3::1")
    assert address("::ffff:192.168.1.7") == "192.168.1.7"


def test_all_addresses_of_a_48_guess_as_one() -> None:
    def customer_address(remote: str) -> str:
        return customer_address_of(RequestFactory().get("/", REMOTE_ADDR=remote))

    assert customer_address("2001:db8:1:2:aaaa::1") == customer_address("2001:db8:1:3::1")
    assert customer_address("2001:db8:1::1") != customer_address("2001:db8:2::1")
    assert customer_address("192.168.1.7") != customer_address("192.168.1.8")
    assert customer_address("nonsense") == "unknown"


def test_many_threads_may_count_at_the_same_time() -> None:
    limit = Limit("for-this-test", "5/second")
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    end = time.monotonic() + 2

    def try_often(number: int) -> None:
        while time.monotonic() < end:
            limit.hit(f"10.0.0.{number}")
            time.sleep(0.0105)  # the timer of the library has just expired

    try:
        with ThreadPoolExecutor(16) as visitors:
            list(visitors.map(try_often, range(16)))
    finally:
        sys.setswitchinterval(usual)


def test_each_address_counts_for_itself() -> None:
    limit = Limit("for-this-test", "2/minute")
    assert [limit.hit("10.0.0.1") for _ in range(3)] == [True, True, False]
    assert limit.is_used_up("10.0.0.1")
    assert limit.wait_seconds("10.0.0.1") in (59, 60)
    assert not limit.is_used_up("10.0.0.2")
    assert limit.wait_seconds("10.0.0.2") == 0


def test_a_try_counts_its_cost() -> None:
    limit = Limit("for-this-test", "10/minute;15/hour")
    assert limit.hit("10.0.0.1", cost=6)
    assert not limit.hit("10.0.0.1", cost=5)
    assert limit.hit("10.0.0.1", cost=4)
    assert not limit.hit("10.0.0.1")
    assert not limit.hit("10.0.0.2", cost=11)
    assert limit.hit("10.0.0.2", cost=10)


def test_a_cost_refused_by_one_rate_counts_for_none() -> None:
    limit = Limit("for-this-test", "10/minute;5/hour")
    assert not limit.hit("10.0.0.1", cost=6)
    assert [limit.hit("10.0.0.1", cost=5), limit.hit("10.0.0.1")] == [True, False]
    first_rate = Limit("for-this-test", "10/minute")
    assert [first_rate.hit("10.0.0.1", cost=4), first_rate.hit("10.0.0.1")] == [True, False]
