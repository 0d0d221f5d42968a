"""Proxy configurations of docs/hosting.md and deploy/container, run by real proxies."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dizzle_site.certificates import FOLDER, SITE, tls_context
from tests.browser.polling import TIMEOUT_MS
from tests.browser.test_https import FIRST_EVENT
from tests.processes import free_port
from tests.site.container_files import why_no_caddy
from tests.site.served_site import CHECKOUT, environment, serving, started_before, wait_until

pytestmark = pytest.mark.own_servers

HOSTING = (CHECKOUT / "docs" / "hosting.md").read_text("utf-8")
"""Text of the hosting guide."""

CADDYFILE = (CHECKOUT / "deploy" / "container" / "Caddyfile").read_text("utf-8")
"""Configuration of Caddy in the container."""

NAME = "localhost"
"""Host name of the site."""

UNCHECKED = ssl.create_default_context()
"""TLS context that accepts any certificate."""

UNCHECKED.check_hostname = False
UNCHECKED.verify_mode = ssl.CERT_NONE
MAX_BODY = 21 * 2**20
"""Size of the largest request in bytes, see LARGER_BODIES in the settings."""


def in_hosting(path: str) -> str:
    """Return the file that a command of the hosting guide writes."""
    found = re.search(rf"^cat > {path} <<'?EOF'?\n(.*?)^EOF$", HOSTING, re.S | re.M)
    assert found, path
    return found[1]


NGINX = in_hosting("/etc/nginx/sites-available/dizzle")
"""Configuration of nginx in the hosting guide."""


def nginx(
    folder: Path, upstream: int, http_port: int, https_port: int, text: str = NGINX
) -> list[str]:
    """Write the configuration of the hosting guide for these ports; return the command."""
    tls_context(folder, NAME)
    text = text.replace("dizzle.example.org", NAME)
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    text = re.sub(r"/etc/letsencrypt/\S+\.pem", str(folder / FOLDER / SITE), text)
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.M)
    text = text.replace("listen 80;", f"listen {http_port};")
    text = text.replace("listen 443 ", f"listen {https_port} ")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder / kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder / 'pid'};\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{text}}}\n"
    )
    return ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy(text: str) -> Callable[[Path, int, int, int], list[str]]:
    """Return a function that runs a Caddyfile with other ports and an internal authority."""

    def write(folder: Path, upstream: int, http_port: int, https_port: int) -> list[str]:
        ours = re.sub(r"(127\.0\.0\.1|live|pages):800[01]\b", f"127.0.0.1:{upstream}", text)
        ours = re.sub(r"\{\$DOMAIN\}|\$DOMAIN", NAME, ours)
        if not re.search(r"^\{$", ours, re.M):
            ours = f"{{\n}}\n{ours}"
        options = (
            f"http_port {http_port}\nhttps_port {https_port}\nadmin off\nskip_install_trust\n"
            f"storage file_system {folder}\n"
        )
        ours = re.sub(r"^\{\n", lambda found: found[0] + options, ours, count=1, flags=re.M)
        (folder / "Caddyfile").write_text(ours)
        return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]

    return write


PROXIES = {
    "nginx": nginx,
    "caddy": caddy(in_hosting("/etc/caddy/Caddyfile")),
    "caddy-container": caddy(CADDYFILE),
}
"""Command that starts each proxy."""


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[int, int], int]]:
    """Start a proxy: `proxy(upstream, https_port)` returns its port for plain HTTP."""
    program = request.param.partition("-")[0]
    if not shutil.which(program):
        pytest.skip(f"no {program} here")
    if request.param == "caddy-container" and (reason := why_no_caddy()):
        pytest.skip(reason)
    folder = tmp_path / "proxy"
    folder.mkdir()
    with ExitStack() as stack:

        def start(upstream: int, https_port: int) -> int:
            http_port = free_port()
            command = PROXIES[request.param](folder, upstream, http_port, https_port)
            stack.enter_context(_running(command, folder, https_port))
            return http_port

        yield start


@contextmanager
def _running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Start a proxy, wait until it listens, and stop it at the end of the block."""
    with (folder / "log").open("w+b") as log:
        process = subprocess.Popen(
            command,
            env=environment({"HOME": str(folder), "XDG_DATA_HOME": str(folder)}),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )

        def listens() -> bool:
            assert process.poll() is None, (folder / "log").read_text("utf-8")
            # Caddy listens before it has its certificate.
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as connection:
                UNCHECKED.wrap_socket(connection, server_hostname=NAME).close()
                return True
            return False

        try:
            wait_until(listens)
            yield
        finally:
            process.terminate()
            process.wait()


