"""Warning about an SQLite database on a network drive."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

from dizzle_site import database_check
from dizzle_site.database_check import network_file_system
from dizzle_site.preparation import check

MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:30 / /proc rw - proc proc rw
40 22 0:41 / /mnt/nas rw,relatime shared:20 - nfs4 nas:/volume1 rw,vers=4.2
41 40 8:17 / /mnt/nas/local rw,relatime - ext4 /dev/sdb1 rw
42 22 0:42 / /mnt/my\040share rw master:2 propagate_from:1 - cifs //nas/share rw
43 22 0:43 / /home/ana/remote rw - fuse.sshfs ana@example.org: rw
44 22 0:44 / /media/disk rw - nfs nas:/old rw
45 44 8:33 / /media/disk rw - btrfs /dev/sdc1 rw
"""
KINDS = {
    "/srv/dizzle/data": "",
    "/mnt/nas": "nfs4",
    "/mnt/nas/dizzle/dizzle.sqlite3": "nfs4",
    "/mnt/nas/local/dizzle.sqlite3": "",
    "/mnt/nas-of-another-name/dizzle.sqlite3": "",
    "/mnt/my share/dizzle.sqlite3": "cifs",
    "/home/ana/remote/dizzle.sqlite3": "fuse.sshfs",
    "/media/disk/dizzle.sqlite3": "",
}


@pytest.fixture
def mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "mountinfo"
    file.write_text(MOUNTS)
    monkeypatch.setattr(database_check, "MOUNTS", file)
    return file


@pytest.mark.usefixtures("mounts")
def test_network_drives_are_distinguished_from_local_disks() -> None:
    assert {path: network_file_system(Path(path)) for path in KINDS} == KINDS


def test_the_target_of_a_link_counts(mounts: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/mnt/nas/dizzle")
    assert network_file_system(tmp_path / "link" / "dizzle.sqlite3") == "nfs4"


def test_system_without_the_list_causes_no_warning(mounts: Path) -> None:
    mounts.unlink()
    assert network_file_system(Path("/mnt/nas")) == ""


@pytest.mark.skipif(not database_check.MOUNTS.exists(), reason="only Linux has this list")
def test_list_of_this_machine_is_parsed(tmp_path: Path) -> None:
    assert network_file_system(tmp_path) == ""


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has files of its own")
def test_start_warns_and_names_the_file(mounts: Path, caplog: pytest.LogCaptureFixture) -> None:
    check()
    assert caplog.messages == []
    mounts.write_text("22 1 0:21 / / rw,relatime - nfs4 nas:/root rw\n")
    check()
    (line,) = caplog.messages
    assert line.startswith(f"{connection.settings_dict['NAME']} is on a network drive (nfs4)")
    assert "DATA_DIR" in line
