"""Random games on sheets of the day, as the page records them."""

from __future__ import annotations

from datetime import date
from random import Random

from sheets.daily.record import DailyGame
from sheets.rules.level import SHAPES


def played_day(day: date, seed: int = 0) -> tuple[str, DailyGame]:
    """Play a random game to its end, and return its record and its final state."""
    random = Random(seed)
    played, words = DailyGame(day), []
    while not played.game.is_finished:
        word = _next_word(random, played)
        played.apply(word)
        words.append(word)
    return " ".join(words), played


def _next_word(random: Random, played: DailyGame) -> str:
    game = played.game
    if game.phase == "turn":
        fields = [at for fields in game.legal().values() for at in fields]
        if fields:
            return random.choice(fields)
        return random.choice(("*", "*", "out"))
    if game.phase == "return":
        return random.choice(game.level.names(game.sheets[0].dice))
    if game.pending():
        (owed,) = game.pending()
        shape = random.choice(SHAPES) if owed.do == "track" else ""
        return random.choice(owed.at) + shape
    return "*"
