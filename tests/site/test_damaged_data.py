"""Start on a damaged database or folder: one sentence for the operator, and no changes."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.live.deployments import deployment
from tests.processes import TIMEOUT_S
from tests.site.served_site import CHECKOUT, environment, manage, serving, start, started_before

pytestmark = pytest.mark.own_servers

KEY = "of-a-test-" + "x" * 50
PAGE = 4096


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder in which a site was started before."""
    return started_before(tmp_path / "var")


def garbage(file: Path) -> None:
    file.write_bytes(bytes(range(7, 200)) * 500)


def text(file: Path) -> None:
    file.write_text("see backup\n", "ascii")


def half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2 // PAGE * PAGE)


def odd_end(file: Path) -> None:
    os.truncate(file, file.stat().st_size - PAGE // 2)


def only_a_header(file: Path) -> None:
    os.truncate(file, 100)


def page_in_the_middle(file: Path) -> None:
    with file.open("r+b") as pages:
        pages.seek(file.stat().st_size // 2 // PAGE * PAGE)
        pages.write(b"\xa5" * 2 * PAGE)


def first_page_but_its_header(file: Path) -> None:
    with file.open("r+b") as pages:
        pages.seek(100)
        pages.write(b"\xa5" * (PAGE - 100))


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def log_without_its_file(file: Path) -> None:
    file.with_name(file.name + "-wal").write_bytes(b"the newest moves")
    file.unlink()


DAMAGES = [
    garbage,
    text,
    half,
    odd_end,
    only_a_header,
    page_in_the_middle,
    first_page_but_its_header,
    a_folder,
    log_without_its_file,
]


def all_of(folder: Path) -> dict[str, bytes]:
    """Return the files of the database with their content."""
    files = sorted(folder.glob("dizzle.sqlite3*"))
    return {file.name: file.read_bytes() if file.is_file() else b"" for file in files}


def check_told(told: subprocess.CompletedProcess[str], *words: str) -> None:
    assert told.returncode == 1, told.stdout + told.stderr
    assert told.stderr.count("\n") == 1, told.stderr
    assert all(word in told.stderr for word in words), told.stderr
    assert "ready" not in told.stdout


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damaged_database_is_reported_and_left_unchanged(
    folder: Path, damage: Callable[[Path], None]
) -> None:
    damage(folder / "dizzle.sqlite3")
    before = all_of(folder)
    for command in ("serve", "prepare"):
        told = manage(command, DATA_DIR=str(folder), SECRET_KEY=KEY, PORT="0")
        check_told(told, str(folder / "dizzle.sqlite3"))
        assert all_of(folder) == before


@pytest.mark.parametrize("damage", [garbage, half, a_folder], ids=lambda damage: damage.__name__)
def test_other_commands_report_it_too(folder: Path, damage: Callable[[Path], None]) -> None:
    damage(folder / "dizzle.sqlite3")
    told = manage("prune", "--days", "365", DATA_DIR=str(folder), SECRET_KEY=KEY)
    check_told(told, str(folder / "dizzle.sqlite3"))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_command_before_the_first_start_names_the_remedy(kind: str, tmp_path: Path) -> None:
    with deployment(kind, tmp_path, is_empty=True) as site:
        told = manage("prune", "--days", "365", **site.variables)
    check_told(told, "manage.py prepare")


def test_removed_database_is_created_again(folder: Path) -> None:
    (folder / "dizzle.sqlite3").unlink()
    with serving(folder) as site:
        assert site.ask("/health/").status == 200


def test_database_of_another_program_is_reported_and_left_unchanged(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "dizzle.sqlite3")) as database:
        database.execute("CREATE TABLE music (artist)")
    told = manage("prepare", DATA_DIR=str(tmp_path), SECRET_KEY=KEY)
    check_told(told, "another program")
    with closing(sqlite3.connect(tmp_path / "dizzle.sqlite3")) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("music",)]


