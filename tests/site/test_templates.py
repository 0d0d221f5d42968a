"""Template libraries that templates load."""

from __future__ import annotations

import re
from pathlib import Path

from django.template import engines

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
LOAD = re.compile(r"{% load ([^%]*) %}")


def unused_libraries(text: str) -> list[str]:
    """Return the names of the libraries that a template loads without using a tag or filter."""
    code = LOAD.sub("", text)
    unused = []
    for name in " ".join(LOAD.findall(text)).split():
        library = engines["django"].engine.template_libraries[name]
        tags = any(re.search(rf"{{% *{re.escape(tag)}\b", code) for tag in library.tags)
        filters = any(re.search(rf"\|{re.escape(one)}\b", code) for one in library.filters)
        if not tags and not filters:
            unused.append(name)
    return unused


def test_every_library_that_is_loaded_is_used() -> None:
    found = {
        path.relative_to(TEMPLATES).as_posix(): unused_libraries(path.read_text("utf-8"))
        for path in TEMPLATES.rglob("*.html")
    }
    assert found
    assert {path: unused for path, unused in found.items() if unused} == {}


def test_unused_library_is_found() -> None:
    assert unused_libraries("{% load i18n %}{% load static %}{% trans 'A' %}") == ["static"]
