"""Decoding and validation of the acts that a device sends in one request."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from sheets.documents.decoding import ACT_ID, decoder

MAX_ACTS: Final = 100
"""Maximum number of acts in one request; a device that was offline for long sends several."""


class Act(Struct, forbid_unknown_fields=True, frozen=True):
    """One tap, undo or redo on the sheet with the ``number``.

    The device chooses the ``id``, which makes the act idempotent. A ``mark`` sets the place ``at``
    to ``value``; empty for no mark.
    """

    id: Annotated[str, Meta(pattern=ACT_ID)]
    number: Annotated[int, Meta(ge=1, le=99_999)]
    do: Literal["mark", "undo", "redo"]
    at: Annotated[str, Meta(max_length=16)] = ""
    value: Annotated[str, Meta(max_length=16)] = ""


class Batch(Struct, forbid_unknown_fields=True, frozen=True):
    """Acts in their order; ``shown`` is the number of the sheet whose state to return, or 0."""

    acts: Annotated[list[Act], Meta(min_length=1, max_length=MAX_ACTS)]
    shown: Annotated[int, Meta(ge=0, le=99_999)] = 0


def read_batch(text: bytes) -> Batch:
    """Decode the batch of acts in a request's body. Raises ValueError."""
    try:
        return decoder(Batch).decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from None
