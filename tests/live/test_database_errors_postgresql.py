"""Moves while PostgreSQL ends connections or refuses new ones."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dizzle_site.database_errors import SILENT
from tests import servers
from tests.live.deployments import Deployment, deployment
from tests.live.moves import Answered, Mover
from tests.live.served_site import Server, check_log, check_refusals, server, unstored
from tests.processes import TIMEOUT_S
from tests.site.served_site import wait_until

pytestmark = pytest.mark.own_servers

SEATS = 3
ACTS = 40


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    with deployment("postgresql", tmp_path_factory.mktemp("site"), has_tables=True) as site:
        yield site


@pytest.fixture
def served(site: Deployment, tmp_path: Path) -> Iterator[Server]:
    with server(site, tmp_path) as served:
        yield served


def run_on_server(statement: str, site: Deployment) -> None:
    """Run a statement about the site's database on the PostgreSQL server."""
    import psycopg

    name = urlsplit(site.variables["DATABASE_URL"]).path.strip("/")
    with psycopg.connect(servers.postgresql_url(), autocommit=True) as connection:
        connection.execute(statement.format(name))


def end_connections(site: Deployment) -> None:
    """End all connections to the site's database, and wait for their end for at most 60 s."""
    run_on_server(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{}'",
        site,
    )


def test_every_move_is_stored_once_while_connections_are_ended(
    site: Deployment, served: Server
) -> None:
    code = site.table(SEATS)
    movers = [Mover(served.port, code, seat) for seat in range(SEATS)]
    answers: list[list[Answered]] = [[] for _ in movers]

    def play(mover: Mover, answers: list[Answered]) -> None:
        while sum(answer.status == 200 for answer in answers) < ACTS:
            answers.append(mover.move(unstored(answers)))

    players = [
        threading.Thread(target=play, args=pair) for pair in zip(movers, answers, strict=True)
    ]
    for player in players:
        player.start()
    while any(player.is_alive() for player in players):
        before = sum(map(len, answers))
        end_connections(site)
        # At a random point of the requests, and not again before some acts have succeeded.
        wait_until(
            lambda before=before: (
                sum(map(len, answers)) > before + 2 * SEATS
                or not any(player.is_alive() for player in players)
            )
        )
    every = [answer for some in answers for answer in some]
    check_refusals(every)  # including acts that may have been stored
    acknowledged = {answer.request for answer in every if answer.status == 200}
    stored = site.stored(code)
    requests = [request for _number, request in stored["entries"]]
    assert len(requests) == len(set(requests)) == len(acknowledged) == SEATS * ACTS
    assert set(requests) == acknowledged
    assert not [line for line in served.trouble() if "Traceback" in line]
    assert len(served.trouble()) <= 1


def test_ended_idle_connections_refuse_no_request(site: Deployment, served: Server) -> None:
    """The pool has only dead connections, as after a restart of the database."""
    code = site.table(SEATS)
    movers = [Mover(served.port, code, seat) for seat in range(SEATS)]
    answers: list[Answered] = []
    for _ in range(5):
        threads = [
            threading.Thread(target=lambda mover=mover: answers.append(mover.move()))
            for mover in movers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        end_connections(site)
    assert {answer.status for answer in answers} == {200}
    assert served.trouble() == []


def test_database_that_refuses_connections(site: Deployment, served: Server) -> None:
    code = site.table(2)
    mover = Mover(served.port, code)
    answers = [mover.move() for _ in range(2)]
    run_on_server('ALTER DATABASE "{}" ALLOW_CONNECTIONS false', site)
    try:
        end_connections(site)
        for _ in range(4):
            answers.append(mover.move(unstored(answers)))
        assert [answer.status for answer in answers[2:]] == [503] * 4
        assert mover.read() == 503
        answer = served.health()
        assert (answer.status, answer.body) == (503, SILENT + "\n")
    finally:
        run_on_server('ALTER DATABASE "{}" ALLOW_CONNECTIONS true', site)
    deadline = time.monotonic() + TIMEOUT_S
    while unstored(answers) and time.monotonic() < deadline:
        answers.append(mover.move(unstored(answers)))
    check_refusals(answers)
    check_log(site, code, answers)
    assert [SILENT in line for line in served.trouble()] == [True]
    wait_until(lambda: served.health().status == 200)
