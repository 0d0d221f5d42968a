"""The installed Firefox, driven over WebDriver BiDi, without geckodriver."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import websocket

from tests.engines.driver import TIMEOUT_S, Driver, EngineError
from tests.engines.gestures import tapping, typing

PREFERENCES = {
    "app.update.enabled": False,
    "browser.download.alwaysOpenPanel": False,
    "browser.download.folderList": 2,  # the one that is named below
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.w3c_touch_events.enabled": 1,
    "intl.accept_languages": "en",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}
"""Preferences of the profile: no update, no telemetry, downloads without a dialog."""


class Firefox(Driver):
    name = "firefox"

    def __init__(self, site: str, program: str) -> None:
        super().__init__(site)
        self._folder = TemporaryDirectory(prefix="dizzle-firefox-", ignore_cleanup_errors=True)
        profile = Path(self._folder.name)
        self._downloads = profile / "downloads"
        self._downloads.mkdir()
        chosen = PREFERENCES | {"browser.download.dir": str(self._downloads)}
        lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in chosen.items())
        (profile / "user.js").write_text("\n".join(lines), "utf-8")
        self._process = subprocess.Popen(
            [
                program,
                "--headless",
                "--no-remote",
                "--profile",
                profile,
                "--remote-debugging-port=0",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": self._folder.name},
        )
        self._asked = 0
        try:
            self._socket = self._connect(profile / "WebDriverBiDiServer.json")
            self._call("session.new", capabilities={})
            tree = self._call("browsingContext.getTree")
        except BaseException:
            self._process.kill()
            raise
        self._tab = tree["contexts"][0]["context"]
        self.resize(390, 844)

    def _connect(self, told: Path) -> websocket.WebSocket:
        """Connect to the WebSocket whose address Firefox writes into a file."""
        end = time.monotonic() + TIMEOUT_S
        while True:
            assert self._process.poll() is None, "Firefox ended"
            assert time.monotonic() < end, "Firefox did not tell where it listens"
            try:
                where = json.loads(told.read_text("utf-8"))
                address = f"ws://{where['ws_host']}:{where['ws_port']}/session"
                return websocket.create_connection(address, suppress_origin=True, timeout=TIMEOUT_S)
            except (OSError, ValueError):
                time.sleep(0.05)

    def _call(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv())).get("id") != self._asked:
            pass  # an event, not the answer
        if answer["type"] == "error":
            raise EngineError(f"{answer['error']}: {answer['message']}")
        return answer["result"]

    def load(self, url: str) -> None:
        self._call("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self._call("browsingContext.setViewport", context=self._tab, viewport=size)

    def evaluate(self, function: str) -> str | None:
        answer = self._call(
            "script.callFunction",
            functionDeclaration=function,
            awaitPromise=True,
            target={"context": self._tab},
        )
        if answer["type"] == "exception":
            raise EngineError(answer["exceptionDetails"]["text"])
        text: str | None = answer["result"].get("value")
        return text

    def tap_at(self, x: int, y: int) -> None:
        actions = tapping(x, y, "touch")
        self._call("input.performActions", context=self._tab, actions=actions)

    def type(self, text: str) -> None:
        self._call("input.performActions", context=self._tab, actions=typing(text))

    def choose_file(self, selector: str, path: Path) -> None:
        locator = {"type": "css", "value": selector}
        found = self._call("browsingContext.locateNodes", context=self._tab, locator=locator)
        element = {"sharedId": found["nodes"][0]["sharedId"]}
        self._call("input.setFiles", context=self._tab, element=element, files=[str(path)])

    def downloaded(self) -> Path:
        return self.file_in(self._downloads)

    def picture(self) -> bytes:
        shot = self._call("browsingContext.captureScreenshot", context=self._tab)
        return base64.b64decode(shot["data"])

    def close(self) -> None:
        try:
            self._call("browser.close")
            self._process.wait(TIMEOUT_S)
        except (EngineError, OSError, subprocess.TimeoutExpired, websocket.WebSocketException):
            self._process.kill()
            self._process.wait()
        self._socket.close()
        self._folder.cleanup()
