"""Redis hangs or dies: does nobody wait for it, and does every phone hear all the same?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from redis import Redis

from dizzle_site import shared_redis
from sheets.http import rate_limits
from sheets.live import post
from sheets.models import Table
from sheets.tables import writing
from tests.site.running import PATIENCE_S, wait_until

from .conftest import ANA
from .deployments import KINDS, Deployment, deployment
from .moves import Mover
from .own_redis import OwnRedis, own_redis
from .phones import Phone
from .player import token_of
from .served import server

FOREVER_S = 3600.0


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[OwnRedis]:
    with own_redis(tmp_path) as redis:
        yield redis


@pytest.fixture
def redis_used(redis: OwnRedis, settings: Any) -> Iterator[OwnRedis]:
    """It is this process's Redis."""
    settings.REDIS_URL = redis.url
    yield redis
    redis.thaw()
    # Nothing of it is left for other tests.
    wait_until(lambda: shared_redis.is_well() and post._outbox.wait_until_empty(0))


def change(code: str) -> int:
    with transaction.atomic():
        return writing.touch(Table.objects.get(code=code))


@pytest.mark.postgresql
def test_move_does_not_wait_for_telling_others(
    call: Callable[..., Phone],
    code: str,
    redis_used: OwnRedis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who waited for a Redis that hangs would wait for an hour here."""
    monkeypatch.setattr(shared_redis, "TIMEOUT_SECONDS", FOREVER_S)
    phone = call(code, ANA)
    phone.next_revision()
    change(code)
    assert post._outbox.wait_until_empty(PATIENCE_S)
    redis_used.freeze()
    for _ in range(5):
        assert phone.hears(change(code), PATIENCE_S)
    assert not post._outbox.wait_until_empty(0)


def test_letters_wait_for_redis(redis_used: OwnRedis) -> None:
    """The newest revision of each table, and each seat that was lost."""
    letters = []
    with Redis.from_url(redis_used.url) as client, client.pubsub() as listener:
        listener.subscribe(post.channel())
        wait_until(lambda: listener.get_message(timeout=1) is not None)
        redis_used.freeze()
        for revision in range(1, 50):
            post.send_revision("TABLE", revision)
            post.send_revocation("TABLE", f"device-{revision % 3}")
        wait_until(lambda: not shared_redis.is_well())
        redis_used.thaw()
        wait_until(lambda: post._outbox.wait_until_empty(0))
        while message := listener.get_message(timeout=1):
            letters.append(post.open_letter(message["data"]))
    assert {letter.lost for letter in letters if letter} == {"", "device-0", "device-1", "device-2"}
    assert max(letter.revision for letter in letters if letter) == 49


def test_limits_do_not_wait_for_redis_again_and_again(redis_used: OwnRedis) -> None:
    """One finds out, all others count for themselves until it is back."""
    limit = rate_limits.Limit("of-this-test", "3/minute")
    assert limit.take("192.0.2.1")
    redis_used.freeze()
    assert limit.take("192.0.2.2")
    assert not shared_redis.is_well()
    began = time.monotonic()
    assert [limit.take("192.0.2.3") for _ in range(100)] == [True] * 3 + [False] * 97
    # Each waited for it before: a hundred times half a second.
    assert time.monotonic() - began < 100 * shared_redis.TIMEOUT_SECONDS / 2
    redis_used.thaw()
    wait_until(shared_redis.is_well)
    assert [limit.take("192.0.2.1") for _ in range(3)] == [True, True, False]


@pytest.mark.own_servers
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "postgresql-redis"])
def test_phones_elsewhere_hear_while_redis_hangs(
    kind: str, redis: OwnRedis, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        (tmp_path / "var").mkdir()
        site = stack.enter_context(
            deployment(kind, tmp_path / "var", redis_url=redis.url, has_tables=True)
        )
        code = site.table(2)
        here, there = (
            stack.enter_context(server(site, tmp_path / name)) for name in ("here", "there")
        )
        mover = Mover(here.port, code)
        phone = stack.enter_context(Phone(there.port, code, token_of(1)))
        check_that_phones_hear(mover, phone)
        redis.freeze()
        check_that_phones_hear(mover, phone)
        assert here.health().body == "ok, but Redis does not answer\n"
        free_seat(site, code)
        assert phone.is_over(PATIENCE_S)
        redis.thaw()
        wait_until(lambda: said_back(here.trouble()) and said_back(there.trouble()))
        again = stack.enter_context(Phone(there.port, code))
        check_that_phones_hear(mover, again)
        for served in (here, there):
            # It went, and it came back.
            assert [line.count("Redis") for line in served.trouble()] == [1, 1]


def check_that_phones_hear(mover: Mover, phone: Phone) -> None:
    for _ in range(4):
        assert mover.move().status == 200
        assert phone.hears(mover.state["revision"], PATIENCE_S)


def free_seat(site: Deployment, code: str) -> None:
    site.ask("free", code, "1")


def said_back(lines: list[str]) -> bool:
    return any("Redis answers again" in line for line in lines)