def test_first_start_may_be_killed_at_any_moment(tmp_path: Path) -> None:
    for delay_s in (0.0, 0.01, 0.05, 0.2):
        folder = tmp_path / str(delay_s)
        process = start(folder)
        end = time.monotonic() + TIMEOUT_S
        while not (folder / "dizzle.sqlite3").exists() and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(delay_s)
        process.kill()
        process.communicate()
        done = manage("prepare", DATA_DIR=str(folder))
        assert done.returncode == 0, done.stderr


DIES_BEFORE_NOTING = """
import os, signal
import django
django.setup()
from django.db.migrations.executor import MigrationExecutor
from dizzle_site import preparation
note = MigrationExecutor.record_migration
def die(self, migration):
    if migration.app_label == "sessions":
        os.kill(os.getpid(), signal.SIGKILL)
    note(self, migration)
MigrationExecutor.record_migration = die
preparation.prepare()
"""
"""Script that is killed after the tables of the sessions exist, before Django records that
migration."""


def test_first_start_may_be_killed_between_a_migration_and_its_record(tmp_path: Path) -> None:
    variables = {"DATA_DIR": str(tmp_path), "SECRET_KEY": KEY}
    killed = subprocess.run(
        [sys.executable, "-c", DIES_BEFORE_NOTING],
        cwd=CHECKOUT,
        env=environment({**variables, "DJANGO_SETTINGS_MODULE": "dizzle_site.settings"}),
        check=False,
        timeout=TIMEOUT_S,
    )
    assert killed.returncode == -signal.SIGKILL
    done = manage("prepare", **variables)
    assert done.returncode == 0, done.stderr


# The folder -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [KEY, ""], ids=["key-in-variable", "key-in-folder"])
@pytest.mark.parametrize("command", ["serve", "prepare"])
def test_folder_that_cannot_be_created_is_reported(tmp_path: Path, command: str, key: str) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "var"
    told = manage(command, DATA_DIR=str(folder), SECRET_KEY=key, PORT="0")
    check_told(told, str(folder), "DATA_DIR", "Not a directory")


def test_home_of_an_unknown_user_is_reported() -> None:
    told = manage("prepare", DATA_DIR="~no-such-user/var", SECRET_KEY=KEY)
    check_told(told, "DATA_DIR", "~no-such-user/var")


@pytest.mark.parametrize("what", ["folder", "database"])
def test_folder_and_file_without_write_permission_are_reported(folder: Path, what: str) -> None:
    if what == "folder":
        folder.chmod(0o500)
    else:
        (folder / "dizzle.sqlite3").chmod(0o400)
    told = subprocess.run(
        [*like_anybody(), sys.executable, "manage.py", "prepare"],
        cwd=CHECKOUT,
        env=environment({"DATA_DIR": str(folder), "SECRET_KEY": KEY}),
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=False,
    )
    folder.chmod(0o700)
    check_told(told, str(folder))


def like_anybody() -> list[str]:
    """Return the command prefix that makes root respect the modes of files like other users."""
    if os.name == "nt":
        pytest.skip("Windows has no such file modes")
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        pytest.skip("root may write everywhere here")
    return ["setpriv", "--bounding-set=-all"]


# PostgreSQL --------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["serve", "prepare"])
def test_missing_postgresql_is_reported(tmp_path: Path, command: str) -> None:
    url = "postgresql://ana:secret@127.0.0.1:1/dizzle"
    told = manage(command, DATA_DIR=str(tmp_path), SECRET_KEY=KEY, PORT="0", DATABASE_URL=url)
    check_told(told, "PostgreSQL", "DATABASE_URL")
    assert "secret" not in told.stderr


def test_hanging_postgresql_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://ana:secret@127.0.0.1:{silent.getsockname()[1]}/dizzle"
        told = manage("serve", DATA_DIR=str(tmp_path), SECRET_KEY=KEY, PORT="0", DATABASE_URL=url)
    check_told(told, "PostgreSQL", "DATABASE_URL")
