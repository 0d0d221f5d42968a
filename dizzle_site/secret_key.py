"""File with the site's secret key."""

import os
import secrets
import time
from pathlib import Path

MINIMUM_LENGTH = 50
"""Minimum number of characters of a key."""

MAX_WAIT_S = 2.0
"""Maximum time, in seconds, that another process takes to write the file it has created."""


class BadSecret(Exception):
    """There is no usable key; the message contains the remedy."""


def read_or_make_key(path: Path) -> str:
    """Return the key in the file; the first run creates it, readable only for its owner.

    Two processes that start at the same time get the same key: one creates the file, the other
    waits until it is written.

    Raises:
        BadSecret: the file has fewer than `MINIMUM_LENGTH` characters, or cannot be created or
            read.
    """
    try:
        return _read_or_make(path)
    except (OSError, UnicodeDecodeError) as problem:
        raise BadSecret(
            f"The secret key cannot be kept in {path} ({getattr(problem, 'strerror', problem)}): "
            f"make {path.parent} a folder that the site may write to, or name another place with "
            "DATA_DIR or SECRET_KEY_FILE."
        ) from problem


def _read_or_make(path: Path) -> str:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _read_key(path)
    key = secrets.token_urlsafe(64)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key)
    return key


def _read_key(path: Path) -> str:
    give_up = time.monotonic() + MAX_WAIT_S
    while True:
        key = path.read_text(encoding="utf-8").strip()
        if len(key) >= MINIMUM_LENGTH:
            return key
        if key or time.monotonic() > give_up:
            raise BadSecret(
                f"{path} holds no secret key of {MINIMUM_LENGTH} or more characters: "
                "put one in, or delete the file and a new one is made."
            )
        time.sleep(0.05)
