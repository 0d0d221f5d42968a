"""Decoding and validation of the acts that an editor's page sends: edits, undo and redo.

An edit contains the wanted result, not the click. So two devices can edit one level at the same
time, as long as the squares and parts that they edit still exist.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from sheets.documents.decoding import ACT_ID, decoder
from sheets.documents.structure import (
    LEVEL_ID,
    Colour,
    Language,
    Penalty,
    PlayerCount,
    Points,
    Shape,
    Total,
)
from sheets.rules.documents.level import MAX_SIDE
from sheets.rules.level import MAX_DICE, MAX_ROUNDS
from sheets.rules.symbols import COLOURED_SYMBOLS, PAYING, SYMBOL_KEYS, SYMBOL_PATTERN, Pays
from sheets.workshop.draft import parse_squares

MAX_ACTS: Final = 100
"""Maximum number of acts per request."""

TEXT_LENGTH: Final = 500
"""Maximum length of a text, in characters."""

THING: Final = r"\A(?:row \d{1,2}(?: [.?\w-]{1,5}){1,26}|[0-9a-f]{16})\Z"
"""Regular expression of `Compare.thing`."""

Name = Annotated[str, Meta(pattern=r"\A[a-z](?:[1-9]|1[0-9]|2[0-6])\Z")]
"""Name of a field, ``a1`` to ``z26``."""

Names = Annotated[list[Name], Meta(min_length=1, max_length=676)]
"""Names of fields, at most all of the largest grid (26 × 26)."""

Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
"""Number of a row, from 1, or count of rows or columns."""

ColumnLetter = Annotated[str, Meta(pattern=r"\A[a-z]\Z")]
"""Letter of a column."""

Numbers = Annotated[list[Points], Meta(min_length=1, max_length=40)]
"""Numbers on the track of a flag, in the order in which players get them."""


class Edit(Struct, forbid_unknown_fields=True, frozen=True, tag_field="do", kw_only=True):
    """Fields that all acts have in common.

    Attributes:
        id: idempotency key, chosen by the device.
        page: id of the device, which it has chosen itself.
        entry: id of an input; successive edits with the same one are a single change for undo, for
            example a number typed digit by digit.
    """

    id: Annotated[str, Meta(pattern=ACT_ID)] = ""
    page: Annotated[str, Meta(pattern=r"\A[a-z0-9]{0,24}\Z")] = ""
    entry: Annotated[str, Meta(pattern=r"\A[a-z0-9]{0,24}\Z")] = ""


class Undo(Edit, frozen=True, tag="undo"):
    """Undo the last change of the level; ``seen`` is the revision that the page shows."""

    seen: Annotated[int, Meta(ge=0)] = 0


class Redo(Edit, frozen=True, tag="redo"):
    """Redo the change that was undone last; ``seen`` is the revision that the page shows."""

    seen: Annotated[int, Meta(ge=0)] = 0


class Put(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """New contents of a square; parts that are None stay as they are."""

    number: Literal["1", "2", "3", "4", "5", "6", "-", "?", "."] | None = None
    symbol: Annotated[str, Meta(pattern=rf"\A{SYMBOL_PATTERN}?\Z")] | None = None
    printed: bool | None = None


class Squares(Edit, frozen=True, tag="squares"):
    """Change squares: numbers, symbols, printed crosses and holes."""

    put: Annotated[dict[Name, Put], Meta(min_length=1, max_length=676)]


class Grid(Edit, frozen=True, tag="grid"):
    """Replace the whole grid by pasted rows."""

    rows: Annotated[
        list[Annotated[str, Meta(max_length=500)]], Meta(min_length=1, max_length=MAX_SIDE)
    ]


class Size(Edit, frozen=True, tag="size"):
    """Set the size of the grid; columns change at the right edge, rows at the bottom."""

    columns: Side
    rows: Side


class Insert(Edit, frozen=True, tag="insert"):
    """Insert a row or column before the named one, or after the last."""

    row: Side | None = None
    column: ColumnLetter | None = None


class Remove(Edit, frozen=True, tag="remove"):
    """Remove a row or a column."""

    row: Side | None = None
    column: ColumnLetter | None = None


class Arrange(Edit, frozen=True, tag="arrange"):
    """Copy, mirror or move a row or a column; a copy follows the original.

    ``up`` moves towards the first row or column, ``down`` towards the last.
    """

    how: Literal["copy", "mirror", "up", "down"]
    row: Side | None = None
    column: ColumnLetter | None = None


class Shift(Edit, frozen=True, tag="shift"):
    """Set how far a row is shifted to the right, in quarters of a field; negative: to the left."""

    row: Side
    quarters: Annotated[int, Meta(ge=-3, le=3)]


class RowLine(Edit, frozen=True, tag="row-line"):
    """Set the points of the arrow of a row or column; None removes the arrow."""

    row: Side | None = None
    column: ColumnLetter | None = None
    points: Points | None = None


class LineEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """A chain: a set of fields that pays when all of them are crossed."""

    fields: Names
    points: Points


class Chain(Edit, frozen=True, tag="chain"):
    """Add (``was`` is None), change or remove (``now`` is None) a chain."""

    was: LineEntry | None = None
    now: LineEntry | None = None


class AreaEntry(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """A bordered area with points or the numbers of a race, or without both yet."""

    fields: Names
    points: Points | None = None
    race: Annotated[list[Points], Meta(max_length=40)] | None = None


class AreaEdit(Edit, frozen=True, tag="area"):
    """Add (``was`` is None), change or remove (``now`` is None) a bordered area."""

    was: AreaEntry | None = None
    now: AreaEntry | None = None


class PairEdit(Edit, frozen=True, tag="pair"):
    """Add or remove a link or a wall between two fields."""

    kind: Literal["links", "walls"]
    fields: Annotated[list[Name], Meta(min_length=2, max_length=2)]
    on: bool


class Track(Edit, frozen=True, tag="track"):
    """Set the printed piece of track of a field; an empty shape removes it."""

    at: Name
    shape: Shape | Literal[""]


class SymbolPoints(Edit, frozen=True, tag="points"):
    """Set the points of a symbol: an amount, the numbers of a flag, or None if not entered yet."""

    of: Annotated[str, Meta(pattern=rf"\A(?:{'|'.join(PAYING)})\Z")]
    colour: Colour | Literal[""] = ""
    points: Points | Numbers | None = None


class Count(Edit, frozen=True, tag="count"):
    """Set the dice or rounds for a number of players; None for the usual number of the rules."""

    of: Literal["dice", "rounds"]
    players: PlayerCount
    count: Annotated[int, Meta(ge=1, le=max(MAX_DICE, MAX_ROUNDS))] | None = None


class Ratings(Edit, frozen=True, tag="ratings"):
    """Set the minimum totals of the grades except the lowest; None for those of the rules."""

    totals: Annotated[list[Total], Meta(min_length=6, max_length=6)] | None = None


class Text(Edit, frozen=True, tag="text"):
    """Set a text of the level in one language; an empty text removes it.

    ``of`` is ``name``, ``about``, ``author`` (without language) or a symbol such as ``gem yellow``.
    """

    of: Annotated[str, Meta(max_length=40)]
    text: Annotated[str, Meta(max_length=TEXT_LENGTH)]
    language: Language | Literal[""] = ""


class Difficulty(Edit, frozen=True, tag="difficulty"):
    """Set the difficulty, from 1 to 5; 0 removes it."""

    stars: Annotated[int, Meta(ge=0, le=5)]


class Identity(Edit, frozen=True, tag="level-id"):
    """Set the level's id in files."""

    level_id: Annotated[str, Meta(pattern=rf"\A{LEVEL_ID}\Z")]


