"""Results of a scoring, a tally or a table, as a group stores them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from typing import Final, NamedTuple

from django.utils import timezone

from sheets.models import Scoring, Table, Tally
from sheets.rules import Game, Level, Score, Sheet
from sheets.rules.dice2.sitting import Sitting, record_sitting
from sheets.rules.documents.digests import dice2_digest, level_content, paper_digest, record_digest
from sheets.rules.scoring import share_win
from sheets.scoring.ranking import Standing
from sheets.scoring.score_view import score
from sheets.scoring.store import level_of as scored_level
from sheets.scoring.tally_score import Tallied
from sheets.tables import event_loader
from sheets.tables.access import find_access
from sheets.tables.scoreboard import Scoreboard
from sheets.tables.table_settings import RELAY
from sheets.tables.table_settings import level_of as played_level
from sheets.text.house_rules import level_titles
from sheets.text.player_names import typed_names

DIGEST_LENGTH: Final = 16
"""Number of hex digits of a level's digest, as `GroupGame.level_digest` stores it."""

PAUSE: Final = timedelta(minutes=30)
"""Intervals longer than this do not count as playing time."""


class Result(NamedTuple):
    """Result of a player: ``name`` is empty if unknown; ``won`` is a share of the win.

    ``crossed`` has the crosses of the sheet, as `GroupResult` stores them.
    """

    name: str
    is_bot: bool
    total: int | None
    marks: int
    place: int
    won: float
    parts: Mapping[str, int]
    crossed: str = ""


class FinishedGame(NamedTuple):
    """A game that is over, with the fields that `GroupGame` stores.

    ``level`` is the level of the sheets, if the crosses on them are known.
    """

    kind: str
    played: datetime
    level_name: Mapping[str, str]
    level_id: str
    level_digest: str
    rating: int | None
    results: Sequence[Result]
    level: Level | None = None
    is_bought: bool = False
    seconds: int | None = None
    content: str = ""
    starter: int | None = None


def result_of_scoring(scoring: Scoring) -> FinishedGame | None:
    """Return the finished game of a scoring; None while input is missing."""
    scored = score(scoring)
    names = [sheet.player for sheet in scored.sheets]
    found = result_of_standing(scored.standing, names, "sheets", *level_identity(scored.level))
    if found is None:
        return None
    found = with_crosses(found, scored.level, scored.paper.sheets, is_bought=scoring.is_bought)
    content = scoring.file_digest or paper_digest(scored.paper, typed_names(scored.names))
    return found._replace(content=content)


def result_of_tally(tally: Tally) -> FinishedGame | None:
    """Return the finished game of a tally; None while input is missing."""
    tallied = Tallied(tally.typed)
    names = [form.cleaned_data.get("name", "") for form in tallied.count_forms]
    return result_of_standing(tallied.standing, names, "tally", {}, "", "")


def result_of_table(table: Table) -> FinishedGame | None:
    """Return the finished game of a table; None while the game goes on."""
    access = find_access(table.code)
    if not access.table.has_started:
        return None
    state = event_loader.load(access).state
    game = state.game
    if not game.is_finished:
        return None
    names = typed_names(game.players)
    bots = [bool(seat.bot) for seat in access.all_seats]
    # Later entries, such as corrections or changes of the table, are no part of the game.
    entries = access.table.entries.filter(number__lte=state.pass_ends[-1].until)
    times = list(entries.order_by("number").values_list("made", flat=True))
    when = times[-1]
    if isinstance(game, Game):
        standing = Scoreboard(game).standing
        found = result_of_standing(standing, names, "table", *level_identity(game.level), bots=bots)
        if found is None:
            return None
        found = with_crosses(found, game.level, game.sheets, is_bought=access.table.is_bought)
        record = event_loader.record_of(access)
        return found._replace(
            played=when,
            seconds=_seconds(times),
            content=record_digest(record, typed_names(record.players)),
            # With real dice, the log does not have the player who began.
            starter=0 if record.is_tracked else None,
        )
    if isinstance(game, Sitting):
        found = result_of_dice2(game, names, bots, access.table.starter)
        dice2 = record_sitting(
            event_loader.load_game(access, Sitting).start, event_loader.actions_of(access)
        )
        content = dice2_digest(dice2, typed_names(dice2.players))
        return found._replace(played=when, seconds=_seconds(times), content=content)
    raise TypeError(game)


