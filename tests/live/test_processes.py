"""Several processes at one table, on each database: no lost moves, and notifications."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.live.deployments import KINDS, Deployment, deployment
from tests.live.phones import Phone
from tests.live.player import token_of
from tests.processes import TIMEOUT_S
from tests.site.served_site import serving

pytestmark = pytest.mark.own_servers

PLAYERS = 4
ROUNDS = 8


@pytest.fixture(scope="module", params=KINDS)
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    with deployment(request.param, tmp_path_factory.mktemp("site"), has_tables=True) as site:
        yield site


@pytest.fixture
def code(site: Deployment) -> str:
    return site.table(PLAYERS)


def check_log(stored: dict[str, object], acknowledged: list[str]) -> None:
    """Assert that the log has no gaps and no duplicates, and contains all acknowledged acts."""
    entries = stored["entries"]
    assert isinstance(entries, list)
    assert [number for number, _request in entries] == list(range(1, len(entries) + 1))
    requests = [request for _number, request in entries]
    assert len(set(requests)) == len(requests)
    assert set(acknowledged) <= set(requests)
    assert stored["length"] == len(entries)


def test_seats_of_an_open_pass_never_refuse_each_other(site: Deployment, code: str) -> None:
    """Four processes play at one table at the same time: every move is accepted, in some order."""
    before = site.stored(code)["revision"]
    players = [site.player("play", code, str(s), str(ROUNDS), "a") for s in range(PLAYERS)]
    acknowledged = []
    for player in players:
        printed, complaints = player.communicate(timeout=TIMEOUT_S)
        assert player.returncode == 0, complaints
        acknowledged += printed.split()
    assert len(acknowledged) == PLAYERS * ROUNDS * 2
    stored = site.stored(code)
    check_log(stored, acknowledged)
    assert stored["length"] == len(acknowledged)
    assert stored["revision"] - before == len(acknowledged)
    assert site.ask("applied", code) == "0"  # everything was taken back


def test_nothing_acknowledged_is_lost_when_all_are_killed(site: Deployment, code: str) -> None:
    acknowledged: list[str] = []
    for life in "ab":
        players = [site.player("play", code, str(s), "9999", life) for s in range(PLAYERS)]
        kill_at_work(players, acknowledged)
    stored = site.stored(code)
    check_log(stored, acknowledged)
    assert stored["length"] <= len(acknowledged) + 2 * PLAYERS  # stored, but not printed


def kill_at_work(players: list[subprocess.Popen[str]], acknowledged: list[str]) -> None:
    """Wait for a few dozen moves of the players, then kill them all with SIGKILL."""
    enough = len(acknowledged) + 25

    readers = [threading.Thread(target=_note, args=(p, acknowledged)) for p in players]
    for reader in readers:
        reader.start()
    deadline = time.monotonic() + TIMEOUT_S
    while len(acknowledged) < enough and time.monotonic() < deadline:
        time.sleep(0.01)
    for player in players:
        player.kill()
    for player, reader in zip(players, readers, strict=True):
        reader.join()
        player.wait()
        assert player.stdout
        assert player.stderr
        complaints = player.stderr.read()
        player.stdout.close()
        player.stderr.close()
        assert player.returncode == -9, complaints
    assert len(acknowledged) >= enough


def _note(player: subprocess.Popen[str], acknowledged: list[str]) -> None:
    assert player.stdout
    for line in player.stdout:
        if line.endswith("\n"):
            acknowledged.append(line.strip())


def test_phones_get_changes_of_another_process(site: Deployment, code: str) -> None:
    with ExitStack() as stack:
        ports = [
            stack.enter_context(serving(site.data_dir, **site.variables)).port for _ in range(2)
        ]
        phones = [stack.enter_context(Phone(port, code, token_of(1))) for port in ports]
        heard = [phone.next_revision() for phone in phones]
        assert len(set(heard)) == 1
        revision = int(site.ask("touch", code))
        assert all(phone.hears(revision) for phone in phones)
        site.ask("free", code, "1")
        assert all(phone.is_over() for phone in phones)


def test_restarted_server_sends_the_stored_revision(site: Deployment, code: str) -> None:
    with serving(site.data_dir, **site.variables) as server:
        phone = Phone(server.port, code, token_of(1))
        before = phone.next_revision()
        server.process.kill()
        assert phone.is_over()
        phone.hang_up()
    site.ask("touch", code)
    with (
        serving(site.data_dir, **site.variables) as server,
        Phone(server.port, code, token_of(1)) as phone,
    ):
        assert phone.next_revision() == before + 1
