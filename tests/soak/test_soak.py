"""The soak test itself: it runs scenarios to their end and finds the faults of a faulty site."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from sheets.tables import acts
from sheets.tables.family import PageQuery
from sheets.tables.page_state import page_state
from tests.processes import TIMEOUT_S
from tests.site.served_site import CHECKOUT, environment
from tests.soak.answers import Answer, judge_act, judge_page
from tests.soak.clock import Clock
from tests.soak.devices import Device
from tests.soak.ledger import Ledger, check
from tests.soak.load import Player
from tests.soak.report import Row, format_report, verdict
from tests.soak.scenario_sites import Trial
from tests.soak.services import NotHere
from tests.table_fragments import state_in
from tests.table_games import sit_down

pytestmark = [
    pytest.mark.own_servers,
    pytest.mark.skipif(sys.platform != "linux", reason="the soak needs Linux"),
]


def start(*words: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.soak", *words],
        cwd=CHECKOUT,
        env=environment(variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def counts(printed: str, scenario: str) -> dict[str, int]:
    """Return the row of a scenario."""
    found = re.search(rf"^{scenario} +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) ", printed, re.MULTILINE)
    assert found, printed
    names = ("actions", "acknowledged", "lost", "doubled", "unexplained")
    return dict(zip(names, map(int, found.groups()), strict=True))


def test_kills_and_a_faulty_site(tmp_path: Path) -> None:
    """A correct site is clean after two kills; each action that a faulty one forgot is reported."""
    logs = tmp_path / "logs"
    honest = start("--only", "kills-sqlite", "--kills", "2", TMPDIR=str(tmp_path))
    faulty = start(
        *("--only", "quiet", "--seconds", "0", "--settings", "tests.soak.faulty_settings"),
        *("--logs", str(logs)),
        TMPDIR=str(tmp_path),
    )
    printed = [soak.communicate(timeout=TIMEOUT_S)[0] for soak in (honest, faulty)]

    assert honest.returncode == 0, printed[0]
    clean = counts(printed[0], "kills-sqlite")
    assert clean["acknowledged"] >= 2
    assert clean["lost"] == clean["doubled"] == clean["unexplained"] == 0
    assert "All 0 in 1 scenarios." in printed[0]

    assert faulty.returncode == 1, printed[1]
    found = counts(printed[1], "quiet")
    assert min(found["lost"], found["doubled"], found["unexplained"]) > 0, printed[1]
    assert "status 500" in printed[1]
    log = (logs / "quiet" / "serve-0.log").read_text("utf-8")
    forgotten = re.findall(r"^Forgotten on purpose: (.+)$", log, re.MULTILINE)
    assert found["lost"] == len(forgotten)
    lost = re.findall(r"lost at table (\w+): acknowledged and not in the log: (\S+) ", printed[1])
    assert {request for _code, request in lost} <= set(forgotten)
    assert f"log of table {lost[0][0]}, " in printed[1]
    assert list(tmp_path.iterdir()) == [logs]  # no other file remains


def test_interrupted_soak_leaves_nothing_behind(tmp_path: Path) -> None:
    soak = start("--only", "kills-sqlite", TMPDIR=str(tmp_path))
    deadline = time.monotonic() + TIMEOUT_S
    while not is_served(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.02)
    soak.send_signal(signal.SIGINT)
    printed, _ = soak.communicate(timeout=TIMEOUT_S)
    assert soak.returncode == 130, printed
    assert not list(tmp_path.iterdir())
    assert str(tmp_path) not in programs_and_mounts()


def is_served(folder: Path) -> bool:
    return any("is ready" in log.read_text("utf-8") for log in folder.glob("*/*/serve-0.log"))


def programs_and_mounts() -> str:
    """Return the readable environments of all processes, and all mounts."""
    texts = [Path("/proc/mounts").read_text("utf-8")]
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = path.read_bytes().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        texts += [variable for variable in variables if variable.startswith("DATA_DIR=")]
    return "\n".join(texts)


STATE = b'{"revision": 3, "stage": "play"}'


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (200, STATE, ""),
        (200, b"{}", "without the table's state"),
        (200, b"", "without the table's state"),
        (422, b'{"revision": 3, "refusal": {"sentence": "No, not there.", "rule": "lava"}}', ""),
        (422, b'{"revision": 3, "refusal": {"sentence": "No, not there."}}', "name of its rule"),
        (409, b'{"revision": 3, "refusal": {"sentence": "That is over."}}', ""),
        (409, STATE, "without a sentence"),
        (503, b'{"sentence": "Nothing can be stored just now."}', ""),
        (503, b"{}", "without a sentence"),
        (500, STATE, "status 500"),
        (403, STATE, "status 403"),
    ],
)
def test_answers_are_explained_or_not(status: int, body: bytes, reason: str) -> None:
    found = judge_act(Answer(status, "application/json", body))
    assert reason in found
    assert bool(found) == bool(reason)


def test_page_of_a_limit_has_its_sentence() -> None:
    page = b'<h1>One moment</h1><p class="alert" role="alert">Wait a minute &amp; try again.</p>'
    assert judge_page(Answer(429, "text/html", page)) == ""
    assert judge_page(Answer(429, "text/html", b"<h1>Too Many Requests</h1>"))
    assert judge_page(Answer(503, "text/plain", b"Service Unavailable"))
    assert judge_page(Answer(200, "image/png", b"GIF"), begins=b"\x89PNG")


def stored(*entries: tuple[int, str | None, str], length: int = 0) -> dict[str, Any]:
    logged = [(number, request, {"do": do}) for number, request, do in entries]
    return {"AAAAA": {"length": length or len(entries), "entries": logged, "problem": ""}}


def known(*acknowledged: str) -> Ledger:
    ledger = Ledger()
    ledger.codes.add("AAAAA")
    for request in ("a", "b", "c"):
        ledger.send(request, "AAAAA", "/table/AAAAA/act/", {"do": "place", "at": "c4"})
    for request in acknowledged:
        ledger.answer(request, 200, '{"revision": 7}')
    return ledger


@pytest.mark.parametrize(
    ("entries", "length", "lost", "doubled"),
    [
        ([(1, "a", "place"), (2, "b", "done"), (3, None, "end_pass")], 3, "", ""),
        ([(1, "a", "place")], 1, "acknowledged and not in the log: b ", ""),
        ([(1, "a", "place"), (2, "b", "done"), (3, "c", "undo")], 3, "", ""),  # c not yet
        ([(1, "a", "place"), (2, "b", "done"), (4, "c", "undo")], 4, "entry 3 is missing", ""),
        ([(1, "a", "place"), (2, "b", "done")], 3, "entry 3 is missing", ""),  # the table says 3
        ([(1, "a", "place"), (2, "b", "done"), (3, None, "done")], 3, "", "asked for entry 3"),
        ([(1, "a", "place"), (2, "b", "done"), (3, "b", "done")], 3, "", "3 repeats the request b"),
        ([(1, "a", "place"), (2, "b", "done"), (2, "c", "done")], 2, "", "have the number 2"),
        ([(1, "a", "place"), (2, "b", "done"), (3, "x", "done")], 3, "", "asked for entry 3"),
    ],
)
def test_lost_and_doubled_actions_are_found(
    entries: list[tuple[int, str | None, str]], length: int, lost: str, doubled: str
) -> None:
    found = check(known("a", "b"), stored(*entries, length=length))
    for findings, expected in ((found.lost, lost), (found.doubled, doubled)):
        assert len(findings) == bool(expected)
        assert expected in "".join(finding.text for finding in findings)
    assert set(found.logs) == ({"AAAAA"} if lost or doubled else set())


def test_finding_has_the_request_the_answer_and_the_log() -> None:
    found = check(known("a", "b"), stored((1, "a", "place")))
    printed = "\n".join(format_report([Row("one", 3, 2, found)]))
    assert '/table/AAAAA/act/ {"do": "place", "at": "c4"}; answer at ' in printed
    assert ' s: 200 {"revision": 7}' in printed
    assert "log of table AAAAA, 1 entries:" in printed
    assert '{"do": "place"}' in printed.splitlines()[-1]


def test_missing_table_is_lost_with_each_action_acknowledged_there() -> None:
    assert len(check(known("a", "b"), {}).lost) == 3


def test_refused_action_that_is_stored_is_unexplained() -> None:
    ledger = known()
    ledger.answer("a", 409, "{}")
    check(ledger, stored((1, "a", "place")))
    assert ledger.unexplained.total() == 1


@pytest.mark.django_db
def test_player_who_is_done_can_only_take_that_back() -> None:
    """A repeated "done" would be acknowledged without an entry in the log."""
    party = sit_down()
    player = Player(Device(Ledger(), lambda: 0, Event()), party.code, 0, Random(1), Event())

    def next_actions() -> set[str]:
        state = state_in(page_state(party.access(0), PageQuery(seat=0)).as_html())
        actions = [player._next_action(state) for _ in range(1000)]
        return {str(action[1].get("done", "")) for action in actions if action}

    assert next_actions() == {"", "yes"}
    party.done(0)
    assert next_actions() == {"no"}
    party.done(1)
    acts.undo(party.access(1), 1)  # the pass goes on, and player 0 is still done
    assert next_actions() == {"no"}


def test_players_who_do_nothing_are_unexplained(tmp_path: Path) -> None:
    ledger = Ledger()
    trial = Trial(tmp_path, ledger, Random(1), Event(), {}, 0, 0)
    trial.wait_for_actions(SimpleNamespace(acknowledged=0), 1, within_s=0)  # type: ignore[arg-type]
    assert ledger.unexplained.total() == 1


def test_connection_may_break_or_stay_silent_only_during_a_fault() -> None:
    ledger = Ledger()
    before = time.monotonic()
    assert not ledger.explains(before)
    with ledger.fault():
        assert ledger.explains(time.monotonic())
    assert ledger.explains(before)
    assert not ledger.explains(before, is_silence=True)
    with ledger.fault(is_down=True):
        pass
    assert ledger.explains(before, is_silence=True)
    time.sleep(0.001)
    assert not ledger.explains(time.monotonic())


def test_skipped_scenario_is_reported_and_is_no_zero() -> None:
    rows = [Row("one", 5, 5), Row("two", not_run="no compiler")]
    assert verdict(rows) == ("All 0 in 1 scenarios; 1 not run.", 0)
    assert "not run: no compiler" in "\n".join(format_report(rows))
    assert verdict(rows[1:])[1] == 1
    assert verdict([*rows, Row("three", 5, 5, reasons=Counter({"status 500": 2}))])[1] == 1
    assert verdict([Row("lost", 5, 5, check(known("a"), {}))])[1] == 1


def test_clock_of_one_program_moves_while_it_runs(tmp_path: Path) -> None:
    try:
        clock = Clock(tmp_path)
    except NotHere as reason:
        pytest.skip(str(reason))
    code = "import sys, time\nwhile sys.stdin.readline(): print(time.time(), flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | clock.variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="ascii",
    ) as program:
        assert program.stdin
        assert program.stdout
        told = []
        for days in (0, -365, 30):
            clock.move(days)
            program.stdin.write("now\n")
            program.stdin.flush()
            told.append(float(program.stdout.readline()))
        program.stdin.close()
    assert told[1] < told[0] - 364 * 86400
    assert told[2] > told[0] + 29 * 86400
