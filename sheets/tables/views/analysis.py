"""Analysis of a finished game: request it, follow its progress, read it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from sheets.analysis import jobs, presentation
from sheets.charts.lines import mark
from sheets.http.rate_limits import Limit, limited
from sheets.jobs.queue import jobs_ahead
from sheets.jobs.requester import requester_of
from sheets.jobs.requester_limits import JobRefused
from sheets.rules.documents.game import Record, format_action, replay_actions
from sheets.rules.marks import Marks, marks_of_all
from sheets.tables import game_files
from sheets.tables.access import TableAccess
from sheets.tables.event_loader import record_of
from sheets.tables.event_log import find_reached
from sheets.tables.family import family_of
from sheets.tables.hints import hint_counts_sentence
from sheets.tables.views.access import OpenedGame, with_opened_game, with_table
from sheets.text.form_errors import NO_FIELD

ANALYSES: Final = Limit("looks", "12/minute;90/hour")
"""Rate limit of requests for an analysis, per client."""


class AnalysisTarget(NamedTuple):
    """A game to analyse, at a table or from a file, and the addresses of its pages.

    ``record`` is None for Dice². ``page`` is the address of the analysis, ``state`` of its
    progress, ``replay`` of the replay, and ``back`` of the previous page. ``hint_counts`` is a
    sentence on the number of hints of each player, empty without hints. ``bots`` are the seats of
    bots; for a game from a file they are unknown, and ``knows_bots`` is False.
    """

    owner: jobs.Owner
    record: Record | None
    is_over: bool
    page: str
    state: str
    replay: str
    back: str
    hint_counts: str = ""
    bots: frozenset[int] = frozenset()
    knows_bots: bool = True

    @property
    def can_analyse(self) -> bool:
        """Whether the game can be analysed: a finished game of Dizzle with known dice."""
        return self.record is not None and self.record.is_tracked and self.is_over


def target_of_table(access: TableAccess) -> AnalysisTarget:
    """Return the game of a table as a target of an analysis; 404 before its start."""
    code = access.table.code
    if not access.table.has_started:
        raise Http404
    loaded = family_of(access.table).load_sheets(access)
    is_over = bool(loaded and loaded.state.game.is_finished)
    shows_hints = is_over and access.table.has_advice
    return AnalysisTarget(
        access.table,
        record_of(access) if loaded else None,
        is_over,
        reverse("table-look", args=[code]),
        reverse("table-look-state", args=[code]),
        reverse("table-history", args=[code]),
        reverse("table", args=[code]),
        hint_counts_sentence(loaded.state) if loaded and shows_hints else "",
        frozenset(seat.number for seat in access.all_seats if seat.bot),
    )


def target_of_file(opened: OpenedGame) -> AnalysisTarget:
    """Return a game that was opened from a file as a target of an analysis."""
    record = opened.record
    replay = reverse("table-file", args=[opened.key])
    return AnalysisTarget(
        game_files.file_of(opened.key),
        record,
        replay_actions(record.start(), record.actions)[0].is_finished,
        reverse("table-file-look", args=[opened.key]),
        reverse("table-file-look-state", args=[opened.key]),
        replay,
        replay,
        knows_bots=False,
    )


def analysis_context(target: AnalysisTarget, at: int) -> dict[str, Any]:
    """Return what the replay shows of the analysis after ``at`` actions, as template context.

    Empty if the game cannot be analysed.
    """
    if not target.can_analyse or target.record is None:
        return {}
    job = jobs.latest_analysis(target.owner, target.record)
    step = None
    if job and job.report:
        step = presentation.decision_step(job.report, at, target.record.level)
    found: dict[str, Any] = {"url": target.page, "step": step, "is_made": bool(job and job.report)}
    if step and step.pointers:
        found["pointed"] = step.player
    return {"look": found}


@require_http_methods(["GET", "HEAD", "POST"])
@limited(ANALYSES)
@with_table
def analysis(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show the analysis of a table's game or its progress; start or cancel it."""
    return _answer(request, target_of_table(access))


