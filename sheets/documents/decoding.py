"""How is what devices send read, while many requests come at once?"""

from __future__ import annotations

from threading import Lock
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")

ACT_ID: Final = r"\A[A-Za-z0-9_-]{8,40}\Z"
"""A device's own id of an act, by which the same one sent again is known."""

_decoders: dict[type, msgspec.json.Decoder[Any]] = {}
_one_finds_out = Lock()


def decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """What reads JSON into a structure.

    msgspec finds out what a structure consists of when it is used first. A second thread that uses
    it meanwhile finds half of that, and Python crashes: right after a start, when all phones come
    back at once. So one thread finds out, and the others wait.
    """
    with _one_finds_out:
        if kind not in _decoders:
            _decoders[kind] = msgspec.json.Decoder(kind)
        return _decoders[kind]
