"""Links, commands, paths and pictures in the documentation exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

CHECKOUT = Path(__file__).resolve().parents[2]
PAGES = sorted([*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").glob("*.md")])
IMAGES = CHECKOUT / "docs" / "images"
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
PATH = re.compile(
    r"(?:bench|deploy|dizzle_site|docs|locale|sheets|templates|tests|training)/[\w./-]*"
)
COMMAND = re.compile(r"(?:manage\.py|^dizzle) ([a-z][a-z0-9_]*)((?: [^\s|]+)*)")
TO_CREATE = {
    *("sheets/pages/glossary.py", "templates/glossary/glossary.html"),
    *("templates/workshop/tools/mirror.html", "locale/nl/LC_MESSAGES/django.po"),
    "deploy/container/.env",
}
"""Paths that readers create."""


def text_of(page: Path) -> str:
    return page.read_text("utf-8")


def prose_of(page: Path) -> str:
    """Return a page without its code blocks."""
    return re.sub(r"^```.*?^```", "", text_of(page), flags=re.S | re.M)


def code_of(page: Path) -> Iterator[str]:
    """Yield each command line and each piece of inline code of a page."""
    for block in re.findall(r"^```\w*\n(.*?)^```", text_of(page), re.S | re.M):
        yield from block.replace("\\\n", " ").splitlines()
    yield from re.findall(r"(?<!`)`([^`\n]+)`", prose_of(page))


def anchors_of(page: Path) -> set[str]:
    """Return the anchors that GitHub creates for headings, and the explicit ones."""
    found: set[str] = set(re.findall(r"<a id=\"([^\"]+)\"", text_of(page)))
    for heading in re.findall(r"^#+ (.+)$", prose_of(page), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower().replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = next(n for n in range(99) if (f"{slug}-{n}" if n else slug) not in found)
        found.add(f"{slug}-{number}" if number else slug)
    return found


def named(page: Path) -> str:
    return str(page.relative_to(CHECKOUT))


def test_names_of_code_in_contributing_exist() -> None:
    """Constants and functions that the recipes name, such as `MARK_NAMES`."""
    page = CHECKOUT / "CONTRIBUTING.md"
    named = {
        name for name in re.findall(r"`(\w+)`", prose_of(page)) if "_" in name or name.isupper()
    }
    assert len(named) > 30
    folders = ("dizzle_site", "sheets", "templates", "tests", "training")
    sources = [
        path.read_text("utf-8")
        for folder in folders
        for path in (CHECKOUT / folder).rglob("*")
        if path.suffix in {".py", ".js", ".html"} and path != Path(__file__)
    ]
    words = {word for source in sources for word in re.findall(r"\w+", source)}
    assert named - words == set()


def names_and_docstrings(path: Path) -> tuple[set[str], list[str]]:
    """Return the words of a module outside its docstrings, and its docstrings."""
    source = path.read_text("utf-8")
    strings = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    docstrings = [string.value for string in strings if isinstance(string.value, str)]
    lines = source.splitlines()
    for string in strings:
        for number in range(string.lineno, (string.end_lineno or string.lineno) + 1):
            lines[number - 1] = ""
    return set(re.findall(r"\w+", "\n".join(lines))), docstrings


def test_names_in_docstrings_exist() -> None:
    """Docstrings refer to names of code in single backticks, such as `MARK_NAMES`."""
    folders = [CHECKOUT / name for name in ("bench", "dizzle_site", "sheets", "tests", "training")]
    paths = [path for folder in folders for path in folder.rglob("*.py")]
    words = {word for path in paths for word in path.relative_to(CHECKOUT).with_suffix("").parts}
    scripts = (CHECKOUT / "sheets" / "static").rglob("*.js")
    words |= {word for path in scripts for word in re.findall(r"\w+", path.read_text("utf-8"))}
    described: list[tuple[Path, str]] = []
    for path in paths:
        names, docstrings = names_and_docstrings(path)
        words |= names
        described += [(path, docstring) for docstring in docstrings]
    found = {
        (named(path), name)
        for path, docstring in described
        for name in re.findall(r"(?<!`)`([A-Za-z_][\w.]*)`(?!`)", docstring)
    }
    assert len(found) > 500
    assert {(path, name) for path, name in found if not words.issuperset(name.split("."))} == set()


def test_every_link_leads_somewhere() -> None:
    wrong = []
    for page in PAGES:
        for one, other in LINK.findall(prose_of(page)):
            target, _, anchor = (one or other).partition("#")
            if "://" in target:
                continue
            file = (page.parent / target).resolve() if target else page
            if not file.exists() or (anchor and anchor not in anchors_of(file)):
                wrong.append(f"{named(page)}: {one or other}")
    assert not wrong


def test_every_path_exists() -> None:
    wrong = []
    for page in PAGES:
        for code in re.findall(r"(?<!`)`([^`\n]+)`", prose_of(page)):
            is_path = PATH.fullmatch(code) and code not in TO_CREATE
            if is_path and not (CHECKOUT / code).exists():
                wrong.append(f"{named(page)}: {code}")
    assert not wrong


def test_every_make_target_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text("utf-8"), re.M))
    wrong = []
    for page in PAGES:
        for code in code_of(page):
            for words in re.findall(r"(?:^|[;&]|\s)make((?: [a-z-]+)+)$", code.partition("  #")[0]):
                wrong += [f"{named(page)}: {one}" for one in words.split() if one not in targets]
    assert not wrong


def test_every_command_and_option_exists() -> None:
    commands = get_commands()
    wrong = []
    for page in PAGES:
        for code in code_of(page):
            for name, words in COMMAND.findall(code):
                if name not in commands:
                    wrong.append(f"{named(page)}: {name}")
                    continue
                known = options_of(name)
                used = re.findall(r"(?<=\s)(--?[a-z][a-z-]*)", words.partition(" #")[0])
                wrong += [f"{named(page)}: {name} {one}" for one in used if one not in known]
    assert not wrong


def options_of(name: str) -> set[str]:
    """Return the options of a management command."""
    app = get_commands()[name]
    command = load_command_class(app, name) if isinstance(app, str) else app
    parser = command.create_parser("manage.py", name)
    return {option for action in parser._actions for option in action.option_strings}


def test_every_picture_is_shown() -> None:
    shown = {Path(a or b).name for page in PAGES for a, b in LINK.findall(text_of(page))}
    assert {image.name for image in IMAGES.iterdir()} - shown == set()


@pytest.mark.parametrize("language", ["de", "fr"])
def test_readmes_have_the_same_content(language: str) -> None:
    english, translated = (
        text_of(CHECKOUT / name) for name in ("README.md", f"README.{language}.md")
    )

    def outline(text: str) -> list[str]:
        """Return headings, code blocks and links without the differences of the languages."""
        text = re.sub(r"^\*\[.*", "", text, flags=re.M)  # the other languages
        found = re.findall(
            r"^#+ |^\| \*\*|^```.*?^```|\]\([^)]+\)|src=\"[^\"]+\"", text, re.S | re.M
        )
        return [
            re.sub(r"-(?:de|fr)\.png|\.png|#[\w-]+(?=\))", "", one.replace(".de.md", ".md"))
            for one in found
        ]

    assert outline(translated) == outline(english)


def test_readmes_link_each_other() -> None:
    names = {path.name for path in CHECKOUT.glob("README*.md")}
    for name in names:
        linked = set(re.findall(r"\]\((README[\w.]*)\)", text_of(CHECKOUT / name)))
        assert linked == names - {name}, name
