"""Do templates load what they use, and no more?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template import engines

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
LOAD = re.compile(r"{% load ([^%]*) %}")


@pytest.mark.parametrize(
    "template",
    sorted(TEMPLATES.rglob("*.html")),
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_every_library_that_is_loaded_is_used(template: Path) -> None:
    text = template.read_text("utf-8")
    code = LOAD.sub("", text)
    for name in " ".join(LOAD.findall(text)).split():
        library = engines["django"].engine.template_libraries[name]
        tags = any(re.search(rf"{{% *{re.escape(tag)}\b", code) for tag in library.tags)
        filters = any(re.search(rf"\|{re.escape(one)}\b", code) for one in library.filters)
        assert tags or filters, name
