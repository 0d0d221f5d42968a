"""Places in the product where one small change alters the behaviour, for `bench/mutants.py`."""

from __future__ import annotations

import ast
import re
from typing import Any, Final, NamedTuple

FOLDERS: Final = ("rules", "tables", "scoring", "groups", "printing", "workshop", "http", "live")
"""Folders below sheets/ with the modules to change."""

KINDS: Final = ("comparison", "boundary", "constant", "statement")
"""A negated comparison, ``<`` for ``<=``, another number or truth value, a removed statement."""

NEGATED: Final[dict[type, str]] = {
    **{ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">"},
    **{ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"},
}
SHIFTED: Final[dict[type, str]] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
OPERATOR: Final = re.compile(rb"is\s+not\b|is\b|not\s+in\b|in\b|[<>=!]=|[<>]")

UNTESTABLE_CALL: Final = re.compile(r"(dataclass|lru_cache|_?log\.\w+)$")
"""Calls that are left out, with their arguments: options of classes and caches, log messages."""

CACHE: Final = re.compile(r"(^|[._])cached?(_property)?\b")
"""Decorators of functions that a process executes once for all tests."""


class Mutant(NamedTuple):
    """One change: ``before``, at a line and a column in bytes from 0, is replaced by ``after``.

    ``text`` is the whole line, ``first`` and ``last`` are the lines of its statement. ``runs_once``
    says that a process executes the statement once: at import or in a function with a cache.
    """

    file: str
    line: int
    column: int
    kind: str
    before: str
    after: str
    text: str
    first: int
    last: int
    runs_once: bool

    @property
    def folder(self) -> str:
        """The name of its folder below sheets/."""
        return self.file.split("/")[1]

    def apply(self, source: bytes) -> bytes:
        """Return the source of the module with the change."""
        start = sum(map(len, source.splitlines(keepends=True)[: self.line - 1])) + self.column
        end = start + len(self.before.encode())
        assert source[start:end] == self.before.encode(), self
        return source[:start] + self.after.encode() + source[end:]

    def move(self, source: bytes) -> Mutant | None:
        """Return the same change at the nearest line with the same text in another version."""
        lines = enumerate(source.splitlines(), start=1)
        shifts = [number - self.line for number, text in lines if text == self.text.encode()]
        shift = min(shifts, key=abs, default=None)
        if shift is None:
            return None
        line, first, last = (number + shift for number in (self.line, self.first, self.last))
        return self._replace(line=line, first=first, last=last)


class _Finder(ast.NodeVisitor):
    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self.lines = source.splitlines(keepends=True)
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self.statement = (1, 1)
        self.found: list[Mutant] = []

    def visit(self, node: ast.AST) -> None:
        if is_untestable(node):
            return
        outer = self.statement
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            self.statement = node.lineno, last or node.lineno
            if self.is_removable(node):
                self.add("statement", *self.span(node), "pass")
        if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            other = not node.value if isinstance(node.value, bool) else node.value + 1
            self.add("constant", *self.span(node), repr(other))
        elif isinstance(node, ast.Compare):
            self.add_operators(node)
        self.generic_visit(node)
        self.statement = outer

    def generic_visit(self, node: ast.AST) -> None:
        """Visit the children of a node, except types and options of classes."""
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns"} or (name, type(node)) == (
                "keywords",
                ast.ClassDef,
            ):
                continue
            if is_function and name == "body":
                self.functions.append(node)
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)
            if is_function and name == "body":
                self.functions.pop()

    def is_removable(self, node: ast.stmt) -> bool:
        """Return whether no name and no attribute is missing without a statement."""
        inside = self.functions[-1] if self.functions else None
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Call | ast.Await) and not is_untestable(node.value)
        if isinstance(node, ast.Assign):
            stored = [one for one in node.targets if isinstance(one, ast.Attribute | ast.Subscript)]
            return bool(stored) and not (inside and inside.name == "__init__")
        if isinstance(node, ast.Return):
            return bool(inside) and node is not inside.body[-1]
        return isinstance(node, ast.AugAssign | ast.Raise | ast.Delete | ast.Break | ast.Continue)

    def add_operators(self, node: ast.Compare) -> None:
        spans = [self.span(operand) for operand in (node.left, *node.comparators)]
        for (_, left), (right, _), operator in zip(spans, spans[1:], node.ops, strict=False):
            between = self.source[left:right]
            found = OPERATOR.search(between)
            if found and b"#" not in between:
                start, end = (left + place for place in found.span())
                for kind, changes in (("comparison", NEGATED), ("boundary", SHIFTED)):
                    if type(operator) in changes:
                        self.add(kind, start, end, changes[type(operator)])

    def span(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends in the source, in bytes."""
        ends = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
        start, end = (sum(map(len, self.lines[: line - 1])) + column for line, column in ends)
        return start, end

    def add(self, kind: str, start: int, end: int, after: str) -> None:
        line = self.source.count(b"\n", 0, start) + 1
        column = start - self.source.rfind(b"\n", 0, start) - 1
        before = self.source[start:end].decode()
        text = self.lines[line - 1].decode().rstrip("\n")
        decorators = [one for function in self.functions for one in function.decorator_list]
        runs_once = not self.functions or any(CACHE.search(ast.unparse(one)) for one in decorators)
        change = (kind, before, after, text)
        self.found.append(Mutant(self.file, line, column, *change, *self.statement, runs_once))


def find_mutants(file: str, source: bytes) -> list[Mutant]:
    """Return all changes of a module that a test can notice.

    Left out are types, options of classes and of caches, log messages, assertions (they inform the
    type checker), strings, and assignments without which a name or an attribute is missing.
    """
    finder = _Finder(file, source)
    finder.visit(ast.parse(source))
    return finder.found


def is_untestable(node: ast.AST) -> bool:
    """Return whether all changes in a node are left out."""
    if isinstance(node, ast.Call):
        return bool(UNTESTABLE_CALL.match(ast.unparse(node.func)))
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    if isinstance(node, ast.keyword):
        return node.arg == "strict"  # of `zip`: a guard against bugs
    return isinstance(node, ast.Assert | ast.JoinedStr)  # Python 3.11 has no positions in f-strings
