"""Sentences about undone and redone changes; they name the changed parts of the sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

from django.utils.translation import gettext as _

from sheets.models import DraftChange
from sheets.rules.level import format_field
from sheets.text.design_warnings import name_fields, name_line
from sheets.text.symbols import COLOURED_SYMBOL_NAMES, SYMBOL_NAMES
from sheets.workshop.history import BLANK_FIELDS, UndoResult


def describe_undo(undo: UndoResult) -> str:
    """Return the sentence that states which parts an undo or redo has changed.

    It also says if another device had made the undone change.
    """
    change = undo.change
    if not undo.is_undo:
        return _("Redone: %(what)s.") % {"what": _name(change.before, change.after)}
    what = {"what": _name(change.after, change.before)}
    if undo.is_own:
        return _("Undone: %(what)s.") % what
    return _("Undone, though it was done on another device: %(what)s.") % what


def describe_change_elsewhere(latest: DraftChange) -> str:
    """Return the sentence for a refused undo or redo, with the ``latest`` change elsewhere."""
    return _(
        "Someone has gone on since, on another device: %(what)s. Press again if you still want to."
    ) % {"what": _name(latest.before, latest.after)}


def _name(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    names = [
        name
        for part in dict.fromkeys((*before, *after))
        for name in _NAMES[part](before.get(part), after.get(part))
    ]
    return ", ".join(dict.fromkeys(names))


def _fields(before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, list) or isinstance(after, list):
        yield _("rows and columns")
        return
    rows = {int(row): (before[row].split(), after[row].split()) for row in before}
    if any(len(old) != len(new) for old, new in rows.values()):
        yield _("rows and columns")
        return
    fields = tuple(
        format_field(column, row)
        for row, squares in sorted(rows.items())
        for column, (old, new) in enumerate(zip(*squares, strict=True))
        if old != new
    )
    # Rows that differ only in blanks have no changed field.
    if fields:
        yield name_fields(fields)


def _nothing(before: Any, after: Any) -> Iterator[str]:
    for fields in filter(None, (*before.values(), *after.values())):
        yield _("nothing on %(fields)s") % {"fields": name_fields(tuple(fields))}


def _lines(before: Any, after: Any) -> Iterator[str]:
    for line in _changed(before or [], after or []):
        if "row" in line:
            yield _("arrow of %(line)s") % {"line": name_line(f"row {line['row']}")}
        elif "column" in line:
            yield _("arrow of %(line)s") % {"line": name_line(f"column {line['column']}")}
        else:
            yield _("chain %(which)s") % {"which": name_fields(tuple(line["fields"]))}


def _areas(before: Any, after: Any) -> Iterator[str]:
    for area in _changed(before or [], after or []):
        yield _("area of %(fields)s") % {"fields": name_fields(tuple(area["fields"]))}


def _changed(before: list[Any], after: list[Any]) -> list[Any]:
    """Return the added, changed and removed entries; a changed entry has its new version."""
    gone = [entry for entry in before if entry not in after]
    new = [entry for entry in after if entry not in before]
    return [new or old for old, new in zip_longest(gone, new)]


def _points(before: Any, after: Any) -> Iterator[str]:
    before, after = before or {}, after or {}
    for symbol in dict.fromkeys((*before, *after)):
        old, new = before.get(symbol), after.get(symbol)
        if old == new:
            continue
        if not isinstance(old or new, dict):
            yield _("points for: %(what)s") % {"what": SYMBOL_NAMES[symbol]}
            continue
        for colour in dict.fromkeys((*(old or {}), *(new or {}))):
            if (old or {}).get(colour) != (new or {}).get(colour):
                yield _("points for: %(what)s") % {"what": COLOURED_SYMBOL_NAMES[symbol][colour]}


def _pairs(before: Any, after: Any) -> Iterator[str]:
    for pair in _changed(before or [], after or []):
        yield _("%(first)s and %(second)s") % {"first": pair[0], "second": pair[1]}


def _called(name: Callable[[], str]) -> Callable[[Any, Any], Iterator[str]]:
    return lambda _before, _after: iter([name()])


_NAMES: Final[Mapping[str, Callable[[Any, Any], Iterator[str]]]] = {
    "id": _called(lambda: _("short name")),
    "name": _called(lambda: _("name")),
    "about": _called(lambda: _("text")),
    "author": _called(lambda: _("author")),
    "difficulty": _called(lambda: _("difficulty")),
    "grid": _fields,
    BLANK_FIELDS: _nothing,
    "shifts": _called(lambda: _("moved rows")),
    "marks": _called(lambda: _("tracks or crosses")),
    "tracks": _called(lambda: _("printed tracks")),
    "lines": _lines,
    "areas": _areas,
    "links": _pairs,
    "walls": _pairs,
    "points": _points,
    "repeat_last": _called(lambda: _("whether the last number stays")),
    "labels": _called(lambda: _("own words")),
    "dice": _called(lambda: _("dice")),
    "rounds": _called(lambda: _("rounds")),
    "house_rules": _called(lambda: _("house rules")),
    "ratings": _called(lambda: _("grades")),
}
"""Function that yields the names of the changes between two versions of a part, by part."""
