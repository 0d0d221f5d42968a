"""A game of Dice² or a relay, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse

from sheets.artwork.board import view_of
from sheets.dice2 import words as dice2_words
from sheets.http.fragments import render_part
from sheets.rules import Action
from sheets.rules.dice2 import KINDS, Dice2Game, new_game
from sheets.rules.dice2.sitting import Sitting
from sheets.rules.record import format_action
from sheets.tables import reading
from sheets.tables.doors import Door
from sheets.tables.log_words import tell_entry


def show_dice2_replay(request: HttpRequest, door: Door, at: int, *, back: str) -> HttpResponse:
    """The board after ``at`` acts, or as many as there are; throws of the app are acts, too."""
    actions = reading.actions_of(door)
    at = min(at, len(actions))
    sitting: Sitting = reading.load(door).start
    for action in actions[:at]:
        sitting = sitting.apply(action)
    entries = [format_action(action) for action in actions]
    game, last = _game_shown(sitting, actions), actions[at - 1] if at else None
    context = {
        "title": dice2_words.title_of(door.table),
        "view": view_of(game, last.at if last else "") if game else None,
        "kind": game.kind.name if game else "",
        "verdict": dice2_words.verdict(game, sitting.players) if game and game.is_finished else "",
        "people": zip(
            sitting.players,
            game.points if game else sitting.players,
            strict=True,
        ),
        "at": at,
        "length": len(actions),
        "told": tell_entry(entries[at - 1], entries, None, sitting.players) if at else "",
        "back": back,
        "before": at - 1,
        "behind": at + 1,
    }
    return render_part(request, "dice2/history.html", "dice2/_history.html", context)


def _game_shown(sitting: Sitting, actions: Sequence[Action]) -> Dice2Game | None:
    """The game on the board; before a relay's first, that one's empty board."""
    if sitting.game or not actions:
        return sitting.game
    return new_game(KINDS[actions[0].shape], len(sitting.players))
