"""Seconds of the last test runs, by folder and by kind of test. `make test-times` prints them.

Each test target of the Makefile writes a JUnit file into `TIMES`. In it every test has its kind as
a property, which `tests.conftest` sets.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

TIMES = Path(__file__).parent.parent / ".times"

PHOTOS = ("photos", "vision", "training")
BOTS = ("analysis", "bots", "playouts", "simulation")


def kind_of(item: pytest.Item) -> str:
    """Return the most expensive part that a test needs: servers, a browser, a database, ..."""
    folder = item.path.parent.name
    if item.get_closest_marker("own_servers"):
        return "own server"
    if folder == "browser":
        return "browser"
    if folder in PHOTOS:
        return "photos"
    if folder in BOTS:
        return "bots"
    return "database" if _uses_database(item) else "plain"


def _uses_database(item: pytest.Item) -> bool:
    fixtures = {"db", "transactional_db", "live_server"}.intersection(
        getattr(item, "fixturenames", ())
    )
    return bool(fixtures or item.get_closest_marker("django_db"))


def main() -> None:
    """Print a table for each JUnit file: seconds and tests by folder and by kind."""
    files = sorted(TIMES.glob("*.xml"))
    if not files:
        sys.exit("No run is on record: run make test first.")
    for file in files:
        (suite,) = ElementTree.parse(file).getroot()  # noqa: S314  our own
        sys.stdout.write(
            f"{file.stem}: {suite.get('tests')} tests in {float(suite.get('time', 0)):.0f} s, "
            f"begun {suite.get('timestamp', '')[:19]}\n"
        )
        by_kind, by_folder = defaultdict(list), defaultdict(list)
        for case in suite.iter("testcase"):
            seconds = float(case.get("time", 0))
            kind = case.find("properties/property[@name='kind']")
            by_kind["-" if kind is None else kind.get("value", "-")].append(seconds)
            by_folder[".".join(case.get("classname", "").split(".")[:2])].append(seconds)
        for groups in (by_kind, by_folder):
            for name, times in sorted(groups.items(), key=lambda group: -sum(group[1])):
                sys.stdout.write(f"  {name:24}{sum(times):8.1f} s{len(times):7} tests\n")
            sys.stdout.write("\n")


if __name__ == "__main__":
    main()
