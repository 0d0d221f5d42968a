"""Chromium, driven by Playwright; used as one of two phones at a table."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Download, Error, sync_playwright

from tests.browser.conftest import CHROMIUM_ARGUMENTS, DEVICES
from tests.browser.touch import touch_at
from tests.engines.driver import Driver, EngineError


class Chromium(Driver):
    name = "chromium"

    def __init__(self, site: str, program: str) -> None:
        super().__init__(site)
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=program, args=CHROMIUM_ARGUMENTS
        )
        self._context = self._browser.new_context(**DEVICES["phone"], locale="en-GB")
        self._page = self._context.new_page()
        self._downloads: list[Download] = []
        self._page.on("download", lambda download: self._downloads.append(download))

    def load(self, url: str) -> None:
        self._page.goto(url)

    def resize(self, width: int, height: int) -> None:
        self._page.set_viewport_size({"width": width, "height": height})

    def evaluate(self, function: str) -> str | None:
        try:
            text: str | None = self._page.evaluate(function)
        except Error as error:
            raise EngineError(str(error)) from None
        return text

    def tap_at(self, x: int, y: int) -> None:
        touch_at(self._page, x, y)

    def type(self, text: str) -> None:
        self._page.keyboard.type(text)

    def choose_file(self, selector: str, path: Path) -> None:
        self._page.set_input_files(selector, path)

    def downloaded(self) -> Path:
        def look() -> list[Download]:
            self._page.wait_for_timeout(10)  # Playwright reports downloads only while waiting
            return self._downloads

        [download] = self.until(look, "a download")
        return download.path().rename(download.path().with_name(download.suggested_filename))

    def picture(self) -> bytes:
        return self._page.screenshot()

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()
