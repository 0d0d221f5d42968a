"""Cache of expensive results, shared by all processes of one test run."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

from tests.processes import TIMEOUT_S

if "PYTEST_MADE_ONCE" not in os.environ:  # the parent of the test processes, or a benchmark
    _folder = tempfile.TemporaryDirectory(prefix="dizzle-made-once-")
    os.environ["PYTEST_MADE_ONCE"] = _folder.name


def shared_folder(name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that the first process to need it fills; its contents must not be changed.

    Other processes wait meanwhile; after a failure the next one tries again. The folder is deleted
    at the end of the test run.
    """
    shared = Path(os.environ["PYTEST_MADE_ONCE"])
    made, half, begun = (shared / f"{name}{state}" for state in ("", ".half", ".begun"))
    end = time.monotonic() + TIMEOUT_S
    while not made.exists():
        try:
            begun.mkdir()
        except FileExistsError:  # another process is filling it
            assert time.monotonic() < end, f"waited in vain for {name}"
            time.sleep(0.05)
            continue
        try:
            if not made.exists():
                half.mkdir()
                make(half)
                half.rename(made)
        finally:
            shutil.rmtree(half, ignore_errors=True)
            begun.rmdir()
    return made


def shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate like `functools.cache`, for all processes of a test run; results are pickled."""

    @cache
    @wraps(function)
    def get(*words: object, **named: object) -> Any:
        def make(folder: Path) -> None:
            (folder / "pickled").write_bytes(pickle.dumps(function(*words, **named)))

        asked = repr((function.__module__, function.__qualname__, words, sorted(named.items())))
        folder = shared_folder(hashlib.sha256(asked.encode()).hexdigest()[:32], make)
        return pickle.loads((folder / "pickled").read_bytes())  # noqa: S301  our own

    return get
