"""Secret key: created once, stored, and never read incompletely."""

import os
import stat
import threading
from pathlib import Path

import pytest

from dizzle_site.secret_key import BadSecret, read_or_make_key


def test_key_is_made_once_and_long(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "key"
    key = read_or_make_key(path)
    assert len(key) >= 64
    assert read_or_make_key(path) == key


def test_two_homes_have_different_keys(tmp_path: Path) -> None:
    assert read_or_make_key(tmp_path / "a") != read_or_make_key(tmp_path / "b")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file modes")
def test_key_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        read_or_make_key(tmp_path / "key")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_the_second_process_waits_until_the_key_is_written(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.touch()
    threading.Timer(0.2, path.write_text, ["k" * 60]).start()
    assert read_or_make_key(path) == "k" * 60


def test_short_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("short")
    with pytest.raises(BadSecret, match="50 or more"):
        read_or_make_key(path)
