"""Forms of a page with read photos, as a browser without scripts sends them."""

from __future__ import annotations

from typing import Any

import html5lib
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from training.filled_pages import Truth

HTML = "{http://www.w3.org/1999/xhtml}"
"""Prefix of HTML element names in a parsed page."""


def send(client: Client, *photos: bytes, to: str = "/score/photos/", **more: str) -> HttpResponse:
    """Upload photos for reading."""
    files = [SimpleUploadedFile(f"IMG_{i}.jpg", one, "image/jpeg") for i, one in enumerate(photos)]
    return client.post(f"{to}read/", {"photo": files, **more})


def fields(page: HttpResponse) -> dict[str, Any]:
    """Return all current fields of the form that takes over the sheets."""
    root = html5lib.parse(page.content.decode())
    found: dict[str, Any] = {}
    for element in root.iter():
        name, tag = element.get("name"), element.tag.removeprefix(HTML)
        if not name or name in ("photo", "csrfmiddlewaretoken"):
            continue
        if tag == "select":
            options = list(element.iter(f"{HTML}option"))
            chosen = [one for one in options if one.get("selected") is not None] or options
            found[name] = chosen[0].get("value")
        elif tag == "input" and element.get("type") in ("radio", "checkbox"):
            if element.get("checked") is not None:
                found[name] = element.get("value", "on")
        elif name == "sheet":
            found.setdefault(name, []).append(element.get("value"))
        elif tag == "input":
            found[name] = element.get("value", "")
    return found


def true_marks(truth: Truth) -> dict[str, str]:
    """Return the true marks of a sheet as a scoring stores them."""
    left_out = ("empty", "printed", "taken-back")
    marks = {at: kind for at, kind in truth.fields.items() if kind not in left_out}
    for track, numbers in truth.numbers.items():
        for number, kind in numbers.items():
            if kind == "circled":
                marks[track.replace("-", " ", 1)] = number
    return marks
