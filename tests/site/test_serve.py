"""`manage.py serve` as people start it, in real processes."""

import json
import os
import re
import signal
import socket
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings

from tests.site.served_site import Site, manage, serving, started_before, wait_until

pytestmark = pytest.mark.own_servers

TOO_MUCH = b"x" * (1024 * 1024 + 1)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home") / "var"


@pytest.fixture(scope="module")
def home(data_dir: Path) -> Iterator[Site]:
    with serving(data_dir) as site:
        yield site


def test_first_start_prepares_everything(home: Site, data_dir: Path) -> None:
    assert home.ask("/").status == 200
    assert {"dizzle.sqlite3", "secret-key", "static"} <= {path.name for path in data_dir.iterdir()}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file modes")
def test_key_is_readable_only_by_its_owner(home: Site, data_dir: Path) -> None:
    assert stat.S_IMODE((data_dir / "secret-key").stat().st_mode) == 0o600
    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700


def test_database_keeps_a_write_ahead_log(home: Site, data_dir: Path) -> None:
    with sqlite3.connect(data_dir / "dizzle.sqlite3") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_no_traceback_is_shown(home: Site) -> None:
    answer = home.ask("/there-is-no-such-page")
    assert answer.status == 404
    assert "Traceback" not in answer.text
    assert "DEBUG" not in answer.text


def test_strange_host_is_refused(home: Site) -> None:
    assert home.ask("/", Host="192.168.1.20").status == 200
    assert home.ask("/", Host="example.org").status == 400
    assert home.ask("/", Host="192.168.1.20", X_Forwarded_Host="example.org").status == 200


def test_header_of_a_proxy_is_ignored_at_home(home: Site) -> None:
    answer = home.ask("/", X_Forwarded_Proto="https")
    assert answer.status == 200
    assert "strict-transport-security" not in answer.headers


def test_large_body_is_refused(home: Site) -> None:
    assert home.ask("/", "POST", TOO_MUCH).status == 413


def test_large_body_of_unknown_length_is_refused(home: Site) -> None:
    chunks = (TOO_MUCH[i : i + 65536] for i in range(0, len(TOO_MUCH), 65536))
    assert home.ask("/", "POST", chunks).status == 413


def test_body_of_the_maximum_length_is_read(home: Site) -> None:
    assert home.ask("/", "POST", TOO_MUCH[1:]).status == 403  # without a CSRF token


PHOTO = "/score/photos/read/"


def test_only_photos_may_be_large(home: Site) -> None:
    large = bytes(21 * 2**20)
    assert home.ask(PHOTO, "POST", large).status != 413
    assert home.ask("/de" + PHOTO, "POST", large).status != 413
    assert home.ask("/score/photos/take/", "POST", bytes(4 * 2**20)).status != 413
    assert home.ask(PHOTO, "POST", large + b"x").status == 413
    assert home.ask("/score/photos/take/", "POST", bytes(4 * 2**20 + 1)).status == 413
    chunks = (bytes(2**20) for _ in range(22))
    assert home.ask(PHOTO, "POST", chunks).status == 413
    for path in ("/score/photos/", "/score/photos/sum/", PHOTO + "x/", "/?at=" + PHOTO):
        assert home.ask(path, "POST", TOO_MUCH).status == 413


def test_simultaneous_large_bodies_are_limited(home: Site) -> None:
    head = f"POST {PHOTO} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n"
    with ExitStack() as phones:
        for _ in range(settings.MAX_LARGER_BODIES):
            phone = socket.create_connection(("127.0.0.1", home.port))
            phones.enter_context(phone)
            phone.sendall(head.encode() + bytes(2_000_000))
        wait_until(lambda: home.ask(PHOTO, "POST", TOO_MUCH).status == 503)
        answer = home.ask(PHOTO, "POST", TOO_MUCH)
        assert answer.headers["retry-after"] == "5"
        assert 'role="alert"' in answer.text
        assert home.ask(PHOTO, "POST", TOO_MUCH[1:]).status != 503
    wait_until(lambda: home.ask(PHOTO, "POST", TOO_MUCH).status != 503)


def test_htmx_has_a_hashed_name(home: Site, data_dir: Path) -> None:
    manifest = json.loads((data_dir / "static" / "staticfiles.json").read_text("utf-8"))
    answer = home.ask("/static/" + manifest["paths"]["django_htmx/htmx-2.min.js"])
    assert answer.status == 200
    assert "immutable" in answer.headers["cache-control"]


