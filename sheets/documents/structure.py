"""Structures and parsers of levels, games and score sheets.

msgspec checks types, ranges and keys against the structures below; `sheets.rules` checks the
meaning. Every refusal is a `DocumentError` with the fault's name and its path in the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from dizzle_site.languages import LANGUAGES
from sheets.documents.decoding import decoder
from sheets.documents.faults import find_structure_faults, read_json, refuse_lossy_json
from sheets.rules import DocumentError, Level, parse_level
from sheets.rules.documents.game import FindLevel, Record, parse_game
from sheets.rules.documents.level import find_faults
from sheets.rules.documents.sheets import parse_sheets
from sheets.rules.house_rules import HouseRules
from sheets.rules.level import MAX_DICE, MAX_ROUNDS
from sheets.rules.paper_scoring import Paper
from sheets.rules.symbols import PAYING, Pays, Symbol

OTHER_FORMAT: Final = Meta(extra={"fault": "other-format"})
"""Annotation of the key ``format``: another value than the expected one is this fault."""

MAX_BYTES: Final = 1024 * 1024
"""Maximum size of a document in bytes."""

LEVEL_ID: Final = "[a-z0-9][a-z0-9-]{0,39}"
"""Regular expression of a level's ``id``, for Python and for scripts."""

if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[tuple(code for code, _name in LANGUAGES)]
Text = Annotated[str, Meta(max_length=500)]
Word = Annotated[str, Meta(min_length=1, max_length=500)]
Texts = Word | Annotated[dict[Language, Word], Meta(min_length=1)]
PlayerName = Annotated[str, Meta(min_length=1, max_length=40)]
FieldName = Annotated[
    str, Meta(pattern=r"\A[a-z][0-9]{1,2}\Z", extra={"fault": "not-a-field-name"})
]
ColumnName = Annotated[str, Meta(pattern=r"\A[a-z]\Z", extra={"fault": "not-a-column"})]
LevelId = Annotated[str, Meta(pattern=rf"\A{LEVEL_ID}\Z", extra={"fault": "not-an-id"})]
FieldNames = Annotated[list[FieldName], Meta(max_length=676)]
Pair = Annotated[list[FieldName], Meta(min_length=2, max_length=2)]
Colour = Literal["red", "orange", "yellow", "green", "blue", "purple", "white", "black"]
Shape = Literal["NS", "EW", "NE", "ES", "SW", "NW"]
Points = Annotated[int, Meta(ge=-99, le=99)]
Penalty = Annotated[int, Meta(ge=-99, le=0)]
Total = Annotated[int, Meta(ge=-9999, le=9999)]
Track = Annotated[list[Points], Meta(max_length=40)]
PlayerCount = Literal["1", "2", "3", "4", "5", "6"]
Player = Annotated[int, Meta(ge=0, le=5)]
Die = Annotated[int, Meta(ge=1, le=6)]
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", extra={"fault": "not-hexadecimal"})]
Contribution = Annotated[
    str, Meta(pattern=r"\A([0-9a-f]{32})?\Z", extra={"fault": "not-hexadecimal"})
]
Dice = list[Die]


class Document(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of all structures: unknown keys are refused, absent ones stay absent."""


class LineEntry(Document):
    """One entry of a level's ``lines``."""

    points: Points
    row: Annotated[int, Meta(ge=1, le=26)] | UnsetType = UNSET
    column: ColumnName | UnsetType = UNSET
    fields: FieldNames | UnsetType = UNSET


class AreaEntry(Document):
    """One entry of a level's ``areas``."""

    fields: FieldNames
    points: Points | UnsetType = UNSET
    race: Track | UnsetType = UNSET


def points_type(symbol: Symbol) -> Any:
    """Return the type of a symbol's value in a level's ``points``.

    This is an amount or a track of numbers; of a coloured symbol, one for each colour.
    """
    amount: Any = Penalty if symbol.costs else Points
    if symbol.pays is Pays.TRACK:
        amount = Track
    return dict[Colour, amount] if symbol.is_coloured else amount


if TYPE_CHECKING:
    PointsEntry = Document
else:
    PointsEntry = msgspec.defstruct(
        "PointsEntry",
        [(name, points_type(symbol) | UnsetType, UNSET) for name, symbol in PAYING.items()],
        bases=(Document,),
        namespace={"__doc__": "A level's ``points``: one key for each symbol that pays."},
    )


class HouseRulesEntry(Document):
    """The ``house_rules`` of a level or game; keys as in `sheets.rules.house_rules.HouseRules`."""

    keep_dice: bool | UnsetType = UNSET
    play_on: bool | UnsetType = UNSET
    starter: Literal["next-player", "fewest-points", "same-player"] | UnsetType = UNSET
    no_bombs: bool | UnsetType = UNSET
    more_players: bool | UnsetType = UNSET
    dice: Annotated[int, Meta(ge=1, le=MAX_DICE)] | UnsetType = UNSET
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] | UnsetType = UNSET


