"""A real `manage.py serve` in a process of its own."""

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

from tests.made_once import made_once

try:
    import resource
except ImportError:
    resource = None  # Windows

CAN_LIMIT_FILES = hasattr(resource, "prlimit")
CHECKOUT = Path(__file__).resolve().parents[2]
PATIENCE_S = 300
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


def wait_until(condition: Callable[[], object], within_s: float = PATIENCE_S) -> None:
    """Wait for what no answer tells.

    Looking takes the processor from what is waited for: the longer it takes, the seldomer.
    """
    end, pause_s = time.monotonic() + within_s, 0.03
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(pause_s)
        pause_s = min(1.5 * pause_s, 0.15)


def all_of(raw: socket.socket) -> bytes:
    """Everything that comes until the other side hangs up."""
    found = b""
    while some := raw.recv(65536):
        found += some
    return found


def manage(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run one management command to its end with these environment variables alone."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=CHECKOUT,
        env=environment(variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
    )


def started_before(folder: Path) -> Path:
    """Let a folder have what a first start makes in it: all tables, empty, and the static files.

    That takes two seconds of computing, for each site anew, where the first start is not what is
    tested. It is made once for all tests; a key every site still makes for itself.
    """
    shutil.copytree(made_once("prepared", _prepare), folder, dirs_exist_ok=True)
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
    """A served site: its process, its port and all that it printed."""

    process: subprocess.Popen[str]
    port: int = 0
    printed: list[str] = field(default_factory=list)

    def stop(self, signal_number: int) -> str:
        """Ask it to end, which must be no error; gives what it still printed."""
        self.process.send_signal(signal_number)
        said, _nothing = self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 0, said
        return said

    def ask(
        self, path: str = "/", method: str = "GET", body: object = None, **headers: str
    ) -> Answer:
        """Send one request; header names are written with underscores."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)  # type: ignore[arg-type]
        response = connection.getresponse()
        text = response.read().decode(errors="replace")  # a file is no text
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
    """Start the site on a free port; what it says, on either way, comes through ``stdout``.

    ``command`` is ``serve`` or ``demo``; ``files`` are the soft and the hard limit of open files,
    as `ulimit -n` sets them; ``program`` is an installed `dizzle`, far from the checkout.
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
    """Start the site on a free port, wait until it says it is ready, and kill it at the end."""
    process = start(data_dir, *words, command=command, files=files, program=program, **variables)
    site = Site(process)
    watchdog = threading.Timer(PATIENCE_S, process.kill)
    watchdog.start()
    assert process.stdout
    try:
        for line in process.stdout:
            site.printed.append(line)
            if found := re.search(r"On this machine: .*:(\d+)/", line):
                site.port = int(found[1])
            if "Ctrl-C" in line:
                break
        watchdog.cancel()  # it is for a site that never says that it is ready
        assert site.port, "".join(site.printed)
        yield site
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
        process.stdout.close()


def environment(variables: dict[str, str]) -> dict[str, str]:
    """What a process is started with: these variables, and none of ours besides."""
    left_out = {*OURS, *OF_THE_BROWSER_TESTS}
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    inherited["DJANGO_SETTINGS_MODULE"] = "dizzle_site.settings"
    inherited["PYTHONIOENCODING"] = "utf-8"
    inherited["OFFLINE"] = "no"  # no page comes from a browser's memory, unless that is tested
    return inherited | variables
