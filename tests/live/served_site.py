"""Server with its log, and assertions about failures of its database."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from tests.live.deployments import Deployment
from tests.live.moves import CSRF, Answered, Response, ask
from tests.processes import free_port
from tests.site.served_site import CHECKOUT, wait_until

APPLICATION = "dizzle_site.asgi:application"
OPTIONS = ("--lifespan", "off", "--log-level", "warning", "--no-access-log")


class Server:
    """A server process of a site with its port and log file."""

    def __init__(self, site: Deployment, log: Path) -> None:
        self.port = free_port()
        self.log = log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "uvicorn", APPLICATION, *OPTIONS, "--port", str(self.port)],
                cwd=CHECKOUT,
                env=os.environ | site.variables,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
            )

    def trouble(self) -> list[str]:
        """Return the lines of its log."""
        return self.log.read_text("utf-8").splitlines()

    def health(self) -> Response:
        """Return the response to a monitor."""
        return ask(self.port, "GET", "/health/")

    def post(self, path: str, form: dict[str, str], language: str = "en") -> Response:
        """Send a form as a page without script does."""
        return ask(
            self.port,
            "POST",
            path,
            urlencode({"csrfmiddlewaretoken": CSRF} | form),
            {"Accept-Language": language, "Content-Type": "application/x-www-form-urlencoded"},
        )


@contextmanager
def server(site: Deployment, folder: Path) -> Iterator[Server]:
    """Serve a site as docs/reference.md recommends for several processes."""
    folder.mkdir(exist_ok=True)
    served = Server(site, folder / "log")
    try:
        wait_until(lambda: is_listening(served.port))
        yield served
    finally:
        served.process.kill()
        served.process.wait()


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def unstored(answers: list[Answered]) -> str:
    """Return the id of the last act if it was refused and must be sent again; else empty."""
    return answers[-1].request if answers and answers[-1].status != 200 else ""


def check_refusals(answers: list[Answered]) -> None:
    """Assert that all acts that were not stored got 503 with the usual sentence."""
    refused = [answer for answer in answers if answer.status != 200]
    assert {answer.status for answer in refused} <= {503}
    for answer in refused:
        assert "Nothing is lost" in json.loads(answer.body)["sentence"]
        assert int(answer.headers["retry-after"]) > 0


def check_log(site: Deployment, code: str, answers: list[Answered]) -> None:
    """Assert that exactly the acknowledged acts are stored, each once."""
    acknowledged = [answer.request for answer in answers if answer.status == 200]
    stored = site.stored(code)
    assert [request for _number, request in stored["entries"]] == acknowledged
    assert stored["length"] == len(acknowledged)
