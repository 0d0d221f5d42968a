"""A group as a document, ``dizzle-group/1``: written and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from sheets.documents.decoding import decoder
from sheets.documents.faults import find_structure_faults, read_json, refuse_lost_text
from sheets.documents.structure import read_level
from sheets.groups import players, store
from sheets.groups.entering import YEARS
from sheets.groups.keeping import MOST_GAMES
from sheets.groups.played import level_digest
from sheets.models import Group
from sheets.people.names import NAME_LENGTH
from sheets.rules import DocumentError, Level, parse_level
from sheets.rules.level import MOST_PLAYERS
from sheets.rules.violations import quote_briefly
from sheets.texts.rulebook.games import GAME_NAMES

T = TypeVar("T")

FORMAT: Final = "dizzle-group/1"

MOST_BYTES: Final = 8 * 1024 * 1024
"""A group of 10,000 games has some 5 MB."""

MOST_LEVELS: Final = 500

AT_ONCE: Final = 2000

Number = Annotated[int, Meta(ge=0, le=10_000)]
Points = Annotated[int, Meta(ge=-10_000, le=10_000)]
Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
Word = Annotated[str, Meta(pattern=r"\A[a-z0-9_-]{0,40}\Z")]
Share = Annotated[float, Meta(ge=0, le=1)]


class PlayerFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A player; ``same_as`` is the place of another one, from 0, whom they are merged into.

    ``also`` are the names they had before, the first one first.
    """

    name: Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
    sign: Annotated[int, Meta(ge=0, le=1000)] = 0
    retired: bool = False
    same_as: Number | None = None
    also: Annotated[list[Name], Meta(max_length=players.MOST_ALSO)] = []


class EveningFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What is said of a day."""

    day: date
    place: Annotated[str, Meta(max_length=60)] = ""
    note: Annotated[str, Meta(max_length=300)] = ""


class ResultFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How somebody did; without ``player`` it was somebody, or a bot called ``label``."""

    place: Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]
    player: Number | None = None
    label: Name = ""
    points: Points | None = None
    marks: Number = 0
    won: Share = 0.0
    parts: dict[Word, Points] = {}
    crossed: Annotated[str, Meta(pattern=r"\A[0-9a-f]{0,169}\Z")] = ""


class GameFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A game that is over."""

    played: Annotated[datetime, Meta(tz=True)]
    day: date
    kind: Literal["sheets", "table", "tally", "dice2", "typed"]
    results: Annotated[list[ResultFile], Meta(min_length=1, max_length=MOST_PLAYERS)]
    name: dict[Word, Annotated[str, Meta(max_length=200)]] = {}
    level: Word = ""
    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{0,16}\Z")] = ""
    rating: Annotated[int, Meta(ge=0, le=6)] | None = None
    content: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    starter: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)] | None = None
    seconds: Annotated[int, Meta(ge=0, le=10_000_000)] | None = None


class GroupFile(Struct, forbid_unknown_fields=True):
    """A whole group; ``levels`` are those on which it is known what was crossed."""

    format: Literal["dizzle-group/1"]
    name: Annotated[str, Meta(min_length=1, max_length=store.LONGEST_NAME)]
    players: Annotated[list[PlayerFile], Meta(max_length=players.MOST)]
    evenings: Annotated[list[EveningFile], Meta(max_length=MOST_GAMES)]
    games: Annotated[list[GameFile], Meta(max_length=MOST_GAMES)]
    levels: Annotated[list[dict[str, Any]], Meta(max_length=MOST_LEVELS)] = []


class _Envelope(Struct, forbid_unknown_fields=True):
    """A document whose entries are not yet read, so that one that is faulty spoils no other."""

    format: Literal["dizzle-group/1"]
    name: Annotated[str, Meta(min_length=1, max_length=store.LONGEST_NAME)]
    players: Annotated[list[PlayerFile], Meta(max_length=players.MOST)]
    evenings: Annotated[list[msgspec.Raw], Meta(max_length=MOST_GAMES)]
    games: Annotated[list[msgspec.Raw], Meta(max_length=MOST_GAMES)]
    levels: Annotated[list[msgspec.Raw], Meta(max_length=MOST_LEVELS)] = []


def format_group(group: Group) -> bytes:
    """A group as a document, its games from the first one on; open ones are left out."""
    everybody = list(group.players.order_by("number"))
    places = {player.pk: place for place, player in enumerate(everybody)}
    document = GroupFile(
        FORMAT,
        group.name,
        [
            PlayerFile(
                one.name,
                one.sign,
                one.is_retired,
                places.get(one.merged_into_id or 0),
                one.also,
            )
            for one in everybody
        ],
        [EveningFile(one.day, one.place, one.note) for one in group.evenings.order_by("day")],
        list(_games(group, places)),
        # A bought sheet is for the eyes only: played again elsewhere, its crosses count again.
        [one.document for one in group.levels.filter(is_bought=False).order_by("pk")],
    )
    return msgspec.json.encode(document)


def _games(group: Group, places: dict[int, int]) -> Iterator[GameFile]:
    games = group.games.filter(is_open=False).order_by("number").prefetch_related("results")
    for game in games.iterator(chunk_size=AT_ONCE):
        yield GameFile(
            game.played.astimezone(UTC),
            game.evening,
            game.kind,  # type: ignore[arg-type]
            [
                ResultFile(
                    one.place,
                    places.get(one.typed_id or 0),
                    one.label,
                    one.points,
                    one.marks,
                    one.won,
                    one.parts,
                    one.crossed,
                )
                for one in sorted(game.results.all(), key=lambda one: one.seat)
            ],
            game.level_name,
            game.level_id,
            game.level_digest,
            game.rating,
            game.content,
            game.starter,
            game.seconds,
        )


class Skipped(NamedTuple):
    """A faulty entry of a document; ``day`` is its day as it stands there."""

    fault: DocumentError
    day: str


class ReadGroup(NamedTuple):
    """A group that was read from a document, without the entries that are skipped."""

    group: GroupFile
    skipped: list[Skipped]


def read_group(text: bytes) -> ReadGroup:
    """Read a document, and skip its faulty games, evenings and levels.

    Raises:
        DocumentError: it is no group, or all of its games are faulty.
    """
    if len(text) > MOST_BYTES:
        raise DocumentError("too-large", kib=MOST_BYTES // 1024)
    text = text.removeprefix(b"\xef\xbb\xbf")
    if not text:
        raise DocumentError("empty-file")
    skipped: list[Skipped] = []
    try:
        found = decoder(_Envelope).decode(text)
        game_fault = partial(_game_fault, player_count=len(found.players))
        games = _decode(found.games, GameFile, "games", game_fault, skipped)
        evenings = _decode(found.evenings, EveningFile, "evenings", _evening_fault, skipped)
        levels = _decode(found.levels, dict[str, Any], "levels", _level_fault, skipped)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        plain = read_json(text)
        raise next(find_structure_faults(plain, GroupFile), DocumentError("unusable")) from None
    refuse_lost_text(text)
    if fault := _player_fault(found.players):
        raise fault
    if found.games and not games:
        raise skipped[0].fault
    group = GroupFile(found.format, found.name, found.players, evenings, games, levels)
    return ReadGroup(group, skipped)


def _decode(
    entries: Sequence[msgspec.Raw],
    kind: type[T],
    key: str,
    find_fault: Callable[[T], DocumentError | None],
    skipped: list[Skipped],
) -> list[T]:
    """Return the entries of a list that have no fault; append the others to ``skipped``.

    Raises msgspec.DecodeError, UnicodeError, RecursionError: the document is no JSON.
    """
    found: list[T] = []
    for index, raw in enumerate(entries):
        try:
            entry = decoder(kind).decode(raw)
            fault = find_fault(entry)
        except msgspec.ValidationError:
            plain = read_json(bytes(raw))
            fault = next(find_structure_faults(plain, kind), DocumentError("unusable"))
        if fault is None:
            found.append(entry)
        else:
            plain = read_json(bytes(raw))
            day = plain.get("day", "") if isinstance(plain, dict) else ""
            skipped.append(Skipped(fault.inside(key, index), quote_briefly(str(day))))
    return found


def _player_fault(files: Sequence[PlayerFile]) -> DocumentError | None:
    for place, one in enumerate(files):
        if one.same_as is None:
            continue
        if one.same_as >= len(files):
            return DocumentError("unknown-player", ("players", place, "same_as"))
        if files[one.same_as].same_as is not None:
            return DocumentError(
                "not-allowed", ("players", place, "same_as"), written=str(one.same_as)
            )
    return None


def _game_fault(game: GameFile, player_count: int) -> DocumentError | None:
    """The first thing in a game that exists nowhere: a player, a year, a game of Dice²."""
    for place, one in enumerate(game.results):
        if one.player is not None and one.player >= player_count:
            return DocumentError("unknown-player", ("results", place, "player"))
    if game.kind == "dice2" and game.level not in GAME_NAMES:
        return DocumentError("not-allowed", ("level",), written=game.level)
    return _year_fault("day", game.day) or _year_fault("played", game.played)


def _evening_fault(evening: EveningFile) -> DocumentError | None:
    return _year_fault("day", evening.day)


def _year_fault(key: str, when: date) -> DocumentError | None:
    if when.year in YEARS:
        return None
    return DocumentError("wrong-year", (key,), least=YEARS[0], most=YEARS[-1])


def _level_fault(level: dict[str, Any]) -> DocumentError | None:
    try:
        read_level(msgspec.json.encode(level))
    except DocumentError as fault:
        return fault
    return None


def levels_of(found: GroupFile) -> dict[str, Level]:
    """The levels of a document, by what tells each apart."""
    # What reads a file writes the document anew, and tells it apart by other letters then.
    return {level_digest(level): level for level in map(parse_level, found.levels)}
