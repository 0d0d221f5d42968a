"""Wall clock of single processes, moved while they run.

libfaketime also changes the clocks by which threads sleep, and with some versions of Python they
then never wake or fail. So this module compiles and preloads a few lines of C.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.soak.services import NotHere

SOURCE = Path(__file__).with_name("clock.c")
DAY_S = 24 * 3600


class Clock:
    """Clock of the processes that are started with ``variables``."""

    def __init__(self, folder: Path) -> None:
        """Compile the preloaded library. Raises NotHere."""
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
        """Set the offset of the clock in days, negative for the past."""
        fresh = self._file.with_suffix(".new")
        fresh.write_text(str(days * DAY_S), "ascii")
        fresh.replace(self._file)
