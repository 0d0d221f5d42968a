"""Linear undo and redo of a draft, and the edits that extend its history.

All devices share one history. ``WorkshopLevel.position`` is the number of the last applied change.
The changes after it were undone; they can be redone until the next edit deletes them. Undo and redo
say which revision the page shows. If another device has gone on since, they are refused
(`OthersContinued`).

The oldest changes are deleted (`forget_old_changes`): undo ends there.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any, Final, NamedTuple

from django.db.models import TextField
from django.db.models.functions import Cast, Length

from sheets.models import DraftChange, WorkshopLevel
from sheets.workshop.acts import AnyAct, AnyEdit, Compare, Nothing, Redo, SheetHas, Undo
from sheets.workshop.draft import in_reading_order
from sheets.workshop.edits import EditRefused, apply_edit
from sheets.workshop.seen import nothing_on

MAX_COMPARED: Final = 400
"""Maximum number of compared things per level, more than a sheet has. The oldest are dropped."""

KEPT_CHANGES: Final = 1000
"""Maximum number of stored changes per level."""

KEPT_BYTES: Final = 512 * 1024
"""Maximum size of the stored changes per level, as JSON in bytes; the last change is kept whatever
its size (at most 0.8 MB).

A change of single fields takes 0.3 kB, one of rows or columns of the largest grid 7 kB. One network
address can begin 300 levels an hour (`UPLOADS`), whose changes take 150 MiB.
"""

KEPT_SHARE: Final = 0.9
"""Share of both maxima that is kept when one is exceeded, so that not every edit deletes a row."""

NOTHING: Final = "nothing"
"""Key in the parts of a change, next to the parts of the draft: fields with nothing on them, by
their key in ``WorkshopLevel.compared`` (None: nobody says that they are empty)."""


class OthersContinued(EditRefused):
    """An undo or redo on a page that does not show the ``latest`` change of another device."""

    def __init__(self, latest: DraftChange) -> None:
        super().__init__("theirs")
        self.latest = latest


class Turned(NamedTuple):
    """An undone or redone change; ``is_own`` if this device was the last to make or redo it."""

    change: DraftChange
    is_undo: bool
    is_own: bool


class Turnable(NamedTuple):
    """Whether a level has a change to undo, and one to redo."""

    has_undo: bool
    has_redo: bool


def find_turnable(level: WorkshopLevel) -> Turnable:
    """Return whether a change can be undone, and whether one can be redone."""
    at = level.position
    found = set(level.changes.filter(number__in=(at, at + 1)).values_list("number", flat=True))
    return Turnable(at in found, at + 1 in found)


def carry_out(level: WorkshopLevel, act: AnyAct) -> Turned | None:
    """Apply an act to a level, which the caller saves. Return the change that it undid or redid.

    Raises:
        EditRefused: nothing has changed.
    """
    turned = None
    if isinstance(act, Undo | Redo):
        turned = _turn(level, act)
    elif isinstance(act, SheetHas):
        level.sheet_has = sorted(set(act.what))
    elif isinstance(act, Compare):
        _compare(level, act.thing, on=act.on)
    elif not _edit(level, act):
        return None
    level.revision += 1
    return turned


def forget_old_changes(level: WorkshopLevel) -> None:
    """Delete a level's oldest changes if it has more than `KEPT_CHANGES` or `KEPT_BYTES`."""
    size = Length(Cast("before", TextField())) + Length(Cast("after", TextField()))
    newest_first = level.changes.order_by("-number").annotate(size=size)
    stored = list(newest_first.values_list("number", "size"))
    totals = list(accumulate(size for _number, size in stored))
    if not stored or (len(stored) <= KEPT_CHANGES and totals[-1] <= KEPT_BYTES):
        return
    fitting = sum(total <= KEPT_BYTES * KEPT_SHARE for total in totals)
    kept = max(1, min(fitting, int(KEPT_CHANGES * KEPT_SHARE)))
    first, _size = stored[kept - 1]
    level.changes.filter(number__lt=first).delete()


def _compare(level: WorkshopLevel, thing: str, *, on: bool) -> None:
    others = [one for one in level.compared if one != thing]
    level.compared = (others + [thing] * on)[-MAX_COMPARED:]


def _turn(level: WorkshopLevel, act: Undo | Redo) -> Turned:
    """Undo the last applied change, or redo the one after it. Raises EditRefused."""
    unseen = level.changes.filter(revision__gt=act.seen).exclude(page=act.page)
    if latest := unseen.order_by("revision").last():
        raise OthersContinued(latest)
    is_undo = isinstance(act, Undo)
    change = level.changes.filter(number=level.position + (not is_undo)).first()
    if change is None:
        raise EditRefused("nothing")
    parts = change.before if is_undo else change.after
    level.document = patched(level.document, parts)
    for key, fields in parts.get(NOTHING, {}).items():
        _compare(level, key, on=bool(fields))
    level.position += -1 if is_undo else 1
    is_own = change.page in ("", act.page)
    change.page, change.revision = act.page, level.revision + 1
    change.save(update_fields=("page", "revision"))
    return Turned(change, is_undo, is_own)


def _edit(level: WorkshopLevel, edit: AnyEdit | Nothing) -> bool:
    """Apply an edit as a new change, or as a part of the last one if both belong to one entry.

    Return whether it has changed anything.
    """
    changed = level.document
    empty: dict[str, list[str]] = {}
    if isinstance(edit, Nothing):
        fields = in_reading_order(edit.fields)
        empty = {key: fields for key in [nothing_on(fields)] if key not in level.compared}
    else:
        changed = apply_edit(level.document, edit)
    if changed == level.document and not empty:
        return False
    same_entry = level.changes.filter(number=level.position, page=edit.page, entry=edit.entry)
    last = same_entry.first() if edit.entry else None
    start = patched(level.document, last.before) if last else level.document
    for key in empty:
        _compare(level, key, on=True)
    if last:
        empty = last.after.get(NOTHING, {}) | empty
        level.position -= 1
    level.changes.filter(number__gt=level.position).delete()
    before, after = difference(changed, start), difference(start, changed)
    if empty:
        before, after = before | {NOTHING: dict.fromkeys(empty)}, after | {NOTHING: empty}
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

    A changed part is stored whole, a missing one as None. Of a grid with as many rows as before,
    only the changed rows are stored, by their index.

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
    """Return a document with a `difference` applied; `NOTHING` is not a part of the document.

    >>> patched({"grid": ["1 2", "3 4"], "id": "a"}, {"grid": {"1": "3 5"}, "id": None})
    {'grid': ['1 2', '3 5']}
    """
    result = dict(document)
    for key, value in parts.items():
        if key == NOTHING:
            continue
        if value is None:
            result.pop(key, None)
        elif key == "grid" and isinstance(value, dict):
            result[key] = [value.get(str(i), row) for i, row in enumerate(result[key])]
        else:
            result[key] = value
    return result
