"""Undo and redo of a draft. What is typed at once is one change.

Undo and redo add a change that reverses an earlier one. So each device takes back what it did last,
whatever others have done since. The oldest changes are deleted (`forget_old_changes`): undo ends
there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import TextField
from django.db.models.functions import Cast, Length

from sheets.models import DraftChange, WorkshopLevel
from sheets.workshop.acts import AnyAct, AnyEdit, Compare, Nothing, Redo, SheetHas, Undo
from sheets.workshop.draft import in_reading_order
from sheets.workshop.edits import EditRefused, apply_edit
from sheets.workshop.merging import merged, reshaped, reshaping, shape
from sheets.workshop.seen import nothing_on

KEPT_THINGS: Final = 400
"""More than a sheet has; what looked otherwise once is forgotten first."""

KEPT_CHANGES: Final = 1000
"""Maximum number of stored changes per level. It also bounds the time of an undo, which reads all
later changes: 10 to 20 ms with that many."""

KEPT_BYTES: Final = 512 * 1024
"""Maximum size of the stored changes per level, as JSON in bytes; the last change is kept whatever
its size (at most 0.8 MB).

A change of single fields takes 0.3 kB, one of rows or columns of the largest grid 7 kB. One network
address can begin 300 levels an hour (`UPLOADS`), whose changes take 150 MiB.
"""

KEPT_SHARE: Final = 0.9
"""Share of both maxima that is kept when one is exceeded, so that not every edit deletes a row."""

MAX_EDITED_BYTES: Final = 4 * 1024 * 1024
"""Maximum of the edits of one transaction times the size of the draft as JSON, in bytes: about a
second of work. A large level has 10 kB, the largest draft that can be stored 400 kB."""

NOTHING: Final = "nothing"
"""In a change, beside the parts of the draft: the fields on which there is nothing, by what is kept
for that (None: it is not said)."""


class Turned(NamedTuple):
    """What has come of a change that was taken back, or made once more.

    ``before`` and ``after`` are a `difference` each, with what is said of `NOTHING`; both are empty
    where others have changed all of it since, so that it stays. ``change`` is the one that was
    turned round.
    """

    change: DraftChange
    is_undo: bool
    is_own: bool
    before: Mapping[str, Any]
    after: Mapping[str, Any]


class _Entry(NamedTuple):
    """A change without what it changed."""

    number: int
    page: str
    turns: int | None


class History:
    """Which changes of a level can be taken back or made again, and by whom?"""

    def __init__(self, level: WorkshopLevel) -> None:
        found = level.changes.order_by("number").values_list("number", "page", "turns")
        self._entries = [_Entry(*values) for values in found]
        self._turned = {entry.turns for entry in self._entries}
        self._is_undo: dict[int, bool] = {}
        self._last_edit: dict[str, int] = {}
        for number, page, turns in self._entries:
            # What turns an undo round makes its change once more. A deleted change was no undo, see
            # `forget_old_changes`.
            self._is_undo[number] = turns is not None and not self._is_undo.get(turns, False)
            if turns is None:
                self._last_edit[page] = number

    @property
    def undoers(self) -> list[str]:
        """The devices that have something to take back."""
        return list(dict.fromkeys(entry.page for entry in self._open(is_undo=False)))

    @property
    def redoers(self) -> list[str]:
        """The devices that have something to make once more."""
        return list(dict.fromkeys(entry.page for entry in self._redoable()))

    def to_undo(self, page: str | None) -> int | None:
        """The number of the change that a device takes back next, of all devices if None."""
        found = (e.number for e in self._open(is_undo=False) if page in (None, e.page))
        return next(found, None)

    def to_redo(self, page: str) -> int | None:
        """The number of the change with which a device took back what it can make once more."""
        return next((entry.number for entry in self._redoable() if entry.page == page), None)

    def redone_before(self, number: int) -> list[int]:
        """Return the redos from a change on that repeat what was taken back before it."""
        return [
            entry.number
            for entry in self._entries
            if entry.turns is not None
            and entry.turns < number <= entry.number
            and not self._is_undo[entry.number]
        ]

    def since(self, number: int) -> list[int]:
        """The later changes that still count: none that were turned round, with what did so."""
        later = [entry for entry in self._entries if entry.number > number]
        gone: set[int] = set()
        for entry in reversed(later):
            if entry.number not in gone and entry.turns is not None and entry.turns > number:
                gone |= {entry.number, entry.turns}
        return [entry.number for entry in later if entry.number not in gone]

    def _open(self, *, is_undo: bool) -> Iterator[_Entry]:
        """From the last to the first, what nothing has turned round yet."""
        for entry in reversed(self._entries):
            if entry.number not in self._turned and self._is_undo[entry.number] == is_undo:
                yield entry

    def _redoable(self) -> Iterator[_Entry]:
        for entry in self._open(is_undo=True):
            if entry.number > self._last_edit.get(entry.page, 0):
                yield entry


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
        _compare(level, act.thing, on=act.on)
    elif not _go_on(level, act):
        return None
    level.revision += 1
    return turned


def exceeds_one_transaction(document: Mapping[str, Any], edits: int) -> bool:
    """Return whether so many edits of a draft are more than one transaction may apply."""
    return edits * len(msgspec.json.encode(document)) > MAX_EDITED_BYTES


def forget_old_changes(level: WorkshopLevel) -> None:
    """Delete a level's oldest changes if it has more than are kept.

    An undo whose change is deleted can still be redone. A redo whose undo is deleted becomes a
    change of its own, which can still be undone.
    """
    size = Length(Cast("before", TextField())) + Length(Cast("after", TextField()))
    newest_first = level.changes.order_by("-number").annotate(size=size)
    stored = list(newest_first.values_list("number", "size"))
    totals = list(accumulate(size for _number, size in stored))
    if not stored or (len(stored) <= KEPT_CHANGES and totals[-1] <= KEPT_BYTES):
        return
    fitting = sum(total <= KEPT_BYTES * KEPT_SHARE for total in totals)
    kept = max(1, min(fitting, int(KEPT_CHANGES * KEPT_SHARE)))
    first, _size = stored[kept - 1]
    redone = History(level).redone_before(first)
    level.changes.filter(number__in=redone).update(turns=None)
    level.changes.filter(number__lt=first).delete()


def _compare(level: WorkshopLevel, thing: str, *, on: bool) -> None:
    others = [one for one in level.compared if one != thing]
    level.compared = (others + [thing] * on)[-KEPT_THINGS:]


def _turn(level: WorkshopLevel, act: Undo | Redo) -> Turned:
    history = History(level)
    if isinstance(act, Redo):
        number = history.to_redo(act.page)
    else:
        number = history.to_undo(None if act.whose == "all" else act.page)
        if number is None and history.undoers:
            raise EditRefused("theirs")
    if number is None:
        raise EditRefused("nothing")
    change = level.changes.get(number=number)
    changed = _without(level, change, history.since(number))
    before, after = difference(changed, level.document), difference(level.document, changed)
    was, said = _unsaid(level, change)
    before, after = before | was, after | said
    _add(level, before, after, page=act.page, turns=number)
    level.document = changed
    is_own = change.page == act.page
    return Turned(change, isinstance(act, Undo), is_own, before, after)


def _unsaid(level: WorkshopLevel, change: DraftChange) -> tuple[dict[str, Any], dict[str, Any]]:
    """Turn round what a change said of `NOTHING`, where that is still so; gives it before and
    after, to be put into the change that does it."""
    was, said = change.after.get(NOTHING, {}), change.before.get(NOTHING, {})
    turned = [key for key in said if (key in level.compared) == bool(was[key])]
    for key in turned:
        _compare(level, key, on=bool(said[key]))
    parts = ({NOTHING: {key: one[key] for key in turned}} if turned else {} for one in (was, said))
    before, after = parts
    return before, after


def _without(level: WorkshopLevel, change: DraftChange, since: Sequence[int]) -> dict[str, Any]:
    """The draft as it is, but for one change, with the later ones that count on top of it."""
    if not since:
        return patched(level.document, change.before)
    later = list(level.changes.filter(number__gt=change.number).order_by("number"))
    counting = set(since)
    was = dict(level.document)
    for one in reversed(later):
        was = patched(was, one.before)
    wanted, now = patched(was, change.before), dict(level.document)
    moves = []
    state = was
    for one in later:
        after = patched(state, one.after)
        if one.number in counting and shape(state) != shape(after):
            moves += reshaping(state, after)
        state = after
    # What took rows away does not know where they would be now.
    if moves and shape(was) != shape(wanted):
        raise EditRefused("moved")
    if exceeds_one_transaction(level.document, len(moves)):
        raise EditRefused("moved")
    try:
        was, wanted = reshaped(was, moves), reshaped(wanted, moves)
        moves = reshaping(was, wanted)
        was, now = reshaped(was, moves), reshaped(now, moves)
    except EditRefused:
        raise EditRefused("moved") from None
    if not shape(was) == shape(now) == shape(wanted):
        raise EditRefused("moved")
    return merged(was, now, wanted)


def last_change(level: WorkshopLevel) -> DraftChange | None:
    """What would be taken back next, whoever did it; None if nothing is left."""
    number = History(level).to_undo(None)
    return level.changes.get(number=number) if number else None


def _go_on(level: WorkshopLevel, edit: AnyEdit | Nothing) -> bool:
    """Apply an edit as a change, or as more of the last one; whether anything has changed."""
    changed = level.document
    said: dict[str, list[str]] = {}
    if isinstance(edit, Nothing):
        fields = in_reading_order(edit.fields)
        said = {key: fields for key in [nothing_on(fields)] if key not in level.compared}
    else:
        changed = apply_edit(level.document, edit)
    if changed == level.document and not said:
        return False
    same = {"page": edit.page, "entry": edit.entry, "turns": None}
    last = level.changes.filter(number=level.position, **same).first() if edit.entry else None
    start = patched(level.document, last.before) if last else level.document
    if last:
        last.delete()
        level.position -= 1
    for key in said:
        _compare(level, key, on=True)
    if last:
        said = last.after.get(NOTHING, {}) | said
    before, after = difference(changed, start), difference(start, changed)
    if said:
        before, after = before | {NOTHING: dict.fromkeys(said)}, after | {NOTHING: said}
    if before or after:
        _add(level, before, after, **same)
    level.document = changed
    return True


def _add(level: WorkshopLevel, before: Any, after: Any, **more: Any) -> None:
    level.position += 1
    DraftChange.objects.create(
        level=level, number=level.position, before=before, after=after, **more
    )


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
    """A document with a `difference` put in; what is said of `NOTHING` is no part of it.

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
