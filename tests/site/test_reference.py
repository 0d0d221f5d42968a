"""The reference has every setting, command and limit, with the figures of the code."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import get_commands
from limits import parse_many

from dizzle_site import body_limit, certificates, database_errors, environment, health, server
from dizzle_site.databases import POSTGRESQL_SETTINGS
from dizzle_site.environment import read_environment, read_secret_key
from dizzle_site.hosts import HOME_SUFFIXES
from dizzle_site.secret_key import MINIMUM_LENGTH
from sheets.access import codes, devices
from sheets.groups import documents, game_store, pasted_table, players, store
from sheets.groups.views import game_files_import
from sheets.http import process_pool, rate_limits, rendering
from sheets.http.process_pool import RENDERING
from sheets.jobs import queue, requester_limits, worker
from sheets.live import hub
from sheets.names.cleaning import NAME_LENGTH
from sheets.printing.web import request as print_request
from sheets.rules.dice2 import KINDS, relay
from sheets.rules.documents.level import MAX_SIDE
from sheets.rules.level import MAX_PLAYERS
from sheets.scoring import changes
from sheets.tables import acts, claims, countdowns, event_writer
from sheets.tables.views.analysis import ANALYSES
from sheets.vision import decoding, pages
from sheets.workshop import history
from sheets.workshop import store as workshop_store
from sheets.workshop.views.balance import REPORTS
from tests.site.served_site import CHECKOUT

REFERENCE = CHECKOUT / "docs" / "reference.md"
PUBLIC = "https://dizzle.example.org"
KIB, MIB = 1024, 1024 * 1024
WORKER = (CHECKOUT / "sheets" / "static" / "sheets" / "worker.js").read_text("utf-8")

PROMISED = {
    *("serve", "prepare", "backup", "restore", "prune", "print", "replay", "score", "levels"),
    *("read", "simulate", "analyse", "geometry", "dice2", "relay"),
}
"""Commands that were promised with 1.0.0 to stay compatible within 1.x."""

FOR_DEVELOPERS = {"makemessages", "measure_balance", "measure_levels"}

Rows = dict[str, list[str]]


def text_of(section: str, page: str) -> str:
    """Return the text below a heading of the reference."""
    found = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", page, re.S | re.M)
    assert found, section
    return found[1]


def rows_of(section: str, page: str | None = None) -> Rows:
    """Return the first table below a heading, as rows by their first cell."""
    page = REFERENCE.read_text("utf-8") if page is None else page
    table = re.search(r"(?:^\|.*\n)+", text_of(section, page), re.M)
    assert table
    lines = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        for row in table[0].splitlines()
    ]
    rows = {re.sub(r"^`([^`]*)`$", r"\1", cells[0]): cells[1:] for cells in lines[2:]}
    assert len(rows) == len(lines) - 2, "a row is there twice"
    return rows


# Settings -----------------------------------------------------------------------------------------


class Recorder(dict[str, str]):
    """An empty environment that records the names of the variables read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)


def test_every_setting_is_listed_and_no_other(tmp_path: Path) -> None:
    recorder = Recorder()
    read_environment(recorder)
    read_secret_key(tmp_path, recorder)
    source = Path(environment.__file__).read_text("utf-8")
    named = set(re.findall(r'variables(?:\.get\(|\[)"(\w+)"', source))
    assert recorder.asked == named
    assert set(rows_of("Settings")) == named


def test_defaults_are_those_of_the_code() -> None:
    home, public = read_environment({}), read_environment({"SITE_URL": PUBLIC})
    key_file = environment.secret_key_file(home.data_dir, {})
    assert key_file
    checkout = home.data_dir.relative_to(environment.CODE)
    expected = {
        "HOST": f"`{home.host}`; with `SITE_URL`: `{public.host}`",
        "PORT": f"`{home.port}`",
        "HTTPS_PORT": "no HTTPS" if home.https_port is None else "",
        "SITE_URL": {"": "home network, plain HTTP"}.get(home.site_url),
        "HSTS": {"": "this name only, for a year"}.get(home.hsts),
        "DATA_DIR": f"checkout: `{checkout}`; installed: see [below](#installing-as-a-package)",
        "DATABASE_URL": {"": "SQLite in `DATA_DIR`"}.get(home.database_url),
        "SECRET_KEY": "content of `SECRET_KEY_FILE`",
        "SECRET_KEY_FILE": f"`{key_file.relative_to(home.data_dir)}` in `DATA_DIR`",
        "DRAWING_PROCESSES": {max(2, environment.cores()): "one per core, at least two"}.get(
            home.drawing_processes
        ),
        "DRAWING_THREADS": f"`{home.drawing_threads}`: suits the server",
        "OFFLINE": {True: "on"}.get(home.offline),
        "DEBUG": {False: "off"}.get(home.debug),
    }
    assert {name: cells[-1] for name, cells in rows_of("Settings").items()} == expected


