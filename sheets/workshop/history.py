"""How does a draft go forward and back? What is typed at once is one change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.models import DraftChange, WorkshopLevel
from sheets.workshop.acts import AnyAct, AnyEdit, Compare, Redo, SheetHas, Undo
from sheets.workshop.edits import EditRefused, apply_edit

KEPT_THINGS: Final = 400
"""More than a sheet has; what looked otherwise once is forgotten first."""


class Turned(NamedTuple):
    """A change that was taken back, or made once more, and whether in the window it came from."""

    change: DraftChange
    is_undo: bool
    is_own: bool


def carry_out(level: WorkshopLevel, act: AnyAct) -> Turned | None:
    """Change a level by one act; the caller saves it.

    Raises:
        EditRefused: nothing has changed.
    """
    turned = None
    if isinstance(act, Undo | Redo):
        turned = _turn(level, act)
    elif isinstance(act, SheetHas):
        level.sheet_has = sorted(set(act.what))
    elif isinstance(act, Compare):
        others = [thing for thing in level.compared if thing != act.thing]
        level.compared = (others + [act.thing] * act.on)[-KEPT_THINGS:]
    elif not _go_on(level, act):
        return None
    level.revision += 1
    return turned


def _turn(level: WorkshopLevel, act: Undo | Redo) -> Turned:
    is_undo = isinstance(act, Undo)
    change = level.changes.filter(number=level.position + (0 if is_undo else 1)).first()
    if not change:
        raise EditRefused("nothing")
    level.document = patched(level.document, change.before if is_undo else change.after)
    level.position += -1 if is_undo else 1
    return Turned(change, is_undo, is_own=change.page == act.page)


def _go_on(level: WorkshopLevel, edit: AnyEdit) -> bool:
    """Apply an edit as a change, or as more of the last one; whether anything has changed."""
    changed = apply_edit(level.document, edit)
    if changed == level.document:
        return False
    level.changes.filter(number__gt=level.position).delete()
    same = {"page": edit.page, "entry": edit.entry}
    last = level.changes.filter(number=level.position, **same).first() if edit.entry else None
    start = patched(level.document, last.before) if last else level.document
    if last:
        last.delete()
        level.position -= 1
    if changed != start:
        level.position += 1
        DraftChange.objects.create(
            level=level,
            number=level.position,
            before=difference(changed, start),
            after=difference(start, changed),
            **same,
        )
    level.document = changed
    return True


def can_redo(level: WorkshopLevel) -> bool:
    """Whether a change was taken back."""
    return level.changes.filter(number=level.position + 1).exists()


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What makes one document out of another: changed parts whole (None: gone), of a grid of as
    many rows the changed rows alone, by their index.

    >>> difference({"grid": ["1 2", "3 4"], "id": "a"}, {"grid": ["1 2", "3 5"]})
    {'grid': {'1': '3 5'}, 'id': None}
    """
    parts: dict[str, Any] = {}
    for key in dict.fromkeys((*old, *new)):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if key == "grid" and len(before or ()) == len(after or ()):
            rows = enumerate(zip(before or (), after or (), strict=True))
            parts[key] = {str(i): there for i, (here, there) in rows if here != there}
        else:
            parts[key] = after
    return parts


def patched(document: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """A document with a `difference` put in.

    >>> patched({"grid": ["1 2", "3 4"], "id": "a"}, {"grid": {"1": "3 5"}, "id": None})
    {'grid': ['1 2', '3 5']}
    """
    result = dict(document)
    for key, value in parts.items():
        if value is None:
            result.pop(key, None)
        elif key == "grid" and isinstance(value, dict):
            result[key] = [value.get(str(i), row) for i, row in enumerate(result[key])]
        else:
            result[key] = value
    return result
