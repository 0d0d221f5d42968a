"""Temporary failures of the storage: refusals with a reason, no lost moves, automatic recovery.

Real servers with a full disk, a locked file, or a database that disappears.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.live.deployments import Deployment, deployment
from tests.live.moves import Mover
from tests.live.phones import Phone
from tests.live.served_site import Server, check_log, check_refusals, server, unstored
from tests.processes import TIMEOUT_S
from tests.site.served_site import wait_until

ACTS = 60

pytestmark = [
    pytest.mark.own_servers,
    pytest.mark.skipif(sys.platform != "linux", reason="disks are filled as on Linux"),
]


# SQLite: each kind of trouble, begun and ended --------------------------------------------------


@contextmanager
def full_file(served: Server, database: Path) -> Iterator[None]:
    """Let no file of the server grow; this also works for a server without root."""
    import resource

    _soft, hard = resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE)
    grown = max(file.stat().st_size for file in database.parent.glob("dizzle.sqlite3*"))
    resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (grown + 16_384, hard))
    yield
    resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


@contextmanager
def full_disk(served: Server, database: Path) -> Iterator[None]:
    """Fill the disk to the last byte."""
    filler = database.parent / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    yield
    filler.unlink()


@contextmanager
def locked(served: Server, database: Path) -> Iterator[None]:
    """Lock the database by a transaction of another program."""
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of a few megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    mounted = shutil.which("mount") and subprocess.run(command, capture_output=True, check=False)
    if not mounted or mounted.returncode:
        pytest.skip("only root may make a small disk to fill")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def sqlite_in(folder: Path, stack: ExitStack, data_dir: Path) -> Deployment:
    """Return a site with only its database in a folder; it waits for a lock for a second only."""
    url = f"sqlite:///{folder / 'dizzle.sqlite3'}?timeout=1"
    return stack.enter_context(deployment("sqlite", data_dir, database_url=url, has_tables=True))


@pytest.mark.parametrize(
    ("trouble", "count", "said"),
    [
        (full_file, ACTS, "disk"),
        (locked, 2, "locked"),
    ],
    ids=["full", "locked"],
)
def test_acts_that_cannot_be_stored_are_refused_and_stored_later(
    trouble: Callable[[Server, Path], Iterator[None]], count: int, said: str, tmp_path: Path
) -> None:
    check_trouble(trouble, count, said, tmp_path, tmp_path / "store")


def test_full_disk(small_disk: Path, tmp_path: Path) -> None:
    check_trouble(full_disk, ACTS, "disk is full", tmp_path, small_disk)


def check_trouble(trouble: object, count: int, said: str, data_dir: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        site = sqlite_in(folder, stack, data_dir / "var")
        code = site.table(2)
        served = stack.enter_context(server(site, data_dir))
        phone = stack.enter_context(Phone(served.port, code))
        mover = Mover(served.port, code)
        answers = [mover.move() for _ in range(4)]
        with trouble(served, folder / "dizzle.sqlite3"):  # type: ignore[operator]
            for _ in range(count):
                answers.append(mover.move(unstored(answers)))
            assert answers[-1].status == 503
            assert mover.read() == 200  # reading continues to work
            check_page(served)
            assert (served.health().status, said in served.health().body) == (503, True)
        check_refusals(answers)
        for _ in range(5):
            answers.append(mover.move(unstored(answers)))
        assert {answer.status for answer in answers[-5:]} == {200}
        assert phone.hears(mover.state["revision"], TIMEOUT_S)
        check_log(site, code, answers)
        assert [said in line for line in served.trouble()] == [True]
        wait_until(lambda: served.health().body == "ok\n")


def check_page(served: Server) -> None:
    """Assert that a sent form is answered with the reason, too."""
    for language, sentence in {"en": "Nothing is lost", "de": "Nichts ist verloren"}.items():
        answer = served.post("/score/new/level-1/", {"count": "2"}, language)
        assert answer.status == 503, answer.body
        assert sentence in answer.body
        assert answer.headers["hx-retarget"] == "body"
        assert answer.headers["retry-after"]
