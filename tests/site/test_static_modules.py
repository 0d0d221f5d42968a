"""Do the scripts of our pages find each other, and does each come with the page that needs it?"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import FileSystemStorage
from django.template import engines

from dizzle_site.static_modules import ModuleStorage, scripts
from sheets.pages.offline import NO_WORKER, WORKER
from sheets.simulation.balance.page import STYLES
from sheets.workshop.views.editor import SCRIPTS as EDITOR_SCRIPTS

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPTS = CHECKOUT / "sheets" / "static" / "sheets"
TEMPLATES = CHECKOUT / "templates"
ANY_IMPORT = re.compile(
    r"^\s*(?:import\s*|(?:import|export)\b[^;]*?\bfrom\s*)['\"]([^'\"]+)['\"]", re.MULTILINE
)
"""An import however it is written."""


def modules() -> dict[str, str]:
    """The scripts of ours that import or export something: their texts by their names."""
    texts = {
        f"sheets/{path.relative_to(SCRIPTS).as_posix()}": path.read_text("utf-8")
        for path in sorted(SCRIPTS.rglob("*.js"))
    }
    return {
        name: text for name, text in texts.items() if re.search(r"^(?:import|export)\b", text, re.M)
    }


def test_every_import_is_written_so_that_it_is_followed() -> None:
    assert modules()
    for name, text in modules().items():
        folder = posixpath.dirname(name)
        wanted = {posixpath.normpath(f"{folder}/{path}") for path in ANY_IMPORT.findall(text)}
        assert wanted <= {*scripts().imports_of(name)}, name
        # What comes later is imported by an address that the page has.
        assert not re.search(r"\bimport\(\s*[\"'`]", text), f"{name}: its name would not follow"


def test_no_module_needs_itself() -> None:
    """The names of such a circle would change each other for ever."""
    for name in modules():
        for needed in scripts().imports_of(name):
            assert name not in scripts().imports_of(needed), name


def test_pages_load_modules_as_modules() -> None:
    """Loaded as plain scripts they would only be an error in somebody's browser."""
    pages = [*TEMPLATES.rglob("*.html")]
    assert pages
    for page in pages:
        plain = re.findall(r"<script[^>]*static '([^']+)'", page.read_text("utf-8"))
        assert not {name for name in plain if name in modules()}, page


def test_every_script_and_style_is_loaded_somewhere() -> None:
    """What no page and no report loads would only be read by who works here, in vain."""
    named = {f"sheets/workshop/{name}.js" for name in EDITOR_SCRIPTS} | {*STYLES, WORKER, NO_WORKER}
    for page in TEMPLATES.rglob("*.html"):
        named |= {*re.findall(r"""sheets/[\w./]+\.(?:js|css)""", page.read_text("utf-8"))}
    loaded = named | {needed for name in named for needed in scripts().imports_of(name)}
    there = {path for ending in ("js", "css") for path in SCRIPTS.rglob(f"*.{ending}")}
    assert {f"sheets/{path.relative_to(SCRIPTS).as_posix()}" for path in there} == loaded


def test_import_of_nothing_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="there is no static file sheets/none"):
        scripts().imports_of("sheets/none.js")