class LevelDocument(Document):
    """Structure of a ``dizzle-level/1``."""

    format: Annotated[Literal["dizzle-level/1"], OTHER_FORMAT]
    id: LevelId
    name: Texts
    grid: Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(min_length=1, max_length=26)]
    lines: Annotated[list[LineEntry], Meta(max_length=40)] | UnsetType = UNSET
    areas: Annotated[list[AreaEntry], Meta(max_length=40)] | UnsetType = UNSET
    points: PointsEntry | UnsetType = UNSET
    repeat_last: bool | UnsetType = UNSET
    marks: Literal["crosses", "tracks"] | UnsetType = UNSET
    tracks: dict[FieldName, Shape] | UnsetType = UNSET
    links: Annotated[list[Pair], Meta(max_length=400)] | UnsetType = UNSET
    walls: Annotated[list[Pair], Meta(max_length=2000)] | UnsetType = UNSET
    shifts: Annotated[list[float], Meta(max_length=26)] | UnsetType = UNSET
    dice: dict[PlayerCount, Annotated[int, Meta(ge=1, le=MAX_DICE)]] | UnsetType = UNSET
    rounds: dict[PlayerCount, Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]] | UnsetType = UNSET
    house_rules: HouseRulesEntry | UnsetType = UNSET
    ratings: Annotated[list[Total], Meta(max_length=6)] | UnsetType = UNSET
    labels: Annotated[dict[str, Texts], Meta(max_length=60)] | UnsetType = UNSET
    about: Text | dict[Language, Text] | UnsetType = UNSET
    author: Text | UnsetType = UNSET
    difficulty: Annotated[int, Meta(ge=1, le=5)] | UnsetType = UNSET


class ActionEntry(Document, tag_field="do"):
    """One entry of a game's ``actions``."""


class Roll(ActionEntry, tag="roll"):
    """Roll of all dice by the start player."""

    dice: Dice


class Erupt(ActionEntry, tag="erupt"):
    """Roll of the single die for the volcano by the start player."""

    die: Die


class Lava(ActionEntry, tag="lava"):
    """Choice of the field that a player turns into lava."""

    player: Player
    at: FieldName


class Place(ActionEntry, tag="place"):
    """Die placed on a field."""

    player: Player
    at: FieldName
    die: Die | UnsetType = UNSET


class Reroll(ActionEntry, tag="reroll"):
    """Reroll of the pool."""

    player: Player
    dice: Dice


class Return(ActionEntry, tag="return"):
    """Die returned from a field to the pool."""

    player: Player
    at: FieldName


class Drop(ActionEntry, tag="drop"):
    """Player dropping out of the pass."""

    player: Player


class Extra(ActionEntry, tag="extra"):
    """Roll of the two extra dice in a solo game."""

    dice: Dice


class EndPass(ActionEntry, tag="end_pass"):
    """End of a pass in a game whose dice are not tracked."""


class DrawnTrack(ActionEntry, tag="track"):
    """Track drawn on a field."""

    player: Player
    at: FieldName
    shape: Shape


class Rocket(ActionEntry, tag="rocket"):
    """Choice of the planet that a player's rocket crosses."""

    player: Player
    at: FieldName


class FinalSheet(Document, kw_only=True):
    """Marks on a player's sheet at the end of a game."""

    crosses: FieldNames | UnsetType = UNSET
    exploded: FieldNames | UnsetType = UNSET
    lava: FieldNames | UnsetType = UNSET
    tracks: dict[FieldName, Shape] | UnsetType = UNSET
    flags: dict[Colour, Points] | UnsetType = UNSET
    races: dict[str, Points] | UnsetType = UNSET


class Correct(FinalSheet, tag_field="do", tag="correct"):
    """Correction of a player's sheet after the game."""

    player: Player


AnyAction = (
    Roll
    | Erupt
    | Lava
    | Place
    | Reroll
    | Return
    | Drop
    | Extra
    | EndPass
    | DrawnTrack
    | Rocket
    | Correct
)


class DiceProofEntry(Document):
    """Value of ``dice_proof``: what anybody needs to compute the dice again."""

    commitment: Digest
    seed: Digest
    contributions: Annotated[list[Contribution], Meta(max_length=6)]
    fixed: Annotated[list[Annotated[int, Meta(ge=0, le=99999)]], Meta(max_length=6)] | UnsetType = (
        UNSET
    )


