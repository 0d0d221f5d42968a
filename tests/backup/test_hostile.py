"""Backups that somebody has made or changed by hand: refused before anything is replaced."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from dizzle_site.backup.reading import MAX_KEY_BYTES
from sheets.models import Table

from .test_backup import all_rows, open_table

pytestmark = pytest.mark.django_db(transaction=True)

RELEASE = Path(__file__).parents[1] / "releases" / "1.0.0.zip"
KEY = b"old " * 20
MADE = "2026-11-23T05:07:27+00:00"
RED = "\x1b[31m\x9b\u202e"
"""What would colour the rest of a terminal, and turn its text round."""


class Backup:
    """A backup whose members can be changed one by one."""

    def __init__(self, file: Path) -> None:
        self.file = file
        with zipfile.ZipFile(file) as archive:
            self.members = {name: archive.read(name) for name in archive.namelist()}

    def about(self, **facts: object) -> None:
        about = {"format": "dizzle-backup/1", "made": MADE} | facts
        self.members["about.json"] = json.dumps(about).encode()

    def execute(self, *statements: str) -> None:
        """Change the database, also what SQLite itself would refuse."""
        database = self.file.with_name("changed.sqlite3")
        database.write_bytes(self.members["dizzle.sqlite3"])
        with closing(sqlite3.connect(database)) as opened:
            for statement in ("PRAGMA writable_schema = ON", *statements):
                opened.execute(statement)
            opened.commit()
        self.members["dizzle.sqlite3"] = database.read_bytes()
        database.unlink()

    def write(self, change: Callable[[zipfile.ZipFile], object] = lambda archive: None) -> None:
        """Write the file; ``change`` is called before its list of contents is written."""
        with zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.members.items():
                archive.writestr(name, content)
            change(archive)


@pytest.fixture
def backup(settings: Any, tmp_path: Path) -> Backup:
    """A backup of a site with a table, which has another one now."""
    settings.SECRET_KEY_FILE = tmp_path / "secret-key"
    settings.SECRET_KEY_FILE.write_bytes(b"kept " * 20)
    open_table()
    call_command("backup", str(tmp_path / "kept.zip"), verbosity=0)
    Table.objects.all().delete()
    open_table()
    settings.SECRET_KEY_FILE.write_bytes(KEY)
    return Backup(tmp_path / "kept.zip")


def refusal_of(backup: Backup) -> str:
    """The sentence by which a backup is refused, with nothing changed, without the file's name."""
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

STATEMENTS = {
    "CREATE TRIGGER spy AFTER INSERT ON sheets_table BEGIN DELETE FROM sheets_table; END": (
        "it has a 'trigger' 'spy', which this site never has."
    ),
    "CREATE VIEW spy AS SELECT * FROM sheets_table": (
        "it has a 'view' 'spy', which this site never has."
    ),
    "CREATE VIRTUAL TABLE spy USING fts4(text)": (
        "its table 'spy' is not written as this site's are."
    ),
    "CREATE TABLE notes (note TEXT)": "its table 'notes' is not written as this site's are.",
    'CREATE TABLE "notes" (note TEXT)': "it has a table 'notes', unlike this site.",
    f'CREATE TABLE "{RED}" (note TEXT)': (
        r"it has a table '\x1b[31m\x9b\u202e', unlike this site."
    ),
    f'CREATE VIEW "{RED}" AS SELECT 1': (
        r"it has a 'view' '\x1b[31m\x9b\u202e', which this site never has."
    ),
    "CREATE INDEX spy ON sheets_entry (length(zeroblob(300000000)))": (
        "its index 'spy' is not written as this site's are."
    ),
    'UPDATE sqlite_master SET sql = replace(sql, \'"made" datetime\', \'"made" datetime'
    " CHECK (length(zeroblob(9)) > 99)') WHERE name = 'sheets_entry'": (
        "its table 'sheets_entry' is not written as this site's are."
    ),
    "DROP TABLE sheets_entry": "it lacks the table 'sheets_entry', unlike this site.",
    "DROP TABLE django_migrations": "it lacks the table 'django_migrations', unlike this site.",
    "ALTER TABLE sheets_entry ADD COLUMN more TEXT": (
        "its table sheets_entry has other columns than this site's."
    ),
    "ALTER TABLE sheets_entry ADD COLUMN more TEXT AS (abs(id)) VIRTUAL": (
        "its table sheets_entry has other columns than this site's."
    ),
    "ALTER TABLE sheets_entry ADD COLUMN more TEXT AS (randomblob(9)) VIRTUAL": NOT_WHOLE,
    "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE sheets_entry USING fts4(id)'"
    " WHERE name = 'sheets_entry'": NOT_WHOLE,
    "UPDATE sqlite_master SET type = 'view' WHERE name = 'sheets_entry'": NOT_WHOLE,
    "UPDATE sqlite_master SET sql = X'FF00' WHERE name = 'sheets_entry'": NOT_WHOLE,
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_schema_that_the_site_does_not_make_is_refused(backup: Backup, statement: str) -> None:
    backup.execute(statement)
    backup.write()
    assert refusal_of(backup) == STATEMENTS[statement]


@pytest.mark.parametrize("tail", [bytes(4096), bytes(100 * 2**20), b"garbage", b"x" * 4096])
def test_bytes_after_the_database_are_refused(backup: Backup, tail: bytes) -> None:
    backup.members["dizzle.sqlite3"] += tail
    backup.write()
    assert refusal_of(backup) == NOT_WHOLE


@pytest.mark.parametrize("size", [2**47, 4096])
def test_size_is_checked_before_anything_is_unpacked(backup: Backup, size: int) -> None:
    """The database's header and the list of contents agree on a size that is a lie."""
    content = bytearray(backup.members["dizzle.sqlite3"])
    content[16:18] = (1).to_bytes(2) if size > 2**32 else size.to_bytes(2)
    content[28:32] = (size // (65536 if size > 2**32 else size)).to_bytes(4)
    backup.members["dizzle.sqlite3"] = bytes(content)

    def lie(archive: zipfile.ZipFile) -> None:
        archive.getinfo("dizzle.sqlite3").file_size = size

    backup.write(lie)
    if size > 2**32:
        assert refusal_of(backup).startswith("that needs 281,474,976,")
    else:
        assert refusal_of(backup) == NOT_WHOLE


def twice(archive: zipfile.ZipFile) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("dizzle.sqlite3", b"another one")


def encrypted(archive: zipfile.ZipFile) -> None:
    archive.getinfo("dizzle.sqlite3").flag_bits |= 1


def bomb(archive: zipfile.ZipFile) -> None:
    archive.getinfo("about.json").compress_type = zipfile.ZIP_BZIP2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (twice, "it has dizzle.sqlite3 twice."),
        (encrypted, "its dizzle.sqlite3 is encrypted."),
        (bomb, "its about.json is not compressed by Deflate."),
    ],
)
def test_members_that_no_backup_has_are_refused(
    backup: Backup, change: Callable[[zipfile.ZipFile], object], sentence: str
) -> None:
    backup.write(change)
    assert refusal_of(backup) == sentence


