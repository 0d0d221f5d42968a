"""Static files: hashed names, imports of modules, and the files that pages load."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import engines

from dizzle_site.static_files import StaticStorage
from sheets.pages.offline import NO_WORKER, WORKER
from sheets.simulation.balance.presentation import STYLES
from sheets.templatetags.script_tags import imports_of
from sheets.workshop.views.editor import SCRIPTS as EDITOR_SCRIPTS
from tests.web.collected import as_collected

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPTS = CHECKOUT / "sheets" / "static" / "sheets"
TEMPLATES = CHECKOUT / "templates"
ANY_IMPORT = re.compile(
    r"^\s*(?:import\s*|(?:import|export)\b[^;]*?\bfrom\s*)['\"]([^'\"]+)['\"]", re.MULTILINE
)
"""A static import in any notation."""


def modules() -> dict[str, str]:
    """Return the text of each script that imports or exports something, by name."""
    texts = {
        f"sheets/{path.relative_to(SCRIPTS).as_posix()}": path.read_text("utf-8")
        for path in sorted(SCRIPTS.rglob("*.js"))
    }
    return {
        name: text for name, text in texts.items() if re.search(r"^(?:import|export)\b", text, re.M)
    }


def render(template: str) -> list[str]:
    text = engines["django"].from_string(f"{{% load script_tags %}}{template}").render()
    return text.splitlines()


def test_collected_modules_import_each_other_by_their_hashed_names() -> None:
    with as_collected():
        folder = Path(settings.STATIC_ROOT)
        paths = json.loads((folder / "staticfiles.json").read_text("utf-8"))["paths"]
    found = []
    for name in modules():
        text = (folder / paths[name]).read_text("utf-8")
        urls = ANY_IMPORT.findall(text)
        targets = {(folder / paths[name]).parent.joinpath(url).resolve() for url in urls}
        names = {one.relative_to(folder.resolve()).as_posix() for one in targets}
        assert names <= {*paths.values()}, name
        found += urls
    assert found


def test_browsers_get_no_comments() -> None:
    with as_collected():
        folder = Path(settings.STATIC_ROOT)
        scripts = [path.read_text("utf-8") for path in (folder / "sheets").rglob("*.js")]
        styles = [path.read_text("utf-8") for path in (folder / "sheets").rglob("*.css")]
    assert scripts
    assert not [text for text in scripts if re.search(r"^\s*//", text, re.MULTILINE)]
    assert styles
    assert not [text for text in styles if "/*" in text]


def test_texts_of_scripts_end_on_their_lines() -> None:
    """Lines that begin with // are removed, also if they belong to a text of several lines."""
    for name, text in modules().items():
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
        assert not [line for line in lines if line.partition("//")[0].count("`") % 2], name


def test_missing_module_is_an_error_that_names_both_files(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text('import "./none.js";\n', "utf-8")
    storage = StaticStorage(str(tmp_path), "/static/")
    _, _, error = next(storage.post_process({"page.js": (storage, "page.js")}))
    assert re.search("'page.js' references a file which could not be found:\n  none.js", str(error))


def test_page_preloads_what_its_modules_import() -> None:
    names = [f"sheets/lib/{name}.js" for name in ("swap", "store")]
    needed = [staticfiles_storage.url(name) for name in imports_of(names[0])]
    assert needed
    lines = [
        *(f'<link rel="modulepreload" href="{url}">' for url in needed),
        '<script type="module" src="/static/sheets/lib/swap.js"></script>',
        '<script type="module" src="/static/sheets/lib/store.js"></script>',
    ]
    assert render(f'{{% modules "{names[0]}" "{names[1]}" %}}') == lines
    with as_collected():
        (first, *_) = render(f'{{% modules "{names[0]}" %}}')
    assert re.search(r'href="/static/sheets/lib/[\w/.]+\.[0-9a-f]{12}\.js"', first)


def test_tag_of_several_modules_equals_their_single_tags() -> None:
    listed = engines["django"].from_string("{% load script_tags %}{% modules first rest %}")
    names = [f"sheets/lib/{name}.js" for name in ("live_region", "request_timeout", "store")]
    context = {"first": names[0], "rest": names[1:]}
    quoted = " ".join(f'"{name}"' for name in names)
    assert listed.render(context).splitlines() == render(f"{{% modules {quoted} %}}")


def test_style_sheets_load_in_their_order() -> None:
    assert render('{% styles "sheets/app.css" "sheets/artwork.css" %}') == [
        '<link rel="stylesheet" href="/static/sheets/app.css">',
        '<link rel="stylesheet" href="/static/sheets/artwork.css">',
    ]


def test_preloads_find_every_import() -> None:
    assert modules()
    for name, text in modules().items():
        wanted = {(SCRIPTS.parent / name).parent / url for url in ANY_IMPORT.findall(text)}
        found = {SCRIPTS.parent / one for one in imports_of(name)}
        assert {one.resolve() for one in wanted} <= found, name


def test_import_of_a_missing_module_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="there is no static file sheets/none"):
        imports_of("sheets/none.js")


def test_pages_load_modules_as_modules() -> None:
    """A browser reports a module in a plain script tag as an error."""
    pages = [*TEMPLATES.rglob("*.html")]
    assert pages
    for page in pages:
        plain = re.findall(r"<script[^>]*static '([^']+)'", page.read_text("utf-8"))
        assert not {name for name in plain if name in modules()}, page


def test_every_script_and_style_is_loaded_somewhere() -> None:
    named = {f"sheets/workshop/{name}.js" for name in EDITOR_SCRIPTS} | {*STYLES, WORKER, NO_WORKER}
    for page in TEMPLATES.rglob("*.html"):
        named |= {*re.findall(r"""sheets/[\w./]+\.(?:js|css)""", page.read_text("utf-8"))}
    loaded = named | {needed for name in named for needed in imports_of(name)}
    there = {path for ending in ("js", "css") for path in SCRIPTS.rglob(f"*.{ending}")}
    assert {f"sheets/{path.relative_to(SCRIPTS).as_posix()}" for path in there} == loaded
