"""Sites under test: their processes, folders and ports.

As docs/reference.md says: one process with SQLite, or gunicorn for pages and uvicorn for streams
with PostgreSQL.
"""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.processes import free_port
from tests.site.served_site import CHECKOUT, environment
from tests.soak.processes import DidNotStart, Program, wait_until

BIN = Path(sys.executable).parent
READS_WITHIN_S = 120.0
MAX_LINES = 500
"""Maximum number of lines of a traceback; a log may have a hundred thousand tracebacks."""

CHAINED = ("The above exception was", "During handling of the above")


class Site:
    """Servers on one database; ``pages`` and ``live`` are the ports for pages and for streams."""

    def __init__(
        self,
        folder: Path,
        closing: threading.Event,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.closing = folder, closing
        self.data_dir = folder / "data"
        self.data_dir.mkdir(parents=True, exist_ok=True)
        self.variables = {
            "DATA_DIR": str(self.data_dir),
            "HOST": "127.0.0.1",
            "PYTHONFAULTHANDLER": "1",  # a crash says where
            "SECRET_KEY": "of-a-test-" + "x" * 50,
            **(variables or {}),
        }
        self.programs: list[Program] = []
        self.pages: list[int] = []
        self.live: list[int] = []

    def a_port(self) -> int:
        """Return a random port for pages."""
        return random.choice(self.pages)

    def a_live_port(self) -> int:
        """Return a random port for streams."""
        return random.choice(self.live)

    def add(self, words: Sequence[str], name: str, **variables: str) -> Program:
        """Add a process to the site without starting it."""
        env = environment({**self.variables, **variables})
        program = Program(words, self.folder / f"{name}.log", env, CHECKOUT)
        self.programs.append(program)
        return program

    def start(self) -> None:
        """Start all processes that are not running, and wait until they answer."""
        for program in self.programs:
            if not program.is_running:
                program.start()
        for port in {*self.pages, *self.live}:
            wait_until(lambda port=port: self._answers(port), f"{self.folder.name} to answer")  # type: ignore[misc]

    def kill(self) -> None:
        """Send SIGKILL to all processes at once."""
        for program in self.programs:
            program.kill()

    def stop(self) -> None:
        """Stop all processes like systemd. Raises DidNotStart if a process does not end."""
        for program in self.programs:
            program.stop()

    def _answers(self, port: int) -> bool:
        if self.closing.is_set():
            raise DidNotStart("interrupted")
        for program in self.programs:
            if not program.is_running:
                raise DidNotStart(f"{program.log.name} ended: {_tail(program.log)}")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/health/")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def manage(self, *words: str) -> None:
        """Run a management command to its end. Raises DidNotStart."""
        self._run([sys.executable, "manage.py", *words])

    def stored(self) -> dict[str, Any]:
        """Return the output of `tests.soak.stored_logs`. Raises DidNotStart."""
        found: dict[str, Any] = json.loads(
            self._run([sys.executable, "-m", "tests.soak.stored_logs"])
        )
        return found

    def _run(self, words: Sequence[str]) -> str:
        done = subprocess.run(
            words,
            cwd=CHECKOUT,
            env=environment(self.variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=READS_WITHIN_S,
            check=False,
        )
        if done.returncode:
            raise DidNotStart(f"{words[-1]}: {done.stderr.strip()[-300:]}")
        return done.stdout

    def tracebacks(self) -> list[str]:
        """Return the exception of each traceback in the logs; a chain counts as one."""
        found = []
        for program in self.programs:
            lines = program.log.read_text("utf-8", "replace").splitlines()
            for number, line in enumerate(lines):
                is_chained = number > 1 and lines[number - 2].startswith(CHAINED)
                if line.strip().startswith("Traceback (most recent call last)") and not is_chained:
                    found.append(_end_of_traceback(lines[number + 1 : number + MAX_LINES]))
        return found


def one_process(
    folder: Path,
    closing: threading.Event,
    servers: int = 1,
    wrapped: Sequence[str] = (),
    **variables: str,
) -> Site:
    """Return a site of one or more `manage.py serve` with SQLite on one folder."""
    site = Site(folder, closing, variables)
    for number in range(servers):
        port = free_port()
        words = [*wrapped, sys.executable, "-u", "manage.py", "serve"]
        site.add(words, f"serve-{number}", PORT=str(port))
        site.pages.append(port)
    site.live = site.pages
    return site


def several_processes(folder: Path, closing: threading.Event, **variables: str) -> Site:
    """Return a site with gunicorn for pages and uvicorn for streams, as in docs/reference.md."""
    site = Site(folder, closing, variables)
    pages, live = free_port(), free_port()
    bind = ["--bind", f"127.0.0.1:{pages}", "--worker-class", "gthread"]
    sizes = ["--workers", "2", "--threads", "4", "--keep-alive", "75"]
    site.add([str(BIN / "gunicorn"), "dizzle_site.wsgi", *bind, *sizes], "pages")
    site.add(
        [
            *(str(BIN / "uvicorn"), "dizzle_site.asgi:application"),
            *("--host", "127.0.0.1", "--port", str(live), "--lifespan", "off"),
            *("--no-proxy-headers", "--no-server-header", "--no-access-log"),
            *("--log-level", "warning", "--timeout-keep-alive", "75"),
            *("--timeout-graceful-shutdown", "2"),
        ],
        "live",
    )
    site.pages, site.live = [pages], [live]
    return site


def _end_of_traceback(lines: Sequence[str]) -> str:
    """Return the first line after a traceback that is not indented: the exception."""
    for line in lines:
        if line and not line.startswith((" ", "\t")):
            return line.strip()[:90]
    return "cut off"


def _tail(log: Path) -> str:
    lines = log.read_text("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "without a word"
