"""Upgrade of what each release has stored: its database, its backup and its links."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from sheets.http import rate_limits
from tests.live.deployments import deployment
from tests.releases.make import Link, seen
from tests.site.served_site import CHECKOUT, environment, serving

RELEASES = sorted(Path(__file__).parent.glob("*.zip"))
EVERY_RELEASE = pytest.mark.parametrize("backup", RELEASES, ids=lambda backup: backup.stem)


def links(backup: Path) -> list[Link]:
    told = json.loads(backup.with_suffix(".json").read_text("utf-8"))
    return [Link(**link) for link in told]


@EVERY_RELEASE
@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_links_of_a_release_lead_to_the_same_pages(backup: Path) -> None:
    call_command("restore", str(backup))
    kinds = set()
    for link in links(backup):
        rate_limits.reset()
        assert seen(link.path, link.token) == (link.heading, link.names), link.path
        kinds.add(link.path.split("/")[1])
    assert kinds == {"groups", "score", "table", "tally", "workshop"}


@EVERY_RELEASE
@pytest.mark.own_servers
def test_database_of_a_release_is_migrated_in_place(backup: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        archive.extract("dizzle.sqlite3", tmp_path)
    tables = [link.path for link in links(backup) if link.path.startswith("/table/")]
    with serving(tmp_path) as site:
        assert [site.ask(path).status for path in tables] == [200] * len(tables)


@pytest.mark.own_servers
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_rows_survive_every_migration_after_their_table_was_created(
    kind: str, tmp_path: Path
) -> None:
    """This includes migrations before the first release, for sites that ran from a checkout."""
    with deployment(kind, tmp_path, is_empty=True) as site:
        done = subprocess.run(
            [sys.executable, "-m", "tests.releases.walk"],
            cwd=CHECKOUT,
            env=environment(site.variables),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert re.fullmatch(r"\d\d tables\n", done.stdout)
