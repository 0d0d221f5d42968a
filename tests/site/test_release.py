"""Fingerprint of the release, part of the cache keys of pictures and offline pages."""

from pathlib import Path

import pytest

from dizzle_site.release_fingerprint import fingerprint_of, release
from sheets.http import rendering


def test_release_changes_with_the_version_of_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    before = release.__wrapped__()
    assert before == release.__wrapped__()
    (tmp_path / "pillow-99.0.dist-info").mkdir()
    assert before != release.__wrapped__()


def test_etag_changes_with_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rendering.file_version("key")
    assert before == rendering.file_version("key")
    monkeypatch.setattr(rendering, "release", lambda: "another")
    assert before != rendering.file_version("key")


def test_fingerprint_changes_with_names_and_contents(tmp_path: Path) -> None:
    files = [tmp_path / "a", tmp_path / "b"]
    for file in files:
        file.write_text("x", "ascii")
    named = [(file.name, file) for file in files]
    before = fingerprint_of(named)
    assert before == fingerprint_of(reversed(named))
    assert before != fingerprint_of([("c", files[0]), *named[1:]])
    files[1].write_text("y", "ascii")
    assert before != fingerprint_of(named)
