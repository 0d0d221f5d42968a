"""Scenarios of the soak test: each causes faults while players play."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random

from tests.soak import faults, render_clients, services
from tests.soak.clock import Clock
from tests.soak.cuttable_network import CuttingProxy
from tests.soak.devices import own_address
from tests.soak.load import Load, playing
from tests.soak.processes import Program, family_of, wait_until
from tests.soak.scenario_sites import Trial, large_site, scenario, small_site
from tests.soak.sites import Site, one_process

CUT_SHARE = 0.3
SLOW_CLIENTS = 1200
USUAL_OPEN_FILES = 1024
LOCKED_S = 8.0
HUNG_S = 5.0


# Killed ---------------------------------------------------------------------------------------


@scenario
def kills_postgresql(trial: Trial, stack: ExitStack) -> Site:
    """Kill the whole site at once, every third time only one of the processes for pages."""
    site = large_site(trial, stack).site
    pages = site.programs[0]
    with playing(trial.ledger, site, trial.random) as load:
        for number in range(trial.kills):
            _let_them_play(trial, load)
            with trial.ledger.fault(is_down=True):
                if number % 3 == 2:
                    _kill_a_worker(pages, trial.random)
                    trial.wait(0.5)
                else:
                    site.kill()
                site.start()
    return site


@scenario
def kills_sqlite(trial: Trial, stack: ExitStack) -> Site:
    """Kill the only process at random moments."""
    site = small_site(trial, stack)
    with playing(trial.ledger, site, trial.random) as load:
        for _ in range(trial.kills):
            _let_them_play(trial, load)
            with trial.ledger.fault(is_down=True):
                site.kill()
                site.start()
    return site


def _let_them_play(trial: Trial, load: Load) -> None:
    """Wait for one action, so that each kill happens under load, and then for a random time."""
    trial.wait_for_actions(load, 1)
    trial.wait(trial.random.uniform(0, 1.2))


def _kill_a_worker(pages: Program, random: Random) -> None:
    if workers := family_of(pages.pid):
        os.kill(random.choice(workers), signal.SIGKILL)


# The network ----------------------------------------------------------------------------------


@scenario
def cut_sqlite(trial: Trial, stack: ExitStack) -> Site:
    """Reset three of ten connections, half before and half after the server acted."""
    return _cut(trial, stack, small_site(trial, stack))


@scenario
def cut_postgresql(trial: Trial, stack: ExitStack) -> Site:
    """Reset three of ten connections to a site of several processes."""
    return _cut(trial, stack, large_site(trial, stack).site)


def _cut(trial: Trial, stack: ExitStack, site: Site) -> Site:
    ports = site.pages
    proxy = stack.enter_context(CuttingProxy(ports[0], CUT_SHARE, trial.random))
    site.pages = [proxy.port]
    with trial.ledger.fault(), playing(trial.ledger, site, trial.random):
        trial.wait(trial.seconds)
    site.pages = ports
    return site


@scenario
def slow_clients(trial: Trial, stack: ExitStack) -> Site:
    """Open 1,200 incomplete requests from eight addresses at a server limited to 1,024 files."""
    faults.allow_many_files(3 * SLOW_CLIENTS)
    limit = ["sh", "-c", f'ulimit -S -n {USUAL_OPEN_FILES} && exec "$@"', "sh"]
    site = small_site(trial, stack, wrapped=limit)
    addresses = [own_address() for _ in range(8)]
    with playing(trial.ledger, site, trial.random) as load:
        trial.wait_for_actions(load, 10)
        with faults.SlowClients(site.pages[0], SLOW_CLIENTS, addresses):
            trial.wait(trial.seconds)
        trial.wait_for_actions(load, 10)
    return site


@scenario
def forty_drawers(trial: Trial, stack: ExitStack) -> Site:
    """Request pictures and PDFs by 40 clients at once."""
    site = small_site(trial, stack)
    with playing(trial.ledger, site, trial.random) as load:
        trial.wait_for_actions(load, 10)
        render_clients.draw(trial.ledger, site, seconds=trial.seconds)
        trial.wait_for_actions(load, 10)
    return site


# The database ---------------------------------------------------------------------------------


@scenario
def postgresql_stopped(trial: Trial, stack: ExitStack) -> Site:
    """Kill PostgreSQL and start it again, several times."""
    large = large_site(trial, stack)

    @contextmanager
    def stopped() -> Iterator[None]:
        large.postgresql.kill()
        yield
        large.postgresql.start()
        wait_until(lambda: services.accepts(large.postgresql_url), "PostgreSQL to be back")

    return _several_times(trial, large.site, stopped, 2.0)


@scenario
def postgresql_hung(trial: Trial, stack: ExitStack) -> Site:
    """Suspend PostgreSQL for a while, several times."""
    large = large_site(trial, stack)
    return _several_times(trial, large.site, large.postgresql.hung, HUNG_S)


@scenario
def postgresql_hangs_up(trial: Trial, stack: ExitStack) -> Site:
    """Terminate all connections to PostgreSQL, several times."""
    large = large_site(trial, stack)

    @contextmanager
    def hangs_up() -> Iterator[None]:
        services.terminate_connections(large.postgresql_url)
        yield

    return _several_times(trial, large.site, hangs_up, 0.0)


@scenario
def sqlite_locked(trial: Trial, stack: ExitStack) -> Site:
    """Lock the database file for longer than the site waits for it."""
    site = small_site(trial, stack)
    file = site.data_dir / "dizzle.sqlite3"
    return _several_times(trial, site, lambda: faults.locked(file), LOCKED_S)


# The machine ----------------------------------------------------------------------------------


@scenario
def disk_full(trial: Trial, stack: ExitStack) -> Site:
    """Fill the disk of the data folder, several times."""
    data_dir = trial.folder / "data"
    try:
        stack.enter_context(faults.small_disk(data_dir))
    except services.NotHere:
        site = small_site(trial, stack)
        server = site.programs[0]
        return _several_times(trial, site, lambda: faults.short_files(server), 3.0)
    site = small_site(trial, stack)
    return _several_times(trial, site, lambda: faults.full(data_dir), 3.0)


@scenario
def read_only(trial: Trial, stack: ExitStack) -> Site:
    """Make the data folder read-only, several times."""
    site = small_site(trial, stack)
    return _several_times(trial, site, lambda: faults.read_only(site.data_dir), 3.0)


@scenario
def clock_moved(trial: Trial, stack: ExitStack) -> Site:
    """Move the wall clock by months and years, forwards and backwards."""
    clock = Clock(trial.folder)
    variables = {**trial.variables, **clock.variables}
    site = small_site(trial._replace(variables=variables), stack)
    with playing(trial.ledger, site, trial.random) as load:
        for days in (0, 30, 730, -365, -3650, 0):
            clock.move(days)
            trial.wait_for_actions(load, 10)
            trial.wait(trial.seconds / 10)
    return site


@scenario
def two_servers(trial: Trial, stack: ExitStack) -> Site:
    """Serve one data folder by two processes, which each device uses alternately."""
    site = one_process(trial.folder, trial.closing, servers=2, **trial.variables)
    stack.callback(site.kill)
    site.manage("prepare")
    site.start()
    with playing(trial.ledger, site, trial.random, tables=3):
        trial.wait(trial.seconds)
    return site


@scenario
def quiet(trial: Trial, stack: ExitStack) -> Site:
    """Cause no fault, as a baseline for the other scenarios."""
    site = small_site(trial, stack)
    with playing(trial.ledger, site, trial.random) as load:
        trial.wait(trial.seconds)
        trial.wait_for_actions(load, 40)
    return site


def _several_times(
    trial: Trial,
    site: Site,
    broken: Callable[[], contextlib.AbstractContextManager[None]],
    lasting_s: float,
) -> Site:
    """Cause a fault and end it, several times, with play before, meanwhile and afterwards."""
    times = max(1, round(trial.seconds / 6))
    with playing(trial.ledger, site, trial.random) as load:
        for _ in range(times):
            trial.wait_for_actions(load, 10)
            with broken():
                trial.wait(lasting_s)
        trial.wait_for_actions(load, 10)
    return site
