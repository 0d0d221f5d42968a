"""What can a page ask for? Bytes in, checked acts out: edits of a draft, undo and redo.

An edit says what shall be, not what has been clicked, so that edits of two people who work at one
level at the same time go on top of each other as long as each still makes sense.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from sheets.documents.decoding import ACT_ID, decoder
from sheets.documents.structure import (
    LEVEL_ID,
    MOST_DICE,
    MOST_ROUNDS,
    Colour,
    Language,
    Penalty,
    PlayerCount,
    Points,
    Shape,
    Total,
)
from sheets.rules.documents.level import MAX_SIDE
from sheets.rules.symbols import COLOURED, KEYS, PAYING, SYMBOL_PATTERN, Pays
from sheets.workshop.draft import parse_squares

MOST_ACTS: Final = 100
"""As many acts as one request may bring."""

MOST_TURNS: Final = 10
"""Maximum number of undos and redos in one request: each may read all stored changes of the level,
see `sheets.workshop.history.KEPT_CHANGES`."""

TEXT_LENGTH: Final = 500

THING: Final = r"\A(?:row \d{1,2}(?: [.?\w-]{1,5}){1,26}|[0-9a-f]{16})\Z"

Name = Annotated[str, Meta(pattern=r"\A[a-z](?:[1-9]|1[0-9]|2[0-6])\Z")]
Names = Annotated[list[Name], Meta(min_length=1, max_length=676)]
Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
ColumnLetter = Annotated[str, Meta(pattern=r"\A[a-z]\Z")]
Numbers = Annotated[list[Points], Meta(min_length=1, max_length=40)]


class Edit(Struct, forbid_unknown_fields=True, frozen=True, tag_field="do", kw_only=True):
    """One act; ``id`` is the device's own name for it, so that none counts twice.

    ``page`` is the device it was done on. Edits with the same ``entry`` are one thing that somebody
    typed, digit by digit: they are taken back together.
    """

    id: Annotated[str, Meta(pattern=ACT_ID)] = ""
    page: Annotated[str, Meta(pattern=r"\A[a-z0-9]{0,24}\Z")] = ""
    entry: Annotated[str, Meta(pattern=r"\A[a-z0-9]{0,24}\Z")] = ""


class Undo(Edit, frozen=True, tag="undo"):
    """Take back what the device did last, or whoever did something last."""

    whose: Literal["own", "all"] = "own"


class Redo(Edit, frozen=True, tag="redo"):
    """Make once more what the device took back last."""


class Put(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """What shall stand in a square; what is left out stays."""

    number: Literal["1", "2", "3", "4", "5", "6", "-", "?", "."] | None = None
    symbol: Annotated[str, Meta(pattern=rf"\A{SYMBOL_PATTERN}?\Z")] | None = None
    printed: bool | None = None


class Squares(Edit, frozen=True, tag="squares"):
    """Numbers, symbols, printed crosses and holes."""

    put: Annotated[dict[Name, Put], Meta(min_length=1, max_length=676)]


class Grid(Edit, frozen=True, tag="grid"):
    """The whole grid, as pasted rows."""

    rows: Annotated[
        list[Annotated[str, Meta(max_length=500)]], Meta(min_length=1, max_length=MAX_SIDE)
    ]


class Size(Edit, frozen=True, tag="size"):
    """More or fewer columns and rows, at the right and the bottom."""

    columns: Side
    rows: Side


class Insert(Edit, frozen=True, tag="insert"):
    """One more row or column before the one named; one behind the last is possible."""

    row: Side | None = None
    column: ColumnLetter | None = None


class Remove(Edit, frozen=True, tag="remove"):
    """A row or a column less."""

    row: Side | None = None
    column: ColumnLetter | None = None


class Arrange(Edit, frozen=True, tag="arrange"):
    """A row or a column once more beside itself, turned round, or one place on.

    ``up`` is towards the first one, ``down`` towards the last.
    """

    how: Literal["copy", "mirror", "up", "down"]
    row: Side | None = None
    column: ColumnLetter | None = None


class Shift(Edit, frozen=True, tag="shift"):
    """A row moved to the right, in quarters of a field."""

    row: Side
    quarters: Annotated[int, Meta(ge=-3, le=3)]


class RowLine(Edit, frozen=True, tag="row-line"):
    """The arrow at a row or column; without points there is none."""

    row: Side | None = None
    column: ColumnLetter | None = None
    points: Points | None = None


class LineEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """A set of fields that pays."""

    fields: Names
    points: Points


class Chain(Edit, frozen=True, tag="chain"):
    """A set of fields that pays: a new one, a changed one, or (now None) one less."""

    was: LineEntry | None = None
    now: LineEntry | None = None


class AreaEntry(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """A bordered area: points or a race; neither while nobody has said what it pays."""

    fields: Names
    points: Points | None = None
    race: Annotated[list[Points], Meta(max_length=40)] | None = None


class AreaEdit(Edit, frozen=True, tag="area"):
    """A bordered area: a new one, a changed one, or (now None) one less."""

    was: AreaEntry | None = None
    now: AreaEntry | None = None


class PairEdit(Edit, frozen=True, tag="pair"):
    """A link or a wall between two fields, or none."""

    kind: Literal["links", "walls"]
    fields: Annotated[list[Name], Meta(min_length=2, max_length=2)]
    on: bool


class Track(Edit, frozen=True, tag="track"):
    """A printed piece of track, or (empty) none."""

    at: Name
    shape: Shape | Literal[""]


class SymbolPoints(Edit, frozen=True, tag="points"):
    """What a symbol pays: an amount, the numbers of a flag, or (None) nothing said."""

    of: Annotated[str, Meta(pattern=rf"\A(?:{'|'.join(PAYING)})\Z")]
    colour: Colour | Literal[""] = ""
    points: Points | Numbers | None = None


class Count(Edit, frozen=True, tag="count"):
    """Dice or rounds for so many players; None: as the rules have it."""

    of: Literal["dice", "rounds"]
    players: PlayerCount
    count: Annotated[int, Meta(ge=1, le=max(MOST_DICE, MOST_ROUNDS))] | None = None


class Ratings(Edit, frozen=True, tag="ratings"):
    """The totals that reach the grades; None: as the rules have it."""

    totals: Annotated[list[Total], Meta(min_length=6, max_length=6)] | None = None


class Text(Edit, frozen=True, tag="text"):
    """A text in one language, empty: none. ``of`` is also a symbol's own word: ``gem yellow``."""

    of: Annotated[str, Meta(max_length=40)]
    text: Annotated[str, Meta(max_length=TEXT_LENGTH)]
    language: Language | Literal[""] = ""