@require_safe
@with_table
def progress(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Return the progress as a fragment; if there is a new result, a header reloads the page."""
    return _state(request, target_of_table(access))


@require_http_methods(["GET", "HEAD", "POST"])
@limited(ANALYSES)
@with_opened_game
def file_analysis(request: HttpRequest, opened: OpenedGame) -> HttpResponse:
    """Show, start or cancel the analysis of a game from a file."""
    return _answer(request, target_of_file(opened))


@require_safe
@with_opened_game
def file_progress(request: HttpRequest, opened: OpenedGame) -> HttpResponse:
    """Show the progress of the analysis of a game from a file, as `progress` does."""
    return _state(request, target_of_file(opened))


def _answer(request: HttpRequest, target: AnalysisTarget) -> HttpResponse:
    if request.method != "POST":
        return _show(request, target)
    if not target.can_analyse or target.record is None:
        return HttpResponseBadRequest("nothing to look at")
    match request.POST.get("do"):
        case "start":
            try:
                jobs.request_analysis(target.owner, target.record, requester_of(request))
            except JobRefused as refused:
                wrong = {NO_FIELD: refused.sentence}
                return _show(request, target, wrong=wrong, status=refused.status)
        case "cancel":
            jobs.cancel(target.owner)
        case _:
            return HttpResponseBadRequest("no such act")
    return redirect(target.page)


def _show(
    request: HttpRequest,
    target: AnalysisTarget,
    *,
    wrong: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = _progress(target) | {"wrong": wrong, "place": target, "record": target.record}
    job = context["job"]
    if job and job.report and target.record:
        context |= _found(job.report, target.record, target.bots)
    return render(request, "table/analysis.html", context, status=status)


class PicturedMistake(NamedTuple):
    """A mistake with the sheet on which it was made, just after the played choice."""

    name: str
    mistake: presentation.Mistake
    marks: Marks


def _found(report: presentation.Report, record: Record, bots: frozenset[int]) -> dict[str, Any]:
    """Return the template context of a report."""
    names = record.players
    return {
        "report": report,
        "games": number_format(report["games"], force_grouping=True),
        "mistakes": [
            PicturedMistake(names[one.player], one, _sheet_after(record, one.at, one.player))
            for one in presentation.find_mistakes(report, record.level, bots)
        ],
        "names": names,
        "counts": [
            (name, presentation.count_mistakes(report, player))
            for player, name in enumerate(names)
            if player not in bots
        ],
        "luck": presentation.luck_sentence(report, names),
        "play": presentation.play_sentence(report, names),
        "sources": presentation.source_rows(report),
        "figure": presentation.course_figure(report, names),
        "is_solo": len(names) == 1,
        "figure_key": [
            (name, mark_safe(mark(player, 0, 0)))  # noqa: S308  drawn by us
            for player, name in enumerate(names)
            if len(names) > 1
        ],
        "level": record.level,
    }


def _sheet_after(record: Record, at: int, player: int) -> Marks:
    """Return the marks on a player's sheet after ``at`` actions."""
    actions = record.actions[:at]
    game, _applied, _violation = replay_actions(record.start(), actions)
    reached = find_reached([format_action(action) for action in actions], range(1, at + 1))
    return marks_of_all(game.sheets, reached)[player]


def _state(request: HttpRequest, target: AnalysisTarget) -> HttpResponse:
    context = _progress(target) | {"place": target}
    response = render(request, "table/_analysis_progress.html", context)
    shown = request.GET.get("round", "")
    if not context["is_active"] or context["round"] != shown:
        response["HX-Refresh"] = "true"
    return response


def _progress(target: AnalysisTarget) -> dict[str, Any]:
    job = None
    if target.can_analyse and target.record:
        job = jobs.latest_analysis(target.owner, target.record)
    report = job.report if job else None
    return {
        "job": job,
        "is_active": bool(job and job.is_active),
        "before": jobs_ahead(job),
        "round": str(report["round"]) if report else "0",
        "can_be_closer": bool(report and report["round"] < report["rounds"]),
    }
