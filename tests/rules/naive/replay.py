"""Replay of a game document with the same result as the engine's `replay_record`."""

from __future__ import annotations

from typing import Any

from tests.rules.naive.game import NaiveGame, Refused
from tests.rules.naive.level import NaiveLevel, in_reading_order
from tests.rules.naive.placement import is_boxed_in
from tests.rules.naive.scoring import score


def start(document: dict[str, Any]) -> NaiveGame:
    """Return the game before its first action; the level must be a whole document."""
    level = document["level"]
    if "house_rules" in document:
        level = level | {"house_rules": document["house_rules"]}
    level = NaiveLevel(level)
    return NaiveGame(level, document["players"], tracked=document["dice"] == "tracked")


def replay(document: dict[str, Any]) -> dict[str, Any]:
    """Replay the actions up to the first refusal and return the result.

    Its `error` has the additional key `also`: all rules that the action breaks.
    """
    game = start(document)
    for number, action in enumerate(document["actions"]):
        try:
            game.apply(action)
        except Refused as refused:
            error = {"action": number, "rule": refused.rules[0], "also": list(refused.rules)}
            return result(game, {**error, "message": str(refused)})
    return result(game, None)


def result(game: NaiveGame, error: dict[str, Any] | None) -> dict[str, Any]:
    finished = game.phase == "finished"
    scores = format_scores(game)
    rating = None
    if finished and game.solo:
        rating = sum(scores[0]["total"] >= total for total in game.level.ratings)
    sheet = game.sheets[game.player] if game.phase == "turn" else None
    return {
        "ok": error is None,
        "finished": finished,
        "applied": game.applied,
        "error": error,
        "phase": game.phase,
        "player": game.player,
        "pass": game.pass_number,
        "round": game.round_number(),
        "pool": sorted(game.pool),
        "may": game.may(),
        "legal": game.legal(),
        "boxed_in": sheet is not None and is_boxed_in(game.level, sheet),
        "pending": game.pending(),
        "sheets": format_sheets(game),
        "scores": scores,
        "winners": game.winners() if finished else [],
        "rating": rating,
    }


def format_sheets(game: NaiveGame) -> list[dict[str, Any]]:
    return [
        {
            "player": name,
            "crosses": in_reading_order(sheet.crosses),
            "dice": in_reading_order(sheet.dice),
            "exploded": in_reading_order(sheet.exploded),
            "lava": in_reading_order(sheet.lava),
            "tracks": dict(sheet.tracks),
            "flags": dict(sheet.flags),
            "races": {str(index): number for index, number in sheet.races.items()},
            "out": sheet.out,
        }
        for name, sheet in zip(game.players, game.sheets, strict=True)
    ]


def format_scores(game: NaiveGame) -> list[dict[str, Any]]:
    scores = []
    for name, sheet in zip(game.players, game.sheets, strict=True):
        by = score(game.level, sheet, game.solo)
        marks = len(sheet.crosses)
        scores.append({"player": name, "total": sum(by.values()), "marks": marks, "by": by})
    return scores
