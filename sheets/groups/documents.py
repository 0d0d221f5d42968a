"""How does a group become a document, ``dizzle-group/1``, and back; and a table of results?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final, Literal

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _
from msgspec import Meta, Struct

from sheets.documents.decoding import decoder
from sheets.documents.faults import find_structure_faults, read_json, refuse_lost_text
from sheets.documents.structure import read_level
from sheets.groups import players, store
from sheets.groups.bundling import say_changed
from sheets.groups.entering import YEARS
from sheets.groups.filters import KINDS, kind_names, level_names
from sheets.groups.keeping import MOST_GAMES
from sheets.groups.played import level_digest
from sheets.groups.titles import title_among
from sheets.models import Evening, Group, GroupGame, GroupPlayer, GroupResult
from sheets.people.alike import looks, shown_names
from sheets.people.names import NAME_LENGTH, clean_name
from sheets.rules import DocumentError, Level, format_level, parse_level
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


@transaction.atomic
def take_in(found: GroupFile) -> str:
    """A new group with all that a document has; gives its key."""
    key = store.create(clean_name(found.name) or _("Group"))
    group = store.find(key).thing
    names = shown_names([one.name for one in found.players])
    before = _names_before(found.players, names)
    people = GroupPlayer.objects.bulk_create(
        GroupPlayer(
            group=group,
            number=place,
            name=name,
            also=also,
            sign=one.sign,
            is_retired=one.retired,
        )
        for place, (one, name, also) in enumerate(
            zip(found.players, names, before, strict=True), start=1
        )
    )
    roots = [
        person if one.same_as is None else people[one.same_as]
        for one, person in zip(found.players, people, strict=True)
    ]
    for one, person, root in zip(found.players, people, roots, strict=True):
        if one.same_as is not None:
            GroupPlayer.objects.filter(pk=person.pk).update(merged_into=root)
    days = {one.day: one for one in found.evenings}
    Evening.objects.bulk_create(
        Evening(group=group, day=day, place=clean_name(one.place), note=clean_name(one.note))
        for day, one in days.items()
    )
    games = GroupGame.objects.bulk_create(
        (
            GroupGame(
                group=group,
                number=number,
                is_open=False,
                played=game.played,
                evening=game.day,
                kind=game.kind,
                level_name={word: clean_name(name) for word, name in game.name.items()},
                level_id=clean_name(game.level),
                level_digest=game.digest,
                rating=game.rating,
                content=game.content,
                starter=game.starter,
                seconds=game.seconds,
            )
            for number, game in enumerate(found.games, start=1)
        ),
        batch_size=AT_ONCE,
    )
    GroupResult.objects.bulk_create(
        (
            _result(game, row, seat, one, roots, people)
            for game, row in zip(found.games, games, strict=True)
            for seat, one in enumerate(game.results)
        ),
        batch_size=AT_ONCE,
    )
    crossed = {game.digest for game in found.games if any(one.crossed for one in game.results)}
    for digest, level in levels_of(found).items():
        if digest in crossed:
            group.levels.create(digest=digest, document=format_level(level))
    say_changed(group.games.all())
    Group.objects.filter(pk=group.pk).update(last_number=len(games))
    if games:
        store.note_change(group, min(game.played for game in games))
    return key


def _names_before(people: list[PlayerFile], names: list[str]) -> list[list[str]]:
    """The names that each had before, without those that somebody else has or had."""
    taken = {look for name in names for look in looks(name)}
    found: list[list[str]] = []
    for one in people:
        found.append([])
        for name in map(clean_name, one.also):
            if name and taken.isdisjoint(looks(name)):
                taken |= looks(name)
                found[-1].append(name)
    return found


def _result(
    game: GameFile,
    row: GroupGame,
    seat: int,
    one: ResultFile,
    roots: list[GroupPlayer],
    people: list[GroupPlayer],
) -> GroupResult:
    return GroupResult(
        game=row,
        player=None if one.player is None else roots[one.player],
        typed=None if one.player is None else people[one.player],
        seat=seat,
        label=clean_name(one.label),
        total=None if game.kind == "dice2" else one.points,
        points=one.points,
        marks=one.marks,
        place=one.place,
        won=one.won,
        chance=1 / len(game.results),
        parts=one.parts,
        crossed=one.crossed,
        played=game.played,
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
