"""Which figures does a balance report have? Scores, seats and grades; the others lie beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.artwork.layout import number
from sheets.balance.field_figures import crossed_figure, heat_figures
from sheets.balance.figure import (
    NOTHING,
    Figure,
    Setting,
    cells_beside,
    head_beside,
    level_name,
    make_figure,
    words_beside,
)
from sheets.balance.pay_figures import pay_figures
from sheets.balance.plots import Bar, Bars, Box5, Tally, bars, boxes, histograms, percent
from sheets.balance.shipped import Company
from sheets.balance.words import players_words
from sheets.rules import Level
from sheets.scoring.words import GRADES
from sheets.simulation_report import least_paid

FIVE: Final = ("worst", "lower_quartile", "median", "upper_quartile", "best")


def figures(level: Level, document: Mapping[str, Any], company: Company) -> list[Figure]:
    """Everything that a report shows, in the language of who is reading."""
    settings = document["settings"]
    found = [_scores(level, settings, company), crossed_figure(settings, company)]
    found += _seats([setting for setting in settings if setting["players"] > 1], company)
    found += [_grades(level, s, document["ratings"], company) for s in settings if s["grades"]]
    found += pay_figures(level, settings, company)
    for setting in settings:
        found += heat_figures(level, setting, company)
        found.append(_beside(level, setting, company))
    return found


def _scores(level: Level, settings: Sequence[Setting], company: Company) -> Figure:
    title = _("Scores")
    tallies, rows = [], []
    for setting in settings:
        players = players_words(setting["players"])
        other = company.setting(setting["players"])
        tallies.append(Tally(_games(setting), setting["totals"], other["totals"] if other else ()))
        rows.append([players, level_name(level), *_score_cells(setting)])
        if other:
            rows.append([players, level_name(company.chosen), *_score_cells(other)])
    head = [_("Players"), _("Level"), _("Games"), *_five_words()]
    sentence = _("How many sheets ended with how many points. The line is the median.")
    return make_figure("scores", title, sentence, histograms(title, tallies), head, rows)


def _beside(level: Level, setting: Setting, company: Company) -> Figure:
    """The scores beside those of all other levels, for one number of players."""
    players = setting["players"]
    title = _("Beside our own levels: %(players)s") % {"players": players_words(players)}
    entries = [(level, setting)]
    entries += [(company.levels[id], s) for id, s in company.settings(players).items()]
    rows, table = [], []
    for shown, found in entries:
        five = tuple(found["scores"][part] for part in FIVE)
        is_chosen = shown is company.chosen
        rows.append(Box5(level_name(shown), five, shown is level, is_chosen))
        rarest, share = least_paid(shown, found)
        least = percent(share) if rarest else NOTHING
        table.append([level_name(shown), *_score_cells(found), percent(found["crossed"]), least])
    head = [_("Level"), _("Games"), *_five_words(), _("Fields crossed"), _("Pays most rarely")]
    sentence = _("The box is the middle half of all scores, the line the median.")
    name = f"beside-{players}"
    return make_figure(name, title, sentence, boxes(title, rows), head, table, players)


def _seats(settings: Sequence[Setting], company: Company) -> list[Figure]:
    if not settings:
        return []
    title = _("Who wins")
    groups, table = [], []
    for setting in settings:
        players, words = setting["players"], players_words(setting["players"])
        rows = []
        for seat, win in enumerate(setting["wins"]):
            beside = company.beside(players, partial(_win, seat))
            rows.append(Bar(_("Seat %(number)d") % {"number": seat + 1}, win, beside=beside))
        groups.append(Bars(words, rows, 1 / players))
        table += [
            [f"{words}: {row.label}", percent(row.share), *cells_beside(row.beside)] for row in rows
        ]
    sentence = _("On what share of the games each seat wins. The dashed line would be fair.")
    head = head_beside(_("Seat"), company)
    return [make_figure("seats", title, sentence, bars(title, groups), head, table)]


def _grades(level: Level, setting: Setting, fitting: Sequence[int], company: Company) -> Figure:
    title = _("Grades on your own")
    rows = []
    for grade, share in enumerate(setting["grades"]["shares"]):
        beside = company.beside(1, partial(_graded, grade))
        rows.append(Bar(str(GRADES[grade].title), share, beside=beside))
    least = [NOTHING, *map(number, level.ratings)]
    suits = [NOTHING, *map(number, fitting)]
    sentence = _("How many of the bots’ solo games would get which grade.")
    head = [_("Grade"), _("from"), _("This level"), *words_beside(company)]
    head.append(_("from, for an even spread"))
    table = [
        [row.label, low, percent(row.share), *cells_beside(row.beside), suit]
        for row, low, suit in zip(rows, least, suits, strict=True)
    ]
    return make_figure("grades", title, sentence, bars(title, [Bars("", rows)]), head, table)


def _win(seat: int, setting: Setting) -> float:
    share: float = setting["wins"][seat]
    return share


def _graded(grade: int, setting: Setting) -> float:
    share: float = setting["grades"]["shares"][grade]
    return share


def _score_cells(setting: Setting) -> list[str]:
    return [str(setting["games"]), *(number(setting["scores"][part]) for part in FIVE)]


def _games(setting: Setting) -> str:
    count = setting["games"]
    games = ngettext("%(count)d game", "%(count)d games", count) % {"count": count}
    return f"{players_words(setting['players'])} ({games})"


def _five_words() -> list[str]:
    return [_("worst"), _("lower quarter"), _("median"), _("upper quarter"), _("best")]
