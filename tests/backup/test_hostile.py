"""Manipulated backups: only rows are restored, or nothing changes."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from sheets.models import Table
from tests.backup.test_backup import all_rows, open_table, schema

pytestmark = pytest.mark.django_db(transaction=True)

RELEASE = Path(__file__).parents[1] / "releases" / "1.0.0.zip"
KEY = b"old " * 20
MADE = "2026-11-23T05:07:27+00:00"
RED = "\x1b[31m\x9b\u202e"
"""Control characters that colour a terminal and reverse the direction of its text."""


class Backup:
    """A backup with members that tests change one by one."""

    def __init__(self, file: Path) -> None:
        self.file = file
        with zipfile.ZipFile(file) as archive:
            self.members = {name: archive.read(name) for name in archive.namelist()}

    def about(self, **facts: object) -> None:
        about = {"format": "dizzle-backup/1", "made": MADE} | facts
        self.members["about.json"] = json.dumps(about).encode()

    def execute(self, *statements: str) -> None:
        """Change the database, also in ways that SQLite usually refuses."""
        database = self.file.with_name("changed.sqlite3")
        database.write_bytes(self.members["dizzle.sqlite3"])
        with closing(sqlite3.connect(database)) as opened:
            for statement in ("PRAGMA writable_schema = ON", *statements):
                opened.execute(statement)
            opened.commit()
        self.members["dizzle.sqlite3"] = database.read_bytes()
        database.unlink()

    def write(self) -> None:
        with zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.members.items():
                archive.writestr(name, content)


@pytest.fixture
def backup(settings: Any, tmp_path: Path) -> Backup:
    """Back up a site with a table, then replace that by another table."""
    settings.SECRET_KEY_FILE = tmp_path / "secret-key"
    settings.SECRET_KEY_FILE.write_bytes(b"kept " * 20)
    open_table()
    call_command("backup", str(tmp_path / "kept.zip"), verbosity=0)
    Table.objects.all().delete()
    open_table()
    settings.SECRET_KEY_FILE.write_bytes(KEY)
    return Backup(tmp_path / "kept.zip")


def refusal_of(backup: Backup) -> str:
    """Assert that a backup is refused without changes; return the sentence without the file."""
    before = all_rows()
    with pytest.raises(CommandError) as refused:
        call_command("restore", "--replace", str(backup.file))
    sentence = str(refused.value)
    assert sentence.isprintable()
    assert all_rows() == before
    assert (backup.file.parent / "secret-key").read_bytes() == KEY
    assert sorted(path.name for path in backup.file.parent.iterdir()) == ["kept.zip", "secret-key"]
    return sentence.removeprefix(f"{backup.file} ").removeprefix("cannot be restored: ")


NOT_WHOLE = "is no whole backup."
ROWS = "its rows are not those of a site."

ADDED = [
    "CREATE TRIGGER spy AFTER INSERT ON sheets_table BEGIN DELETE FROM sheets_table; END",
    "CREATE VIEW spy AS SELECT * FROM sheets_table",
    "CREATE VIRTUAL TABLE spy USING fts4(text)",
    "CREATE TABLE sheets_notes (note TEXT)",
    "CREATE INDEX spy ON sheets_entry (length(zeroblob(9)))",
    "ALTER TABLE sheets_entry ADD COLUMN more TEXT AS (abs(id)) VIRTUAL",
    "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'sheets_entry'",
]
"""Parts of a schema that the site never creates."""


@pytest.mark.parametrize("statement", ADDED)
def test_nothing_of_a_foreign_schema_reaches_the_site(backup: Backup, statement: str) -> None:
    call_command("restore", "--replace", str(backup.file), verbosity=0)
    rows, tables = all_rows(), schema()
    backup.execute(statement)
    backup.write()
    call_command("restore", "--replace", str(backup.file), verbosity=0)
    assert all_rows() == rows
    assert schema() == tables
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE name = 'spy' OR type = 'trigger'")
        assert cursor.fetchall() == []


WRONG = {
    "DROP TABLE sheets_entry": ROWS,
    "ALTER TABLE sheets_entry DROP COLUMN made": ROWS,
    "DROP TABLE django_migrations": "it has no tables of this site.",
    f"UPDATE sheets_seat SET table_id = '{RED}'": ROWS,  # noqa: S608
    "UPDATE sheets_seat SET table_id = 99999": ROWS,
    "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE sheets_entry USING fts4(id)'"
    " WHERE name = 'sheets_entry'": ROWS,
    "UPDATE sqlite_master SET type = 'view' WHERE name = 'sheets_entry'": ROWS,
    "UPDATE sqlite_master SET sql = X'FF00' WHERE name = 'sheets_entry'": ROWS,
}
"""Statements for rows that the site cannot have written, with the sentence of the refusal."""


@pytest.mark.postgresql
@pytest.mark.parametrize("statement", WRONG)
def test_rows_that_the_site_cannot_have_written_are_refused(backup: Backup, statement: str) -> None:
    """The database's own message would contain their text."""
    backup.execute(statement)
    backup.write()
    assert refusal_of(backup) == WRONG[statement]