def end_of(table: Table) -> datetime | None:
    """Return when the game of a table ended; None while it goes on."""
    if not table.has_started:
        return None
    state = event_loader.load(find_access(table.code)).state
    if not state.game.is_finished:
        return None
    return table.entries.values_list("made", flat=True).get(number=state.pass_ends[-1].until)


def level_name_of(source: Scoring | Tally | Table) -> dict[str, str]:
    """Return the names of the level of a game by language; empty without a level."""
    if isinstance(source, Scoring):
        return dict(level_identity(scored_level(source))[0])
    if isinstance(source, Table) and not source.game:
        return dict(level_identity(played_level(source))[0])
    return {}


def level_digest(level: Level) -> str:
    """Return the digest of everything in a level that affects play; names do not."""
    return sha256(level_content(level).encode()).hexdigest()[:DIGEST_LENGTH]


def name_digest(names: Mapping[str, str]) -> str:
    """Return the digest of a level of which only the name is known; empty without a name."""
    name = min(names.values(), default="").casefold()
    return sha256(f"name {name}".encode()).hexdigest()[:DIGEST_LENGTH] if name else ""


def level_identity(level: Level) -> tuple[Mapping[str, str], str, str]:
    """Return the names of a level by language, with its house rules; its id, and its digest."""
    name = level_titles(level) if level.house_rules.changed else dict(level.name)
    return name, level.id[:40], level_digest(level)


def result_of_standing(
    standing: Standing,
    names: Iterable[str],
    kind: str,
    level_name: Mapping[str, str],
    level_id: str,
    digest: str,
    bots: Sequence[bool] = (),
) -> FinishedGame | None:
    """Return the finished game of Dizzle with this standing; None while input is missing.

    ``bots`` has for each player whether it is a bot; empty for a game without bots.
    """
    if standing.is_empty or not standing.is_settled or standing.outcome is None:
        return None
    ranks = standing.ranks
    shares = share_win([i for i, rank in enumerate(ranks) if rank.is_winner], len(ranks))
    results = [
        Result(
            name,
            bool(bots and bots[i]),
            rank.score.total,
            rank.score.marks,
            rank.place,
            shares[i],
            _parts(rank.score),
        )
        for i, (name, rank) in enumerate(zip(names, ranks, strict=True))
    ]
    rating = standing.outcome.rating
    return FinishedGame(kind, timezone.now(), level_name, level_id, digest, rating, results)


def result_of_dice2(
    sitting: Sitting, names: Sequence[str], bots: Sequence[bool], starter: int
) -> FinishedGame:
    """Return a finished game of Dice², with its ``starter``, or a finished relay, without one."""
    game, relay = sitting.game, sitting.relay
    winners: Sequence[int] = relay.winners if relay else game.winners if game else ()
    has_points = bool(relay) or bool(game and game.kind.collects)
    points: Sequence[int] = relay.points if relay else game.points if game else ()
    is_solo = len(names) == 1
    shares = share_win(() if is_solo else winners, len(names))
    results = [
        Result(
            name,
            bots[i],
            points[i] if has_points else None,
            0,
            1 if i in winners or is_solo else 2,
            shares[i],
            {},
        )
        for i, name in enumerate(names)
    ]
    called = sitting.kind.name if sitting.kind else RELAY
    found = FinishedGame("dice2", timezone.now(), {}, called, "", None, results)
    # In a relay, each game has its own starter.
    return found._replace(starter=None if relay else starter)


def with_crosses(
    played: FinishedGame, level: Level, sheets: Sequence[Sheet], *, is_bought: bool = False
) -> FinishedGame:
    """Return the game with the crosses on the sheets of its players; those of bots are left out."""
    results = [
        one._replace(crossed="" if one.is_bot else f"{sheet.crosses:x}")
        for one, sheet in zip(played.results, sheets, strict=True)
    ]
    return played._replace(results=results, level=level, is_bought=is_bought)


def _parts(score: Score) -> dict[str, int]:
    return {category: points for category, points in score.by_category.items() if points}


def _seconds(times: Sequence[datetime]) -> int:
    """Return the duration of a game in seconds, without intervals longer than `PAUSE`."""
    steps = [after - before for before, after in pairwise(times)]
    return round(sum(step.total_seconds() for step in steps if timedelta() < step <= PAUSE))
