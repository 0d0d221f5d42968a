"""Is a vulnerability known in anything that is pinned or brought along?

`python -m tests.audit` asks OSV (osv.dev), which gathers what is published about packages of all
kinds. `python -m tests.audit --data PyPI.zip npm.zip` needs no network: those are the files that
OSV publishes, one for each ecosystem. Exits 0 when everything was looked at and nothing is known,
1 when something is, and 2 when it could not look at everything.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

CHECKOUT = Path(__file__).resolve().parents[1]
IDIOMORPH = CHECKOUT / "sheets/static/sheets/lib/idiomorph/idiomorph.min.js"
API = "https://api.osv.dev/v1/querybatch"
PATIENCE_S = 60
CLEAN, AFFECTED, UNKNOWN = 0, 1, 2


class Pin(NamedTuple):
    """One version of one package."""

    ecosystem: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.ecosystem})"


class Finding(NamedTuple):
    """A pinned version in which a vulnerability is known."""

    pin: Pin
    id: str
    summary: str


class CouldNotLook(Exception):
    """The answer is not known; the message is the reason."""


def pins(folder: Path) -> set[Pin]:
    """What requirements files pin, for whatever system, and the scripts in them."""
    found = set()
    for file in folder.glob("*.txt"):
        for line in file.read_text("utf-8").splitlines():
            if "==" in line and not line.startswith((" ", "#")):
                wanted = Requirement(line.rstrip("\\ "))
                (only,) = wanted.specifier
                found.add(Pin("PyPI", canonicalize_name(wanted.name), only.version))
    if not found:
        raise CouldNotLook(f"nothing is pinned in {folder}")
    return found


def scripts() -> set[Pin]:
    """The JavaScript of others in our pages: what packages bring, and what lies in the checkout."""
    htmx = files("django_htmx").joinpath("static/django_htmx/htmx-2.min.js").read_text("utf-8")
    idiomorph = IDIOMORPH.read_text("utf-8")
    return {
        Pin("npm", "htmx.org", _told(r'version:"([\d.]+)"', htmx, "htmx")),
        Pin("npm", "idiomorph", _told(r"^/\*! idiomorph ([\d.]+)", idiomorph, "idiomorph")),
    }


def _told(pattern: str, script: str, name: str) -> str:
    version = re.search(pattern, script)
    if not version:
        raise CouldNotLook(f"{name} does not say which version it is")
    return version[1]


# Without network -------------------------------------------------------------------------------


def look_into(archives: Iterable[Path], wanted: set[Pin]) -> Iterator[Finding]:
    """What the files that OSV publishes know of the pins. Raises CouldNotLook."""
    of_package: dict[tuple[str, str], list[Pin]] = {}
    for pin in wanted:
        of_package.setdefault((pin.ecosystem, pin.name), []).append(pin)
    seen = set()
    unreadable: list[str] = []
    for record in (record for archive in archives for record in _records(archive)):
        for affected in record.get("affected", ()):
            package = affected.get("package", {})
            ecosystem, name = package.get("ecosystem", ""), package.get("name", "")
            seen.add(ecosystem)
            key = (ecosystem, canonicalize_name(name) if ecosystem == "PyPI" else name)
            for pin in of_package.get(key, ()) if "withdrawn" not in record else ():
                try:
                    if is_affected(pin.version, affected):
                        yield Finding(pin, record["id"], record.get("summary", ""))
                except CouldNotLook as problem:
                    unreadable.append(f"{record.get('id')}: {problem}")
    if missing := {pin.ecosystem for pin in wanted} - seen:
        left = ", ".join(str(pin) for pin in sorted(wanted) if pin.ecosystem in missing)
        shown = left if len(left) < 200 else left[:200] + " ..."
        raise CouldNotLook(f"no data of {' and '.join(sorted(missing))} was given, for {shown}")
    if unreadable:
        raise CouldNotLook("; ".join(unreadable))


def _records(archive: Path) -> Iterator[dict[str, Any]]:
    try:
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                if name.endswith(".json"):
                    yield json.loads(opened.read(name))
    except (OSError, ValueError, zipfile.BadZipFile) as problem:
        raise CouldNotLook(f"{archive} cannot be read: {problem}") from problem


def is_affected(version: str, affected: Mapping[str, Any]) -> bool:
    """Whether a version is one of those that a record names. Raises CouldNotLook.

    >>> events = [{"introduced": "0"}, {"fixed": "2.0"}, {"introduced": "3.0"}]
    >>> affected = {"ranges": [{"type": "ECOSYSTEM", "events": events}]}
    >>> [is_affected(version, affected) for version in ("1.9", "2.0", "2.5", "3.0")]
    [True, False, False, True]
    """
    ranges = [r for r in affected.get("ranges", ()) if r.get("type") in ("ECOSYSTEM", "SEMVER")]
    named = affected.get("versions", ())
    if not ranges and not named:
        raise CouldNotLook(f"a record names no versions: {affected.get('package')}")
    if version in named:
        return True
    try:
        ours = Version(version)
        return any(_is_within(ours, entry["events"]) for entry in ranges)
    except InvalidVersion as problem:
        raise CouldNotLook(f"{problem} in a record of {affected.get('package')}") from problem


def _is_within(version: Version, events: Iterable[Mapping[str, str]]) -> bool:
    is_in = False
    steps = [(Version(limit), what) for event in events for what, limit in event.items()]
    for limit, what in sorted(steps):
        if what == "introduced" and version >= limit:
            is_in = True
        elif (what == "fixed" and version >= limit) or (
            what == "last_affected" and version > limit
        ):
            is_in = False
    return is_in


# With network ----------------------------------------------------------------------------------


def ask(api: str, wanted: set[Pin]) -> Iterator[Finding]:
    """What OSV knows of the pins. Raises CouldNotLook."""
    in_order = sorted(wanted)
    queries = [
        {"package": {"ecosystem": pin.ecosystem, "name": pin.name}, "version": pin.version}
        for pin in in_order
    ]
    body = json.dumps({"queries": queries}).encode()
    request = urllib.request.Request(api, body, {"Content-Type": "application/json"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:  # noqa: S310
            results = json.load(response)["results"]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise CouldNotLook(f"{api} does not answer: {problem}") from problem
    if len(results) != len(in_order):
        raise CouldNotLook(f"{api} answered {len(results)} of {len(in_order)} questions")
    for pin, result in zip(in_order, results, strict=True):
        for known in result.get("vulns", ()):
            yield Finding(pin, known["id"], f"https://osv.dev/{known['id']}")


def main(words: Sequence[str] | None = None) -> int:
    """Look, print what is known, and give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.audit", description=__doc__)
    parser.add_argument("--data", nargs="+", type=Path, help="files that OSV publishes")
    parser.add_argument("--requirements", type=Path, default=CHECKOUT / "requirements")
    parser.add_argument("--api", default=API, help="where OSV answers")
    options = parser.parse_args(words)
    findings: list[Finding] = []
    reason = ""
    wanted: set[Pin] = set()
    try:
        wanted = pins(options.requirements) | scripts()
        known = look_into(options.data, wanted) if options.data else ask(options.api, wanted)
        for finding in known:
            findings.append(finding)
    except CouldNotLook as problem:
        reason = str(problem)
    for finding in sorted(set(findings)):
        _say(f"{finding.pin!s:40} {finding.id:22} {finding.summary}")
    if reason:
        _say(f"Could not look at everything: {reason}.")
    if findings:
        return AFFECTED
    if reason:
        return UNKNOWN
    _say(f"Nothing is known against {len(wanted)} pinned versions.")
    return CLEAN


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
