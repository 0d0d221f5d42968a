"""Data shared by all test processes: created once, and complete."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.shared_cache import shared_folder


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return an empty folder for the shared data."""
    monkeypatch.setenv("PYTEST_MADE_ONCE", str(tmp_path))
    return tmp_path


def test_simultaneous_callers_get_the_same_complete_folder() -> None:
    made = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "first").touch()
        time.sleep(0.3)  # so that other callers come meanwhile
        (folder / "last").touch()

    def ask(_number: int) -> set[str]:
        return {file.name for file in shared_folder("thing", make).iterdir()}

    with ThreadPoolExecutor(8) as askers:
        assert list(askers.map(ask, range(8))) == [{"first", "last"}] * 8
    assert len(made) == 1


def test_a_failed_preparation_starts_again_from_the_beginning(empty: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        shared_folder("thing", fail)
    assert not list(empty.iterdir())
    made = shared_folder("thing", lambda folder: (folder / "whole").touch())
    assert [file.name for file in made.iterdir()] == ["whole"]
