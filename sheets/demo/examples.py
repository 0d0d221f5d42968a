"""Creation of the example data: a table, a scoring, a group and a pad.

Bots play the games, so the rules allow every position. Fixed seeds give the same games each time;
the last evening of the group is yesterday.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from django.utils import timezone

from sheets.access.keys import new_token
from sheets.bots import GreedyBot
from sheets.bots.dice_rolls import next_action
from sheets.documents.structure import read_level
from sheets.groups import store as groups
from sheets.groups.game_files_import import import_games, read_file
from sheets.groups.identity_keys import moment_of
from sheets.levels import find_level
from sheets.photos.store import empty_sheet_parts
from sheets.photos.worker.messages import EmptySheetResult, unpack
from sheets.rules import Action, Game, format_level, new_game
from sheets.rules.documents.sheets import format_sheets
from sheets.rules.paper_scoring import Paper
from sheets.scoring import store as scorings
from sheets.simulation.matches import Match, play_matches
from sheets.tables import acts, seating
from sheets.tables.access import find_access
from sheets.tables.bots import MEDIUM
from sheets.tables.table_settings import ROLLED
from sheets.workshop import empty_sheets
from sheets.workshop import store as workshop
from sheets.workshop.acts import DeclareBlank

PAD: Final = Path(__file__).parent / "pad"
"""Folder with the level of the pad and the photo of its empty sheet."""

_NAMES: Final = ("Ana", "Ben", "Cleo")
"""Players of the examples."""

_SEATS: Final = ("player", "player", "beginner")
"""Strength of the bot that plays for each of `_NAMES`."""

_TABLE_LEVEL: Final = "level-3"
"""Level of the table."""

_SCORED_LEVEL: Final = "level-2"
"""Level of the scored game."""

_GROUP_LEVELS: Final = ("level-1", "level-2", "level-4", "level-6")
"""Levels of the group's games, in turn."""

_GAMES_PER_EVENING: Final = (3, 2, 3, 2, 2, 3, 2, 3)
"""Number of games on each evening, oldest first: 20 in total."""

_EVENING_INTERVAL: Final = timedelta(weeks=2)
"""Time between two evenings."""


class Examples(NamedTuple):
    """Addresses of the example data, as paths of the site."""

    table: str
    scoring: str
    group: str
    pad: str


def create_examples() -> Examples:
    """Store the example data and return its addresses."""
    return Examples(
        f"/table/{_create_table()}/",
        f"/score/{_create_scoring()}/",
        f"/groups/{_create_group()}/",
        f"/workshop/{_create_pad()}/",
    )


def _create_table() -> str:
    """Open a table of one player and two bots, in the middle of its game, and return its code.

    The player's seat is free, so that the first visitor who sits down plays on.
    """
    token, level = new_token(), find_level(_TABLE_LEVEL)
    code = seating.open_table(
        level,
        _TABLE_LEVEL,
        players=len(_NAMES),
        dice=ROLLED,
        name=_NAMES[0],
        token=token,
        bots=MEDIUM,
        has_hints=True,
    )
    access = find_access(code, token)
    names = [str(seat) for seat in access.all_seats]
    acts.take_over(access, _half_game(new_game(level, names, tracked=True), Random(4)))  # noqa: S311
    seating.free_all_seats(token)
    return code


def _half_game(game: Game, random: Random) -> Iterator[Action]:
    """Yield a bot's actions for all seats, until the first player can play on in mid-game."""
    bot = GreedyBot(random)
    half = game.level.rounds[len(game.players)] * len(game.players) // 2
    while not (game.passes_done >= half and _is_under_way(game)):
        action = next_action(game, bot, random)
        game = game.apply(action)
        yield action


def _is_under_way(game: Game) -> bool:
    """Return whether the first player can place a die and has placed one in this pass."""
    return game.player == 0 and "place" in game.may() and bool(game.sheets[0].dice)


def _create_scoring() -> str:
    """Store the sheets of a finished game and return the scoring's key."""
    (game,) = play_matches(find_level(_SCORED_LEVEL), [Match(_SEATS, "scoring")])
    return scorings.create_from_paper(_paper(game, _SCORED_LEVEL))


def _create_group() -> str:
    """Store a group with its games on several evenings and return its key."""
    key = groups.create(" & ".join((", ".join(_NAMES[:-1]), _NAMES[-1])))
    games = []
    for number, day in enumerate(_evenings()):
        level_id = _GROUP_LEVELS[number % len(_GROUP_LEVELS)]
        (game,) = play_matches(find_level(level_id), [Match(_SEATS, f"group/{number}")])
        document = format_sheets(_paper(game, level_id))
        played = read_file(json.dumps(document).encode())
        games.append(played._replace(played=moment_of(day)))
    import_games(groups.find(key), games)
    return key


def _create_pad() -> str:
    """Store the level of a pad with the photo of its empty sheet and return the level's key.

    The photo is read like one that a visitor uploads.
    """
    from sheets.photos.worker.empty_sheet import (
        read_empty_photo_of,  # OpenCV: at the first start only
    )

    level = read_level((PAD / "level.json").read_bytes())
    found = unpack(read_empty_photo_of((PAD / "empty.jpg").read_bytes(), level), EmptySheetResult)
    document = dict(format_level(level)) | {"id": workshop.new_id()}
    key = workshop.create(document, is_bought=True)
    access = workshop.find(key)
    empty_sheets.put(access, empty_sheet_parts(found))
    gathered = empty_sheets.find_gathering(access.resource)
    plain = gathered.missing_kinds if gathered else []
    workshop.act(access, [DeclareBlank(fields=fields) for fields in plain])
    return key


def _paper(game: Game, level_id: str) -> Paper:
    """Return the sheets of a finished game, as the input of a scoring."""
    return Paper(game.level, level_id, _NAMES, game.sheets, False, ())


def _evenings() -> Iterator[date]:
    """Yield the day of each game of the group, oldest first; the last one is yesterday."""
    last = timezone.localdate() - timedelta(days=1)
    for evening, games in enumerate(_GAMES_PER_EVENING):
        later = len(_GAMES_PER_EVENING) - 1 - evening
        yield from [last - later * _EVENING_INTERVAL] * games
