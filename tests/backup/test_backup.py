"""Backup and restore of all rows, and refusal of other files."""

from __future__ import annotations

import os
import sqlite3
import stat
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from django.core.management import CommandError, call_command
from django.db import connection

from dizzle_site.preparation import migrate
from sheets.levels import find_level
from sheets.models import Table
from sheets.tables import seating

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Back up a site with one table, then delete the table; return the file."""
    file = tmp_path / "kept.zip"
    open_table()
    call_command("backup", str(file), verbosity=0)
    Table.objects.all().delete()
    return file


def open_table() -> str:
    level = find_level("level-1")
    return seating.open_table(
        level, "level-1", players=2, dice="table", name="Ana", token="ana" * 14
    )


def all_rows() -> list[str]:
    """Return all rows, table by table."""
    models = sorted(apps.get_models(), key=lambda model: model._meta.label)
    return [serializers.serialize("json", model._base_manager.order_by("pk")) for model in models]


def schema() -> dict[str, Any]:
    """Return columns, keys and indexes of all tables, without their names and order."""
    found: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            columns = connection.introspection.get_table_description(cursor, table)
            constraints = connection.introspection.get_constraints(cursor, table).values()
            found[table] = (
                sorted((one.name, one.type_code, one.null_ok, one.display_size) for one in columns),
                sorted(repr(sorted(one.items(), key=repr)) for one in constraints),
            )
    return found


def refusal(*words: str) -> str:
    with pytest.raises(CommandError) as refused:
        call_command(*words)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.postgresql
def test_a_restore_brings_back_all_rows(tmp_path: Path) -> None:
    file = str(tmp_path / "kept.zip")
    migrate()
    tables, code = schema(), open_table()
    before = all_rows()
    call_command("backup", file, verbosity=0)
    Table.objects.all().delete()
    call_command("restore", file, verbosity=0)
    assert all_rows() == before
    assert schema() == tables
    assert Table.objects.get().code == code
    Table.objects.create(code="NEXT")  # its primary key is new
    assert open_table() != code
    assert not migrate()


def test_an_older_backup_is_replaced_and_readable_only_by_its_owner(kept: Path) -> None:
    kept.chmod(0o644)
    code = open_table()
    call_command("backup", str(kept))
    if os.name != "nt":  # Windows has no such modes
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [path.name for path in kept.parent.iterdir()] == ["kept.zip"]
    call_command("restore", "--replace", str(kept))
    assert [table.code for table in Table.objects.all()] == [code]


@pytest.mark.postgresql
def test_a_backup_is_an_archive_with_a_database(kept: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(kept) as archive:
        assert set(archive.namelist()) == {"about.json", "dizzle.sqlite3"}
        archive.extract("dizzle.sqlite3", tmp_path)
    with closing(sqlite3.connect(tmp_path / "dizzle.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("SELECT count(*) FROM sheets_table").fetchone() == (1,)
    assert {path.name for path in tmp_path.iterdir()} == {"kept.zip", "dizzle.sqlite3"}


def test_the_secret_key_is_restored(settings: Any, tmp_path: Path) -> None:
    settings.SECRET_KEY_FILE = tmp_path / "key"
    settings.SECRET_KEY_FILE.write_text("one" * 20, "ascii")
    file = str(tmp_path / "kept.zip")
    call_command("backup", file)
    settings.SECRET_KEY_FILE.write_text("two" * 20, "ascii")
    settings.SECRET_KEY_FILE.chmod(0o644)
    call_command("restore", file)
    assert settings.SECRET_KEY_FILE.read_text("ascii") == "one" * 20
    if os.name != "nt":
        assert stat.S_IMODE(settings.SECRET_KEY_FILE.stat().st_mode) == 0o600
    settings.SECRET_KEY_FILE = None  # the environment has a key, which takes precedence
    call_command("restore", file)
    assert {path.name for path in tmp_path.iterdir()} == {"key", "kept.zip"}


@pytest.mark.postgresql
def test_data_of_a_site_is_only_replaced_on_request(kept: Path) -> None:
    code = open_table()
    assert refusal("restore", str(kept)).startswith("The site has something already")
    assert Table.objects.get().code == code
    call_command("restore", "--replace", str(kept))
    assert Table.objects.get().code != code


def half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def text(file: Path) -> None:
    file.write_text("see backup\n", "ascii")


def empty(file: Path) -> None:
    os.truncate(file, 0)


def flipped(file: Path) -> None:
    """Change some bytes of the database; Deflate may ignore a single bit."""
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8] = bytes(byte ^ 255 for byte in content[middle : middle + 8])
    file.write_bytes(content)


def no_database(file: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("about.json", '{"format": "dizzle-backup/1", "made": "today"}')
        archive.writestr("dizzle.sqlite3", b"SQLite format 3\0" + bytes(500))


def not_about_itself(file: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("about.json", "[1, 2]")


def only_a_database(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        database = archive.read("dizzle.sqlite3")
    file.write_bytes(database)


def another_programs(file: Path) -> None:
    other = file.with_name("other.sqlite3")
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE notes (note TEXT)")
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("about.json", '{"format": "dizzle-backup/1", "made": "today"}')
        archive.write(other, "dizzle.sqlite3")


BREAKS = (half, text, empty, flipped, no_database, not_about_itself, only_a_database)
BREAKS += (another_programs,)


@pytest.mark.parametrize("break_it", BREAKS)
def test_an_incomplete_backup_changes_nothing(break_it: Callable[[Path], None], kept: Path) -> None:
    break_it(kept)
    code = open_table()
    assert refusal("restore", "--replace", str(kept)) == f"{kept} is no whole backup."
    assert Table.objects.get().code == code


def rewrite(kept: Path, about: str = "", statement: str = "") -> None:
    """Change `about.json` of a backup, or its database by a statement."""
    with zipfile.ZipFile(kept) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    database = kept.with_name("changed.sqlite3")
    database.write_bytes(members["dizzle.sqlite3"])
    if statement:
        with closing(sqlite3.connect(database)) as opened, opened:
            opened.execute(statement)
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr("about.json", about or members["about.json"])
        archive.write(database, "dizzle.sqlite3")


@pytest.mark.postgresql
def test_a_backup_of_a_newer_version_changes_nothing(kept: Path) -> None:
    rewrite(
        kept,
        statement="INSERT INTO django_migrations (app, name, applied)"
        " VALUES ('sheets', '9999_of_the_future', '2030-01-01')",
    )
    code = open_table()
    expected = f"{kept} cannot be restored: a newer version has stored it: update first."
    assert refusal("restore", "--replace", str(kept)) == expected
    assert Table.objects.get().code == code


def test_an_unknown_format_is_named(kept: Path) -> None:
    rewrite(kept, about='{"format": "dizzle-backup/2", "made": "2030-01-01"}')
    expected = f"{kept} is written as 'dizzle-backup/2', which this version cannot read."
    assert refusal("restore", str(kept)) == expected


def test_a_file_that_is_no_backup_is_not_replaced(kept: Path, tmp_path: Path) -> None:
    mine = tmp_path / "letter.txt"
    mine.write_text("mine", "ascii")
    expected = f"{mine} is there and is no backup: name another, or take it away."
    assert refusal("backup", str(mine)) == expected
    assert mine.read_text("ascii") == "mine"
    for nowhere in (tmp_path, tmp_path / "nowhere" / "kept.zip"):
        assert str(nowhere) in refusal("backup", str(nowhere))
    assert "No such file" in refusal("restore", str(tmp_path / "nothing.zip"))


def test_a_missing_database_is_not_backed_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = tmp_path / "dizzle.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", missing)
    expected = f"There is nothing to back up: {missing} does not exist."
    assert refusal("backup", str(tmp_path / "kept.zip")) == expected
    assert list(tmp_path.iterdir()) == []
