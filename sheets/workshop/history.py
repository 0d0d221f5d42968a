"""Linear undo and redo of a draft, and the edits that extend its history.

All devices share one history. ``WorkshopLevel.position`` is the number of the last applied change.
The changes after it were undone; they can be redone until the next edit deletes them. The acts
`Undo` and `Redo` contain the revision that the page shows. They are refused if another device has
changed the level after that revision (`ChangedElsewhere`).

The oldest changes are deleted (`delete_old_changes`): undo ends there.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any, Final, NamedTuple

from django.db.models import TextField
from django.db.models.functions import Cast, Length

from sheets.models import DraftChange, WorkshopLevel
from sheets.workshop.acts import AnyAct, AnyEdit, Compare, DeclareBlank, Redo, SheetFeatures, Undo
from sheets.workshop.draft import in_reading_order
from sheets.workshop.edits import EditRefused, apply_edit
from sheets.workshop.photo_result import blank_fields_key

MAX_COMPARED_ITEMS: Final = 400
"""Maximum number of ticks (`Compare`) per level; a sheet needs fewer. The oldest are dropped."""

MAX_CHANGES: Final = 1000
"""Maximum number of stored changes per level."""

MAX_CHANGE_BYTES: Final = 512 * 1024
"""Maximum size of the stored changes per level, as JSON in bytes; the last change is kept whatever
its size (at most 0.8 MB).

A change of single fields takes 0.3 kB, one of rows or columns of the largest grid 7 kB. One network
address can begin 300 levels an hour (`UPLOADS`), whose changes take 150 MiB.
"""

SHARE_AFTER_DELETION: Final = 0.9
"""Share of both maxima to which changes are reduced, so that not every edit deletes a change."""

BLANK_FIELDS: Final = "nothing"
"""Key, next to the parts of the draft in a change, for declarations that fields have only a number.
The value maps a key in ``WorkshopLevel.compared`` to the fields, or to None for no declaration."""


class ChangedElsewhere(EditRefused):
    """An undo or redo on a page that does not show the ``latest`` change of another device."""

    def __init__(self, latest: DraftChange) -> None:
        super().__init__("theirs")
        self.latest = latest


class UndoResult(NamedTuple):
    """An undone or redone change; ``is_own`` unless another device made, undid or redid it last."""

    change: DraftChange
    is_undo: bool
    is_own: bool


class UndoState(NamedTuple):
    """Whether a level has a change to undo, and one to redo."""

    has_undo: bool
    has_redo: bool


def find_undo_state(level: WorkshopLevel) -> UndoState:
    """Return whether there is a change to undo, and one to redo."""
    at = level.position
    found = set(level.changes.filter(number__in=(at, at + 1)).values_list("number", flat=True))
    return UndoState(at in found, at + 1 in found)


def apply_act(level: WorkshopLevel, act: AnyAct) -> UndoResult | None:
    """Apply an act to a level, which the caller saves. Return the undone or redone change, or None.

    An edit without effect changes no revision and raises nothing.

    Raises:
        EditRefused: the act is not possible; the level is unchanged.
    """
    undo_result = None
    if isinstance(act, Undo | Redo):
        undo_result = _undo_or_redo(level, act)
    elif isinstance(act, SheetFeatures):
        level.sheet_has = sorted(set(act.what))
    elif isinstance(act, Compare):
        _compare(level, act.thing, on=act.on)
    elif not _edit(level, act):
        return None
    level.revision += 1
    return undo_result


def delete_old_changes(level: WorkshopLevel) -> None:
    """Delete a level's oldest changes if it has more than `MAX_CHANGES` or `MAX_CHANGE_BYTES`."""
    size = Length(Cast("before", TextField())) + Length(Cast("after", TextField()))
    newest_first = level.changes.order_by("-number").annotate(size=size)
    stored = list(newest_first.values_list("number", "size"))
    totals = list(accumulate(size for _number, size in stored))
    if not stored or (len(stored) <= MAX_CHANGES and totals[-1] <= MAX_CHANGE_BYTES):
        return
    fitting = sum(total <= MAX_CHANGE_BYTES * SHARE_AFTER_DELETION for total in totals)
    kept = max(1, min(fitting, int(MAX_CHANGES * SHARE_AFTER_DELETION)))
    first, _size = stored[kept - 1]
    level.changes.filter(number__lt=first).delete()


