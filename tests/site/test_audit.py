"""Audit of dependencies: known vulnerabilities are found, and missing data is a failure."""

from __future__ import annotations

import http.server
import json
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.site.served_site import CHECKOUT, environment


def record(
    name: str, events: list[dict[str, str]], ecosystem: str = "PyPI", **more: Any
) -> dict[str, Any]:
    affected = {
        "package": {"ecosystem": ecosystem, "name": name},
        "ranges": [{"type": "ECOSYSTEM", "events": events}],
    }
    return {"id": f"TEST-{name}", "summary": "An open door", "affected": [affected], **more}


HARMLESS = [
    record("django", [{"introduced": "0"}, {"fixed": "1.2"}]),
    record("not-ours", [{"introduced": "0"}]),
    record("htmx.org", [{"introduced": "0"}, {"last_affected": "1.0.0"}], "npm"),
]
OPEN = [{"introduced": "0"}, {"fixed": "9999"}]


def archive(folder: Path, *records: dict[str, Any]) -> Path:
    file = folder / "data.zip"
    with zipfile.ZipFile(file, "w") as opened:
        for number, entry in enumerate(records):
            opened.writestr(f"TEST-{number}.json", json.dumps(entry))
    return file


def audit(*words: object) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.audit", *map(str, words)],
        cwd=CHECKOUT,
        env=environment({"no_proxy": "*"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def test_pins_without_known_vulnerabilities_are_clean(tmp_path: Path) -> None:
    code, printed = audit("--data", archive(tmp_path, *HARMLESS))
    assert code == 0, printed
    assert "Nothing is known" in printed


@pytest.mark.parametrize(("name", "ecosystem"), [("Django", "PyPI"), ("htmx.org", "npm")])
def test_pinned_version_that_is_affected_is_named(
    tmp_path: Path, name: str, ecosystem: str
) -> None:
    code, printed = audit("--data", archive(tmp_path, *HARMLESS, record(name, OPEN, ecosystem)))
    assert code == 1
    assert f"TEST-{name}" in printed
    assert f"{name.lower()} " in printed


def test_withdrawn_record_is_ignored(tmp_path: Path) -> None:
    withdrawn = record("django", OPEN, withdrawn="2026-01-01T00:00:00Z")
    assert audit("--data", archive(tmp_path, *HARMLESS, withdrawn))[0] == 0


def test_data_without_an_ecosystem_fails(tmp_path: Path) -> None:
    code, printed = audit("--data", archive(tmp_path, *HARMLESS[:2]))
    assert code == 2
    assert "htmx.org" in printed


def test_unreadable_record_fails(tmp_path: Path) -> None:
    strange = record("django", [{"introduced": "the beginning"}])
    assert audit("--data", archive(tmp_path, *HARMLESS, strange))[0] == 2
    found = audit("--data", archive(tmp_path, *HARMLESS, strange, record("pillow", OPEN)))
    assert found[0] == 1
    assert "pillow" in found[1]
    assert "Could not look" in found[1]


def test_broken_or_missing_file_fails(tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(archive(tmp_path, *HARMLESS).read_bytes()[:80])
    assert audit("--data", broken)[0] == 2
    assert audit("--data", tmp_path / "none.zip")[0] == 2


def test_audit_without_pins_fails(tmp_path: Path) -> None:
    assert audit("--requirements", tmp_path, "--data", archive(tmp_path, *HARMLESS))[0] == 2


class Osv(http.server.BaseHTTPRequestHandler):
    """Fake of the OSV server with a vulnerability of one package."""

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        bad = self.path.strip("/")
        results = [
            {"vulns": [{"id": "TEST-1"}]} if query["package"]["name"] == bad else {}
            for query in sent["queries"]
        ]
        body = json.dumps({"results": results[: -1 if bad == "half" else None]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *words: object) -> None:
        """Log nothing."""


@pytest.fixture
def osv() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Osv) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_osv_is_queried_without_data(osv: str) -> None:
    assert audit("--api", f"{osv}/nothing")[0] == 0
    assert audit("--api", f"{osv}/pillow")[0] == 1
    assert audit("--api", f"{osv}/half")[0] == 2


def test_osv_without_an_answer_fails() -> None:
    code, printed = audit("--api", "http://127.0.0.1:1/")
    assert code == 2
    assert "does not answer" in printed
