"""Real `manage.py serve` in a separate process."""

import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.processes import TIMEOUT_S
from tests.shared_cache import shared_folder

try:
    import resource
except ImportError:
    resource = None  # Windows

CAN_LIMIT_FILES = hasattr(resource, "prlimit")
CHECKOUT = Path(__file__).resolve().parents[2]
OURS = (
    "DATABASE_URL",
    "DATA_DIR",
    "DEBUG",
    "DRAWING_PROCESSES",
    "DRAWING_THREADS",
    "HOST",
    "HSTS",
    "HTTPS_PORT",
    "OFFLINE",
    "PORT",
    "SECRET_KEY",
    "SECRET_KEY_FILE",
    "SITE_URL",
)
OF_THE_BROWSER_TESTS = ("DJANGO_ALLOW_ASYNC_UNSAFE",)


def wait_until(condition: Callable[[], object], within_s: float = TIMEOUT_S) -> None:
    """Poll until a condition holds; fail after a time.

    The interval grows, because polling takes processor time from the server.
    """
    end, pause_s = time.monotonic() + within_s, 0.03
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(pause_s)
        pause_s = min(1.5 * pause_s, 0.15)


def all_of(raw: socket.socket) -> bytes:
    """Return all bytes until the other side closes the connection."""
    found = b""
    while some := raw.recv(65536):
        found += some
    return found


def manage(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a management command with only these environment variables."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=CHECKOUT,
        env=environment(variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=False,
    )


def started_before(folder: Path) -> Path:
    """Copy into a folder what a first start creates: an empty database and the static files.

    They are created once for all tests, because that takes two seconds of processor time. Each
    site still creates its own secret key.
    """
    shutil.copytree(shared_folder("prepared", _prepare), folder, dirs_exist_ok=True)
    return folder


def _prepare(folder: Path) -> None:
    done = manage("prepare", DATA_DIR=str(folder), SECRET_KEY="of-nobody-" + "x" * 50)
    assert done.returncode == 0, done.stderr
    made = {path.name for path in folder.iterdir()}
    assert made == {"dizzle.sqlite3", "static", "static-stamp"}


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Site:
    """A served site: its process, its port and its output."""

    process: subprocess.Popen[str]
    port: int = 0
    printed: list[str] = field(default_factory=list)

    def stop(self, signal_number: int) -> str:
        """Stop it by a signal, which must be no error; return its remaining output."""
        self.process.send_signal(signal_number)
        printed, _nothing = self.process.communicate(timeout=TIMEOUT_S)
        assert self.process.returncode == 0, printed
        return printed

    def ask(
        self, path: str = "/", method: str = "GET", body: object = None, **headers: str
    ) -> Answer:
        """Send a request; header names have underscores."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)  # type: ignore[arg-type]
        response = connection.getresponse()
        text = response.read().decode(errors="replace")  # a file is not text
        connection.close()
        answer_headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, answer_headers, text)


def start(
    data_dir: Path,
    *words: str,
    command: str = "serve",
    files: tuple[int, int] | None = None,
    program: Path | None = None,
    **variables: str,
) -> subprocess.Popen[str]:
    """Start the site on a free port, with both output streams in ``stdout``.

    Args:
        command: ``serve`` or ``demo``.
        files: soft and hard limit of open files, as `ulimit -n` sets them.
        program: an installed `dizzle` instead of the checkout.
    """
    called = [str(program)] if program else [sys.executable, "-u", "manage.py"]
    process = subprocess.Popen(
        [*called, command, *words],
        cwd=program.parent if program else CHECKOUT,
        env=environment({"DATA_DIR": str(data_dir), "PORT": "0"} | variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if files:
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, files)
    return process


@contextmanager
def serving(
    data_dir: Path,
    *words: str,
    command: str = "serve",
    files: tuple[int, int] | None = None,
    program: Path | None = None,
    **variables: str,
) -> Iterator[Site]:
    """Start the site on a free port, wait until it is ready, and kill it at the end."""
    process = start(data_dir, *words, command=command, files=files, program=program, **variables)
    site = Site(process)
    watchdog = threading.Timer(TIMEOUT_S, process.kill)
    watchdog.start()
    assert process.stdout
    try:
        for line in process.stdout:
            site.printed.append(line)
            if found := re.search(r"On this machine: .*:(\d+)/", line):
                site.port = int(found[1])
            if "Ctrl-C" in line:
                break
        watchdog.cancel()  # it is for a site that is never ready
        assert site.port, "".join(site.printed)
        yield site
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
        process.stdout.close()


def environment(variables: dict[str, str]) -> dict[str, str]:
    """Return the environment of a process: these variables, without other ones of the site."""
    left_out = {*OURS, *OF_THE_BROWSER_TESTS}
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    inherited["DJANGO_SETTINGS_MODULE"] = "dizzle_site.settings"
    inherited["PYTHONIOENCODING"] = "utf-8"
    inherited["OFFLINE"] = "no"  # browsers cache no pages, unless that is tested
    return inherited | variables
