"""What is costly to make and the same for all is made once for all processes that test together."""

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

PATIENCE_S = 300

if "PYTEST_MADE_ONCE" not in os.environ:  # the process that starts those that test, or a bench
    _folder = tempfile.TemporaryDirectory(prefix="dizzle-made-once-")
    os.environ["PYTEST_MADE_ONCE"] = _folder.name


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first process to ask for it fills; nobody may change what is in it.

    The others wait meanwhile. If it cannot be made, each of them finds out by itself. The folder is
    deleted when all tests are over.
    """
    shared = Path(os.environ["PYTEST_MADE_ONCE"])
    made, half, begun = (shared / f"{name}{state}" for state in ("", ".half", ".begun"))
    end = time.monotonic() + PATIENCE_S
    while not made.exists():
        try:
            begun.mkdir()
        except FileExistsError:  # another process is at it
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
    """Like `functools.cache`, for what can be pickled, and for all processes that test together."""

    @cache
    @wraps(function)
    def get(*words: object, **named: object) -> Any:
        def make(folder: Path) -> None:
            (folder / "pickled").write_bytes(pickle.dumps(function(*words, **named)))

        asked = repr((function.__module__, function.__qualname__, words, sorted(named.items())))
        folder = made_once(hashlib.sha256(asked.encode()).hexdigest()[:32], make)
        return pickle.loads((folder / "pickled").read_bytes())  # noqa: S301  our own

    return get