def test_values_that_settings_take_are_listed() -> None:
    rows = rows_of("Settings")
    for word in filter(None, environment.HSTS_WORDS):
        assert f"`{word}`" in rows["HSTS"][0]
    assert read_environment({"OFFLINE": "no"}).offline is False
    assert "`no`" in rows["OFFLINE"][0]
    assert read_environment({"DEBUG": "1"}).debug is True
    assert "`1`" in rows["DEBUG"][0]
    assert f"{MINIMUM_LENGTH} random characters or more" in rows["SECRET_KEY"][0]


def test_names_of_home_networks_are_listed() -> None:
    text = text_of("Settings", REFERENCE.read_text("utf-8"))
    found = re.search(r"names that end in (.*?), and private", text, re.S)
    assert found
    assert tuple(re.findall(r"`(\S+)`", found[1])) == HOME_SUFFIXES


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_folder_of_an_installed_site(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(environment, "IS_INSTALLED", True)
    monkeypatch.setattr(sys, "platform", system)
    folder = environment._default_folder({"LOCALAPPDATA": "%LOCALAPPDATA%"}).as_posix()
    shown = folder.replace("/", "\\") if system == "win32" else folder
    name = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}[system]
    assert rows_of("Installing as a package")[name][0].startswith(f"`{shown}`")


# Commands -----------------------------------------------------------------------------------------


def test_every_command_is_listed_and_no_other() -> None:
    ours = {name for name, app in get_commands().items() if app in ("dizzle_site", "sheets")}
    assert set(rows_of("Commands")) == ours


def test_promised_commands_are_marked_as_stable() -> None:
    rows = rows_of("Commands")
    assert {name for name, cells in rows.items() if cells[-1] == "stable"} >= PROMISED
    assert {name for name, cells in rows.items() if cells[-1] == "developers"} == FOR_DEVELOPERS
    promise = text_of("Upgrades and compatibility", REFERENCE.read_text("utf-8"))
    kinds = re.findall(r"^- \*\*([\w ]+)\*\*:", promise, re.M)
    assert kinds == ["Stored data", "Documents", "Links", "Commands", "Settings"]


# Limits -------------------------------------------------------------------------------------------


def size(count: int) -> str:
    """Return a number of bytes in the notation of the page."""
    unit, name = (MIB, "MiB") if count % MIB == 0 else (KIB, "KiB")
    assert count % unit == 0
    return f"{count // unit} {name}"


def rates(limit: rate_limits.Limit, unit: int = 0) -> str:
    """Return a rate in the notation of the page; ``unit`` is the number of bytes of one unit."""
    said = []
    for rate in parse_many(limit.rates):
        amount = size(rate.amount * unit) if unit else str(rate.amount)
        period = rate.GRANULARITY.name
        each = f"in {rate.multiples} {period}s" if rate.multiples > 1 else f"a {period}"
        said.append(f"{amount} {each}".replace(" a hour", " an hour"))
    return ", ".join(said)


def seconds(count: float) -> str:
    return f"{count:g} s"


def minutes(span: timedelta) -> str:
    count = span / timedelta(minutes=1)
    return f"{count:g} minute{'s' if count != 1 else ''}"


def constant_of_worker(name: str) -> int:
    """Return a constant of the service worker's script, which may be a product."""
    found = re.search(rf"^const {name} = ([\d* ]+);", WORKER, re.M)
    assert found
    product = 1
    for factor in found[1].split("*"):
        product *= int(factor)
    return product


