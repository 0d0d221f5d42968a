"""Faults in the HTML of pages.

They are found by the Nu Html Checker (vnu) if Java and its jar are installed: `npm install vnu-jar`
in the checkout, or VNU_JAR with its path. Otherwise html5lib reports parse errors, and this module
finds duplicate and missing ids.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

import html5lib

CHECKOUT: Final = Path(__file__).resolve().parents[2]
NAMING: Final = (
    *("for", "list", "form"),
    *("aria-controls", "aria-describedby", "aria-labelledby", "aria-owns"),
)
"""Attributes that refer to the ids of other elements."""
HEADING: Final = re.compile(r"}h([1-6])$")
NAMED: Final = ("a", "button", "summary")
"""Elements whose name must contain their visible text, for speech input (WCAG 2.5.3)."""
WORD: Final = re.compile(r"\w+")
OF_HTMX: Final = "hx-"
"""htmx's attributes are invalid as this, and valid as ``data-hx-``."""


def find_jar() -> Path | None:
    """Return the path of vnu; None without vnu or Java."""
    named = os.environ.get("VNU_JAR", "")
    jar = Path(named) if named else CHECKOUT / "node_modules/vnu-jar/build/dist/vnu.jar"
    return jar if jar.is_file() and shutil.which("java") else None


def faults_by_vnu(jar: Path, pages: Mapping[str, str], folder: Path) -> list[str]:
    """Return the faults that vnu finds, one line each; Java is started once for all pages."""
    names = {f"page-{i}.html": path for i, path in enumerate(pages)}
    for name, path in names.items():
        (folder / name).write_text(pages[path], "utf-8")
    command = ["java", "-jar", str(jar), "--errors-only", "--no-langdetect", *names]
    ran = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    lines = ran.stderr.splitlines()
    for name, path in names.items():
        lines = [line.replace((folder / name).as_uri(), path) for line in lines]
    return lines


def faults(page: str) -> Iterator[str]:
    """Yield the faults that can be found without Java."""
    parser = html5lib.HTMLParser()
    root = parser.parse(page)
    for (line, column), code, facts in parser.errors:
        yield f"{line}.{column}: {code} {facts}"
    elements = [one for one in root.iter() if isinstance(one.tag, str)]
    ids = Counter(one.get("id") for one in elements if "id" in one.attrib)
    yield from (f"id {id} {count} times" for id, count in ids.items() if count > 1)
    for one in elements:
        yield from _faults_of(one, ids)
    yield from _faults_of_headings(elements)


def _faults_of(one: Element, ids: Mapping[str | None, int]) -> Iterator[str]:
    tag = one.tag.rpartition("}")[2]
    for name, value in one.attrib.items():
        if name in NAMING and (missing := set(value.split()) - ids.keys()):
            yield f"{tag} {name}: nothing is called {missing}"
        if name.startswith(OF_HTMX):
            yield f"{tag}: {name} is data-{name}"
    if one.get("role") == "gridcell" and not len(one) and not one.get("aria-label"):
        yield "gridcell with nothing in it and no name"
    name = " ".join(WORD.findall(one.get("aria-label", "").lower()))
    if tag in NAMED and name and (seen := _seen(one)) not in name:
        yield f"{tag} is called {name!r}, and shows {seen!r}"
    # The buttons of a form with an id may be elsewhere, depending on the state of the page.
    if one.get("method") == "post" and "id" not in one.attrib and not _has_button(one):
        yield "form without a button"
    if tag == "img" and not {"src", "alt"} <= one.attrib.keys():
        yield "img without src or alt"


def _has_button(form: Element) -> bool:
    buttons = (one for one in form.iter() if str(one.tag).endswith("}button"))
    return any(button.get("type", "submit") == "submit" for button in buttons)


def _seen(one: Element) -> str:
    """Return the visible text of an element in plain words."""
    texts = [one.text or ""]
    for child in one:
        is_seen = child.get("aria-hidden") != "true" and "for-ears" not in child.get("class", "")
        texts += [_seen(child) if is_seen else "", child.tail or ""]
    return " ".join(WORD.findall(" ".join(texts).lower()))


def _faults_of_headings(elements: list[Element]) -> Iterator[str]:
    """Yield faults of headings: one h1 comes first, and no level is skipped."""
    before = 0
    for one in elements:
        if not (found := HEADING.search(one.tag)):
            continue
        level = int(found[1])
        words = " ".join("".join(one.itertext()).split())
        if level > before + 1 or (level == 1 and before):
            yield f"h{level} {words!r} after {f'h{before}' if before else 'none'}"
        before = level
    if not before:
        yield "no heading"
