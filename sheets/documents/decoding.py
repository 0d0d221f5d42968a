"""Thread-safe cache of msgspec's JSON decoders."""

from __future__ import annotations

from threading import Lock
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")

ACT_ID: Final = r"\A[A-Za-z0-9_-]{8,40}\Z"
"""Pattern of an act's id, an idempotency key that the device chooses for requests it repeats."""

_decoders: dict[type, msgspec.json.Decoder[Any]] = {}
_lock = Lock()


def decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """Return the cached decoder of JSON into a structure.

    msgspec collects a structure's fields at its first use. A second thread that uses the structure
    meanwhile reads incomplete data, and Python crashes. This is likely right after the start of a
    server, when all phones reconnect. The lock makes other threads wait until the first use is
    over.
    """
    with _lock:
        if kind not in _decoders:
            _decoders[kind] = msgspec.json.Decoder(kind)
        return _decoders[kind]
