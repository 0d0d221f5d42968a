"""What is there to keep of a scoring, a tally or a table: who, how much, and who has won?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.utils import timezone
from django.utils.translation import override

from sheets.models import Scoring, Table, Tally
from sheets.rules import Game, Level, Score, format_level
from sheets.rules.dice2.sitting import Sitting
from sheets.scoring.score_view import score
from sheets.scoring.standing import Standing
from sheets.scoring.tallied import Tallied
from sheets.tables import reading
from sheets.tables.access import TableAccess, find_access
from sheets.tables.scoreboard import Scoreboard
from sheets.texts.languages import languages
from sheets.texts.players import player_name

DIGEST_LENGTH: Final = 16

SAYS_NOTHING: Final = ("id", "name", "about")
"""What of a level may differ while it is the same to play."""


class Result(NamedTuple):
    """How somebody did: ``name`` is empty for somebody; ``won`` is a share of the win."""

    name: str
    is_bot: bool
    total: int | None
    marks: int
    place: int
    won: float
    parts: Mapping[str, int]


class Played(NamedTuple):
    """A game that is over, with what `GroupGame` keeps of it."""

    kind: str
    played: datetime
    level_name: Mapping[str, str]
    level_id: str
    level_digest: str
    rating: int | None
    results: Sequence[Result]


def of_scoring(scoring: Scoring) -> Played | None:
    """The sheets of a scoring; None while something is missing."""
    scored = score(scoring)
    names = [sheet.player for sheet in scored.sheets]
    return _settled(scored.standing, names, "sheets", *of_level(scored.level))


def of_tally(tally: Tally) -> Played | None:
    """What was counted of a tally; None while something is missing."""
    tallied = Tallied(tally.typed)
    names = [form.cleaned_data.get("name", "") for form in tallied.count_forms]
    return _settled(tallied.standing, names, "tally", {}, "", "")


def of_table(table: Table) -> Played | None:
    """The game of a table; None while it goes on."""
    access = find_access(table.code)
    if not access.table.has_started:
        return None
    game = reading.load(access).state.game
    if not game.is_finished:
        return None
    names = _unless_usual(game.players)
    bots = [bool(seat.bot) for seat in access.everybody]
    when = _ended(access)
    if isinstance(game, Game):
        board = Scoreboard(game)
        found = _settled(board.standing, names, "table", *of_level(game.level), bots=bots)
        return found and found._replace(played=when)
    if isinstance(game, Sitting):
        results = _of_sitting(game, names, bots)
        return Played("dice2", when, {}, access.table.game, "", None, results)
    raise TypeError(game)


def level_digest(level: Level) -> str:
    """Tells a level from all that play in another way, whatever it is called."""
    document = {k: v for k, v in format_level(level).items() if k not in SAYS_NOTHING}
    text = json.dumps(document, sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def of_level(level: Level) -> tuple[Mapping[str, str], str, str]:
    """What is kept of a level: its name by language, its id, and what tells its data apart."""
    name = level.name if isinstance(level.name, str) else dict(level.name)
    by_language = dict.fromkeys(languages(), name) if isinstance(name, str) else name
    return by_language, level.id[:40], level_digest(level)


def _settled(
    standing: Standing,
    names: Iterable[str],
    kind: str,
    level_name: Mapping[str, str],
    level_id: str,
    digest: str,
    bots: Sequence[bool] = (),
) -> Played | None:
    if standing.is_empty or not standing.is_settled or standing.outcome is None:
        return None
    winners = standing.winners
    results = [
        Result(
            name,
            bool(bots and bots[i]),
            rank.score.total,
            rank.score.marks,
            rank.place,
            1 / len(winners) if rank.wins else 0.0,
            _parts(rank.score),
        )
        for i, (name, rank) in enumerate(zip(names, standing.ranks, strict=True))
    ]
    rating = standing.outcome.rating
    now = timezone.now()
    return Played(kind, now, level_name, level_id, digest, rating, results)


def _of_sitting(sitting: Sitting, names: Sequence[str], bots: Sequence[bool]) -> list[Result]:
    game, relay = sitting.game, sitting.relay
    winners: Sequence[int] = relay.winners if relay else game.winners if game else ()
    has_points = bool(relay) or bool(game and game.kind.collects)
    points: Sequence[int] = relay.points if relay else game.points if game else ()
    is_solo = len(names) == 1
    return [
        Result(
            name,
            bots[i],
            points[i] if has_points else None,
            0,
            1 if i in winners or is_solo else 2,
            1 / len(winners) if i in winners and not is_solo else 0.0,
            {},
        )
        for i, name in enumerate(names)
    ]


def _parts(score: Score) -> dict[str, int]:
    return {category: points for category, points in score.by.items() if points}


def _unless_usual(names: Iterable[str]) -> list[str]:
    """The names, empty for who is called by a place at the table because nobody typed a name."""
    found = []
    for number, name in enumerate(names, start=1):
        usual = set()
        for language in languages():
            with override(language):
                usual.add(player_name("", number))
        found.append("" if name in usual else name)
    return found


def _ended(access: TableAccess) -> datetime:
    last: Any = access.table.entries.order_by("number").last()
    return last.made if last else access.table.touched
