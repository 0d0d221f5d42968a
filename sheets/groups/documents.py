"""A group as a document, ``dizzle-group/1``: written and read; and a table of its results."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final, Literal

import msgspec
from django.utils.translation import gettext as _
from msgspec import Meta, Struct

from sheets.documents.decoding import decoder
from sheets.documents.faults import find_structure_faults, read_json, refuse_lost_text
from sheets.documents.structure import read_level
from sheets.groups import players, store
from sheets.groups.entering import YEARS
from sheets.groups.filters import KINDS, kind_names, level_names
from sheets.groups.keeping import MOST_GAMES
from sheets.groups.played import level_digest
from sheets.groups.titles import title_among
from sheets.models import Group, GroupResult
from sheets.people.names import NAME_LENGTH
from sheets.rules import DocumentError, Level, parse_level
from sheets.rules.level import MOST_PLAYERS
from sheets.scoring.spreadsheet import format_table
from sheets.texts.rulebook.games import GAME_NAMES

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

    played: datetime
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


def read_group(text: bytes) -> GroupFile:
    """A document as it was sent. Raises DocumentError."""
    if len(text) > MOST_BYTES:
        raise DocumentError("too-large", kib=MOST_BYTES // 1024)
    text = text.removeprefix(b"\xef\xbb\xbf")
    if not text:
        raise DocumentError("empty-file")
    try:
        found = decoder(GroupFile).decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        plain = read_json(text)
        raise next(find_structure_faults(plain, GroupFile), DocumentError("unusable")) from None
    refuse_lost_text(text)
    levels_of(found)
    if not _means_a_group(found):
        raise DocumentError("unusable")
    return found


def levels_of(found: GroupFile) -> dict[str, Level]:
    """The levels of a document, by what tells each apart. Raises DocumentError."""
    for one in found.levels:
        read_level(msgspec.json.encode(one))
    # What reads a file writes the document anew, and tells it apart by other letters then.
    return {level_digest(level): level for level in map(parse_level, found.levels)}


def _means_a_group(found: GroupFile) -> bool:
    """Whether players and games are only named that there are, and days that anybody has lived."""
    count = len(found.players)
    merged = [one.same_as for one in found.players if one.same_as is not None]
    named = [one.player for game in found.games for one in game.results if one.player is not None]
    days = [*(one.day for one in found.evenings), *(one.day for one in found.games)]
    played = [game.played for game in found.games]
    return (
        all(into < count and found.players[into].same_as is None for into in merged)
        and all(player < count for player in named)
        and all(when.tzinfo is not None for when in played)
        and all(day.year in YEARS for day in (*days, *played))
        and all(game.kind != "dice2" or game.level in GAME_NAMES for game in found.games)
    )


def group_table(group: Group) -> bytes:
    """Every result as a line of a table, as the bytes of a file; the first game first."""
    names, kinds = level_names(group), dict(zip(KINDS, kind_names(), strict=True))
    head = [_("Date"), _("Game"), _("Player"), _("Points"), _("Place"), _("Share of the win")]
    rows: list[list[Any]] = [[*head, _("Kind"), _("Game number")]]
    found = GroupResult.objects.filter(game__group=group, game__is_open=False)
    for one in (
        found.select_related("game", "player")
        .order_by("game__number", "seat")
        .iterator(chunk_size=AT_ONCE)
    ):
        name = one.player.name if one.player else one.label or _("someone")
        points = "" if one.points is None else one.points
        share = int(one.won) if one.won in (0, 1) else str(round(one.won, 3))
        day = one.game.evening.isoformat()
        told = [day, title_among(names, one.game), name, points, one.place, share]
        rows.append([*told, kinds.get(one.game.kind, ""), one.game.number])
    return format_table(rows).encode("utf-8-sig")
