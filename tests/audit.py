"""Audit of all pinned and vendored packages for known vulnerabilities.

`python -m tests.audit` queries OSV (osv.dev), a database of vulnerabilities in packages of all
ecosystems. `python -m tests.audit --data PyPI.zip npm.zip` needs no network: OSV publishes one such
file for each ecosystem. Exits 0 if everything was checked and nothing is known, 1 if a
vulnerability is known, and 2 if something could not be checked.
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
LIBRARIES = CHECKOUT / "sheets/static/sheets/lib"
API = "https://api.osv.dev/v1/querybatch"
TIMEOUT_S = 60
"""Maximum time in seconds for an answer of the vulnerability database."""
CLEAN, AFFECTED, UNKNOWN = 0, 1, 2


class Pin(NamedTuple):
    """A version of a package."""

    ecosystem: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.ecosystem})"


class Finding(NamedTuple):
    """A known vulnerability of a pinned version."""

    pin: Pin
    id: str
    summary: str


class AuditError(Exception):
    """The audit is incomplete; the message is the reason."""


def pins(folder: Path) -> set[Pin]:
    """Return the versions that the requirements files of a folder pin, for all systems."""
    found = set()
    for file in folder.glob("*.txt"):
        for line in file.read_text("utf-8").splitlines():
            if "==" in line and not line.startswith((" ", "#")):
                wanted = Requirement(line.rstrip("\\ "))
                (only,) = wanted.specifier
                found.add(Pin("PyPI", canonicalize_name(wanted.name), only.version))
    if not found:
        raise AuditError(f"nothing is pinned in {folder}")
    return found


def scripts() -> set[Pin]:
    """Return the versions of the JavaScript libraries on our pages, from a package or vendored."""
    htmx = files("django_htmx").joinpath("static/django_htmx/htmx-2.min.js").read_text("utf-8")
    idiomorph = (LIBRARIES / "idiomorph/idiomorph.min.js").read_text("utf-8")
    sha256 = (LIBRARIES / "js-sha256/sha256.min.js").read_text("utf-8")
    return {
        Pin("npm", "htmx.org", _version_in(r'version:"([\d.]+)"', htmx, "htmx")),
        Pin("npm", "idiomorph", _version_in(r"^/\*! idiomorph ([\d.]+)", idiomorph, "idiomorph")),
        Pin("npm", "js-sha256", _version_in(r"^/\*! js-sha256 ([\d.]+)", sha256, "js-sha256")),
    }


def _version_in(pattern: str, script: str, name: str) -> str:
    version = re.search(pattern, script)
    if not version:
        raise AuditError(f"{name} does not say which version it is")
    return version[1]


# Without network -------------------------------------------------------------------------------


def search_files(archives: Iterable[Path], wanted: set[Pin]) -> Iterator[Finding]:
    """Yield the vulnerabilities of the pins in the files that OSV publishes. Raises AuditError."""
    of_package: dict[tuple[str, str], list[Pin]] = {}
    for pin in wanted:
        of_package.setdefault((pin.ecosystem, pin.name), []).append(pin)
    seen = set()
    unreadable: list[str] = []
    for record in (record for archive in archives for record in _read_records(archive)):
        for affected in record.get("affected", ()):
            package = affected.get("package", {})
            ecosystem, name = package.get("ecosystem", ""), package.get("name", "")
            seen.add(ecosystem)
            key = (ecosystem, canonicalize_name(name) if ecosystem == "PyPI" else name)
            for pin in of_package.get(key, ()) if "withdrawn" not in record else ():
                try:
                    if is_affected(pin.version, affected):
                        yield Finding(pin, record["id"], record.get("summary", ""))
                except AuditError as problem:
                    unreadable.append(f"{record.get('id')}: {problem}")
    if missing := {pin.ecosystem for pin in wanted} - seen:
        left = ", ".join(str(pin) for pin in sorted(wanted) if pin.ecosystem in missing)
        shown = left if len(left) < 200 else left[:200] + " ..."
        raise AuditError(f"no data of {' and '.join(sorted(missing))} was given, for {shown}")
    if unreadable:
        raise AuditError("; ".join(unreadable))


def _read_records(archive: Path) -> Iterator[dict[str, Any]]:
    try:
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                if name.endswith(".json"):
                    yield json.loads(opened.read(name))
    except (OSError, ValueError, zipfile.BadZipFile) as problem:
        raise AuditError(f"{archive} cannot be read: {problem}") from problem


def is_affected(version: str, affected: Mapping[str, Any]) -> bool:
    """Return whether a record names a version as affected. Raises AuditError.

    >>> events = [{"introduced": "0"}, {"fixed": "2.0"}, {"introduced": "3.0"}]
    >>> affected = {"ranges": [{"type": "ECOSYSTEM", "events": events}]}
    >>> [is_affected(version, affected) for version in ("1.9", "2.0", "2.5", "3.0")]
    [True, False, False, True]
    """
    ranges = [r for r in affected.get("ranges", ()) if r.get("type") in ("ECOSYSTEM", "SEMVER")]
    named = affected.get("versions", ())
    if not ranges and not named:
        raise AuditError(f"a record names no versions: {affected.get('package')}")
    if version in named:
        return True
    try:
        ours = Version(version)
        return any(_is_within(ours, entry["events"]) for entry in ranges)
    except InvalidVersion as problem:
        raise AuditError(f"{problem} in a record of {affected.get('package')}") from problem


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


def query_osv(api: str, wanted: set[Pin]) -> Iterator[Finding]:
    """Yield the vulnerabilities of the pins that the OSV server returns. Raises AuditError."""
    in_order = sorted(wanted)
    queries = [
        {"package": {"ecosystem": pin.ecosystem, "name": pin.name}, "version": pin.version}
        for pin in in_order
    ]
    body = json.dumps({"queries": queries}).encode()
    request = urllib.request.Request(api, body, {"Content-Type": "application/json"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310
            results = json.load(response)["results"]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise AuditError(f"{api} does not answer: {problem}") from problem
    if len(results) != len(in_order):
        raise AuditError(f"{api} answered {len(results)} of {len(in_order)} questions")
    for pin, result in zip(in_order, results, strict=True):
        for known in result.get("vulns", ()):
            yield Finding(pin, known["id"], f"https://osv.dev/{known['id']}")


def main(words: Sequence[str] | None = None) -> int:
    """Run the audit, print its findings, and return the exit code."""
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
        known = (
            search_files(options.data, wanted) if options.data else query_osv(options.api, wanted)
        )
        for finding in known:
            findings.append(finding)
    except AuditError as problem:
        reason = str(problem)
    for finding in sorted(set(findings)):
        _print_line(f"{finding.pin!s:40} {finding.id:22} {finding.summary}")
    if reason:
        _print_line(f"Could not look at everything: {reason}.")
    if findings:
        return AFFECTED
    if reason:
        return UNKNOWN
    _print_line(f"Nothing is known against {len(wanted)} pinned versions.")
    return CLEAN


def _print_line(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
