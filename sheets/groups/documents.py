"""Group documents, ``dizzle-group/1``: writer and reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from sheets.documents.decoding import decoder
from sheets.documents.faults import find_structure_faults, read_json, refuse_lossy_json
from sheets.documents.structure import OTHER_FORMAT, read_level
from sheets.groups import players, store
from sheets.groups.game_results import level_digest
from sheets.groups.game_store import MAX_GAMES
from sheets.groups.paper_games_import import YEARS, last_day
from sheets.groups.statistics import BATCH_SIZE
from sheets.models import Group
from sheets.names.cleaning import NAME_LENGTH
from sheets.rules import DocumentError, Level, parse_level
from sheets.rules.level import MAX_PLAYERS
from sheets.rules.violations import quote_briefly
from sheets.text.rulebook.games import GAME_NAMES

T = TypeVar("T")

FORMAT: Final = "dizzle-group/1"
"""Name and version of the document format."""

MAX_BYTES: Final = 16 * 1024 * 1024
"""Maximum size of a document in bytes; 20,000 games of four players with marks take 14 MiB."""

MAX_LEVELS: Final = 500
"""Maximum number of levels in a document."""

PATTERN_FAULT: Final = {"fault": "not-allowed"}
"""Fault of a text that does not match its pattern, see `find_structure_faults`."""

Number = Annotated[int, Meta(ge=0, le=10_000)]
"""A number of marks, or the index of a player."""

Points = Annotated[int, Meta(ge=-10_000, le=10_000)]
"""A number of points, which may be negative."""

Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
"""Name of a player or a bot; it may be empty."""

Word = Annotated[str, Meta(pattern=r"\A[a-z0-9_-]{0,40}\Z", extra=PATTERN_FAULT)]
"""An identifier, such as a category, a language or the id of a level; it may be empty."""

Share = Annotated[float, Meta(ge=0, le=1)]
"""A share of the win."""


class PlayerFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A player of a group.

    ``same_as`` is the index, from 0, of the player into whom this one is merged. ``also`` are
    former names, the oldest first.
    """

    name: Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
    sign: Annotated[int, Meta(ge=0, le=1000)] = 0
    retired: bool = False
    same_as: Number | None = None
    also: Annotated[list[Name], Meta(max_length=players.MAX_FURTHER_NAMES)] = []


class EveningFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Place and note of an evening."""

    day: date
    place: Annotated[str, Meta(max_length=60)] = ""
    note: Annotated[str, Meta(max_length=300)] = ""


class ResultFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Result of one participant in a game.

    ``player`` is the index of the player; None for an anonymous player, or for a bot, whose name
    is ``label``.
    """

    place: Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]
    player: Number | None = None
    label: Name = ""
    points: Points | None = None
    marks: Number = 0
    won: Share = 0.0
    parts: dict[Word, Points] = {}
    crossed: Annotated[str, Meta(pattern=r"\A[0-9a-f]{0,169}\Z", extra=PATTERN_FAULT)] = ""


class GameFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A finished game, see `GroupGame`."""

    played: Annotated[datetime, Meta(tz=True)]
    day: date
    kind: Literal["sheets", "table", "tally", "dice2", "typed"]
    results: Annotated[list[ResultFile], Meta(min_length=1, max_length=MAX_PLAYERS)]
    name: dict[Word, Annotated[str, Meta(max_length=200)]] = {}
    level: Word = ""
    digest: Annotated[str, Meta(pattern=r"\A([0-9a-f]{16})?\Z", extra=PATTERN_FAULT)] = ""
    rating: Annotated[int, Meta(ge=0, le=6)] | None = None
    content: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z", extra=PATTERN_FAULT)] = ""
    starter: Annotated[int, Meta(ge=0, le=MAX_PLAYERS - 1)] | None = None
    seconds: Annotated[int, Meta(ge=0, le=10_000_000)] | None = None


class GroupFile(Struct, forbid_unknown_fields=True):
    """A whole group; ``levels`` has the levels of games with known crosses."""

    format: Annotated[Literal["dizzle-group/1"], OTHER_FORMAT]
    name: Annotated[str, Meta(min_length=1, max_length=store.MAX_NAME_LENGTH)]
    players: Annotated[list[PlayerFile], Meta(max_length=players.MAX_GROUP_PLAYERS)]
    evenings: Annotated[list[EveningFile], Meta(max_length=MAX_GAMES)]
    games: Annotated[list[GameFile], Meta(max_length=MAX_GAMES)]
    levels: Annotated[list[dict[str, Any]], Meta(max_length=MAX_LEVELS)] = []


class _Envelope(Struct, forbid_unknown_fields=True):
    """A document with undecoded entries, so that a faulty one does not affect the others."""

    format: Annotated[Literal["dizzle-group/1"], OTHER_FORMAT]
    name: Annotated[str, Meta(min_length=1, max_length=store.MAX_NAME_LENGTH)]
    players: Annotated[list[msgspec.Raw], Meta(max_length=players.MAX_GROUP_PLAYERS)]
    evenings: Annotated[list[msgspec.Raw], Meta(max_length=MAX_GAMES)]
    games: Annotated[list[msgspec.Raw], Meta(max_length=MAX_GAMES)]
    levels: Annotated[list[msgspec.Raw], Meta(max_length=MAX_LEVELS)] = []


def format_group(group: Group) -> bytes:
    """Return a group as a document, its games in order; open games are left out."""
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
        # Bought levels are never exported: after an import, their crosses count again as soon as
        # the level is played there.
        [one.document for one in group.levels.filter(is_bought=False).order_by("pk")],
    )
    return msgspec.json.encode(document)


def _games(group: Group, places: dict[int, int]) -> Iterator[GameFile]:
    games = group.games.filter(is_open=False).order_by("number").prefetch_related("results")
    for game in games.iterator(chunk_size=BATCH_SIZE):
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
    """A faulty entry of a document; ``title`` is its day or name as written there."""

    fault: DocumentError
    title: str

    @property
    def is_player(self) -> bool:
        """Whether the entry is a player."""
        return self.fault.place[:1] == ("players",)


class ReadGroup(NamedTuple):
    """Result of reading a document: the group without its faulty entries, and these entries."""

    group: GroupFile
    skipped: list[Skipped]


def read_group(text: bytes) -> ReadGroup:
    """Read a document, and skip its faulty players, games, evenings and levels.

    Results of a skipped player have no player.

    Raises:
        DocumentError: the text is no group document, or all of its players or all of its games
            are faulty.
    """
    if len(text) > MAX_BYTES:
        raise DocumentError("too-large", kib=MAX_BYTES // 1024)
    text = text.removeprefix(b"\xef\xbb\xbf")
    if not text:
        raise DocumentError("empty-file")
    skipped: list[Skipped] = []
    try:
        found = decoder(_Envelope).decode(text)
        player_fault = partial(_player_fault, player_count=len(found.players))
        people = _decode(found.players, PlayerFile, "players", player_fault, skipped)
        _skip_merge_chains(people, skipped)
        names = [
            people[place].name if place in people else "" for place in range(len(found.players))
        ]
        game_fault = partial(_game_fault, names=names)
        games = _decode(found.games, GameFile, "games", game_fault, skipped)
        evenings = _decode(found.evenings, EveningFile, "evenings", _evening_fault, skipped)
        levels = _decode(found.levels, dict[str, Any], "levels", _level_fault, skipped)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        plain = read_json(text)
        raise next(find_structure_faults(plain, _Envelope), DocumentError("unusable")) from None
    refuse_lossy_json(text)
    for key, entries, kept in (
        ("players", found.players, people),
        ("games", found.games, games),
    ):
        if entries and not kept:
            raise next(one.fault for one in skipped if one.fault.place[0] == key)
    group = GroupFile(
        found.format,
        found.name,
        _renumber(people, games.values()),
        list(evenings.values()),
        list(games.values()),
        list(levels.values()),
    )
    return ReadGroup(group, skipped)


def _renumber(people: Mapping[int, PlayerFile], games: Iterable[GameFile]) -> list[PlayerFile]:
    """Renumber the players without the skipped ones, adapt all references, and return them."""
    numbers: dict[int | None, int] = {place: number for number, place in enumerate(people)}
    for one in people.values():
        one.same_as = numbers.get(one.same_as)
    for game in games:
        for result in game.results:
            result.player = numbers.get(result.player)
    return list(people.values())


def _decode(
    entries: Sequence[msgspec.Raw],
    kind: type[T],
    key: str,
    find_fault: Callable[[T], DocumentError | None],
    skipped: list[Skipped],
) -> dict[int, T]:
    """Return the entries of a list that have no fault, by index; append the others to ``skipped``.

    Raises msgspec.DecodeError, UnicodeError, RecursionError: the document is no JSON.
    """
    found: dict[int, T] = {}
    for index, raw in enumerate(entries):
        try:
            entry = decoder(kind).decode(raw)
            fault = find_fault(entry)
        except msgspec.ValidationError:
            plain = read_json(bytes(raw))
            fault = next(find_structure_faults(plain, kind), DocumentError("unusable"))
        if fault is None:
            found[index] = entry
        else:
            skipped.append(Skipped(fault.inside(key, index), _title_of(read_json(bytes(raw)))))
    return found


def _title_of(entry: Any) -> str:
    """Return the day or the name of an entry as it is written; empty if it has none."""
    known = entry if isinstance(entry, dict) else {}
    title = known.get("day", known.get("name", ""))
    return quote_briefly(str(title)) if isinstance(title, str | int) else ""


def _skip_merge_chains(people: dict[int, PlayerFile], skipped: list[Skipped]) -> None:
    """Skip players who are merged into themselves, or into a player who is merged, too."""
    merged = {place for place, one in people.items() if one.same_as is not None}
    for place in sorted(merged):
        into = people[place].same_as
        if into in merged:
            fault = DocumentError("not-allowed", ("players", place, "same_as"), written=str(into))
            skipped.append(Skipped(fault, people.pop(place).name))


def _player_fault(player: PlayerFile, player_count: int) -> DocumentError | None:
    if player.same_as is not None and player.same_as >= player_count:
        return DocumentError("unknown-player", ("same_as",))
    return None


def _game_fault(game: GameFile, names: Sequence[str]) -> DocumentError | None:
    """Return the first fault in the players, the game of Dice² or the days of a game, or None.

    ``names`` are those of all players of the document, empty for skipped ones.
    """
    seen: set[int] = set()
    for place, one in enumerate(game.results):
        if one.player is None:
            continue
        if one.player >= len(names):
            return DocumentError("unknown-player", ("results", place, "player"))
        if one.player in seen and names[one.player]:
            at = ("results", place, "player")
            return DocumentError("player-twice", at, name=names[one.player])
        seen.add(one.player)
    if game.kind == "dice2" and game.level and game.level not in GAME_NAMES:
        return DocumentError("not-allowed", ("level",), written=game.level)
    for key, day in (("day", game.day), ("played", game.played.date())):
        if fault := _year_fault(key, day):
            return fault
        if day > last_day():
            return DocumentError("ahead", (key,))
    return None


def _evening_fault(evening: EveningFile) -> DocumentError | None:
    return _year_fault("day", evening.day)


def _year_fault(key: str, day: date) -> DocumentError | None:
    if day.year in YEARS:
        return None
    return DocumentError("wrong-year", (key,), least=YEARS[0], most=YEARS[-1])


def _level_fault(level: dict[str, Any]) -> DocumentError | None:
    try:
        read_level(msgspec.json.encode(level))
    except DocumentError as fault:
        return fault
    return None


def levels_of(found: GroupFile) -> dict[str, Level]:
    """Return the levels of a document by their digests."""
    # The digest is that of the parsed level, since the text of a level changes when rewritten.
    return {level_digest(level): level for level in map(parse_level, found.levels)}
