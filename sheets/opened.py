"""What has somebody opened: a level, a game or score sheets?"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from sheets.documents import MAX_BYTES, read_game, read_level, read_sheets
from sheets.levels import find_level
from sheets.rules import DocumentError, Level
from sheets.rules.paper import Paper
from sheets.rules.record import Record

FORMATS = (
    "dizzle-level/1",
    "dizzle-game/1",
    "dizzle-sheets/1",
    "dice2-game/1",
    "dice2-relay/1",
)


class _Head(msgspec.Struct):
    """All that is looked at before it is known what the file is."""

    format: str = ""


class Opened(NamedTuple):
    """A level, and the game or the sheets that came with it."""

    kind: Literal["level", "game", "sheets"]
    level: Level
    record: Record | None = None
    paper: Paper | None = None


def format_of(text: bytes) -> str:
    """The format a file says it has. Raises DocumentError for what is no document at all."""
    if len(text) > MAX_BYTES:
        raise DocumentError("", f"the document is larger than {MAX_BYTES // 1024} KiB")
    try:
        return msgspec.json.decode(text.removeprefix(b"\xef\xbb\xbf"), type=_Head).format
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise DocumentError("", "this is no file of ours: it is not JSON with a format") from None


def read_any(text: bytes) -> Opened:
    """The document of a file of Dizzle, whichever of the three kinds. Raises DocumentError."""
    match format_of(text):
        case "dizzle-level/1":
            return Opened("level", read_level(text))
        case "dizzle-game/1":
            record = read_game(text, find_level)
            return Opened("game", record.level, record=record)
        case "dizzle-sheets/1":
            paper = read_sheets(text, find_level)
            return Opened("sheets", paper.level, paper=paper)
    known = ", ".join(FORMATS)
    raise DocumentError("format", f"unknown; {known} can be opened")
