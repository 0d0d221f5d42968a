"""How does a game get into BG Stats, an app that keeps plays of board games: by a link that has it.

The link and its keys are those that BG Stats documents for other apps. No number of the game at
BoardGameGeek is given: the app then asks which game it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from typing import Final

import msgspec
from django.utils.http import urlencode

from sheets.models import GroupGame, GroupResult

ADDRESS: Final = "https://app.bgstatsapp.com/createPlay.html"
SOURCE: Final = "Dizzle Companion"


def play_link(game: GroupGame, title: str, results: Iterable[tuple[str, GroupResult]]) -> str:
    """The link that creates a play of a game; ``results`` with what everybody is called."""
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{game.group_id}-{game.number}",
        "playDate": f"{game.played.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "board": title,
        "game": {"name": "Dizzle", "sourceGameId": "dizzle", "highestWins": True},
        "players": [
            {
                "name": name,
                "sourcePlayerId": f"{game.group_id}-{one.player_id or 0}",
                "winner": one.won > 0,
                "rank": one.place,
                "startPlayer": False,
                **({"score": str(one.points)} if one.points is not None else {}),
            }
            for name, one in results
        ],
    }
    return f"{ADDRESS}?{urlencode({'data': msgspec.json.encode(play).decode()})}"
