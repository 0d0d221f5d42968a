"""What has a device done that the server does not know of yet? Bytes in, checked acts out."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from sheets.documents.decoding import ACT_ID, decoder

MOST_ACTS: Final = 100
"""As many acts as one request may bring; a device that was away for long sends several."""


class Act(Struct, forbid_unknown_fields=True, frozen=True):
    """One tap, or one undo or redo; ``id`` is the device's own, so that none counts twice."""

    id: Annotated[str, Meta(pattern=ACT_ID)]
    number: Annotated[int, Meta(ge=1, le=99_999)]
    do: Literal["mark", "undo", "redo"]
    at: Annotated[str, Meta(max_length=16)] = ""
    value: Annotated[str, Meta(max_length=16)] = ""


class Batch(Struct, forbid_unknown_fields=True, frozen=True):
    """The acts in their order, and the sheet whose state is wanted (0: none)."""

    acts: Annotated[list[Act], Meta(min_length=1, max_length=MOST_ACTS)]
    shown: Annotated[int, Meta(ge=0, le=99_999)] = 0


def read_batch(text: bytes) -> Batch:
    """The batch a request brings. Raises ValueError."""
    try:
        return decoder(Batch).decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from None