class RepeatLast(Edit, frozen=True, tag="repeat-last"):
    """Set whether the last number of a track is never struck: all further players get it, too."""

    on: bool


class MarkKind(Edit, frozen=True, tag="marks"):
    """Set whether players draw crosses or tracks."""

    marks: Literal["crosses", "tracks"]


class SheetFeatures(Edit, frozen=True, tag="sheet-has"):
    """Set the features of the bought sheet, which are keys of the guide's `FEATURES`."""

    what: Annotated[
        list[Literal["volcano", "tracks", "shifts", "pairs", "races"]], Meta(max_length=5)
    ]


class Compare(Edit, frozen=True, tag="compare"):
    """Tick an item of the comparison with the paper sheet; if not ``on``, remove the tick.

    ``thing`` is a row of the grid in its current state (``row 2 3x 5Gy .``), or the key of an item
    of `sheets.workshop.paper_checklist`.
    """

    thing: Annotated[str, Meta(pattern=THING, max_length=170)]
    on: bool


class DeclareBlank(Edit, frozen=True, tag="nothing"):
    """Declare that similar fields on the photo of the empty sheet have only a number."""

    fields: Names


AnyEdit = (
    Squares | Grid | Size | Insert | Remove | Arrange | Shift | RowLine | Chain | AreaEdit
    | PairEdit | Track | SymbolPoints | Count | Ratings | Text | Difficulty | Identity
    | RepeatLast | MarkKind
)  # fmt: skip
"""An edit of the draft's document."""

AnyAct = AnyEdit | Undo | Redo | SheetFeatures | Compare | DeclareBlank
"""Any act that an editor's page can send."""


class Batch(Struct, forbid_unknown_fields=True, frozen=True):
    """The acts of a request, in the order in which the device did them."""

    acts: Annotated[list[AnyAct], Meta(min_length=1, max_length=MAX_ACTS)]


def read_batch(text: bytes) -> Batch:
    """Decode the acts of a request. Raises ValueError."""
    try:
        batch = decoder(Batch).decode(text)
        text.decode()
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    for act in batch.acts:
        _check_shape(act)
    return batch


def _check_shape(act: AnyAct) -> None:
    """Raise ValueError if the act violates a condition that its types do not express."""
    match act:
        case Grid(rows=rows):
            squares = parse_squares(rows)
            widths = {len(row) for row in squares}
            if len(widths) != 1 or not 1 <= widths.pop() <= MAX_SIDE:
                raise ValueError("rows of different lengths")
        case Insert() | Remove() | Arrange() | RowLine() if (act.row is None) == (
            act.column is None
        ):
            raise ValueError("a row or a column")
        case AreaEdit(now=AreaEntry(points=int(), race=list())):
            raise ValueError("points or a race")
        case SymbolPoints():
            _check_points(act)
        case Text(of=of, text=text) if not is_text_place(of, act.language) or "\0" in text:
            raise ValueError("no such text")
        case Count(of="dice", count=int() as count) if count > MAX_DICE:
            raise ValueError("too many dice")
        case _:
            pass


def _check_points(act: SymbolPoints) -> None:
    if bool(act.colour) != (act.of in COLOURED_SYMBOLS):
        raise ValueError("a colour where there is none, or none where there is")
    if act.points is None:
        return
    if isinstance(act.points, list) != (PAYING[act.of].pays is Pays.TRACK):
        raise ValueError("a track has several numbers, all else has one")
    if PAYING[act.of].costs:
        msgspec.convert(act.points, Penalty)


def is_text_place(of: str, language: str) -> bool:
    """Return whether a level can have the text ``of`` in a language, which is empty for none."""
    if of == "author":
        return language == ""
    return of in ("name", "about", *SYMBOL_KEYS) and language != ""