class Difficulty(Edit, frozen=True, tag="difficulty"):
    """From 1 to 5; 0 says nothing."""

    stars: Annotated[int, Meta(ge=0, le=5)]


class Identity(Edit, frozen=True, tag="level-id"):
    """The level's id in files."""

    level_id: Annotated[str, Meta(pattern=rf"\A{LEVEL_ID}\Z")]


class RepeatLast(Edit, frozen=True, tag="repeat-last"):
    """Whether the last number of flags and races is never struck."""

    on: bool


class Marks(Edit, frozen=True, tag="marks"):
    """Crosses or tracks."""

    marks: Literal["crosses", "tracks"]


class SheetHas(Edit, frozen=True, tag="sheet-has"):
    """What the sheet on the table has, of the `FEATURES` of the guided way."""

    what: Annotated[
        list[Literal["volcano", "tracks", "shifts", "pairs", "races"]], Meta(max_length=5)
    ]


class Compare(Edit, frozen=True, tag="compare"):
    """A thing that looks the same on the paper, or (off) one that has to be compared again.

    ``thing`` is a row as it looks (``row 2 3x 5Gy .``) or a key of `sheets.workshop.comparing`.
    """

    thing: Annotated[str, Meta(pattern=THING, max_length=170)]
    on: bool


class Nothing(Edit, frozen=True, tag="nothing"):
    """There is nothing but a number on fields that look alike on the photo of the empty sheet."""

    fields: Names


AnyEdit = (
    Squares | Grid | Size | Insert | Remove | Arrange | Shift | RowLine | Chain | AreaEdit
    | PairEdit | Track | SymbolPoints | Count | Ratings | Text | Difficulty | Identity
    | RepeatLast | Marks
)  # fmt: skip
AnyAct = AnyEdit | Undo | Redo | SheetHas | Compare | Nothing


class Batch(Struct, forbid_unknown_fields=True, frozen=True):
    """What a device did, in its order."""

    acts: Annotated[list[AnyAct], Meta(min_length=1, max_length=MOST_ACTS)]


def read_batch(text: bytes) -> Batch:
    """The batch a request brings. Raises ValueError."""
    try:
        batch = decoder(Batch).decode(text)
        text.decode()
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if sum(isinstance(act, Undo | Redo) for act in batch.acts) > MOST_TURNS:
        raise ValueError("too many undos and redos at once")
    for act in batch.acts:
        _check_shape(act)
    return batch


def _check_shape(act: AnyAct) -> None:
    """What the types do not say. Raises ValueError."""
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
        case Count(of="dice", count=int() as count) if count > 30:
            raise ValueError("too many dice")
        case _:
            pass


def _check_points(act: SymbolPoints) -> None:
    if bool(act.colour) != (act.of in COLOURED):
        raise ValueError("a colour where there is none, or none where there is")
    if act.points is None:
        return
    if isinstance(act.points, list) != (PAYING[act.of].pays is Pays.TRACK):
        raise ValueError("a track has several numbers, all else has one")
    if PAYING[act.of].costs:
        msgspec.convert(act.points, Penalty)


def is_text_place(of: str, language: str) -> bool:
    """Whether a level has such a text in that language."""
    if of == "author":
        return language == ""
    return of in ("name", "about", *KEYS) and language != ""
