"""Do templates come without what only makes them readable, and do words stay apart?"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import Context, Engine


@pytest.mark.parametrize(
    ("template", "rendered"),
    [
        ("<p>\n  a\n  {% if yes %}\n    b\n  {% endif %}\n  c\n</p>\n", "<p>\na\nb\nc\n</p>\n"),
        ("a\n{% if no %}\n  b\n{% else %}\n  c\n{% endif %}\nd", "a\nc\nd"),
        ("a\n{% if no %}\n  b\n{% endif %}\n{% if no %}\n  c\n{% endif %}\nd", "a\nd"),
        (
            "{% for one in 'xy' %}\n  {% if yes %}\n    {{ one }}\n  {% endif %}\n{% endfor %}\nz",
            "x\ny\nz",
        ),
        ("a{% if yes %}\n  b\n{% endif %}\nc", "a\nb\nc"),
        ("a\n{% firstof 'b' %}\n{% firstof 'c' %}\nd", "a\nb\nc\nd"),
        ("<a\n  {% if yes %} b{% endif %}\n  c>", "<a\n b\nc>"),
    ],
)
def test_only_what_nobody_sees_is_left_out(tmp_path: Path, template: str, rendered: str) -> None:
    (tmp_path / "one.html").write_text(template, "utf-8")
    engine = Engine(dirs=[str(tmp_path)], loaders=["dizzle_site.margins.Loader"])
    context = Context({"yes": True, "no": False})
    assert engine.get_template("one.html").render(context) == rendered