def test_modules_import_each_other_by_hashed_names(home: Site, data_dir: Path) -> None:
    manifest = json.loads((data_dir / "static" / "staticfiles.json").read_text("utf-8"))
    script = home.ask("/static/" + manifest["paths"]["sheets/workshop/paint.js"])
    imported, *_others = re.findall(r'from "\./([^"]+)";', script.text)
    answer = home.ask("/static/sheets/workshop/" + imported)
    assert answer.status == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")


def test_taken_port_is_reported_in_one_sentence(home: Site, tmp_path: Path) -> None:
    told = manage("serve", PORT=str(home.port), DATA_DIR=str(tmp_path / "var"))
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert f"Port {home.port} is taken" in told.stderr
    assert not (tmp_path / "var" / "dizzle.sqlite3").exists()


def test_phones_get_a_qr_code(data_dir: Path) -> None:
    with serving(data_dir, SITE_URL="https://dizzle.example.org") as site:
        assert "https://dizzle.example.org/" in "".join(site.printed)
        assert any("█" in line or "▀" in line for line in site.printed)


def test_killed_site_starts_again_without_new_preparation(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        key = (tmp_path / "secret-key").read_text("ascii")
        os.kill(site.process.pid, signal.SIGKILL)
        site.process.wait()
        with serving(tmp_path, PORT=str(site.port)) as again:
            assert again.ask("/").status == 200
        assert not any("Collected" in line or "Compiled" in line for line in again.printed)
    assert (tmp_path / "secret-key").read_text("ascii") == key


def test_moved_site_needs_no_new_preparation(tmp_path: Path) -> None:
    done = manage("prepare", DATA_DIR=str(started_before(tmp_path / "var")))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no SIGTERM")
def test_site_stops_quickly_with_an_open_connection(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path)) as site,
        socket.create_connection(("127.0.0.1", site.port)) as phone,
    ):
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert phone.recv(12) == b"HTTP/1.1 200"
        site.process.terminate()
        site.process.wait(4)


def test_public_site_answers_only_by_tls(data_dir: Path) -> None:
    with serving(data_dir, SITE_URL="https://dizzle.example.org") as site:
        plain = site.ask("/", Host="dizzle.example.org")
        assert plain.status == 301
        assert plain.headers["location"] == "https://dizzle.example.org/"
        proxied = site.ask("/", Host="dizzle.example.org", X_Forwarded_Proto="https")
        assert proxied.status == 200
        assert proxied.headers["strict-transport-security"] == "max-age=31536000"
        for host in ("localhost", "192.168.1.20", "example.org", "sub.dizzle.example.org"):
            assert site.ask("/", Host=host, X_Forwarded_Proto="https").status == 400


@pytest.mark.parametrize(
    ("hsts", "told"),
    [
        ("subdomains", "max-age=31536000; includeSubDomains"),
        ("preload", "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_hsts_includes_subdomains_only_on_request(tmp_path: Path, hsts: str, told: str) -> None:
    where = started_before(tmp_path)
    with serving(where, SITE_URL="https://dizzle.example.org", HSTS=hsts) as site:
        proxied = site.ask("/", Host="dizzle.example.org", X_Forwarded_Proto="https")
        assert proxied.headers["strict-transport-security"] == told


@pytest.mark.parametrize(
    ("site_url", "hsts", "silenced"),
    [
        ("", "", 4),
        ("https://dizzle.example.org", "", 2),
        ("https://dizzle.example.org", "subdomains", 1),
        ("https://dizzle.example.org", "preload", 0),
    ],
)
def test_deploy_check_is_clean(tmp_path: Path, site_url: str, hsts: str, silenced: int) -> None:
    words = ("check", "--deploy", "--fail-level", "WARNING")
    checked = manage(*words, DATA_DIR=str(tmp_path), SITE_URL=site_url, HSTS=hsts)
    assert checked.returncode == 0, checked.stderr
    assert f"no issues ({silenced} silenced)" in checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "eight"),
        ("PORT", "70000"),
        ("SITE_URL", "http://dizzle.example.org"),
        ("SITE_URL", "dizzle.example.org"),
        ("SITE_URL", "https://dizzle.example.org/games"),
        ("SITE_URL", "https://[bad"),
        ("HSTS", "yes"),
        ("HOST", "192.0.2.77"),
        ("HOST", "no.such.host.invalid"),
    ],
)
def test_invalid_variable_is_named(tmp_path: Path, variable: str, value: str) -> None:
    told = manage("serve", **({"DATA_DIR": str(tmp_path), "PORT": "0"} | {variable: value}))
    assert told.returncode == 1
    assert variable in told.stderr.splitlines()[-1]
    assert "Traceback" not in told.stderr