@pytest.mark.parametrize("key", [b"", b" " * 60, b"short"])
def test_an_unusable_key_is_refused(backup: Backup, key: bytes) -> None:
    backup.members["secret-key"] = key
    backup.write()
    assert "too short" in refusal_of(backup)


def test_a_page_that_is_damaged_without_an_error_is_refused(backup: Backup) -> None:
    """An index without entries, so that queries find no rows."""
    database = bytearray(backup.members["dizzle.sqlite3"])
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.deserialize(bytes(database))
        names = "SELECT name, rootpage FROM sqlite_master WHERE tbl_name = 'sheets_seat'"
        indexes = [page for name, page in opened.execute(names) if name != "sheets_seat"]
        (size,) = opened.execute("PRAGMA page_size").fetchone()
    start = (indexes[-1] - 1) * size
    database[start + 3 : start + 5] = b"\x00\x00"  # an index without entries
    backup.members["dizzle.sqlite3"] = bytes(database)
    backup.write()
    assert refusal_of(backup) == "its database is damaged."


def test_other_members_are_ignored(backup: Backup, tmp_path: Path) -> None:
    backup.members |= {"../spy": b"spy", "README": b"read me"}
    backup.write()
    call_command("restore", "--replace", str(backup.file), verbosity=0)
    assert {path.name for path in tmp_path.iterdir()} == {"kept.zip", "secret-key"}


@pytest.mark.parametrize("made", [RED, f"{MADE}{RED}", "today", 7, None])
def test_an_invalid_time_is_refused(backup: Backup, made: object) -> None:
    backup.about(made=made)
    backup.write()
    assert refusal_of(backup) == NOT_WHOLE


def test_text_of_the_file_cannot_control_the_terminal(
    backup: Backup, capsys: pytest.CaptureFixture[str]
) -> None:
    backup.about(format=RED * 1000)
    backup.write()
    assert len(refusal_of(backup)) < 250
    backup.about(made=f"{MADE.replace('T', RED[0])}")
    backup.write()
    call_command("restore", "--replace", str(backup.file))
    assert capsys.readouterr().out == f"Restored what was backed up at {MADE}.\n"


@pytest.mark.postgresql
def test_database_stays_if_the_key_cannot_be_written(backup: Backup, settings: Any) -> None:
    settings.SECRET_KEY_FILE = backup.file.parent / "nowhere" / "key"
    assert refusal_of(backup) == "No such file or directory."


@pytest.mark.postgresql
def test_rows_that_cannot_be_migrated_are_refused(backup: Backup) -> None:
    backup.members = Backup(RELEASE).members
    backup.execute(f"UPDATE sheets_entry SET table_id = id || '{RED}'")  # noqa: S608
    backup.write()
    assert refusal_of(backup) == ROWS


OTHERS = {
    "VIEW": "CREATE VIEW spy AS SELECT 1 AS one",
    "TABLE": "CREATE TABLE spy (seq INTEGER)",
    "TRIGGER": "CREATE TRIGGER spy AFTER INSERT ON sheets_mark BEGIN SELECT 1; END",
}


@pytest.mark.parametrize("kind", OTHERS)
def test_tables_of_other_programs_are_not_restored(tmp_path: Path, kind: str) -> None:
    """Replication tools have tables of their own in the site's database."""
    open_table()
    file = tmp_path / "kept.zip"
    with connection.cursor() as cursor:
        cursor.execute(OTHERS[kind])
    try:
        call_command("backup", str(file))
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP {kind} spy")
    before = all_rows()
    call_command("restore", str(file), "--replace")
    assert all_rows() == before
