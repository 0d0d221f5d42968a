"""How do many small files become the few that a page loads?

Each file on its way costs some 240 bytes of headers, and is compressed without what its neighbours
have in common with it: a page of thirty scripts weighs half as much again as one of three.
"""

import hashlib
import posixpath
import re
from collections.abc import Callable
from functools import cache

IMPORT = (
    r"(?m)^(?P<matched>(?P<named>import\s*(?:\{(?P<names>[^}]*)\}\s*from\s*)?)"
    r'"(?P<url>\.\.?/[^"]+)";)(?=\r?$)'
)
"""An import as all modules of ours write them: it begins a line and ends one,
whichever way a checkout ends lines."""
EXPORT = r"(?m)^export (?=(?:(?:async )?function\*?|const|class) (?P<name>[\w$]+)\b)"
EXPORTS = r"(?m)^export \{(?P<names>\s*[\w$]+(?:\s*,\s*[\w$]+)*\s*,?\s*)\};"
RELATIVE_URL = r'url\("(?P<url>[^":/]+(?:/[^":]+)*)"\)'

FRAME = "sheets/frame.js"
"""What every page loads: what is in its file, all others take from there."""

APART = tuple(
    f"sheets/workshop/{name}.js" for name in ("bench", "inputs", "numbers", "paint", "rows")
)
"""The other modules that stay files of their own, each together with what it needs: several files
of one page, also such as come later, have them in common, and each is to be on a page once."""


class Scripts:
    """All modules by their names: what they need of each other, and as files for phones.

    A module's file has in it all that the module needs, but for what is `APART` or in the file of
    the `FRAME`.
    """

    def __init__(self, text_of: Callable[[str], str]) -> None:
        self.text_of = cache(text_of)
        self._imports = cache(self._read_imports)
        self.imports_of = cache(self._all_imports)
        """All modules that one needs, directly or not; the nearest first.

        Raises FileNotFoundError if there is no such module, or one of them imports none.
        """
        self._as_function = cache(self._one_function)
        self._in_order = cache(self._needed_first)

    def _all_imports(self, name: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            for needed in self._paths(waiting.pop(0)):
                if needed not in found and needed != name:
                    found[needed] = None
                    waiting.append(needed)
        return tuple(found)

    def beside(self, name: str) -> tuple[str, ...]:
        """The files that come with a module's own, besides the frame's."""
        return tuple(needed for needed in self.imports_of(name) if needed in APART)

    def within(self, name: str) -> tuple[str, ...]:
        """The modules in a module's own file, in the order in which they run."""
        return tuple(one for one in self._in_order(name) if self._file_of(one, name) == name)

    def joined(self, name: str) -> str:
        """The text of a module's own file.

        Each module in it is a function of its own, so that none sees the names of another, and is
        called at once; what it exports can be had by its name in capitals.

        Raises:
            ValueError: if one of them imports or exports in another way than ours do.
        """
        within = self.within(name)
        elsewhere: dict[str, set[str]] = {}
        for module in within:
            for needed, names in self._imports(module):
                if needed not in within:
                    wanted = elsewhere.setdefault(self._file_of(needed, name), set())
                    wanted |= {_called(needed)} if names is not None else set()
        heads = []
        for file, wanted in elsewhere.items():
            path = posixpath.relpath(file, posixpath.dirname(name))
            path = path if path.startswith(".") else f"./{path}"
            named = f"{{ {', '.join(sorted(wanted))} }} from " if wanted else ""
            heads.append(f'import {named}"{path}";\n')
        functions = [*map(self._as_function, within)]
        if name in (FRAME, *APART):
            given = [one for one in within if re.search(r"(?m)^export\b", self.text_of(one))]
            functions.append(f"export {{ {', '.join(map(_called, given))} }};\n")
        return "".join([*heads, *functions])

    def _one_function(self, name: str) -> str:
        exported: list[str] = []

        def taken(found: re.Match[str]) -> str:
            needed = _path(name, found["url"])
            names = re.sub(r"([\w$]+)\s+as\s+", r"\1: ", found["names"] or "")
            return f"const {{{names}}} = {_called(needed)};" if names else ""

        def given(found: re.Match[str]) -> str:
            exported.extend(found["names"].replace(",", " ").split())
            return ""

        def told(found: re.Match[str]) -> str:
            exported.append(found["name"])
            return ""

        text = re.sub(IMPORT, taken, self.text_of(name))
        text = re.sub(EXPORTS, given, re.sub(EXPORT, told, text))
        if other := re.search(r"(?m)^(?:import\b(?!\()|export\b).*", text):
            raise ValueError(f"{name} cannot be joined with others: {other[0]}")
        if not exported:
            return f"(() => {{\n{text}\n}})();\n"
        returned = ", ".join(exported)
        return f"const {_called(name)} = (() => {{\n{text}\nreturn {{ {returned} }};\n}})();\n"

    def _file_of(self, needed: str, name: str) -> str:
        """The file in which a module finds one that it needs."""
        if needed in APART or needed == name:
            return needed
        if needed in (FRAME, *self.imports_of(FRAME)):
            return FRAME
        having = [file for file in self.beside(name) if needed in self.imports_of(file)]
        first = [file for file in having if not {*self.imports_of(file)} & {*having}]
        if len(first) > 1:
            raise ValueError(f"{name} would have {needed} twice: in {' and in '.join(first)}")
        return first[0] if first else name

    def _needed_first(self, name: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for needed in self._paths(name):
            found |= dict.fromkeys(self._in_order(needed))
        return (*found, name)

    def _paths(self, name: str) -> tuple[str, ...]:
        return tuple(needed for needed, _names in self._imports(name))

    def _read_imports(self, name: str) -> tuple[tuple[str, str | None], ...]:
        found = re.finditer(IMPORT, self.text_of(name))
        return tuple((_path(name, one["url"]), one["names"]) for one in found)


def _path(name: str, url: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), url))


def _called(name: str) -> str:
    return re.sub(r"\W", "_", posixpath.splitext(name)[0]).upper()


def joined_name(names: tuple[str, ...]) -> str:
    """What the file is called that has these style sheets in it."""
    if len(names) == 1:
        return names[0]
    digest = hashlib.sha256(" ".join(names).encode()).hexdigest()
    return f"sheets/joined-{digest[:8]}.css"


def joined_styles(names: tuple[str, ...], text_of: Callable[[str], str]) -> str:
    """Style sheets as one, in their order; what they refer to is found from there as well."""
    start = posixpath.dirname(joined_name(names))

    def moved(found: re.Match[str], name: str) -> str:
        return f'url("{posixpath.relpath(_path(name, found["url"]), start)}")'

    return "\n".join(
        re.sub(RELATIVE_URL, lambda found, name=name: moved(found, name), text_of(name))  # type: ignore[misc]
        for name in names
    )