class GameDocument(Document):
    """Structure of a ``dizzle-game/1``."""

    format: Annotated[Literal["dizzle-game/1"], OTHER_FORMAT]
    level: str | LevelDocument
    dice: Literal["tracked", "untracked"]
    players: Annotated[list[PlayerName], Meta(min_length=1, max_length=6)]
    actions: Annotated[list[AnyAction], Meta(max_length=5000)]
    house_rules: HouseRulesEntry | UnsetType = UNSET
    dice_proof: DiceProofEntry | UnsetType = UNSET


class SheetEntry(FinalSheet):
    """One entry of ``sheets``: the sheet of a player."""

    player: PlayerName


class SheetsDocument(Document):
    """Structure of a ``dizzle-sheets/1``."""

    format: Annotated[Literal["dizzle-sheets/1"], OTHER_FORMAT]
    level: str | LevelDocument
    sheets: Annotated[list[SheetEntry], Meta(min_length=1, max_length=6)]
    solo: bool | UnsetType = UNSET


T = TypeVar("T", bound=Document)


def read_level(text: bytes) -> Level:
    """Return the level of a ``dizzle-level/1`` file. Raises DocumentError."""
    return parse_level(decode(text, LevelDocument))


def read_game(text: bytes, find_level: FindLevel) -> Record:
    """Return the record of a ``dizzle-game/1`` file. Raises DocumentError."""
    return parse_game(decode(text, GameDocument), find_level, _parse_level_cached)


def _parse_level_cached(document: Mapping[str, Any]) -> Level:
    return _parse_level_text(msgspec.json.encode(document))


@lru_cache(maxsize=64)
def _parse_level_text(document: bytes) -> Level:
    """Parse a level's JSON.

    Cached, because many files of games contain the same level, and parsing it takes as long as
    replaying half a game.
    """
    return parse_level(msgspec.json.decode(document))


def read_sheets(text: bytes, find_level: FindLevel) -> Paper:
    """Return the paper sheets of a ``dizzle-sheets/1`` file. Raises DocumentError."""
    return parse_sheets(decode(text, SheetsDocument), find_level)


def parse_house_rules(words: Iterable[str]) -> HouseRules:
    """Parse house rules as the command line has them: ``keep-dice``, ``dice=9``.

    Raises:
        ValueError: for the first word that is no house rule, or has an impossible value.
    """
    found: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        key = name.replace("-", "_")
        try:
            # Not strict: it converts the text "9" to a number, and "true" to a boolean.
            entry = msgspec.convert({key: value or "true"}, HouseRulesEntry, strict=False)
        except msgspec.ValidationError:
            raise ValueError(word) from None
        found |= msgspec.to_builtins(entry)
    return HouseRules(**found)


def refuse_large(text: bytes) -> None:
    """Raise DocumentError for a text of more than `MAX_BYTES`."""
    if len(text) > MAX_BYTES:
        raise DocumentError("too-large", kib=MAX_BYTES // 1024)


def decode(text: bytes, kind: type[T]) -> dict[str, Any]:
    """Parse a document, check its keys, types and ranges, and return plain dicts and lists.

    Args:
        text: the file's bytes, at most `MAX_BYTES`; a byte order mark is ignored.
        kind: the structure that the document must have.

    Raises:
        DocumentError: the first fault.
    """
    refuse_large(text)
    text = text.removeprefix(b"\xef\xbb\xbf")
    try:
        checked = decoder(kind).decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise _first_fault(text, kind) from None
    # A duplicate key loses a value, and with it at least two quotation marks; absent keys stay
    # absent, so nothing adds any. The slow check runs only then, or if the text has escapes.
    if b"\\u" in text or text.count(b'"') != msgspec.json.encode(checked).count(b'"'):
        refuse_lossy_json(text)
    return dict(msgspec.to_builtins(checked))


def find_level_faults(document: Mapping[str, Any]) -> list[DocumentError]:
    """Return every fault of structure or meaning that keeps a document from being a level.

    Args:
        document: a level or a draft, as plain dicts, lists and values.
    """
    faults = list(find_structure_faults(document, LevelDocument))
    # Faults of id and name do not affect the meaning of the rest.
    parts = {fault.place[0] if fault.place else fault.facts.get("key") for fault in faults}
    return [*find_faults(document), *faults] if parts <= {"id", "name"} else faults


def _first_fault(text: bytes, kind: type[Document]) -> DocumentError:
    """Return the first fault of a text that msgspec has refused.

    Raises:
        DocumentError: the text is no JSON, or cannot be stored without loss.
    """
    for fault in find_structure_faults(read_json(text), kind):
        return fault
    refuse_lossy_json(text)
    return DocumentError("unusable")
