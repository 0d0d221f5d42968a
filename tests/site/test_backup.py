"""Backup and restore of a running site, see tests/backup for all other cases."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.live.deployments import Deployment, deployment
from tests.live.moves import Mover
from tests.site.served_site import CHECKOUT, Site, environment, manage, serving, wait_until

pytestmark = pytest.mark.own_servers

KINDS = ("sqlite", "postgresql")
ENOUGH = 6
"""Number of moves before a backup and after it."""


def succeed(site: Deployment, *words: str) -> str:
    done = manage(*words, **site.variables)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def all_rows(site: Deployment) -> list[Any]:
    """Return all rows except the heartbeat of the health check."""
    dumped = json.loads(site.ask("dump"))
    return sorted(dumped, key=lambda row: (row["model"], str(row["pk"])))


def move(mover: Mover) -> str:
    """Make a move, sent until it is accepted, as a phone does; return the id of the request."""
    request = secrets.token_urlsafe(12)
    wait_until(lambda: mover.state or mover.read() == 200)
    wait_until(lambda: mover.move(request).status == 200)
    return request


@contextmanager
def moving(site: Site, code: str) -> Iterator[list[str]]:
    """Play in the background without a pause; yield the growing list of acknowledged ids."""
    acknowledged: list[str] = []
    is_over = threading.Event()

    def move_on() -> None:
        mover = Mover(site.port, code)
        while not is_over.is_set():
            acknowledged.append(move(mover))

    thread = threading.Thread(target=move_on, daemon=True)
    thread.start()
    try:
        wait_until(lambda: len(acknowledged) >= ENOUGH)
        yield acknowledged
    finally:
        is_over.set()
        thread.join()


@pytest.mark.parametrize("kind", KINDS)
def test_backup_of_a_running_site_contains_all_acknowledged_moves(
    kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "kept.zip"
    with deployment(kind, tmp_path / "site", has_tables=True) as site:
        code = site.table(2)
        with serving(site.data_dir, "--prepared", **site.variables) as server:
            with moving(server, code) as acknowledged:
                before = list(acknowledged)
                succeed(site, "backup", str(file))
                then = len(acknowledged)
                wait_until(lambda: len(acknowledged) >= then + ENOUGH)
            assert len(acknowledged) > len(before)
    with deployment(kind, tmp_path / "again") as again:
        succeed(again, "restore", str(file))
        stored = again.stored(code)
        numbers, requests = zip(*stored["entries"], strict=True)
        assert numbers == tuple(range(1, stored["length"] + 1))
        assert set(before) <= set(requests)
        assert set(requests) <= set(acknowledged)
        with serving(again.data_dir, **again.variables) as server:
            move(Mover(server.port, code))


def test_a_backup_of_each_database_is_restored_into_the_other(tmp_path: Path) -> None:
    first, second = str(tmp_path / "first.zip"), str(tmp_path / "second.zip")
    with deployment("sqlite", tmp_path / "home") as home:
        code = home.ask("open", "2")
        kept = all_rows(home)
        succeed(home, "backup", first)
    with deployment("postgresql", tmp_path / "public") as public:
        succeed(public, "restore", first)
        assert all_rows(public) == kept
        other = public.ask("open", "2")  # its rows get new primary keys
        more = all_rows(public)
        succeed(public, "backup", second)
    with deployment("sqlite", tmp_path / "again") as again:
        succeed(again, "restore", second)
        assert all_rows(again) == more
        assert {row["fields"]["code"] for row in more if row["model"] == "sheets.table"} == {
            code,
            other,
        }


@pytest.mark.parametrize("kind", KINDS)
def test_restore_while_the_site_is_served(kind: str, tmp_path: Path) -> None:
    """The site should be stopped for that, but nothing is lost if it is not."""
    file = str(tmp_path / "kept.zip")
    with deployment(kind, tmp_path / "site", has_tables=True) as site:
        code = site.table(2)
        succeed(site, "backup", file)
        with serving(site.data_dir, "--prepared", **site.variables) as server:
            mover = Mover(server.port, code)
            move(mover)
            move(mover)
            succeed(site, "restore", "--replace", file)
            move(Mover(server.port, code))
        assert site.stored(code)["length"] == 1  # that one


def killed_when(ready: Callable[[], object], site: Deployment, *words: str) -> None:
    """Start a command, and send it SIGKILL as soon as a condition holds or it has ended."""
    with subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=CHECKOUT,
        env=environment(site.variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    ) as process:
        wait_until(lambda: ready() or process.poll() is not None)
        process.send_signal(signal.SIGKILL)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such signals")
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_backup_or_restore_is_complete_or_without_effect(
    kind: str, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    file = folder / "kept.zip"

    def unfinished() -> list[Path]:
        return list(folder.glob(".dizzle-backup-*/*"))

    with deployment(kind, tmp_path / "site") as site:
        old = all_rows(site)
        succeed(site, "backup", str(file))
        kept = file.read_bytes()
        site.ask("open", "2")
        grown = all_rows(site)
        killed_when(unfinished, site, "backup", str(file))
        for left in unfinished():
            # Refused; or complete, if it was killed between the last byte and the renaming.
            said = manage("restore", "--replace", str(left), **site.variables)
            assert said.returncode in (0, 1)
            assert all_rows(site) == grown
        # If it was killed late, the backup is renamed already, and its folder still exists.
        expected = old if file.read_bytes() == kept else grown
        succeed(site, "restore", "--replace", str(file))
        assert all_rows(site) == expected
        file.write_bytes(kept)
        site.ask("open", "2")
        new = all_rows(site)
        unpacked = site.data_dir.glob
        killed_when(
            lambda: list(unpacked(".dizzle-restore-*/dizzle.sqlite3")),
            site,
            *("restore", "--replace", str(file)),
        )
        assert all_rows(site) in (old, new)
        succeed(site, "restore", "--replace", str(file))
        assert all_rows(site) == old
