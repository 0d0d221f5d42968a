"""What can be done with a page in any engine?

The walks know only `Driver`; each engine says how it opens, runs, taps and types. A tap waits until
what is to be tapped is there, lies still and is covered by nothing, as a finger does.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

PATIENCE_S = 60
LIES_MS = 50
"""So long a finger lies on the glass."""

T = TypeVar("T")

# Where to tap what a selector and its first words name; nothing while it cannot be tapped.
SPOT = """(selector, words) => {
  const found = [...document.querySelectorAll(selector)].find((one) =>
    one.checkVisibility() && one.textContent.trim().replace(/\\s+/g, " ").startsWith(words));
  if (document.readyState !== "complete" || !found || found.disabled) return null;
  found.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const place = found.getBoundingClientRect();
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2].map(Math.round);
  const hit = document.elementFromPoint(x, y);
  return hit && (found.contains(hit) || hit.contains(found)) ? [x, y] : null;
}"""

SHOWN = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility())
  .map((one) => one.textContent.trim().replace(/\\s+/g, " "))"""


class EngineError(Exception):
    """The engine did not do what it was asked, perhaps because its page is just being left."""


class Driver(ABC):
    """One device: a browser with one page."""

    name: str
    narrowest = 390
    """The width in CSS pixels below which its window does not go."""

    # --- what each engine does in its own way

    @abstractmethod
    def load(self, url: str) -> None:
        """Open an address, and wait until the page has come with its scripts."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Make the page so large, in CSS pixels."""

    @abstractmethod
    def tap_at(self, x: int, y: int) -> None:
        """Tap a point of the screen."""

    @abstractmethod
    def type(self, text: str) -> None:
        """Type into what has the focus."""

    @abstractmethod
    def choose_file(self, selector: str, path: Path) -> None:
        """Choose a file in an input for files."""

    @abstractmethod
    def downloaded(self) -> Path:
        """Wait for the file that was downloaded."""

    @abstractmethod
    def picture(self) -> bytes:
        """What is to be seen, as a PNG."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    @abstractmethod
    def evaluate(self, function: str) -> str | None:
        """Run a function without arguments in the page; gives its text, promised or at once."""

    # --- what is the same in all of them

    def __init__(self, site: str) -> None:
        self.site = site

    def run(self, function: str, *args: Any) -> Any:
        """Run a function of JavaScript in the page; gives what it gives, also later."""
        call = f"({function})(...{json.dumps(args)})"
        text = self.evaluate(f"async () => JSON.stringify(await {call})")
        return None if text is None else json.loads(text)

    def open(self, path: str = "/") -> None:
        """Open a page of the site."""
        self.load(self.site + path)

    def reload(self) -> None:
        """Open the same page anew."""
        self.load(self.site + self.path)

    @property
    def path(self) -> str:
        """Where the page is on the site."""
        found: str = self.run("() => location.pathname + location.search")
        return found

    def until(self, ask: Callable[[], T], what: str = "") -> T:
        """Wait for an answer that is true; gives it."""
        end = time.monotonic() + PATIENCE_S
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
        """Wait for the only file in a folder to be there as a whole."""

        def look() -> list[Path]:
            files = list(folder.iterdir())
            is_whole = len(files) == 1 and files[0].suffix == ending and files[0].stat().st_size
            return files if is_whole else []

        return self.until(look, "a download")[0]

    def tap(self, selector: str, words: str = "") -> None:
        """Tap the first element that is shown and begins with these words."""
        before: list[int] = []

        def look() -> list[int]:
            nonlocal before
            now = self.run(SPOT, selector, words)
            is_still, before = now == before, now or []
            return before if is_still else []

        x, y = self.until(look, f"{selector} {words!r}")
        self.tap_at(x, y)

    def fill(self, selector: str, text: str) -> None:
        """Write into a field for text instead of what is in it."""
        self.tap(selector)
        self.run("(selector) => document.querySelector(selector).select()", selector)
        self.type(text)

    def texts(self, selector: str) -> list[str]:
        """The words of all that a selector finds and that is shown."""
        found: list[str] = self.run(SHOWN, selector)
        return found

    def count(self, selector: str) -> int:
        """How many elements there are, shown or not."""
        found: int = self.run("(selector) => document.querySelectorAll(selector).length", selector)
        return found

    def wait_for(self, selector: str, words: str = "") -> str:
        """Wait until something is shown that has these words in it; gives all its words."""

        def look() -> list[str]:
            return [text or " " for text in self.texts(selector) if words in text]

        return self.until(look, f"{selector} with {words!r}")[0]

    def wait_for_count(self, selector: str, number: int) -> None:
        """Wait until there are so many."""
        self.until(lambda: self.count(selector) == number, f"{number} of {selector}")

    def wait_for_path(self, part: str) -> str:
        """Wait until another page has come; gives where it is."""

        def look() -> str:
            is_there = "() => document.readyState === 'complete'"
            return path if part in (path := self.path) and self.run(is_there) else ""

        return self.until(look, f"an address with {part}")
