"""What is a file called that somebody takes along?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.text import slugify

from sheets.rules import Level
from sheets.texts.symbols import in_language

MOST: Final = 60
"""So many letters of a level's name are enough to find its file again."""


def document_bytes(document: Mapping[str, Any]) -> bytes:
    """A document as it stands in a file."""
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def attach(content: bytes, kind: str, name: str) -> HttpResponse:
    """A file to keep; ``name`` is plain ASCII."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)


def attach_of(level: Level, content: bytes, kind: str, ending: str) -> HttpResponse:
    """The same, named after its level in the reader's language: ``ending`` is ``.pdf``, say.

    Beside the plain name stands the one with all its letters (RFC 5987, RFC 6266).
    """
    return attach_named(in_language(level.name), level.id, content, kind, ending)


def attach_named(said: str, instead: str, content: bytes, kind: str, ending: str) -> HttpResponse:
    """The same, named after what is said of it, or ``instead`` where that has no letters."""
    said = said[:MOST]
    plain = f"dizzle-{slugify(said) or instead}{ending}"
    full = f"dizzle-{slugify(said, allow_unicode=True) or instead}{ending}"
    response = attach(content, kind, plain)
    if full != plain:
        response.headers["Content-Disposition"] += f"; filename*=UTF-8''{quote(full)}"
    return response
