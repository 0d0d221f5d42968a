"""DATABASE_URL: the database that it names, and the settings for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import get_commands
from django.test import Client

from dizzle_site import environment
from dizzle_site.databases import database_settings
from dizzle_site.environment import BadEnvironment

HERE = Path("/data")
DOCS = Path(__file__).resolve().parents[2] / "docs"
FOR_HOSTS = [DOCS / name for name in ("hosting.md", "hosting.de.md", "reference.md")]


def test_without_database_url_the_database_is_in_the_data_folder() -> None:
    found = database_settings("", HERE)
    assert found["NAME"] == HERE / "dizzle.sqlite3"
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_sqlite_elsewhere_has_the_same_settings() -> None:
    found = database_settings("sqlite:////srv/file", HERE)
    assert found["NAME"] == "/srv/file"
    assert found["OPTIONS"] == database_settings("", HERE)["OPTIONS"]


def test_postgresql_has_a_pool_and_the_options_of_the_address() -> None:
    found = database_settings("postgresql://ana:secret@db:5433/dizzle?sslmode=require", HERE)
    assert (found["USER"], found["HOST"], found["PORT"]) == ("ana", "db", 5433)
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["OPTIONS"]["pool"]["max_size"] == 10


@pytest.mark.parametrize(
    "url",
    [
        "secret",
        "mysql://ana:secret@db/x",
        "postgresql://ana:secret@db/",
        "postgresql://a:secret@h:x/n",
        "sqlite://",
    ],
)
def test_other_addresses_are_refused_without_the_password_in_the_message(url: str) -> None:
    with pytest.raises(BadEnvironment, match="DATABASE_URL") as refused:
        database_settings(url, HERE)
    assert "secret" not in str(refused.value)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(BadEnvironment, match=r"requirements/server\.txt"):
        database_settings("postgresql:///dizzle", HERE)


@pytest.fixture(autouse=True)
def _nobody_has_asked_yet() -> None:
    cache.clear()


@pytest.mark.django_db
def test_health_is_ok(client: Client) -> None:
    answer = client.get("/health/")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    assert "no-store" in answer["Cache-Control"]
    assert client.post("/health/").status_code == 405


@pytest.mark.django_db
@pytest.mark.postgresql
def test_health_is_checked_at_intervals(client: Client, django_assert_num_queries: Any) -> None:
    """Frequent requests of a monitor do not write each time."""
    client.get("/health/")
    with django_assert_num_queries(0):
        assert [client.get("/health/").status_code for _ in range(50)] == [200] * 50


def test_pages_for_hosts_name_commands_and_files_that_exist() -> None:
    commands, files = set(), set()
    for page in FOR_HOSTS:
        text = page.read_text("utf-8")
        commands |= set(re.findall(r"manage\.py ([a-z_]+)", text))
        files |= set(re.findall(r"requirements[/\\]\w+\.txt", text))
    assert {"serve", "prepare", "backup", "restore"} <= commands <= set(get_commands())
    found = {file.replace("\\", "/") for file in files}
    assert {"requirements/run.txt", "requirements/server.txt"} <= found
    assert [file for file in found if not (DOCS.parent / file).exists()] == []