@pytest.fixture(scope="module", params=["\n", "\r\n"], ids=["LF", "CRLF"])
def collected(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `collectstatic` makes of our static files, where they are not served as they are.

    Git may check out texts with the line ends of Windows.
    """
    folder, checkout = tmp_path_factory.mktemp("static"), tmp_path_factory.mktemp("checkout")
    shutil.copytree(SCRIPTS, checkout / "sheets")
    for script in checkout.rglob("*.js"):
        script.write_text(script.read_text("utf-8"), "utf-8", newline=request.param)
    source = FileSystemStorage(str(checkout))
    names = {f"sheets/{path.relative_to(SCRIPTS).as_posix()}" for path in SCRIPTS.rglob("*.*")}
    ours = modules()
    # The worst order for their names: first what imports, then what it imports.
    found = sorted(names, key=lambda name: -len(scripts().imports_of(name)) if name in ours else 0)
    storage = ModuleStorage(str(folder), "/static/")
    for name in found:
        with source.open(name) as file:
            storage.save(name, file)
    for _, _, processed in storage.post_process({name: (source, name) for name in found}):
        assert not isinstance(processed, Exception), processed
    return folder


def test_collected_modules_import_each_other_by_their_changed_names(collected: Path) -> None:
    paths = json.loads((collected / "staticfiles.json").read_text("utf-8"))["paths"]
    changed = set(paths.values())
    followed = 0
    for name in modules():
        stored = Path(paths[name])
        text = (collected / stored).read_text("utf-8")
        for path in ANY_IMPORT.findall(text):
            target = (collected / stored.parent / path).resolve()
            assert target.relative_to(collected.resolve()).as_posix() in changed, (name, path)
            followed += 1
        assert (collected / f"{stored}.gz").exists() or len(text) < 200, name
    assert followed


def test_phones_get_no_comments_and_lines_from_the_margin(collected: Path) -> None:
    """Both are for who reads the source; all else is there as it is written."""
    paths = json.loads((collected / "staticfiles.json").read_text("utf-8"))["paths"]
    for name in ("sheets/lib/store.js", "sheets/table/play.js"):
        got = (collected / paths[name]).read_text("utf-8").splitlines()
        assert not [line for line in got if line.startswith(("//", " "))]
        for within in scripts().within(name):
            source = (collected / within).read_text("utf-8")
            lines = [line.strip() for line in source.splitlines()]
            others = ("//", "import ", "export ")
            written = {line for line in lines if line and not line.startswith(others)}
            assert {line for line in written if " //" not in line} <= {*got}
            ends = [line.split(" // ")[0] for line in written if " // " in line]
            assert all(any(line.startswith(end) for line in got) for end in ends)
    css = (collected / paths["sheets/table/play.css"]).read_text("utf-8")
    assert "/*" not in css
    assert css.count("{") == (collected / "sheets/table/play.css").read_text("utf-8").count("{")


def test_what_looks_like_a_comment_or_a_margin_is_one() -> None:
    for path in SCRIPTS.rglob("*.js"):
        for line in path.read_text("utf-8").splitlines():
            is_whole = line.count("`") % 2 == 0 or line.lstrip().startswith("//")
            assert is_whole or path.name.endswith(".min.js"), f"{path}: a text goes on: {line}"
    for path in SCRIPTS.rglob("*.css"):
        assert not re.findall(r"""(["'])[^"'\n]*/\*[^"'\n]*\1""", path.read_text("utf-8")), path


def test_page_names_what_its_modules_import() -> None:
    template = engines["django"].from_string(
        '{% load script_tags %}{% modules "sheets/lib/swap.js" "sheets/lib/store.js" %}'
    )
    needed = map(staticfiles_storage.url, scripts().imports_of("sheets/lib/swap.js"))
    assert template.render().splitlines() == [
        *(f'<link rel="modulepreload" href="{url}">' for url in needed),
        '<script type="module" src="/static/sheets/lib/swap.js"></script>',
        '<script type="module" src="/static/sheets/lib/store.js"></script>',
    ]


def test_list_of_modules_is_as_good_as_each_of_them() -> None:
    listed = engines["django"].from_string("{% load script_tags %}{% modules first rest %}")
    named = engines["django"].from_string(
        "{% load script_tags %}"
        '{% modules "sheets/lib/say.js" "sheets/lib/ask.js" "sheets/lib/store.js" %}'
    )
    context = {
        "first": "sheets/lib/say.js",
        "rest": ["sheets/lib/ask.js", "sheets/lib/store.js"],
    }
    assert listed.render(context) == named.render()
