"""Export of a game to BG Stats, an app that records plays of board games, by a link.

The link and its keys are those that BG Stats documents for other apps. The duration and the
starting player are included if the log of a table has them. There is no BoardGameGeek id, so the
app asks the user for the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC
from typing import Final
from urllib.parse import quote

import msgspec
from django.utils.crypto import salted_hmac

from sheets.models import GroupGame, GroupResult

CREATE_PLAY_URL: Final = "https://app.bgstatsapp.com/createPlay.html"
"""URL at which BG Stats creates a play."""

SOURCE_NAME: Final = "Dizzle Companion"
"""Name of this site as the source of plays."""

ID_LENGTH: Final = 32
"""Number of hex digits of the ids of games and players."""


def play_link(game: GroupGame, title: str, results: Iterable[tuple[str, GroupResult]]) -> str:
    """Return the link that creates a play of a game; ``results`` has the name for each result."""
    is_dice2 = game.kind == "dice2"
    minutes = round((game.seconds or 0) / 60)
    play = {
        "sourceName": SOURCE_NAME,
        "sourcePlayId": _opaque("game", game.group_id, game.number),
        "playDate": f"{game.played.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        **({"durationMin": minutes} if minutes else {}),
        "board": title,
        "game": {
            "name": "Dice²" if is_dice2 else "Dizzle",
            "sourceGameId": "dice2" if is_dice2 else "dizzle",
            "highestWins": True,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": source_id,
                "winner": one.won > 0,
                "rank": one.place,
                "startPlayer": one.seat == game.starter,
                **({"score": str(one.points)} if one.points is not None else {}),
            }
            for name, source_id, one in _distinct_results(game, results)
        ],
    }
    return f"{CREATE_PLAY_URL}?data={quote(msgspec.json.encode(play), safe='')}"


def _distinct_results(
    game: GroupGame, results: Iterable[tuple[str, GroupResult]]
) -> Iterator[tuple[str, str, GroupResult]]:
    """Yield each result with a unique name and id; anonymous ones are numbered within the game."""
    seen: Counter[str] = Counter()
    for name, one in results:
        if one.player_id:
            yield name, _opaque("player", game.group_id, one.player_id), one
            continue
        seen[name] += 1
        count = seen[name]
        shown = name if count == 1 else f"{name} {count}"
        yield shown, _opaque("nobody", game.group_id, one.label, count), one


def _opaque(*parts: object) -> str:
    """Return a stable id, an HMAC of ``parts``; its key differs between installations."""
    key = "/".join(str(part) for part in parts)
    return salted_hmac(__name__, key, algorithm="sha256").hexdigest()[:ID_LENGTH]
