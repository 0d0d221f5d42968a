"""Do the files of a page become few, and is each module in them once, as it was written?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template import engines
from django.test import override_settings

from dizzle_site.joining import APART, FRAME, Scripts, joined_name, joined_styles
from dizzle_site.preparing import static_fingerprint
from dizzle_site.static_modules import named_together, scripts
from sheets.workshop.views.editor import SCRIPTS as EDITOR_SCRIPTS
from tests.web.collected import as_collected

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
EDITOR = [f"sheets/workshop/{name}.js" for name in (*EDITOR_SCRIPTS, "keyboard", "photo")]
"""What comes to a page of the workbench without being named in its template."""
STORE, PAGE, LIST = "sheets/lib/store.js", "sheets/a/page.js", "sheets/a/list.js"


def _scripts(**texts: str) -> Scripts:
    named = {PAGE: texts.get("page", ""), LIST: texts.get("list", "")}
    named[STORE] = "export const tabStore = 1;\n"
    named[FRAME] = 'import "./lib/store.js";\n'
    return Scripts(named.__getitem__)


def _named(template: Path, *, but_for_block: bool = False) -> set[str]:
    """The scripts that a template, those around it and those in it name."""
    text = template.read_text("utf-8")
    block = re.search(r"(?s){% block scripts %}(.*?){% endblock", text)
    if block and but_for_block:
        text = text.replace(block[0], "")
    tags = " ".join(re.findall(r"{% (?:modules|include) .*?%}", text))
    found = {*re.findall(r'"(sheets/[^"]+\.js)"', tags)}
    for tag, other, more in re.findall(r'{% (extends|include) "([^"]+)"(.*?)%}', text):
        is_replaced = block is not None and "block.super" not in block[1]
        if "script=" not in more:
            found |= _named(TEMPLATES / other, but_for_block=tag == "extends" and is_replaced)
    return found


def test_no_module_comes_to_a_page_twice() -> None:
    """It would have two states, and hear each tap twice."""
    for template in TEMPLATES.rglob("*.html"):
        names = _named(template)
        if "sheets/workshop/checks.js" in names:
            names |= {*EDITOR}
        files = names.union(*(scripts().beside(name) for name in names))
        within = [module for file in files for module in scripts().within(file)]
        assert sorted(within) == sorted({*within}), template


def test_scripts_come_in_their_order_each_with_names_of_its_own() -> None:
    found = _scripts(
        page='import { tabStore as kept } from "../lib/store.js";\n'
        'import { read } from "./list.js";\nimport "./list.js";\nconst NAME = read(kept);\n',
        list='const NAME = "list";\nexport function read() {}\nexport const ALL = [];\n',
    )
    assert found.within(PAGE) == (LIST, PAGE)
    assert found.within(FRAME) == (STORE, FRAME)
    assert found.beside(PAGE) == ()
    assert found.joined(PAGE).split("\n") == [
        'import { SHEETS_LIB_STORE } from "../frame.js";',
        "const SHEETS_A_LIST = (() => {",
        *('const NAME = "list";', "function read() {}", "const ALL = [];", ""),
        "return { read, ALL };",
        "})();",
        "(() => {",
        "const { tabStore: kept } = SHEETS_LIB_STORE;",
        "const { read } = SHEETS_A_LIST;",
        *("", "const NAME = read(kept);", ""),
        "})();",
        "",
    ]


def test_file_that_others_have_in_common_gives_all_that_is_in_it() -> None:
    assert _scripts().joined(FRAME).endswith("\nexport { SHEETS_LIB_STORE };\n")
    bench = APART[0]
    assert "SHEETS_WORKSHOP_PAGE" in scripts().joined(bench).splitlines()[-1]
    head = scripts().joined("sheets/workshop/lines.js").splitlines()[0]
    assert head.endswith(' } from "./bench.js";')
    assert "SHEETS_WORKSHOP_PAGE" in head


@pytest.mark.parametrize(
    "text",
    [
        "export let count = 0;\n",  # the others would not see it change
        "export default 3;\n",
        'export { read } from "./list.js";\n',
        "export { count as number };\n",
        'import * as list from "./list.js";\n',
        'import list from "./list.js";\n',
        'import { read } from "./list.js"; // a list\n',
    ],
)
def test_what_cannot_be_joined_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"sheets/a/page\.js cannot be joined with others: "):
        _scripts(page=text).joined(PAGE)


def test_all_that_is_imported_is_given() -> None:
    imports = 0
    for path in (TEMPLATES.parent / "sheets/static").rglob("*.js"):
        text = scripts().joined(path.relative_to(TEMPLATES.parent / "sheets/static").as_posix())
        given = dict(re.findall(r"(?ms)^const (\w+) = \(\(\) => \{.*?^return \{ (.*?) \};$", text))
        for names, needed in re.findall(r"(?m)^const \{(.*)\} = ([A-Z_0-9]+);$", text):
            if needed in given:
                wanted = {name.split(":")[0].strip() for name in names.split(",")} - {""}
                assert wanted <= {*given[needed].split(", ")}, path
                imports += 1
    assert imports


def test_module_of_two_files_apart_is_an_error() -> None:
    two = APART[:2]
    texts = dict.fromkeys(two, 'import "./page.js";\n')
    texts |= {FRAME: "", "sheets/workshop/page.js": ""}
    texts[PAGE] = "".join(f'import "../{name.removeprefix("sheets/")}";\n' for name in two)
    with pytest.raises(ValueError, match=r"would have sheets/workshop/page\.js twice: in "):
        Scripts(texts.__getitem__).within(PAGE)


def test_styles_come_in_their_order_and_find_their_files() -> None:
    texts = {
        "sheets/a/page.css": 'a {\n  src: url("../pen.svg"), url("data:x"), url("/static/x");\n}',
        "sheets/b.css": 'b {\n  src: url("c/d.svg");\n}',
    }
    names = tuple(texts)
    assert joined_styles(names, texts.__getitem__).split("\n") == [
        *("a {", '  src: url("pen.svg"), url("data:x"), url("/static/x");', "}"),
        *("b {", '  src: url("c/d.svg");', "}"),
    ]
    assert joined_name(names) != joined_name(names[::-1])
    assert joined_name(names[:1]) == names[0]


def test_page_names_one_file_for_styles_named_together() -> None:
    names = next(names for names in named_together() if len(names) > 2)
    listed = " ".join(f'"{name}"' for name in names)
    template = engines["django"].from_string(f"{{% load script_tags %}}{{% styles {listed} %}}")
    assert template.render().splitlines() == [
        f'<link rel="stylesheet" href="/static/{name}">' for name in names
    ]
    with as_collected():
        (link,) = template.render().splitlines()
    assert link.startswith('<link rel="stylesheet" href="/static/sheets/joined-')


def test_page_names_its_script_and_the_files_beside_it() -> None:
    template = engines["django"].from_string(
        '{% load script_tags %}{% modules "sheets/workshop/paint.js" %}'
    )
    with as_collected():
        lines = template.render().splitlines()
    assert [line.partition(" href=")[0].partition(" src=")[0] for line in lines] == [
        '<link rel="modulepreload"',
        '<script type="module"',
    ]
    assert "/static/sheets/workshop/bench." in lines[0]
    assert "/static/sheets/workshop/paint." in lines[1]


def test_files_are_collected_anew_where_templates_name_others(tmp_path: Path) -> None:
    """Else the first page after an update would look for a file that is not there."""
    (tmp_path / "templates").mkdir()
    page = tmp_path / "templates" / "page.html"
    seen = []
    with override_settings(BASE_DIR=tmp_path):
        for names in ('"sheets/app.css"', '"sheets/app.css" "sheets/parts.css"') * 2:
            page.write_text(f"{{% styles {names} %}}", "utf-8")
            seen.append(static_fingerprint())
    assert seen[0] != seen[1]
    assert seen[:2] == seen[2:]
