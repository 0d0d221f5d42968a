"""What happens where there is no browser?"""

import subprocess

import pytest

from tests.browser import chromium


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A Debian without a browser; the list of commands that were run on it."""
    run: list[list[str]] = []

    def note(words: list[str], **_options: object) -> subprocess.CompletedProcess[bytes]:
        run.append(words)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(chromium, "find_chromium", lambda: "chromium" if run else None)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(chromium.subprocess, "run", note)
    return run


def test_root_installs_debians_package(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    assert chromium.main() == 0
    assert [words[:2] for words in commands] == [
        ["/usr/bin/apt-get", "update"],
        ["/usr/bin/apt-get", "install"],
    ]


def test_anybody_else_tries_sudo_without_a_password(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 1000)
    assert chromium.main() == 0
    assert all(words[:2] == ["sudo", "-n"] for words in commands)


@pytest.mark.parametrize(("ci", "status"), [("true", 1), ("", 0)])
def test_missing_browser_is_a_failure_where_changes_are_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ci: str, status: int
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("CHROMIUM", "no-such-browser")
    monkeypatch.setattr(chromium, "install_chromium", lambda: False)
    assert chromium.main() == status
    assert chromium.MISSING in capsys.readouterr().err
