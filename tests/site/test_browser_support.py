"""Supported browsers: the same list in lint, in the page's own check and in the reference."""

from __future__ import annotations

import re

import pytest

from tests.site.browser_support import ALLOWED, APIS, OLDEST, SCRIPTS, all_faults, faults
from tests.site.test_static_files import CHECKOUT


def test_scripts_use_nothing_that_is_too_new() -> None:
    assert all_faults() == []


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("const next = list.toSorted();", "toSorted needs Chrome 110, Firefox 115, Safari 16"),
        ("if (URL.canParse(text)) go();", "canParse needs Chrome 120, Firefox 115, Safari 17"),
        ("new ViewTransition();", "ViewTransition needs"),
        ("AbortSignal.any([one, other]);", "AbortSignal.any needs"),
        (r"name.split(/\s|(?<=-)/);", "lookbehind in a regular expression needs"),
        (r"const LETTERS = /[\p{L}--[a-z]]/v;", "flag v of a regular expression needs"),
        ("class One {\n  static {\n", "static block of a class needs"),
    ],
)
def test_too_new_syntax_and_apis_are_found(script: str, fault: str) -> None:
    found = list(faults("lib/some.js", script))
    assert len(found) == 1
    assert found[0].startswith(f"lib/some.js: {fault}")


@pytest.mark.parametrize(
    "script",
    [
        "element.checkVisibility?.();",
        "// list.toSorted() is too new",
        "list.findLast(isOpen).at(-1);",
        "const within = [];",
    ],
)
def test_old_enough_or_optional_apis_pass(script: str) -> None:
    assert list(faults("lib/some.js", script)) == []


def test_exceptions_are_still_needed() -> None:
    for name, api in ALLOWED:
        assert api in (SCRIPTS / name).read_text("utf-8"), name


def test_page_runs_modules_exactly_in_these_browsers() -> None:
    script = (SCRIPTS / "supported.js").read_text("utf-8")
    needed = re.search(r"if \(!\((.*?)\)\) \{", script)
    assert needed
    versions = [APIS[name] for name in re.findall(r"\.(\w+)", needed[1])]
    assert tuple(map(max, zip(*versions, strict=True))) == OLDEST


def test_reference_names_these_browsers() -> None:
    reference = (CHECKOUT / "docs" / "reference.md").read_text("utf-8")
    row = re.search(r"^\| scripts run, .*$", reference, re.MULTILINE)
    assert row
    assert tuple(map(float, re.findall(r"\| (\d+(?:\.\d+)?) \(", row[0]))) == OLDEST


@pytest.mark.parametrize("page", ["README.md", "README.de.md", "README.fr.md"])
def test_start_page_of_the_documentation_names_the_same_browsers(page: str) -> None:
    text = " ".join((CHECKOUT / page).read_text("utf-8").split())
    found = re.search(r"Chrome ([\d.]+), Firefox ([\d.]+) (?:or|oder|ou) Safari ([\d.]+)\b", text)
    assert found
    assert tuple(map(float, found.groups())) == OLDEST
