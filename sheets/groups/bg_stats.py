"""How does a game get into BG Stats, an app that keeps plays of board games: by a link that has it.

The link and its keys are those that BG Stats documents for other apps. How long a game took and who
began is said where the log of a table knows. No number of the game at BoardGameGeek is given: the
app then asks which game it is.
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

ADDRESS: Final = "https://app.bgstatsapp.com/createPlay.html"
SOURCE: Final = "Dizzle Companion"
ID_LENGTH: Final = 32


def play_link(game: GroupGame, title: str, results: Iterable[tuple[str, GroupResult]]) -> str:
    """The link that creates a play of a game; ``results`` with what everybody is called."""
    is_dice2 = game.kind == "dice2"
    minutes = round((game.seconds or 0) / 60)
    play = {
        "sourceName": SOURCE,
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
            for name, source_id, one in _told_apart(game, results)
        ],
    }
    return f"{ADDRESS}?data={quote(msgspec.json.encode(play), safe='')}"


def _told_apart(
    game: GroupGame, results: Iterable[tuple[str, GroupResult]]
) -> Iterator[tuple[str, str, GroupResult]]:
    """Everybody with a name and an id. Who is nobody of the group is numbered within a game."""
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
    """An id that stays the same, and that no other installation has for something else."""
    told = "/".join(str(part) for part in parts)
    return salted_hmac(__name__, told, algorithm="sha256").hexdigest()[:ID_LENGTH]
