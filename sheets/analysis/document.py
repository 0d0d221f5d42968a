"""Conversion of an analysis into a ``dizzle-analysis/1`` document."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Final

from sheets.analysis import analyser
from sheets.analysis.analyser import SEED, AnalysedDecision, Analysis, PlayerEstimates
from sheets.rules.documents.game import Record, format_action, format_anonymous_game
from sheets.stats import CONFIDENCE, Estimate, add_estimates

FORMAT: Final = "dizzle-analysis/1"
"""Name and version of the document format."""

BOT: Final = "greedy"
"""The bot that plays the simulated games for all players."""

MAX_MISTAKES: Final = 3
"""Maximum number of mistakes that are listed for each player."""

DECIMALS: Final = {"points": 2, "win": 4}
"""Number of decimals of points and shares of a win."""


def format_analysis(analysis: Analysis, *, seed: int = SEED) -> dict[str, Any]:
    """Return the ``dizzle-analysis/1`` document of a round's result."""
    record = analysis.record
    players = range(len(record.players))
    return {
        "format": FORMAT,
        "game": {
            "level": record.level.id,
            "players": list(record.players),
            "actions": len(record.actions),
            "finished": analysis.is_finished,
            "digest": game_digest(record),
        },
        "bot": BOT,
        "seed": seed,
        "confidence": CONFIDENCE,
        "round": analysis.round,
        "rounds": len(analyser.GAMES_PER_CHOICE) - 1,
        "games": analysis.games,
        "players": [_player(analysis, player) for player in players],
        "course": _course(analysis),
        "decisions": [_decision(found, is_solo=len(players) == 1) for found in analysis.decisions],
    }


def game_digest(record: Record) -> str:
    """Return a digest of a game's level and actions, which does not depend on names."""
    written = json.dumps(format_anonymous_game(record), sort_keys=True, separators=(",", ":"))
    return sha256(written.encode()).hexdigest()[:16]


def _player(analysis: Analysis, player: int) -> dict[str, Any]:
    """Return a player's entry: sources of the points and of the win, and the costliest mistakes."""
    kinds = ("points",) if len(analysis.record.players) == 1 else ("points", "win")
    mistakes = [f for f in analysis.decisions if f.is_clear and f.decision.player == player]
    mistakes.sort(key=lambda found: found.own_lead.mean, reverse=True)
    return {
        "name": analysis.record.players[player],
        **{kind: _sources(analysis, player, kind) for kind in kinds},
        "costliest": [found.decision.number for found in mistakes[:MAX_MISTAKES]],
    }


def _sources(analysis: Analysis, player: int, kind: str) -> dict[str, Any]:
    """Split a player's result, ``end``, into the parts that add up to it.

    The parts are ``start`` (expected at the beginning), ``luck``, ``play`` (the player's own
    choices) and ``others`` (the choices of the other players).
    """
    start, end = (
        getattr(standing, kind)[player]
        for standing in (analysis.standings[0], analysis.standings[-1])
    )
    play, others = (
        add_estimates(
            getattr(found.play, kind)[player]
            for found in analysis.decisions
            if (found.decision.player == player) is is_own
        )
        for is_own in (True, False)
    )
    # Luck is the rest that no choice explains.
    luck = add_estimates([end, -start, -play, -others])
    parts = {"start": start, "luck": luck, "play": play, "others": others, "end": end}
    return {name: _estimate(part, kind) for name, part in parts.items()}


def _course(analysis: Analysis) -> list[dict[str, Any]]:
    """Return the expected results of each player at the beginning of each pass and at the end.

    Each entry but the first also has the points that each player has gained since the entry before
    by ``luck``, and by their own choices (``play``).
    """
    players = range(len(analysis.record.players))
    course = []
    for place, standing in enumerate(analysis.standings):
        entry: dict[str, Any] = {
            "after": standing.number,
            "points": [_estimate(one, "points") for one in standing.points],
        }
        if len(players) > 1:
            entry["win"] = [_estimate(one, "win") for one in standing.win]
        if place:
            before = analysis.standings[place - 1]
            since = [
                f
                for f in analysis.decisions
                if before.number <= f.decision.number < standing.number
            ]
            own = [
                add_estimates(f.play.points[player] for f in since if f.decision.player == player)
                for player in players
            ]
            by_all = [add_estimates(f.play.points[player] for f in since) for player in players]
            entry["luck"] = [
                _estimate(
                    add_estimates([standing.points[p], -before.points[p], -by_all[p]]), "points"
                )
                for p in players
            ]
            entry["play"] = [_estimate(one, "points") for one in own]
        course.append(entry)
    return course


def _decision(found: AnalysedDecision, *, is_solo: bool) -> dict[str, Any]:
    decision = found.decision
    player = decision.player
    entry: dict[str, Any] = {
        "action": decision.number,
        "player": player,
        "played": decision.played,
        "usual": decision.bot_choice,
        "choices": [
            {
                **{k: v for k, v in format_action(action).items() if k not in ("player", "dice")},
                **_both(value, player, is_solo=is_solo),
                "more": _both(more, player, is_solo=is_solo),
                "times": value.times,
            }
            for action, value, more in zip(decision.choices, found.values, found.more, strict=True)
        ],
        "play": _both(found.play, player, is_solo=is_solo),
    }
    if found.lead and found.best is not None:
        entry["best"] = {
            "choice": found.best,
            "more": _both(found.lead, player, is_solo=is_solo),
            "times": found.lead.times,
            "clear": found.is_clear,
        }
    return entry


def _both(pair: PlayerEstimates, player: int, *, is_solo: bool) -> dict[str, Any]:
    """Return a player's points and, in a game of several players, chance to win."""
    both = {"points": _estimate(pair.points[player], "points")}
    if not is_solo:
        both["win"] = _estimate(pair.win[player], "win")
    return both


def _estimate(one: Estimate, kind: str) -> dict[str, float]:
    decimals = DECIMALS[kind]
    return {"mean": round(one.mean, decimals) + 0.0, "within": round(one.within, decimals)}