def expected_limits() -> dict[str, tuple[str, str]]:
    """Return the rows of the table: the value, and the figures in the last cell."""
    larger = settings.LARGER_BODIES
    several = {larger["/photos/take/"], larger["/enter/files/"]}
    dice2 = max(
        *relay.PLAYER_COUNTS, *(most for kind in KINDS.values() for most in kind.player_counts)
    )
    photo = process_pool.PHOTO_READING
    assert len(several) == 1
    assert photo.cpu_limit_seconds
    return {
        "request": (size(settings.MAX_BODY_BYTES), ""),
        "request with photos": (size(larger["/photos/read/"]), ""),
        "request with a group file": (size(larger["/groups/file/"]), size(documents.MAX_BYTES)),
        "request with several files": (size(several.pop()), ""),
        "large requests at once": (
            str(settings.MAX_LARGER_BODIES),
            f"over {size(settings.MAX_BODY_BYTES)}",
        ),
        "photo file": (
            f"{size(decoding.MAX_BYTES)}, {decoding.MAX_PIXELS // 1_000_000} megapixels",
            f"{decoding.MIN_SIDE_PX} pixels",
        ),
        "scan (PDF, TIFF)": (f"{pages.MAX_PAGES} pages", ""),
        "new tables": (rates(rate_limits.NEW_TABLES), ""),
        "new scorings": (rates(rate_limits.NEW_SCORINGS), ""),
        "uploads and new levels": (rates(rate_limits.UPLOADS), ""),
        "group files": (rates(rate_limits.GROUP_FILES), ""),
        "saved edits": (rates(rate_limits.SAVES), ""),
        "new drawings": (rates(rate_limits.PICTURES), ""),
        "previews": (rates(rate_limits.PREVIEWS), ""),
        "drawings and lists": (rates(rate_limits.READS), ""),
        "photos read": (rates(rate_limits.PHOTOS), ""),
        "hints": (rates(rate_limits.HINTS), ""),
        "game analyses": (rates(ANALYSES), ""),
        "balance reports": (rates(REPORTS), ""),
        "stored data": (rates(rate_limits.STORED, rate_limits.STORED_UNIT_BYTES), ""),
        "wrong table codes": (
            rates(rate_limits.WRONG_CODES),
            f"all addresses together: {rates(rate_limits.WRONG_CODES_OF_SITE)}",
        ),
        "claims to seats": (rates(rate_limits.SEAT_CLAIMS), ""),
        "job queue": (f"{requester_limits.MAX_WAITING} waiting", ""),
        "jobs": (
            f"{requester_limits.MAX_JOBS_PER_DEVICE} a device, "
            f"{requester_limits.MAX_JOBS_PER_ADDRESS} an address",
            "",
        ),
        "photo queue": (f"{photo.max_waiting} photos, {seconds(photo.wait_seconds)}", ""),
        "requests that wait for drawings or photos": (
            str(rendering.MAX_REQUESTS),
            f"gunicorn with four threads: {rendering.MAX_REQUESTS_OF_FEW_THREADS}",
        ),
        "drawing queue": (
            f"{RENDERING.max_waiting} drawings, {seconds(RENDERING.wait_seconds)}",
            "",
        ),
        "drawing": (seconds(RENDERING.time_limit_seconds), ""),
        "reading a photo": (
            f"{seconds(photo.cpu_limit_seconds)} of processor time, "
            f"{seconds(photo.time_limit_seconds)} in all",
            f"{photo.memory_limit_mib} MiB",
        ),
        "decision of a hard bot": (seconds(process_pool.BOT_MOVES.time_limit_seconds), ""),
        "report or analysis": (f"{worker.TIMEOUT.total_seconds() / 60:g} minutes", ""),
        "worker of a job": (f"{seconds(queue.LEASE.total_seconds())} without a heartbeat", ""),
        "request headers": (f"{server.STALLED_S} to {2 * server.STALLED_S} s", ""),
        "pause in sending a body": (
            f"{seconds(body_limit.GRACE_S)}, on average {size(body_limit.MIN_BYTES_PER_SECOND)}/s",
            "answers 408",
        ),
        "pause in reading an answer": (f"{server.STALLED_S} to {2 * server.STALLED_S} s", ""),
        "stop (SIGTERM)": (seconds(server.STOP_S), ""),
        "open files": (str(server.MAX_FILES), "three quarters"),
        "streams": (str(hub.MAX_STREAMS), ""),
        "streams at a table": (
            f"{hub.MAX_STREAMS_PER_DEVICE} a seat, {hub.MAX_SPECTATORS} spectators",
            "",
        ),
        "database connections": (str(POSTGRESQL_SETTINGS["OPTIONS"]["pool"]["max_size"]), ""),  # type: ignore[index]
        "players": (str(MAX_PLAYERS), f"Dice²: {dice2}"),
        "actions": (str(event_writer.MAX_ENTRIES), ""),
        "level grid": (f"{MAX_SIDE} × {MAX_SIDE}", ""),
        "name": (f"{NAME_LENGTH} characters", f"groups: {store.MAX_NAME_LENGTH}"),
        "group": (f"{game_store.MAX_GAMES} games, {players.MAX_GROUP_PLAYERS} players", ""),
        "table of past games": (
            f"{pasted_table.MAX_LINES} games, {size(game_files_import.MAX_TABLE_BYTES)}",
            "",
        ),
        "print job": (f"{print_request.MAX_PAGES} pages", ""),
        "undo in the workshop": (
            f"{history.MAX_CHANGES} changes, {size(history.MAX_CHANGE_BYTES)}",
            "",
        ),
        "undo on a scored sheet": (f"{changes.MAX_DEVICE_CHANGES} changes", ""),
        "undo at the end of a pass": (seconds(acts.PASS_END_UNDO_TIME.total_seconds()), ""),
        "silence of the host": (minutes(countdowns.HOST_SILENCE), ""),
        "countdown": (seconds(countdowns.COUNTDOWN.total_seconds()), ""),
        "unanswered claim to a seat": (minutes(claims.CLAIM_TIMEOUT), ""),
        "*My games*": (
            f"{devices.MAX_ROWS} of each kind, {devices.YEAR_S // 86400} days",
            "",
        ),
        "code to type": (f"{codes.IN_USE.total_seconds() / 3600:g} hours", ""),
        "device link": (f"{devices.HAND_OVER_LIFETIME.total_seconds() / 3600:g} hour", ""),
        "group without visits": (
            f"{store.RETENTION.days} days",
            f"{store.WARNING_PERIOD.days} days before",
        ),
        "level without visits": (f"{workshop_store.RETENTION_DAYS} days", ""),
        "offline copies": (
            f"{constant_of_worker('MAX_OWN_PAGES')} pages, "
            f"{constant_of_worker('MAX_AGE_MS') // 86_400_000} days",
            "",
        ),
    }


