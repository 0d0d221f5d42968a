"""Downloads and pictures with file names (Content-Disposition)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from sheets.rules import Level
from sheets.text.symbols import in_language

MAX_PART_LENGTH: Final = 60
"""Maximum length of each part of a file name, in characters."""


def document_bytes(document: Mapping[str, Any]) -> bytes:
    """Return a document as the content of a JSON file."""
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def attach(content: bytes, kind: str, name: str) -> HttpResponse:
    """Return a download with this content type and file name."""
    headers = {"Content-Disposition": content_disposition_header(True, name)}
    return HttpResponse(content, content_type=kind, headers=headers)


def attach_of(level: Level, content: bytes, kind: str, ending: str, *more: object) -> HttpResponse:
    """Return a download named after a level, in the reader's language.

    ``ending`` is the file extension, such as ``.pdf``; ``more`` as in `attach_named`.
    """
    return attach_named(in_language(level.name), level.id, content, kind, ending, *more)


def attach_named(
    name: str, fallback: str, content: bytes, kind: str, ending: str, *more: object
) -> HttpResponse:
    """Return a download named after a text, or ``fallback`` if ``name`` has no letters or digits.

    ``more`` are further parts of the file name, such as the day. None, and parts without letters or
    digits, are left out.
    """
    return attach(content, kind, _file_name(name, fallback, *more) + ending)


def show_picture(picture: bytes, name: str, fallback: str, *more: object) -> HttpResponse:
    """Return a PNG that the browser shows, with a file name as in `attach_named` for saving it."""
    name = _file_name(name, fallback, *more) + ".png"
    headers = {"Content-Disposition": content_disposition_header(False, name)}
    return HttpResponse(picture, content_type="image/png", headers=headers)


def _file_name(name: str, fallback: str, *more: object) -> str:
    parts = (name, *(str(part) for part in more if part is not None))
    first, *others = (slugify(part[:MAX_PART_LENGTH], allow_unicode=True) for part in parts)
    return "-".join(filter(None, ("dizzle", first or fallback, *others)))
