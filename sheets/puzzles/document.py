"""Conversion between a puzzle and its ``dizzle-puzzle/1`` document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from sheets.levels import find_level
from sheets.models.levels import parse_stored
from sheets.puzzles.puzzle import Choice, Margin, Puzzle
from sheets.rules.documents.game import format_action, format_game, parse_action, parse_game

FORMAT: Final = "dizzle-puzzle/1"
"""Name and version of the document format."""

KEY_LENGTH: Final = 8
"""Number of hexadecimal digits of a puzzle's key."""

DECIMALS: Final = {"points": 2, "lead": 2, "win": 4}
"""Number of decimals of points and shares of a win."""


def format_puzzle(puzzle: Puzzle) -> dict[str, Any]:
    """Return the document of a puzzle."""
    return {
        "format": FORMAT,
        "grade": puzzle.grade,
        "bots": {name: round(share, 2) for name, share in puzzle.found_shares.items()},
        "games": puzzle.games,
        "decision": puzzle.decision,
        "answer": puzzle.answer,
        "played": puzzle.played,
        "choices": [_format_choice(choice) for choice in puzzle.choices],
        "game": format_game(puzzle.record),
    }


def parse_puzzle(document: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle of a document that `format_puzzle` has made."""
    record = parse_game(document["game"], find_level, parse_stored)
    decision = document["decision"]
    player = record.actions[decision].player
    return Puzzle(
        record,
        decision,
        tuple(_parse_choice(entry, player) for entry in document["choices"]),
        document["answer"],
        document["played"],
        document["games"],
        document["bots"],
    )


def key_of(document: Mapping[str, Any]) -> str:
    """Return the key of a puzzle: a digest of its position."""
    game, decision = document["game"], document["decision"]
    position = [game["level"], game.get("house_rules"), game["actions"][:decision]]
    return sha256(json.dumps(position, sort_keys=True).encode()).hexdigest()[:KEY_LENGTH]


def _format_choice(choice: Choice) -> dict[str, Any]:
    entry = format_action(choice.action)
    del entry["player"]
    entry.pop("dice", None)
    margins = {"points": choice.points, "lead": choice.behind, "win": choice.win}
    return entry | {
        name: {key: round(part, DECIMALS[name]) for key, part in margin._asdict().items()}
        for name, margin in margins.items()
        if margin is not None
    }


def _parse_choice(entry: Mapping[str, Any], player: int) -> Choice:
    return Choice(
        parse_action({**entry, "player": player}),
        Margin(**entry["points"]),
        Margin(**entry["lead"]),
        Margin(**entry["win"]) if "win" in entry else None,
    )
