"""Pages of the puzzles: the list, a puzzle with its answer, and the game after the answer.

An answer is a GET form, because it changes nothing on the server.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.http.rate_limits import READS, limited
from sheets.models import AddedPuzzle
from sheets.puzzles import presentation, store
from sheets.puzzles.puzzle import Puzzle
from sheets.rules import Action, Game, RuleViolation
from sheets.rules.level import SHAPES
from sheets.rules.marks import marks_of
from sheets.tables.dizzle import show_record
from sheets.tables.event_log import LogState
from sheets.tables.scoreboard import Scoreboard
from sheets.tables.sentences import round_words
from sheets.tables.taps import taps_of
from sheets.tables.views.history import number_of, show_replay
from sheets.text.player_names import player_name
from sheets.text.refusals import explain


@require_safe
@limited(READS, "GET")
def puzzles(request: HttpRequest) -> HttpResponse:
    """Show all puzzles by level and grade."""
    levels = presentation.by_level(store.list_puzzles())
    return render(request, "puzzles/puzzles.html", {"levels": levels})


@require_safe
@limited(READS, "GET")
def puzzle(request: HttpRequest, key: str) -> HttpResponse:
    """Show a puzzle; with a parameter ``at`` or ``shape``, show the answer to this choice.

    A choice that the rules forbid has the status 422 and counts as no answer.
    """
    shown = _find(key)
    game = shown.position()
    context = _context(key, shown, game)
    actions = [choice.action for choice in shown.choices]
    try:
        chosen = _read_choice(request, shown)
    except ValueError:
        context["refusal"] = _("This was no button of the page: tap a field or a button.")
        return render(request, "puzzles/puzzle.html", context, status=400)
    if chosen is None:
        return render(request, "puzzles/puzzle.html", context)
    if chosen not in actions:
        context["refusal"] = _refusal(game, chosen)
        return render(request, "puzzles/puzzle.html", context, status=422)
    own = actions.index(chosen)
    context |= {
        "is_right": own == shown.answer,
        "verdict": presentation.verdict(shown, own),
        "rows": presentation.choice_rows(shown, own),
        "pointers": presentation.pointers(shown, own),
        "finders": presentation.finders_sentence(shown),
        "method": presentation.method_sentence(shown),
        "after": shown.decision + 1,
    }
    return render(request, "puzzles/answer.html", context)


@require_safe
@limited(READS, "GET")
def played_out(request: HttpRequest, key: str) -> HttpResponse:
    """Show the game with the answer step by step: how it came to the position, and how it ends."""
    shown = _find(key)
    names = tuple(player_name("", seat + 1) for seat in range(len(shown.record.players)))
    page = show_record(shown.record._replace(players=names), number_of(request, "at") or 0)
    return show_replay(request, page, back=reverse("puzzle", args=[key]), is_puzzle=True)


def _find(key: str) -> Puzzle:
    try:
        return store.find_puzzle(key)
    except AddedPuzzle.DoesNotExist:
        raise Http404 from None


def _context(key: str, shown: Puzzle, game: Game) -> dict[str, Any]:
    """Return the context of a puzzle's page, before and after the answer."""
    do, at = shown.right.action.do, shown.right.action.at
    listed = store.list_puzzles()
    number = next(place for place, one in enumerate(listed) if one.key == key)
    player = shown.player
    taps = taps_of(LogState(game), player, track_at=at if do == "track" else "")
    scoreboard = Scoreboard(game)
    return {
        "key": key,
        "number": number + 1,
        "grade": presentation.GRADE_NAMES[shown.grade],
        "next": listed[(number + 1) % len(listed)].key,
        "level": game.level,
        "task": presentation.task_sentence(shown),
        "rounds": round_words(game),
        "pool": game.pool,
        "marks": marks_of(game.sheets[player]),
        "hinted": taps.reachable,
        "owes": taps.owes,
        "shapes": SHAPES if do == "track" else (),
        "name": player_name("", player + 1),
        "own": scoreboard.columns[player],
        "others": [
            (player_name("", column.number + 1), column)
            for column in scoreboard.columns
            if column.number != player
        ],
    }


def _read_choice(request: HttpRequest, shown: Puzzle) -> Action | None:
    """Return the choice in the query string, which the rules may forbid; None without one.

    Raises:
        ValueError: no button of the page has this value.
    """
    right, level = shown.right.action, shown.record.level
    if right.do == "track":
        shape = request.GET.get("shape")
        if shape is not None and shape not in SHAPES:
            raise ValueError(shape)
        return None if shape is None else right._replace(shape=shape)
    at = request.GET.get("at")
    if at is None:
        return None
    if at not in level.index:
        raise ValueError(at)
    die = level.numbers[level.index[at]] if right.do == "place" else 0
    return right._replace(at=at, die=die)


def _refusal(game: Game, chosen: Action) -> str:
    """Return why the rules forbid an action."""
    try:
        game.apply(chosen)
    except RuleViolation as violation:
        return explain(violation, game.players)
    raise ValueError(f"{chosen} is legal, but no choice of the puzzle")
