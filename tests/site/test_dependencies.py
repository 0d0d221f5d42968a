"""docs/dependencies.md: every direct or pinned package with its version and licence."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from tests.audit import pins

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / "docs" / "dependencies.md").read_text("utf-8")


def rows(first_heading: str) -> dict[str, list[str]]:
    """Return the cells of each row by package, of tables with this second column."""
    found: dict[str, list[str]] = {}
    is_wanted = False
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| package |"):
            is_wanted = cells[1] == first_heading
        elif not line.startswith("|"):
            is_wanted = False
        elif is_wanted and not line.startswith("|---"):
            assert cells[0] not in found, f"{cells[0]} twice"
            found[cells[0]] = cells[1:]
    return found


DIRECT, BROUGHT = rows("what for"), rows("brought by")


def asked_for() -> set[str]:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return {Requirement(text).name.lower() for group in groups for text in group}


def pinned() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pin in pins(CHECKOUT / "requirements"):
        found.setdefault(pin.name, set()).add(pin.version)
    return found


def test_every_direct_dependency_has_its_row_with_a_reason() -> None:
    assert set(DIRECT) == asked_for()
    assert all(len(cells) == 4 and all(cells) for cells in DIRECT.values())
    for cells in DIRECT.values():
        assert cells[3] == "unknown" or re.fullmatch(r"20\d\d-\d\d-\d\d", cells[3])


def test_everything_pinned_has_its_row_with_its_version() -> None:
    listed = {name: set(cells[2].split(", ")) for name, cells in {**DIRECT, **BROUGHT}.items()}
    assert not set(DIRECT) & set(BROUGHT)
    assert listed == pinned()


def test_licences_are_those_of_the_packages() -> None:
    found = {name: licence_faults(name) for name in {**DIRECT, **BROUGHT}}
    assert {name: faults for name, faults in found.items() if faults} == {}


def licence_faults(name: str) -> list[str]:
    """Return the faults of the licence on the page, compared with the package."""
    licence = (DIRECT.get(name) or BROUGHT[name])[1]
    if not licence:
        return ["no licence on the page"]
    try:
        package = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return []  # for another system, or only for measurements
    if expression := package.get("License-Expression"):
        return [] if licence == expression else [f"{licence} instead of {expression}"]
    classifiers = str(package.get_all("Classifier")).replace("Mozilla Public License", "MPL")
    told = f"{package.get('License')} {classifiers} {_licence_file(name)}".lower()
    parts = re.split(r" (?:AND|OR) ", licence)
    return [part for part in parts if part.split("-")[0].lower() not in told]


def _licence_file(name: str) -> str:
    """Return the beginning of the licence file in the package."""
    for file in metadata.files(name) or ():
        if "licen" in file.name.lower() and ".dist-info" in str(file):
            return Path(str(file.locate())).read_text("utf-8")[:300]
    return ""


def test_vendored_files_are_listed() -> None:
    suffixes = {".ttf", ".otf", ".woff", ".woff2", ".mp4", ".webm", ".wasm"}
    folders = {
        path.parent.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "sheets").rglob("*")
        if path.suffix in suffixes or path.name.endswith(".min.js")
    }
    assert folders
    assert all(f"`{folder}/`" in PAGE for folder in folders)
