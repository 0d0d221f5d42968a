"""Does a site notice that its database's file was replaced or taken away, and leave that alone?"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from dizzle_site.sqlite.base import SET_ASIDE
from tests.site.running import Site, serving, wait_until

from .deployments import Deployment, deployment
from .moves import Mover

pytestmark = [
    pytest.mark.own_servers,
    pytest.mark.skipif(os.name == "nt", reason="Windows keeps a file that is open"),
]

SAID = "replaced or taken away"


@pytest.mark.parametrize("new", ["backup", "nothing"])
def test_file_that_was_changed_while_the_site_ran(tmp_path: Path, new: str) -> None:
    with deployment("sqlite", _folder(tmp_path)) as home:
        file, backup = home.data_dir / "dizzle.sqlite3", tmp_path / "backup.sqlite3"
        restored = home.ask("open", "2")
        shutil.copyfile(file, backup)
        code = home.ask("open", "2")
        with serving(home.data_dir, **home.variables) as site:
            mover = Mover(site.port, code)
            assert mover.move().status == 200
            if new == "backup":
                backup.replace(file)
            else:
                file.unlink()
            check_told(site, mover)
            said = site.stop(signal.SIGTERM)
            assert SAID in said
            assert "Traceback" not in said
        if new == "nothing":
            assert not file.exists()
        else:
            check_untouched(home, restored)


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "var"
    folder.mkdir()
    return folder


def check_told(site: Site, mover: Mover) -> None:
    answers = [mover.move() for _ in range(5)]
    assert [answer.status for answer in answers] == [503] * 5
    assert all("Nothing is lost" in answer.body for answer in answers)
    wait_until(lambda: SAID in site.ask("/health/").text)
    assert site.ask("/health/").status == 503


def check_untouched(home: Deployment, code: str) -> None:
    """The backup is as it was put there, and the site begins with it."""
    beside = [path.name for path in home.data_dir.glob("dizzle.sqlite3?*")]
    assert beside == ["dizzle.sqlite3" + SET_ASIDE]
    with closing(sqlite3.connect(home.data_dir / "dizzle.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT code FROM sheets_table").fetchall() == [(code,)]
    with serving(home.data_dir, **home.variables) as site:
        assert Mover(site.port, code).move().status == 200


@pytest.mark.skipif(sys.platform != "linux", reason="a file is locked as on Linux")
def test_health_believes_a_request_that_failed(tmp_path: Path) -> None:
    """And not its own last try, a moment ago."""
    # Who finds the file locked waits for a second only.
    url = f"sqlite:///{tmp_path / 'var' / 'dizzle.sqlite3'}?timeout=1"
    with deployment("sqlite", _folder(tmp_path), database_url=url, has_tables=True) as home:
        code = home.table(2)
        with serving(home.data_dir, **home.variables) as site:
            mover = Mover(site.port, code)
            assert site.ask("/health/").text == "ok\n"
            with closing(sqlite3.connect(home.data_dir / "dizzle.sqlite3")) as other:
                other.execute("BEGIN IMMEDIATE")
                assert mover.move().status == 503
                answer = site.ask("/health/")
                assert (answer.status, "locked" in answer.text) == (503, True)
                other.rollback()
            wait_until(lambda: site.ask("/health/").text == "ok\n")
