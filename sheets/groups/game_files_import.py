"""Import of games from files of Dizzle and Dice² into a group, each game once.

The group stores the results only, not the sheets or the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from django.core import signing
from django.db import transaction
from django.utils import timezone

from sheets.access.keys import Access, lock
from sheets.documents.opened import DICE2_FORMATS, format_of, read_any
from sheets.groups.dates import DIGIT_DATES, read_day
from sheets.groups.documents import FORMAT
from sheets.groups.game_results import (
    FinishedGame,
    Result,
    level_identity,
    result_of_dice2,
    result_of_standing,
    with_crosses,
)
from sheets.groups.game_store import add_games
from sheets.groups.identity_keys import moment_of
from sheets.groups.paper_games_import import ImportCounts, is_bot, last_day, size_of_game
from sheets.groups.storage_estimate import Charge, estimate_games
from sheets.models import Group
from sheets.names.cleaning import clean_name
from sheets.names.confusables import shown_names
from sheets.rules import Level, format_level, parse_level
from sheets.rules.dice2.record import Dice2Record, RelayRecord
from sheets.rules.dice2.sitting import actions_of, new_sitting
from sheets.rules.documents.digests import dice2_digest, paper_digest, record_digest
from sheets.rules.documents.game import Record, replay_actions
from sheets.rules.paper_scoring import Paper, score_paper
from sheets.scoring.ranking import rank_players
from sheets.tables.dice2.files import read_record
from sheets.tables.game_files import BrokenGame
from sheets.tables.scoreboard import Scoreboard
from sheets.text.player_names import typed_names

MAX_FILES: Final = 20
"""Maximum number of files per request."""


class NoGame(ValueError):
    """A document without a finished game.

    ``why`` is ``level`` (only a level), ``group`` (a whole group), ``open`` (the game goes on), or
    ``missing`` (the order in which several players reached flags or races is missing).
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def read_file(text: bytes) -> FinishedGame:
    """Return the finished game in a file, as if it was played now.

    Raises:
        DocumentError: the text is no document of Dizzle or Dice².
        BrokenGame, BrokenFile: the game breaks a rule.
        NoGame: the document has no finished game.
    """
    written = format_of(text)
    if written in DICE2_FORMATS:
        return _of_dice2(read_record(text))
    if written == FORMAT:
        raise NoGame("group")
    opened = read_any(text)
    if opened.record:
        return _of_record(opened.record)
    if opened.paper:
        return _of_paper(opened.paper)
    raise NoGame("level")


def day_in(name: str) -> date:
    """Return the date in the name of a file; today if it has none, or only a future one."""
    for pattern in DIGIT_DATES:
        found = pattern.search(name)
        day = read_day(found[0]) if found else None
        if day and day <= last_day():
            return day
    return timezone.localdate()


def seal(played: FinishedGame) -> str:
    """Serialise a game with a signature, so that a page can send it back unchanged."""
    fields = played._asdict() | {
        "played": "",
        "level": played.level and dict(format_level(played.level)),
        "results": [list(one) for one in played.results],
    }
    return signing.dumps(fields, salt=__name__, compress=True)


def unseal(text: str, day: date) -> FinishedGame:
    """Return the game of a signed text, played on a day. Raises signing.BadSignature."""
    fields: dict[str, Any] = signing.loads(text, salt=__name__)
    more = {
        "played": moment_of(day),
        "level": fields["level"] and parse_level(fields["level"]),
        "results": [Result(*one) for one in fields["results"]],
    }
    return FinishedGame(**fields | more)


def known_contents(group: Group, games: Sequence[FinishedGame]) -> set[str]:
    """Return the content digests of those of the ``games`` that the group has already."""
    found = group.games.filter(content__in=[game.content for game in games])
    return set(found.values_list("content", flat=True))


@transaction.atomic
def import_games(
    access: Access[Group], games: Sequence[FinishedGame], charge: Charge | None = None
) -> ImportCounts:
    """Add games of files to a group, idempotently.

    Raises NotAllowed, GroupFull, StorageUsedUp, ImportTooLarge: nothing has changed.
    """
    group = lock(access)
    known = known_contents(group, games)
    new = {game.content: game for game in games if game.content not in known}
    if charge and new:
        charge(estimate_games(map(size_of_game, new.values())))
    add_games(group, [(game, game.played.date()) for game in new.values()])
    return ImportCounts(len(new), len(games) - len(new))


def _of_record(record: Record) -> FinishedGame:
    game, applied, violation = replay_actions(record.start(), record.actions)
    if violation:
        raise BrokenGame(applied + 1, violation, shown_names(record.players))
    if not game.is_finished:
        raise NoGame("open")
    names = typed_names(record.players)
    found = result_of_standing(
        Scoreboard(game).standing,
        [clean_name(name) for name in names],
        "table",
        *_level(record.level),
        bots=_bots(names),
    )
    if found is None:
        raise NoGame("open")
    starter = 0 if record.is_tracked else None
    found = with_crosses(found, record.level, game.sheets)
    return found._replace(content=record_digest(record, names), starter=starter)


def _of_dice2(record: Dice2Record | RelayRecord) -> FinishedGame:
    sitting = (
        new_sitting(record.players, target=record.target, has_handicap=record.has_handicap)
        if isinstance(record, RelayRecord)
        else new_sitting(record.players, game=record.kind.name)
    )
    for action in actions_of(record):
        sitting = sitting.apply(action)
    if not sitting.is_finished:
        raise NoGame("open")
    names = typed_names(record.players)
    found = result_of_dice2(sitting, list(map(clean_name, names)), _bots(names), starter=0)
    return found._replace(content=dice2_digest(record, names))


def _bots(names: Sequence[str]) -> list[bool]:
    return [is_bot(name, "table") for name in names]


def _of_paper(paper: Paper) -> FinishedGame:
    result = score_paper(paper)
    standing = rank_players(
        paper.players,
        result.scores,
        result.outcome,
        numbers=range(len(paper.players)),
        incomplete={unclear.player for unclear in paper.unclear},
    )
    names = typed_names(paper.players)
    found = result_of_standing(
        standing, [clean_name(name) for name in names], "sheets", *_level(paper.level)
    )
    if found is None:
        raise NoGame("missing")
    found = with_crosses(found, paper.level, paper.sheets)
    return found._replace(content=paper_digest(paper, names))


def _level(level: Level) -> tuple[dict[str, str], str, str]:
    name, level_id, digest = level_identity(level)
    return {word: clean_name(text) for word, text in name.items()}, level_id, digest
