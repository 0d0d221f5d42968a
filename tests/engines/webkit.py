"""WebKitGTK's MiniBrowser on a virtual screen, driven by WebKitWebDriver over HTTP."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from tests.engines.driver import TIMEOUT_S, Driver, EngineError
from tests.engines.gestures import tapping, typing
from tests.processes import free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""Key of a reference to an element in the WebDriver protocol."""


class WebKit(Driver):
    name = "webkit"

    def __init__(self, site: str, programs: tuple[str, str, str]) -> None:
        super().__init__(site)
        screen, driver, browser = programs
        self._folder = TemporaryDirectory(prefix="dizzle-webkit-", ignore_cleanup_errors=True)
        self._opener = build_opener(ProxyHandler({}))
        self._downloads = Path(self._folder.name) / "Downloads"
        (self._downloads.parent / "user-dirs.dirs").write_text(
            f'XDG_DOWNLOAD_DIR="{self._downloads}"\n', "utf-8"
        )
        self._downloads.mkdir()
        self._processes: list[subprocess.Popen[bytes]] = []
        port = free_port()
        self._base = f"http://127.0.0.1:{port}"
        try:
            display = self._start_screen(screen)
            environment = os.environ | {
                "DISPLAY": f":{display}",
                "HOME": self._folder.name,
                "XDG_CONFIG_HOME": self._folder.name,
                "LANGUAGE": "en",
                "LC_ALL": "C.UTF-8",
            }
            self._start([driver, f"--port={port}", "--host=127.0.0.1"], env=environment)
            self._wait_for_driver()
            options = {"binary": browser, "args": ["--automation"]}
            wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            session = self._call("POST", "/session", capabilities=wanted)
        except BaseException:
            self._end_processes()
            raise
        self._base += f"/session/{session['sessionId']}"
        self.resize(390, 844)

    def _start(self, words: list[str], **more: Any) -> None:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        quiet["stderr"] = subprocess.DEVNULL
        self._processes.append(subprocess.Popen(words, **quiet, **more))

    def _start_screen(self, program: str) -> str:
        """Start a virtual screen and return its number."""
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb") as said:
            size = ["-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
            self._start([program, "-displayfd", str(writing), *size], pass_fds=[writing])
            os.close(writing)
            return said.readline().decode().strip()

    def _wait_for_driver(self) -> None:
        end = time.monotonic() + TIMEOUT_S
        while True:
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except OSError:
                assert time.monotonic() < end, "WebKitWebDriver did not start"
            time.sleep(0.05)

    def _call(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        headers = {"Content-Type": "application/json"}
        request = Request(self._base + path, data, headers, method=method)  # noqa: S310
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            with error:
                said = json.load(error)["value"]
            raise EngineError(f"{said['error']}: {said['message']}") from None

    def load(self, url: str) -> None:
        self._call("POST", "/url", url=url)

    def resize(self, width: int, height: int) -> None:
        """Resize the window. MiniBrowser's minimum width is 447 pixels, including its borders."""
        self._call("POST", "/window/rect", x=0, y=0, width=width, height=height)

    def evaluate(self, function: str) -> str | None:
        text: str | None = self._call(
            "POST", "/execute/sync", script=f"return ({function})()", args=[]
        )
        return text

    def tap_at(self, x: int, y: int) -> None:
        self._call("POST", "/actions", actions=tapping(x, y, "mouse"))

    def type(self, text: str) -> None:
        self._call("POST", "/actions", actions=typing(text))

    def choose_file(self, selector: str, path: Path) -> None:
        found = self._call("POST", "/element", using="css selector", value=selector)
        self._call("POST", f"/element/{found[ELEMENT]}/value", text=str(path))

    def downloaded(self) -> Path:
        return self.file_in(self._downloads)

    def picture(self) -> bytes:
        return base64.b64decode(self._call("GET", "/screenshot"))

    def close(self) -> None:
        with suppress(EngineError, OSError):  # the processes are ended below
            self._call("DELETE", "")
        self._end_processes()

    def _end_processes(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait()
        self._folder.cleanup()
