"""Description of a level as JSON, for a solo game in the browser (`daily/game.js`)."""

from __future__ import annotations

from typing import Any

from sheets.rules import Level


def solo_level(level: Level) -> dict[str, Any]:
    """Return what a solo game needs to know about a level, except its `score_column`.

    All values are JSON-compatible; ``near`` has the fields that each field touches.
    """
    names = level.names
    return {
        "fields": names(level.all),
        "numbers": {field.name: field.number for field in level.fields},
        "near": {
            field.name: names(neighbours)
            for field, neighbours in zip(level.fields, level.neighbours, strict=True)
        },
        "volcanoes": names(level.by_symbol["volcano"]),
        "rockets": names(level.rockets),
        "planets": names(level.planets),
        "keys": {colour: names(fields) for colour, fields in level.by_colour["key"].items()},
        "locks": {colour: names(fields) for colour, fields in level.by_colour["lock"].items()},
        "isRail": level.rails,
        "dice": level.dice[1],
        "rounds": level.rounds[1],
    }
