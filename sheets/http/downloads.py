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


def attach_of(level: Level, content: bytes, kind: str, ending: str, *more: object) -> HttpResponse:
    """The same, named after its level in the reader's language: ``ending`` is ``.pdf``, say.

    Beside the plain name stands the one with all its letters (RFC 5987, RFC 6266).
    """
    return attach_named(in_language(level.name), level.id, content, kind, ending, *more)


def attach_named(
    said: str, instead: str, content: bytes, kind: str, ending: str, *more: object
) -> HttpResponse:
    """The same, named after what is said of it, or ``instead`` where that has no letters.

    ``more`` follows in the name, such as the day; None and what has no letters are left out.
    """
    headers = {"Content-Disposition": _disposition("attachment", said, instead, ending, *more)}
    return HttpResponse(content, content_type=kind, headers=headers)


def show_picture(picture: bytes, said: str, instead: str, *more: object) -> HttpResponse:
    """A PNG to show; a browser that saves it names the file as `attach_named` does."""
    headers = {"Content-Disposition": _disposition("inline", said, instead, ".png", *more)}
    return HttpResponse(picture, content_type="image/png", headers=headers)


def _disposition(what: str, said: str, instead: str, ending: str, *more: object) -> str:
    parts = (said, *(str(part) for part in more if part is not None))

    def name(*, allow_unicode: bool) -> str:
        first, *others = (slugify(part[:MOST], allow_unicode=allow_unicode) for part in parts)
        return "-".join(filter(None, ("dizzle", first or instead, *others))) + ending

    plain, full = name(allow_unicode=False), name(allow_unicode=True)
    extended = "" if full == plain else f"; filename*=UTF-8''{quote(full)}"
    return f'{what}; filename="{plain}"{extended}'
