"""What does a draft look like without one change, when others have gone on since?

What the change did is turned round where the draft still is as it left it; what has become
something else since stays. Fields are compared by number, symbol and printed cross, lists entry by
entry, all else key by key, so that two people who work side by side keep what is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile, zip_longest
from typing import Any, Final

from sheets.rules.documents.level import HOLE
from sheets.rules.level import format_field
from sheets.rules.symbols import OFF_RAILS
from sheets.workshop.acts import AnyEdit, Insert, Remove
from sheets.workshop.draft import VOLCANO_FIELD, Document, Draft, Square
from sheets.workshop.edits import apply_edit

Shape = tuple[int, int]


def shape(document: Document) -> Shape:
    """Columns and rows.

    >>> shape({"grid": ["1 2 3", "4 5 6"]})
    (3, 2)
    """
    return len(document["grid"][0].split()), len(document["grid"])


def reshaping(old: Document, new: Document) -> list[AnyEdit]:
    """The rows and columns that come or go between two drafts, as edits of the first.

    >>> edits = reshaping({"grid": ["1 2", "3 4"]}, {"grid": ["1 2"]})
    >>> [(type(edit).__name__, edit.row) for edit in edits]
    [('Remove', 2)]
    """
    before, after = ([row.split() for row in one["grid"]] for one in (old, new))
    (columns, rows), (new_columns, new_rows) = shape(old), shape(new)
    width = min(columns, new_columns)
    row = _same([line[:width] for line in before], [line[:width] for line in after])
    height = min(rows, new_rows)
    column = _same(
        list(zip(*before[:height], strict=True)), list(zip(*after[:height], strict=True))
    )
    letter = format_field(column, 0)[0] if column < max(columns, new_columns) else ""
    found: list[AnyEdit] = []
    found += [Remove(row=row + 1)] * (rows - new_rows)
    found += [Insert(row=row + 1)] * (new_rows - rows)
    found += [Remove(column=letter)] * (columns - new_columns)
    found += [Insert(column=letter)] * (new_columns - columns)
    return found


def _same(old: Sequence[Any], new: Sequence[Any]) -> int:
    """How many are the same from the beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def reshaped(document: Document, edits: Sequence[AnyEdit]) -> dict[str, Any]:
    """A draft after rows and columns have come or gone. Raises EditRefused."""
    result = dict(document)
    for edit in edits:
        result = apply_edit(result, edit)
    return result


def merged(was: Document, now: Document, wanted: Document) -> dict[str, Any]:
    """The draft as it is ``now`` with what makes ``wanted`` out of ``was``; all of one shape.

    >>> merged({"grid": ["3 5"]}, {"grid": ["3 6Gy"]}, {"grid": ["? 5"]})
    {'grid': ['?    6Gy']}
    """
    keys = [key for key in dict.fromkeys((*was, *now, *wanted)) if key != "grid"]
    parts = {
        key: part
        for key in keys
        if (part := _PARTS.get(key, _value)(was.get(key), now.get(key), wanted.get(key)))
        is not None
    }
    draft = Draft(parts | {"grid": now["grid"]})
    draft.squares = [
        [_square(*squares) for squares in zip(*rows, strict=True)]
        for rows in zip(*(Draft(one).squares for one in (was, now, wanted)), strict=True)
    ]
    if draft.is_rails:
        draft.parts.pop("shifts", None)
        draft.squares = [[_on_rails(square) for square in row] for row in draft.squares]
    else:
        draft.parts.pop("tracks", None)
    return draft.document()


def _on_rails(square: Square) -> Square:
    return square._replace(
        printed=False, symbol="" if square.symbol in OFF_RAILS else square.symbol
    )


def _square(was: Square, now: Square, wanted: Square) -> Square:
    square = Square(
        wanted.number if was.number == now.number else now.number,
        wanted.printed if was.printed == now.printed else now.printed,
        wanted.symbol if was.symbol == now.symbol else now.symbol,
    )
    is_hole = square.number == HOLE and (square.printed or square.symbol)
    return now if is_hole or (square.is_volcano and square != VOLCANO_FIELD) else square


def _value(was: Any, now: Any, wanted: Any) -> Any:
    """Of texts and amounts the wanted one if nobody has changed it; of mappings each by its key."""
    if all(isinstance(one, Mapping | None) for one in (was, now, wanted)):
        old, here, want = was or {}, now or {}, wanted or {}
        found = {
            key: _value(old.get(key), here.get(key), want.get(key))
            for key in dict.fromkeys((*here, *want))
        }
        return {key: value for key, value in found.items() if value is not None} or None
    return wanted if was == now else now


def _shifts(was: Any, now: Any, wanted: Any) -> Any:
    """Row by row; without any all are straight."""
    lists = [one for one in (was, now, wanted) if one]
    straight = [0] * (len(lists[0]) if lists else 0)
    rows = zip(was or straight, now or straight, wanted or straight, strict=True)
    return [_value(*row) for row in rows] or None


def _entries(was: Any, now: Any, wanted: Any) -> Any:
    """Lines, areas or pairs: what went comes back to its place, what is as it came goes."""
    was, wanted, found = was or [], wanted or [], list(now or [])
    gone = [entry for entry in was if entry not in wanted]
    new = [entry for entry in wanted if entry not in was]
    for old, entry in zip_longest(gone, new):
        if old in found:
            at = found.index(old)
            found[at : at + 1] = [entry] if entry else []
        elif old is None and not any(_is_same_place(entry, other) for other in found):
            found.insert(min(wanted.index(entry), len(found)), entry)
    return found or None


def _is_same_place(entry: Any, other: Any) -> bool:
    """Whether somebody else has put the same there: the arrow of a row, an area's fields."""
    if isinstance(entry, list):
        return set(entry) == set(other)
    return all(entry.get(key) == other.get(key) for key in ("row", "column", "fields"))


_PARTS: Final[Mapping[str, Callable[[Any, Any, Any], Any]]] = {
    "shifts": _shifts,
    **dict.fromkeys(("lines", "areas", "links", "walls"), _entries),
}
