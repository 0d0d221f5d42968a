"""How is a server's wall clock moved while it runs, and nobody else's?

libfaketime would do it, but also touches what threads sleep by, and with some versions of Python
they then never wake or fail; so a few lines of C of our own are compiled and preloaded.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .services import NotHere

SOURCE = Path(__file__).with_name("clock.c")
DAY_S = 24 * 3600


class Clock:
    """The clock of the processes that are started with ``variables``."""

    def __init__(self, folder: Path) -> None:
        """Compile what moves it. Raises NotHere."""
        compiler = shutil.which("cc")
        if not compiler:
            raise NotHere("a C compiler is needed to move a clock")
        library = folder / "clock.so"
        words = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
        done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise NotHere(f"what moves a clock does not compile: {done.stderr.strip()[:100]}")
        self._file = folder / "clock"
        self.variables = {"LD_PRELOAD": str(library), "SOAK_CLOCK": str(self._file)}
        self.move(0)

    def move(self, days: int) -> None:
        """Let the clock be wrong by so many days, negative for the past."""
        fresh = self._file.with_suffix(".new")
        fresh.write_text(str(days * DAY_S), "ascii")
        fresh.replace(self._file)
