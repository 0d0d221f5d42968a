"""Commands in a separate process, as other programs start them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.test_replay import GAMES, tiny
from tests.conformance.comparison import differences

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {
    "DJANGO_SETTINGS_MODULE": "dizzle_site.settings",
    "PYTHONUNBUFFERED": "",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "LC_ALL": "C",
}


def manage(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *args],
        input=stdin,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=60,
    )


def test_replay_of_all_games_with_known_results() -> None:
    games = [json.dumps(json.loads(game.read_bytes())) for game in GAMES]
    ran = manage("replay", "--lines", "-", stdin="\n".join(games).encode())
    assert (ran.returncode, ran.stderr) == (0, b"")
    results = ran.stdout.decode().splitlines()
    assert len(results) == len(GAMES) == 165
    for game, result in zip(GAMES, results, strict=True):
        expected = json.loads(game.with_name(game.name.replace("game", "expected")).read_bytes())
        assert not differences(expected, json.loads(result)), game.name


def test_output_is_utf_8_in_any_locale() -> None:
    ran = manage("replay", "-", stdin=tiny(players=["Jürgen", "Zoë"]))
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert [sheet["player"] for sheet in json.loads(ran.stdout)["sheets"]] == ["Jürgen", "Zoë"]
    assert "Jürgen".encode() in ran.stdout


def test_a_game_that_breaks_a_rule_ends_with_1() -> None:
    ran = manage("replay", "-", stdin=tiny({"do": "end_pass"}))
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert json.loads(ran.stdout)["error"]["rule"] == "not-now"


def test_a_document_that_cannot_be_used_ends_with_2() -> None:
    ran = manage("score", "-", stdin='{"Größe": "\\ud83d"}'.encode())
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"CommandError: -: ")
    assert ran.stderr.count(b"\n") == 1


def test_a_closed_pipe_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, ROOT / "manage.py", "replay", "--lines", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(b"\n" * 10_000)
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_full_disk_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, ROOT / "manage.py", "levels"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            timeout=60,
        )
    assert ran.returncode == 2
    expected = b"CommandError: standard output: cannot be written: No space left on device\n"
    assert ran.stderr == expected