def wrong_limits(page: str) -> Iterator[str]:
    """Yield the rows of the table of limits that differ from the code."""
    rows, expected = rows_of("Limits", page), expected_limits()
    for name in sorted(rows.keys() ^ expected.keys()):
        yield f"{name}: only in the {'page' if name in rows else 'code'}"
    for name in sorted(rows.keys() & expected.keys()):
        (value, note), (right, noted) = rows[name], expected[name]
        if value != right or noted not in note:
            yield f"{name}: {value} | {note}, but it is {right} | {noted}"


def test_limits_are_those_of_the_code() -> None:
    assert list(wrong_limits(REFERENCE.read_text("utf-8"))) == []


def test_a_wrong_figure_in_the_table_of_limits_is_found() -> None:
    """Change each number of the table, one at a time."""
    page = REFERENCE.read_text("utf-8")
    section = text_of("Limits", page)
    table = re.search(r"(?:^\|.*\n)+", section, re.M)
    assert table
    unseen = []
    for number in re.finditer(r"\d+", table[0]):
        start, end = number.span()
        row = table[0][table[0].rfind("\n", 0, start) + 1 : table[0].find("\n", end)]
        changed = table[0][:start] + str(int(number[0]) + 1) + table[0][end:]
        if not list(wrong_limits(page.replace(table[0], changed))):
            unseen.append(f"{number[0]} in {row}")
    assert unseen == []


# The rest -----------------------------------------------------------------------------------------


def test_answers_of_health_are_those_of_the_code() -> None:
    sentences = {
        *database_errors._SQLITE.values(),
        *database_errors._POSTGRESQL.values(),
        health.REFUSED,
    }
    assert {*rows_of("Monitoring")} == sentences


def test_certificates_are_valid_as_long_as_the_page_says() -> None:
    text = text_of("HTTPS at home", REFERENCE.read_text("utf-8"))
    assert certificates.AUTHORITY_VALIDITY.days // 365 == 10
    assert "valid for ten years" in text
    assert f"valid for {certificates.SITE_VALIDITY.days} days" in text
    assert f"`DATA_DIR/{certificates.FOLDER}/{certificates.AUTHORITY}`" in text


def test_policy_that_proxies_must_keep_is_the_one_that_the_site_sends() -> None:
    row = rows_of("Proxy headers")["keeps `Referrer-Policy`"]
    assert f"`{settings.SECURE_REFERRER_POLICY}`" in row[0]
