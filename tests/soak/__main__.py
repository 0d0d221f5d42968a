"""`python -m tests.soak [--only NAME ...] [--kills N] [--seconds N] [--seed N]`: run the scenarios.

Exits 0 only if no scenario lost or doubled an action or left an event unexplained.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random

from tests.soak import report, scenarios  # noqa: F401  # the scenarios name themselves
from tests.soak.ledger import Findings, Ledger, check
from tests.soak.processes import DidNotStart
from tests.soak.scenario_sites import SCENARIOS, Trial
from tests.soak.services import NotHere
from tests.soak.sites import Site

INTERRUPTED = 130
KILLS = 30
"""Number of kills of each of two sites; the whole soak test then takes 15 minutes on two cores."""


def main() -> int:
    """Run the chosen scenarios, print the table, and return the exit code."""
    options = _options()
    closing = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: closing.set())
    folder = Path(tempfile.mkdtemp(prefix="dizzle-soak-"))
    folder.chmod(0o711)  # PostgreSQL's user must get through
    try:
        with ThreadPoolExecutor(options.at_once) as pool:
            names = [name for name in SCENARIOS if not options.only or name in options.only]
            rows = list(pool.map(lambda name: _run(name, folder / name, closing, options), names))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if closing.is_set():
        _say("Interrupted.")
        return INTERRUPTED
    for line in report.format_report(rows):
        _say(line)
    last, code = report.verdict(rows)
    _say(last)
    return code


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    names = ", ".join(SCENARIOS)
    parser.add_argument(
        "--only", nargs="+", choices=SCENARIOS, metavar="NAME", default=(), help=names
    )
    parser.add_argument(
        "--kills", type=int, default=KILLS, help=f"of each site, {KILLS} if left out"
    )
    parser.add_argument("--seconds", type=float, default=20, help="for the rest, 20 if left out")
    parser.add_argument("--seed", type=int, default=1, help="what chance begins with")
    parser.add_argument("--at-once", type=int, default=2, help="scenarios side by side")
    parser.add_argument("--settings", default="", help="serve other settings: a faulty site, say")
    parser.add_argument("--logs", type=Path, help="a folder in which the servers' logs are kept")
    return parser.parse_args()


def _run(
    name: str, folder: Path, closing: threading.Event, options: argparse.Namespace
) -> report.Row:
    """Run one scenario and return its row of the table."""
    began, ledger = time.monotonic(), Ledger()
    if closing.is_set():
        return report.Row(name, not_run="interrupted")
    folder.mkdir()
    folder.chmod(0o711)
    variables = {"DJANGO_SETTINGS_MODULE": options.settings} if options.settings else {}
    random = Random(f"{options.seed}-{name}")
    trial = Trial(folder, ledger, random, closing, variables, options.kills, options.seconds)
    findings = Findings()
    try:
        with ExitStack() as stack:
            site = SCENARIOS[name](trial, stack)
            try:
                site.stop()
            except DidNotStart as problem:
                ledger.complain(str(problem))
            findings = _check(ledger, site)
    except NotHere as reason:
        return report.Row(name, not_run=str(reason))
    except DidNotStart as problem:
        ledger.complain(str(problem))
    except Exception as problem:  # a bug of the soak test must not produce a clean row
        ledger.complain(f"the scenario broke: {type(problem).__name__}: {problem}")
    if options.logs:
        _keep_logs(folder, options.logs / name)
    seconds = time.monotonic() - began
    row = report.Row(
        name,
        len(ledger.sent),
        ledger.acknowledged,
        findings,
        ledger.unexplained,
        seconds,
        ledger.slowest_s,
    )
    if not closing.is_set():
        outcome = "all 0" if row.is_clean else "NOT all 0"
        _say(f"{name}: {outcome}, {ledger.acknowledged} actions, {seconds:.0f} s")
    return row


def _check(ledger: Ledger, site: Site) -> Findings:
    """Return lost and doubled actions; record all other faults in the ledger."""
    found = site.stored()
    if found["file"]:
        ledger.complain(f"a damaged file: {found['file']}")
    for traceback in site.tracebacks():
        ledger.complain(f"a traceback in a log: {traceback}")
    if not ledger.acknowledged:
        ledger.complain("not one action was acknowledged")
    return check(ledger, found["tables"])


def _keep_logs(folder: Path, where: Path) -> None:
    where.mkdir(parents=True, exist_ok=True)
    for log in folder.glob("*.log"):
        shutil.copy(log, where)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
