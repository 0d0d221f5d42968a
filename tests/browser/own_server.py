"""`manage.py serve` in a separate process, which a test can kill and start again."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

from tests.processes import free_port
from tests.site.served_site import CHECKOUT, started_before


def start_server(folder: Path, port: int, **variables: str) -> subprocess.Popen[bytes]:
    """Start the site in a process group of its own and wait until it answers."""
    environment = {
        **os.environ,
        "DATA_DIR": str(folder),
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "DJANGO_SETTINGS_MODULE": "dizzle_site.settings",
        **variables,
    }
    environment.pop("SECRET_KEY", None)
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve"],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    opener = build_opener(ProxyHandler({}))
    end = time.monotonic() + 60
    while True:
        try:
            opener.open(f"http://127.0.0.1:{port}/score/", timeout=5)
            return server
        except OSError:
            assert time.monotonic() < end, "the server did not start"
            assert server.poll() is None, "the server ended"
            time.sleep(0.1)


class OwnSite:
    """A served site with its own data, which can be killed and started again."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = started_before(folder)
        self.variables = variables
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self.process = start_server(self.folder, self.port, **self.variables)

    def kill(self, number: int = signal.SIGKILL) -> None:
        assert self.process
        os.killpg(self.process.pid, number)
        self.process.wait()

    def game(self, code: str) -> dict[str, Any]:
        """Return the document of a table's game, requested without a browser."""
        opener = build_opener(ProxyHandler({}))
        with opener.open(f"{self.url}/table/{code}/game.json", timeout=5) as answer:
            return dict(json.load(answer))

    def revision(self, code: str) -> int:
        with closing(sqlite3.connect(self.folder / "dizzle.sqlite3")) as database:
            query = "SELECT revision FROM sheets_table WHERE code = ?"
            return int(database.execute(query, (code,)).fetchone()[0])

    def dice(self, code: str) -> list[set[str]]:
        """Return the fields with dice of this pass by player, as acknowledged by the server."""
        document = self.game(code)
        lying: list[set[str]] = [set() for _ in document["players"]]
        for action in document["actions"]:
            if action["do"] == "place":
                assert action["at"] not in lying[action["player"]], "placed twice"
                lying[action["player"]].add(action["at"])
            elif action["do"] == "return":
                lying[action["player"]].remove(action["at"])
            elif action["do"] == "end_pass":
                lying = [set() for _ in lying]
        return lying
