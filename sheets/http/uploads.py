"""Uploaded files of forms."""

from __future__ import annotations

from django.http import HttpRequest

from sheets.rules import DocumentError


def sent_file(request: HttpRequest, name: str) -> bytes:
    """Return the bytes of the file in a form's field. Raises DocumentError if there is none."""
    upload = request.FILES.get(name)
    if upload is None:
        raise DocumentError("no-file")
    return bytes(upload.read())
