"""Imports point one way, so that the rules can be read, tested and used without the rest."""

import ast
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
# Which parts of `sheets` each part may import, besides itself. Parts not named here are free.
MAY_IMPORT = {
    "rules": set(),
    "artwork": {"rules"},
    "geometry": {"rules", "artwork"},
    "printing": {"rules", "geometry", "artwork", "names", "rulebook", "words"},
    "scanning": {"rules", "geometry", "artwork"},
    "decoding": set(),
    "document_faults": {"rules"},
    "documents": {"rules", "decoding", "document_faults"},
    "texts": {"rules", "words"},
    "names": set(),
    "alike": {"decoding", "names"},
    "bots": {"rules"},
    "simulation": {"rules", "bots", "levels", "documents"},
    "models": {"rules", "documents", "levels"},
    "access": {"models"},
    "scoring": {"rules", "decoding", "documents", "models", "artwork"}
    | {"access", "alike", "names", "words"},
    "tables": {
        "rules",
        "bots",
        "models",
        "scoring",
        "artwork",
        "rulebook",
        "alike",
        "codes",
        "access",
        "live",
        "names",
        "sentences",
        "words",
    },
    "dice2": {"alike", "rules", "bots", "simulation", "documents", "models", "tables", "opened"}
    | {"artwork", "rulebook", "sentences"},
    "http": {"rules", "geometry", "artwork", "printing", "scoring", "workshop", "limits", "words"}
    | {"balance"},
    "balance": {"rules", "levels", "simulation", "simulation_report", "models", "scoring"}
    | {"artwork", "words"},
    "workshop": {"rules", "decoding", "documents", "models", "simulation", "outlines"}
    | {"access", "artwork", "advice_words", "texts", "names", "words"},
}


# Only what knows all games may know the one that lies beside the tables.
MAY_IMPORT_MORE = {"tables/games.py": {"dice2"}}


def imported_names(path: Path) -> set[str]:
    """Return the full names of all modules and members that a file imports, `sheets.rules` say."""
    package = path.relative_to(CHECKOUT).with_suffix("").parts[:-1]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def files_of(part: str) -> list[Path]:
    folder = CHECKOUT / "sheets" / part
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_part_imports_only_what_lies_below(part: str) -> None:
    allowed = MAY_IMPORT[part] | {part}
    for path in filter(Path.exists, files_of(part)):
        ours = {name.split(".")[1] for name in imported_names(path) if name.startswith("sheets.")}
        more = MAY_IMPORT_MORE.get(path.relative_to(CHECKOUT / "sheets").as_posix(), set())
        assert ours <= allowed | more, path


def test_rules_import_the_standard_library_alone() -> None:
    for path in files_of("rules"):
        roots = {name.split(".")[0] for name in imported_names(path)} - {"sheets"}
        assert roots <= sys.stdlib_module_names, path


def test_site_knows_nothing_of_the_game() -> None:
    for path in sorted((CHECKOUT / "dizzle_site").rglob("*.py")):
        assert not any(name.split(".")[0] == "sheets" for name in imported_names(path)), path


def test_pages_do_not_ask_which_game_a_table_plays() -> None:
    """What differs by game is answered by the game itself, see `sheets.tables.family`."""
    pages = [*(CHECKOUT / "sheets" / "views").rglob("*.py"), CHECKOUT / "sheets" / "running.py"]
    pages += (CHECKOUT / "templates").rglob("*.html")
    asking = [path for path in pages if "table.game" in path.read_text("utf-8")]
    assert not asking
