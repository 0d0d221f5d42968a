"""Parser for files of any kind that a user can open: a level, a game or score sheets."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

import msgspec

from sheets.documents.decoding import decoder
from sheets.documents.structure import read_game, read_level, read_sheets, refuse_large
from sheets.levels import find_level
from sheets.rules import DocumentError, Level
from sheets.rules.documents.game import Record
from sheets.rules.paper_scoring import Paper

DICE2_FORMATS: Final = ("dice2-game/1", "dice2-relay/1")
"""Formats of documents of Dice², which have no level."""

PICTURE_START: Final = re.compile(
    rb"%PDF-|\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0|II\*\0|MM\0\*|RIFF.{4}WEBP|.{4}ftyp"
    rb"|\s*(<\?xml[^>]*>\s*)?(<!--.{0,200}-->\s*)?<svg\b",
    re.DOTALL,
)
"""First bytes of PDF and picture files, which users open by mistake instead of a level's file."""


class _Head(msgspec.Struct):
    """The only key of a document that is read to find out which kind of document it is."""

    format: str = ""


class OpenedFile(NamedTuple):
    """Content of a file: a level, and its game or sheets."""

    kind: Literal["level", "game", "sheets"]
    level: Level
    record: Record | None = None
    paper: Paper | None = None


def refuse_other_files(text: bytes) -> None:
    """Raise DocumentError for an empty file, one of more than `MAX_BYTES`, or a picture or PDF."""
    if PICTURE_START.match(text):
        raise DocumentError("picture")
    if not text:
        raise DocumentError("empty-file")
    refuse_large(text)


def format_of(text: bytes) -> str:
    """Return the ``format`` of a file, empty if it has none. Raises DocumentError for non-JSON."""
    refuse_other_files(text)
    try:
        text.decode()
        return decoder(_Head).decode(text.removeprefix(b"\xef\xbb\xbf")).format
    except UnicodeDecodeError:
        raise DocumentError("not-utf-8") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise DocumentError("no-document") from None


def read_any(text: bytes) -> OpenedFile:
    """Parse a file of Dizzle: a level, a game or score sheets. Raises DocumentError."""
    written = format_of(text)
    match written:
        case "dizzle-level/1":
            return OpenedFile("level", read_level(text))
        case "dizzle-game/1":
            record = read_game(text, find_level)
            return OpenedFile("game", record.level, record=record)
        case "dizzle-sheets/1":
            paper = read_sheets(text, find_level)
            return OpenedFile("sheets", paper.level, paper=paper)
    if written in DICE2_FORMATS:
        raise DocumentError("no-level-inside", ("format",))
    raise DocumentError("other-format", ("format",), written=written)