def test_symbolic_link_is_not_followed(backup: Backup, tmp_path: Path) -> None:
    del backup.members["dizzle.sqlite3"]

    def link(archive: zipfile.ZipFile) -> None:
        member = zipfile.ZipInfo("dizzle.sqlite3")
        member.external_attr = 0o120777 << 16
        archive.writestr(member, str(tmp_path / "secret-key"))

    backup.write(link)
    assert refusal_of(backup) == NOT_WHOLE


def test_other_members_are_ignored(backup: Backup, tmp_path: Path) -> None:
    backup.members |= {"../spy": b"spy", "README": b"read me"}
    backup.write()
    call_command("restore", "--replace", str(backup.file), verbosity=0)
    assert {path.name for path in tmp_path.iterdir()} == {"kept.zip", "secret-key"}


@pytest.mark.parametrize(
    "made",
    [RED, f"{MADE}{RED}", "today", "2026-11-23", "2026-11-23T05:07:27", "2026-11-23T05:07+02:00"],
)
def test_time_that_is_none_in_utc_is_refused(backup: Backup, made: str) -> None:
    backup.about(made=made)
    backup.write()
    assert refusal_of(backup) == NOT_WHOLE


def test_text_of_the_file_cannot_write_on_the_terminal(
    backup: Backup, capsys: pytest.CaptureFixture[str]
) -> None:
    backup.about(format=RED * 1000)
    backup.write()
    assert len(refusal_of(backup)) < 250
    backup.about(made=f"{MADE.replace('T', RED[0])}")
    backup.write()
    call_command("restore", "--replace", str(backup.file))
    assert capsys.readouterr().out == f"Restored what was backed up at {MADE}.\n"


@pytest.mark.parametrize(
    "key",
    [
        b"",
        b"x",
        b"x" * 49 + b" " * 50,
        b"\xff" * 60,
        b"x" * 60 + b"\0",
        RED.encode() * 20,
        b"x" * (MAX_KEY_BYTES + 1),
    ],
    ids=["none", "one letter", "49 letters", "no text", "NUL", "escape sequences", "too long"],
)
def test_secret_key_that_is_none_is_refused(backup: Backup, key: bytes) -> None:
    backup.members["secret-key"] = key
    backup.write()
    assert refusal_of(backup) == "its secret-key is no secret key."


def test_key_with_which_a_site_starts_is_restored(backup: Backup) -> None:
    """As `openssl rand -base64 64` writes it."""
    backup.members["secret-key"] = key = b"x" * 64 + b"\n" + b"y" * 24 + b"\n"
    backup.write()
    call_command("restore", "--replace", str(backup.file), verbosity=0)
    assert (backup.file.parent / "secret-key").read_bytes() == key


@pytest.mark.postgresql
def test_database_stays_if_the_key_cannot_be_written(backup: Backup, settings: Any) -> None:
    settings.SECRET_KEY_FILE = backup.file.parent / "nowhere" / "key"
    assert refusal_of(backup) == "No such file or directory."


@pytest.mark.postgresql
def test_rows_that_cannot_be_brought_up_to_date_are_refused(backup: Backup) -> None:
    """The reason of the database would hold their text."""
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
def test_what_other_programs_have_added_is_left_out(tmp_path: Path, kind: str) -> None:
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


def test_site_of_which_most_was_deleted_comes_back(tmp_path: Path) -> None:
    """SQLite overwrites deleted rows by zeros, which ZIP compresses to a thousandth."""
    file = tmp_path / "kept.zip"
    expires = timezone.now() + timedelta(days=1)
    for number in range(20):
        Session.objects.create(
            session_key=str(number), session_data="x" * 2**20, expire_date=expires
        )
    Session.objects.all().delete()
    code = open_table()
    call_command("backup", str(file), verbosity=0)
    with zipfile.ZipFile(file) as archive:
        assert archive.getinfo("dizzle.sqlite3").file_size > 20 * 2**20
    assert file.stat().st_size < 2**20
    call_command("restore", "--replace", str(file), verbosity=0)
    assert Table.objects.get().code == code
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