def _compare(level: WorkshopLevel, thing: str, *, on: bool) -> None:
    others = [one for one in level.compared if one != thing]
    level.compared = (others + [thing] * on)[-MAX_COMPARED_ITEMS:]


def _undo_or_redo(level: WorkshopLevel, act: Undo | Redo) -> UndoResult:
    """Undo the last applied change, or redo the one after it. Raises EditRefused."""
    unseen = level.changes.filter(revision__gt=act.seen).exclude(page=act.page)
    if latest := unseen.order_by("revision").last():
        raise ChangedElsewhere(latest)
    is_undo = isinstance(act, Undo)
    change = level.changes.filter(number=level.position + (not is_undo)).first()
    if change is None:
        raise EditRefused("nothing")
    parts = change.before if is_undo else change.after
    level.document = apply_difference(level.document, parts)
    for key, fields in parts.get(BLANK_FIELDS, {}).items():
        _compare(level, key, on=bool(fields))
    level.position += -1 if is_undo else 1
    is_own = change.page in ("", act.page)
    change.page, change.revision = act.page, level.revision + 1
    change.save(update_fields=("page", "revision"))
    return UndoResult(change, is_undo, is_own)


def _edit(level: WorkshopLevel, edit: AnyEdit | DeclareBlank) -> bool:
    """Apply an edit as a new change; extend the last change if both have the same ``entry``.

    Return whether the edit has changed anything.
    """
    changed = level.document
    empty: dict[str, list[str]] = {}
    if isinstance(edit, DeclareBlank):
        fields = in_reading_order(edit.fields)
        empty = {key: fields for key in [blank_fields_key(fields)] if key not in level.compared}
    else:
        changed = apply_edit(level.document, edit)
    if changed == level.document and not empty:
        return False
    same_entry = level.changes.filter(number=level.position, page=edit.page, entry=edit.entry)
    last = same_entry.first() if edit.entry else None
    start = apply_difference(level.document, last.before) if last else level.document
    for key in empty:
        _compare(level, key, on=True)
    if last:
        empty = last.after.get(BLANK_FIELDS, {}) | empty
        level.position -= 1
    level.changes.filter(number__gt=level.position).delete()
    before, after = difference(changed, start), difference(start, changed)
    if empty:
        before, after = before | {BLANK_FIELDS: dict.fromkeys(empty)}, after | {BLANK_FIELDS: empty}
    if before or after:
        level.position += 1
        level.changes.create(
            number=level.position,
            revision=level.revision + 1,
            before=before,
            after=after,
            page=edit.page,
            entry=edit.entry,
        )
    level.document = changed
    return True


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts that turn one document into another.

    The result has each changed part with its new value, None for a removed part. If both grids have
    the same number of rows, ``grid`` has only the changed rows, by index.

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


def apply_difference(document: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with a `difference` applied; its `BLANK_FIELDS` are ignored.

    >>> apply_difference({"grid": ["1 2", "3 4"], "id": "a"}, {"grid": {"1": "3 5"}, "id": None})
    {'grid': ['1 2', '3 5']}
    """
    result = dict(document)
    for key, value in parts.items():
        if key == BLANK_FIELDS:
            continue
        if value is None:
            result.pop(key, None)
        elif key == "grid" and isinstance(value, dict):
            result[key] = [value.get(str(i), row) for i, row in enumerate(result[key])]
        else:
            result[key] = value
    return result