class Echo(BaseHTTPRequestHandler):
    """Site that answers with the headers of the request."""

    def do_POST(self) -> None:
        """Read the body, and answer with the headers as JSON."""
        self.rfile.read(int(self.headers["Content-Length"]))
        content = json.dumps({name.lower(): value for name, value in self.headers.items()})
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Referrer-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, *words: object) -> None:
        """Print nothing."""


@pytest.fixture
def echo() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


SENT = {
    "origin": f"https://{NAME}",
    "referer": f"https://{NAME}/page/",
    "sec-fetch-site": "same-origin",
}
"""Headers sent by the browser."""

FORGED = {"x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "http"}
"""Headers forged by a client, which a proxy must replace."""


def test_proxy_sets_the_headers(echo: int, proxy: Callable[[int, int], int]) -> None:
    port = free_port()
    proxy(echo, port)
    connection = http.client.HTTPSConnection(NAME, port, context=UNCHECKED)
    connection.request("POST", "/score/photos/read/", bytes(MAX_BODY), SENT | FORGED)
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.headers["Referrer-Policy"] == "same-origin"
    came = json.loads(answer.read())
    connection.close()
    assert came["host"] == f"{NAME}:{port}"
    assert came["x-forwarded-proto"] == "https"
    assert came["x-forwarded-for"].rpartition(",")[2].strip() in {"127.0.0.1", "::1"}
    assert {name: came[name] for name in SENT} == SENT


def test_site_works_behind_the_proxy(
    browser: Browser, proxy: Callable[[int, int], int], tmp_path: Path
) -> None:
    port = free_port()
    address = f"https://{NAME}:{port}"
    with serving(started_before(tmp_path / "site"), SITE_URL=address) as site:
        http_port = proxy(site.port, port)
        context = browser.new_context(ignore_https_errors=True, locale="en-GB")
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()
        page.goto(f"{address}/")
        page.locator(".language-button").click()
        page.locator("button[lang=de]").click()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        page.goto(f"{address}/table/new/")
        page.locator("main form button.primary").first.click()
        stream = page.locator("[data-live]").get_attribute("data-live")
        assert page.evaluate(FIRST_EVENT, stream).isdecimal()
        context.close()
        plain = http.client.HTTPConnection(NAME, http_port)
        plain.request("GET", "/rules/")
        assert plain.getresponse().headers["Location"].startswith(f"https://{NAME}")
        plain.close()


def replaced(old: str, new: str) -> str:
    """Return the configuration of nginx with one line replaced."""
    assert NGINX.count(old) == 1
    return NGINX.replace(old, new)


FORWARD_PROTO = "proxy_set_header X-Forwarded-Proto $scheme;"
HIDE_ORIGIN = """proxy_set_header Origin "";
    proxy_hide_header Referrer-Policy;
    add_header Referrer-Policy no-referrer;
"""


@pytest.mark.skipif(not shutil.which("nginx"), reason="no nginx here")
@pytest.mark.parametrize("fault", ["no-source", "no-proto"])
def test_faults_of_a_proxy_are_survived_or_named(
    browser: Browser, tmp_path: Path, fault: str
) -> None:
    text = replaced(FORWARD_PROTO, FORWARD_PROTO + HIDE_ORIGIN if fault == "no-source" else "")
    port = free_port()
    address = f"https://{NAME}:{port}"
    folder = tmp_path / "proxy"
    folder.mkdir()
    with serving(started_before(tmp_path / "site"), SITE_URL=address) as site:
        command = nginx(folder, site.port, free_port(), port, text)
        with _running(command, folder, port):
            context = browser.new_context(ignore_https_errors=True, locale="en-GB")
            context.set_default_timeout(TIMEOUT_MS)
            page = context.new_page()
            answer = page.goto(f"{address}/")
            assert answer
            if fault == "no-source":
                assert answer.header_value("Referrer-Policy") == "no-referrer"
                page.locator(".language-button").click()
                page.locator("button[lang=de]").click()
                expect(page.locator("html")).to_have_attribute("lang", "de")
            else:
                expect(page.get_by_role("main")).to_contain_text("the header X-Forwarded-Proto")
            context.close()
        said = site.stop(signal.SIGTERM)
        assert ("The proxy must set X-Forwarded-Proto" in said) == (fault == "no-proto")
