"""Installation of Chromium for the browser tests."""

import subprocess

import pytest

from tests.browser import chromium


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Fake a Debian without a browser; return the list of commands that were run."""
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
    assert commands[-1][-1] == "chromium-headless-shell"


def test_debian_without_the_shell_package_gets_the_browser(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    def note(words: list[str], **_options: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(words)
        return subprocess.CompletedProcess(words, 100 if words[-1].endswith("shell") else 0)

    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    monkeypatch.setattr(chromium.subprocess, "run", note)
    assert chromium.main() == 0
    assert commands[-1][-1] == "chromium"


@pytest.mark.parametrize(("ci", "is_wanted"), [("true", True), ("", False)])
def test_shell_is_added_to_a_full_browser_only_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, is_wanted: bool
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(
        chromium.shutil,
        "which",
        lambda name: None if name == chromium.SHELL else f"/usr/bin/{name}",
    )
    assert chromium.is_install_needed() is is_wanted


def test_other_users_try_sudo_without_a_password(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 1000)
    assert chromium.main() == 0
    assert all(words[:2] == ["sudo", "-n"] for words in commands)


@pytest.mark.parametrize(("ci", "status"), [("true", 1), ("", 0)])
def test_missing_browser_is_a_failure_in_ci(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ci: str, status: int
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("CHROMIUM", "no-such-browser")
    monkeypatch.setattr(chromium, "install_chromium", lambda: False)
    assert chromium.main() == status
    assert chromium.MISSING in capsys.readouterr().err
