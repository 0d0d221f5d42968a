"""Format of an analysis as a document, ``dizzle-analysis/1``."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Final

from sheets.analysis import looking
from sheets.analysis.jobs import document_of
from sheets.analysis.looking import SEED, Analysis, Found, Pair
from sheets.rules.documents.game import Record, format_action
from sheets.stats import CONFIDENCE, Estimate, add_estimates

FORMAT: Final = "dizzle-analysis/1"

BOT: Final = "greedy"
"""Who plays on for everybody."""

MOST_COSTLY: Final = 3
"""So many mistakes of a player are listed."""

DECIMALS: Final = {"points": 2, "win": 4}


def format_analysis(analysis: Analysis, *, seed: int = SEED) -> dict[str, Any]:
    """The ``dizzle-analysis/1`` of a game after a round."""
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
        "rounds": len(looking.TIMES) - 1,
        "games": analysis.games,
        "players": [_player(analysis, player) for player in players],
        "course": _course(analysis),
        "decisions": [_decision(found, is_solo=len(players) == 1) for found in analysis.found],
    }


def game_digest(record: Record) -> str:
    """Return the identity of a game, whatever the players are called."""
    written = json.dumps(document_of(record), sort_keys=True, separators=(",", ":"))
    return sha256(written.encode()).hexdigest()[:16]


def _player(analysis: Analysis, player: int) -> dict[str, Any]:
    """Where a player's points, and the win, came from."""
    kinds = ("points",) if len(analysis.record.players) == 1 else ("points", "win")
    mistakes = [f for f in analysis.found if f.is_clear and f.decision.player == player]
    mistakes.sort(key=lambda found: found.own_worth.mean, reverse=True)
    return {
        "name": analysis.record.players[player],
        **{kind: _sources(analysis, player, kind) for kind in kinds},
        "costliest": [found.decision.number for found in mistakes[:MOST_COSTLY]],
    }


def _sources(analysis: Analysis, player: int, kind: str) -> dict[str, Any]:
    """``start`` and what was added by ``luck``, by ``play`` and by what ``others`` did: ``end``."""
    start, end = (
        getattr(standing, kind)[player]
        for standing in (analysis.standings[0], analysis.standings[-1])
    )
    play, others = (
        add_estimates(
            getattr(found.play, kind)[player]
            for found in analysis.found
            if (found.decision.player == player) is is_own
        )
        for is_own in (True, False)
    )
    # What nobody chose was the dice.
    luck = add_estimates([end, -start, -play, -others])
    parts = {"start": start, "luck": luck, "play": play, "others": others, "end": end}
    return {name: _estimate(part, kind) for name, part in parts.items()}


def _course(analysis: Analysis) -> list[dict[str, Any]]:
    """What everybody could hope for at the beginning of each pass and at the end, and what was luck
    and play since the one before."""
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
                f for f in analysis.found if before.number <= f.decision.number < standing.number
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


def _decision(found: Found, *, is_solo: bool) -> dict[str, Any]:
    decision = found.decision
    player = decision.player
    entry: dict[str, Any] = {
        "action": decision.number,
        "player": player,
        "played": decision.played,
        "usual": decision.usual,
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
    if found.worth and found.best is not None:
        entry["best"] = {
            "choice": found.best,
            "more": _both(found.worth, player, is_solo=is_solo),
            "times": found.worth.times,
            "clear": found.is_clear,
        }
    return entry


def _both(pair: Pair, player: int, *, is_solo: bool) -> dict[str, Any]:
    """Points and, where there are others, the chance to win."""
    both = {"points": _estimate(pair.points[player], "points")}
    if not is_solo:
        both["win"] = _estimate(pair.win[player], "win")
    return both


def _estimate(one: Estimate, kind: str) -> dict[str, float]:
    decimals = DECIMALS[kind]
    return {"mean": round(one.mean, decimals) + 0.0, "within": round(one.within, decimals)}
