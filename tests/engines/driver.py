"""Base class that drives a page in any engine.

The tests know only `Driver`; each engine implements opening, scripts, taps and typing. Like a
finger, a tap waits until its target is visible, at rest and not covered.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

TIMEOUT_S = 60
"""Maximum time to wait for an engine or a page."""

T = TypeVar("T")

FIND_SPOT = """(selector, words) => {
  const found = [...document.querySelectorAll(selector)].find((one) =>
    one.checkVisibility() && one.textContent.trim().replace(/\\s+/g, " ").startsWith(words));
  if (document.readyState !== "complete" || !found || found.disabled) return null;
  found.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const place = found.getBoundingClientRect();
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2].map(Math.round);
  const hit = document.elementFromPoint(x, y);
  return hit && (found.contains(hit) || hit.contains(found)) ? [x, y] : null;
}"""
"""Script that returns the point to tap on an element, or null while it cannot be tapped."""

VISIBLE_TEXTS = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility())
  .map((one) => one.textContent.trim().replace(/\\s+/g, " "))"""
"""Script that returns the texts of the visible elements that match a selector."""


class EngineError(Exception):
    """The engine refused a command, perhaps because its page is being left."""


class Driver(ABC):
    """One device: a browser with one page."""

    name: str

    # --- implemented by each engine

    @abstractmethod
    def load(self, url: str) -> None:
        """Open an address and wait until the page is loaded with its scripts."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Set the size of the page in CSS pixels."""

    @abstractmethod
    def tap_at(self, x: int, y: int) -> None:
        """Tap a point of the screen."""

    @abstractmethod
    def type(self, text: str) -> None:
        """Type into the focused element."""

    @abstractmethod
    def choose_file(self, selector: str, path: Path) -> None:
        """Choose a file in a file input."""

    @abstractmethod
    def downloaded(self) -> Path:
        """Wait for the downloaded file."""

    @abstractmethod
    def picture(self) -> bytes:
        """Return a screenshot as a PNG."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    @abstractmethod
    def evaluate(self, function: str) -> str | None:
        """Run a function without arguments in the page; return its text, awaited if a promise."""

    # --- shared by all engines

    def __init__(self, site: str) -> None:
        self.site = site

    def run(self, function: str, *args: Any) -> Any:
        """Run a function of JavaScript in the page; return its result, awaited if a promise."""
        call = f"({function})(...{json.dumps(args)})"
        text = self.evaluate(f"async () => JSON.stringify(await {call})")
        return None if text is None else json.loads(text)

    def open(self, path: str = "/") -> None:
        """Open a page of the site."""
        self.load(self.site + path)

    def reload(self) -> None:
        """Load the same page again."""
        self.load(self.site + self.path)

    @property
    def path(self) -> str:
        """Return the page's path and query."""
        found: str = self.run("() => location.pathname + location.search")
        return found

    def until(self, ask: Callable[[], T], what: str = "") -> T:
        """Wait for a true value and return it."""
        end = time.monotonic() + TIMEOUT_S
        trouble: object = ""
        while True:
            try:
                if answer := ask():
                    return answer
            except EngineError as error:
                trouble = error
            if time.monotonic() > end:
                raise AssertionError(f"{self.name}: waited in vain for {what}. {trouble}")
            time.sleep(0.05)

    def file_in(self, folder: Path, ending: str = ".pdf") -> Path:
        """Wait until a folder contains one complete file."""

        def look() -> list[Path]:
            files = list(folder.iterdir())
            is_whole = len(files) == 1 and files[0].suffix == ending and files[0].stat().st_size
            return files if is_whole else []

        return self.until(look, "a download")[0]

    def tap(self, selector: str, words: str = "") -> None:
        """Tap the first visible element that begins with these words."""
        before: list[int] = []

        def look() -> list[int]:
            nonlocal before
            now = self.run(FIND_SPOT, selector, words)
            is_still, before = now == before, now or []
            return before if is_still else []

        x, y = self.until(look, f"{selector} {words!r}")
        self.tap_at(x, y)

    def fill(self, selector: str, text: str) -> None:
        """Overwrite the text of an input."""
        self.tap(selector)
        self.run("(selector) => document.querySelector(selector).select()", selector)
        self.type(text)

    def texts(self, selector: str) -> list[str]:
        """Return the texts of the visible elements that match a selector."""
        found: list[str] = self.run(VISIBLE_TEXTS, selector)
        return found

    def count(self, selector: str) -> int:
        """Return the number of elements, visible or not."""
        found: int = self.run("(selector) => document.querySelectorAll(selector).length", selector)
        return found

    def wait_for(self, selector: str, words: str = "") -> str:
        """Wait until a visible element contains these words; return its whole text."""

        def look() -> list[str]:
            return [text or " " for text in self.texts(selector) if words in text]

        return self.until(look, f"{selector} with {words!r}")[0]

    def wait_for_count(self, selector: str, number: int) -> None:
        """Wait until this number of elements is there."""
        self.until(lambda: self.count(selector) == number, f"{number} of {selector}")

    def wait_for_path(self, part: str) -> str:
        """Wait until a page whose path contains a part is loaded; return its path."""

        def look() -> str:
            is_there = "() => document.readyState === 'complete'"
            return path if part in (path := self.path) and self.run(is_there) else ""

        return self.until(look, f"an address with {part}")
