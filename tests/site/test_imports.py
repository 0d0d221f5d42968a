"""Imports point one way, so that the rules can be read, tested and used without the rest."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
# Which parts of `sheets` each part may import, besides itself. Parts not named here are free; of a
# file in several parts the longest name counts, and the addresses of a slice are one of its views.
BELOW = {"rules", "artwork", "geometry", "levels", "texts", "people", "models", "access"}
MAY_IMPORT = {
    "rules": set(),
    "artwork": {"rules"},
    "geometry": {"rules", "artwork"},
    "printing": {"rules", "geometry", "artwork", "people", "texts"},
    "scanning": {"rules", "geometry", "artwork", "printing"},
    "documents": {"rules"},
    "documents/opened": {"rules", "documents", "levels"},
    "texts": {"rules", "artwork"},
    "levels": {"rules", "artwork", "documents", "texts"},
    "people": {"documents"},
    "bots": {"rules"},
    "playouts": {"rules", "bots"},
    "experts": {"rules", "bots", "playouts"},
    "stats": set(),
    "simulation": {"rules", "bots", "playouts", "experts", "stats"},
    "simulation/balance": {
        "simulation",
        "stats",
        "rules",
        "artwork",
        "levels",
        "texts",
        "models",
        "scoring",
        "beside",
    },
    "analysis": {"rules", "bots", "playouts"},
    "analysis/course_plot": {"artwork", "simulation/balance"},
    "analysis/words": {"rules", "artwork", "texts", "simulation/balance", "analysis/course_plot"},
    "analysis/given_away": set(),
    "analysis/jobs": {"rules", "models", "beside", "analysis", "analysis/given_away"},
    "beside": {"rules", "models"},
    "beside/requester": {"access", "beside", "http"},
    "beside/works": {"beside", "simulation/balance", "analysis/jobs", "groups"},
    "models": {"rules"},
    "http": {"rules", "texts"},
    "access": {"models", "http"},
    "live": {"models", "access", "http"},
    "scoring": {"rules", "artwork", "documents", "texts", "people", "models", "access"},
    "workshop": {"rules", "artwork", "documents", "texts", "people", "models", "access"}
    | {"simulation", "simulation/balance", "workshop/seen"},
    "workshop/seen": set(),
    "tables": BELOW - {"geometry", "levels"} | {"bots", "experts", "http", "live", "scoring"},
    "tables/dice2": {"rules", "artwork", "documents", "documents/opened", "texts", "people"}
    | {"bots", "models", "tables"},
    "http/works": {"rules", "geometry", "artwork", "printing", "texts", "scoring", "workshop"}
    | {"simulation/balance"},
    "http/loaded": {"http/works"},
    "http/print_request": {"rules", "geometry", "levels", "printing", "texts"},
    "http/prints": {"rules", "geometry", "printing", "texts"}
    | {"http", "http/print_request", "http/works"},
}
VIEWS = BELOW | {"documents", "documents/opened", "printing"}
VIEWS |= {"http", "http/works", "http/prints", "http/print_request"}
MAY_IMPORT |= {
    "scoring/views": VIEWS | {"groups", "scoring"},
    "tables/views": VIEWS
    | {
        "analysis/course_plot",
        "analysis/jobs",
        "analysis/words",
        "beside",
        "beside/requester",
        "groups",
        "live",
        "tables",
        "scoring",
    },
    "tables/dice2/views": VIEWS | {"groups", "tables", "tables/views", "tables/dice2", "scoring"},
    "photos": VIEWS
    | {"scoring", "scoring/views", "workshop", "workshop/views", "tables", "tables/views", "groups"}
    | {"photos/flat", "photos/look", "photos/look_empty", "photos/look_pad", "photos/seen"}
    | {"workshop/seen"},
    "photos/look": {"photos/seen", "rules", "scanning"},
    "photos/look_empty": {"photos/seen", "rules", "scanning", "workshop/seen"},
    "photos/look_pad": {"photos/look", "photos/seen", "rules", "scanning"},
    "photos/flat": {"photos/seen"},
    "photos/seen": set(),
    "groups": {
        "http",
        "rules",
        "artwork",
        "documents",
        "documents/opened",
        "levels",
        "texts",
        "people",
        "models",
        "access",
        "scoring",
        "simulation/balance",
        "stats",
        "tables",
        "tables/dice2",
        "analysis/given_away",
        "analysis/jobs",
        "analysis/words",
        "beside",
    },
    "groups/views": VIEWS
    | {"beside", "beside/requester", "groups", "scoring", "tables", "tables/dice2"},
    "mine": {"rules", "texts", "people", "models", "access", "scoring", "tables", "workshop"},
    "mine/views": VIEWS | {"groups", "mine", "tables"},
    "workshop/views": VIEWS
    | {
        "beside",
        "beside/requester",
        "workshop",
        "simulation",
        "simulation/balance",
        "scoring",
        "tables",
        "tables/views",
    }
    | {"groups"},
}
# Only what knows all games may know the one that lies beside the tables.
MAY_IMPORT_MORE = {"tables/games.py": {"tables/dice2"}}


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements below a node; expressions, most of a tree, cannot import anything."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from statements(child)


@cache
def imported_names(path: Path) -> set[str]:
    """Return the full names of all modules and members that a file imports, `sheets.rules` say."""
    package = path.relative_to(CHECKOUT).with_suffix("").parts[:-1]
    names: set[str] = set()
    for node in statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


@cache
def part_of(path: str) -> str:
    """Return the part that something in `sheets` belongs to, ``tables/views`` say."""
    path = re.sub(r"/urls$", "/views", path)
    named = [part for part in MAY_IMPORT if f"{path}/".startswith(f"{part}/")]
    return max(named, key=len, default=path.partition("/")[0])


@cache
def path_of(name: str) -> str:
    """Return the module of the name of a module or of something in one, with slashes."""
    folder = CHECKOUT.joinpath(*name.split("."))
    parts = name.split(".")[1:]
    is_module = folder.is_dir() or folder.with_suffix(".py").exists()
    return "/".join(parts if is_module else parts[:-1])


def _path_in_sheets(file: Path) -> str:
    return file.relative_to(CHECKOUT / "sheets").with_suffix("").as_posix()


def test_parts_import_only_what_lies_below() -> None:
    wrong = []
    for file in sorted((CHECKOUT / "sheets").rglob("*.py")):
        path = _path_in_sheets(file)
        if (part := part_of(path)) not in MAY_IMPORT:
            continue
        allowed = {part} | MAY_IMPORT[part] | MAY_IMPORT_MORE.get(f"{path}.py", set())
        names = (name for name in imported_names(file) if name.startswith("sheets."))
        wrong += [(path, other) for other in {part_of(path_of(name)) for name in names} - allowed]
    assert wrong == []


def test_every_part_has_files() -> None:
    parts = {part_of(_path_in_sheets(file)) for file in (CHECKOUT / "sheets").rglob("*.py")}
    assert MAY_IMPORT.keys() - parts == set()


def lies_below(part: str) -> set[str]:
    """Return the parts that a part imports, directly or through other parts."""
    below: set[str] = set()
    found = set(MAY_IMPORT[part])
    while found > below:
        below |= found
        found |= {lower for one in below for lower in MAY_IMPORT.get(one, ())}
    return found


def test_no_part_imports_what_imports_it() -> None:
    assert [part for part in MAY_IMPORT if part in lies_below(part)] == []


def test_nothing_lies_on_the_floor() -> None:
    """A module is in the part it is about; geometry and statistics belong to several parts."""
    floor = {path.name for path in (CHECKOUT / "sheets").glob("*.py")}
    assert floor == {"__init__.py", "apps.py", "geometry.py", "stats.py"}


def test_rules_import_the_standard_library_alone() -> None:
    for path in (CHECKOUT / "sheets" / "rules").rglob("*.py"):
        roots = {name.split(".")[0] for name in imported_names(path)} - {"sheets"}
        assert roots <= sys.stdlib_module_names, path


def test_site_knows_nothing_of_the_game_but_what_it_serves() -> None:
    composing = {"asgi.py", "serving.py"}
    for path in {*(CHECKOUT / "dizzle_site").rglob("*.py")}:
        if path.name in composing:
            continue
        assert not any(name.split(".")[0] == "sheets" for name in imported_names(path)), path


def test_pages_do_not_ask_which_game_a_table_plays() -> None:
    """What differs by game is answered by the game itself, see `sheets.tables.family`."""
    pages = [CHECKOUT / "sheets" / "tables" / "running.py"]
    pages += (CHECKOUT / "sheets").rglob("views/*.py")
    pages += (CHECKOUT / "sheets" / "pages").rglob("*.py")
    pages += (CHECKOUT / "templates").rglob("*.html")
    asking = [path for path in pages if "table.game" in path.read_text("utf-8")]
    assert not asking
