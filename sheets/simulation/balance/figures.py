"""Figures (charts with data tables) of a balance report.

They show scores, seats, grades, fields, and how often each thing (such as a flag or row) pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import mean
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.art.drawings import symbol_id
from sheets.art.field_contents import field_group
from sheets.art.layout import lay_out
from sheets.charts.bars import Bar, Bars, share_bars
from sheets.charts.boxes import BoxRow, boxes
from sheets.charts.figure import Figure, make_figure
from sheets.charts.heat_map import heat_map
from sheets.charts.histograms import Histogram, histograms
from sheets.charts.numbers import percent, shortest_number
from sheets.rules import Level
from sheets.scoring.sentences import GRADES
from sheets.simulation.balance.comparison import (
    EMPTY_CELL,
    comparison_cells,
    comparison_columns,
    comparison_head,
    level_name,
)
from sheets.simulation.balance.report import COST_GROUPS, MAX_RARE_SHARE, mean_shares
from sheets.simulation.balance.sentences import format_players, payer_name
from sheets.simulation.balance.shipped_figures import ComparedFigure, OtherLevels, Setting
from sheets.simulation.summary import least_paid
from sheets.stats import FIVE_NUMBERS
from sheets.text.labels import with_label
from sheets.text.symbols import CATEGORY_NAMES

PAYER_NAMES: Final = {
    **CATEGORY_NAMES,
    "symbols": CATEGORY_NAMES["gems"],
    "planets": gettext_lazy("Planets"),
}
"""Names of the groups of ``pays`` in a report."""

Shares = Mapping[tuple[str, str], float]
"""Shares of sheets on which something pays, by group and key of ``pays``."""


def figures(level: Level, document: Mapping[str, Any], others: OtherLevels) -> list[Figure]:
    """Return all figures of a report, in the reader's language."""
    settings = document["settings"]
    found = [_scores(level, settings, others), crossed_figure(settings, others)]
    found += _seats([setting for setting in settings if setting["players"] > 1], others)
    found += [_grades(level, s, document["ratings"], others) for s in settings if s["grades"]]
    found += pay_figures(level, settings, others)
    for setting in settings:
        found += heat_figures(level, setting, others)
        found.append(_all_levels_figure(level, setting, others))
    return found


def _scores(level: Level, settings: Sequence[Setting], others: OtherLevels) -> Figure:
    title = _("Scores")
    drawn, rows = [], []
    for setting in settings:
        players = format_players(setting["players"])
        other = others.setting(setting["players"])
        drawn.append(
            Histogram(_games(setting), setting["totals"], other["totals"] if other else ())
        )
        rows.append([players, level_name(level), *_score_cells(setting)])
        if other:
            rows.append([players, level_name(others.chosen), *_score_cells(other)])
    head = [_("Players"), _("Level"), _("Games"), *five_words()]
    sentence = _("How many sheets ended with how many points. The line is the median.")
    return make_figure("scores", title, sentence, histograms(title, drawn), head, rows)


def _all_levels_figure(level: Level, setting: Setting, others: OtherLevels) -> Figure:
    """Return the figure that compares scores with all other levels, for a number of players."""
    players = setting["players"]
    title = _("Beside the levels that come with the app: %(players)s") % {
        "players": format_players(players)
    }
    entries = [(level, setting)]
    entries += [(others.level(id), s) for id, s in others.settings(players).items()]
    rows, table = [], []
    for shown, found in entries:
        five = tuple(found["scores"][part] for part in FIVE_NUMBERS)
        is_chosen = shown is others.chosen
        rows.append(BoxRow(level_name(shown), five, shown is level, is_chosen))
        rarest, share = least_paid(shown, found)
        least = percent(share) if rarest else EMPTY_CELL
        table.append([level_name(shown), *_score_cells(found), percent(found["crossed"]), least])
    head = [_("Level"), _("Games"), *five_words(), _("Fields crossed"), _("Pays most rarely")]
    sentence = _("The box is the middle half of all scores, the line the median.")
    name = f"beside-{players}"
    return make_figure(name, title, sentence, boxes(title, rows), head, table, players)


def _seats(settings: Sequence[Setting], others: OtherLevels) -> list[Figure]:
    if not settings:
        return []
    title = _("Who wins")
    groups, table = [], []
    for setting in settings:
        players, words = setting["players"], format_players(setting["players"])
        rows = []
        for seat, win in enumerate(setting["wins"]):
            compared = others.compare(players, partial(_win, seat))
            seat_name = _("Seat %(number)d") % {"number": seat + 1}
            rows.append(_bar(seat_name, win, compared))
            table.append([with_label(words, seat_name), percent(win), *comparison_cells(compared)])
        groups.append(Bars(words, rows, 1 / players))
    sentence = _("On what share of the games each seat wins. The dashed line would be fair.")
    head = comparison_head(_("Seat"), others)
    return [make_figure("seats", title, sentence, share_bars(title, groups), head, table)]


def _grades(level: Level, setting: Setting, fitting: Sequence[int], others: OtherLevels) -> Figure:
    title = _("Grades on your own")
    least = [EMPTY_CELL, *map(shortest_number, level.ratings)]
    suits = [EMPTY_CELL, *map(shortest_number, fitting)]
    rows, table = [], []
    for grade, share in enumerate(setting["grades"]["shares"]):
        compared = others.compare(1, partial(_graded, grade))
        name = str(GRADES[grade].title)
        rows.append(_bar(name, share, compared))
        cells = [percent(share), *comparison_cells(compared)]
        table.append([name, least[grade], *cells, suits[grade]])
    sentence = _("How many of the bots’ solo games would get which grade.")
    head = [_("Grade"), _("from"), _("This level"), *comparison_columns(others)]
    head.append(_("from, for an even spread"))
    return make_figure("grades", title, sentence, share_bars(title, [Bars("", rows)]), head, table)


def _bar(
    label: str, share: float, compared: ComparedFigure | None, *, is_bold: bool = False
) -> Bar:
    if compared is None:
        return Bar(label, share, is_bold=is_bold)
    return Bar(label, share, is_bold=is_bold, other=compared.one, band=compared[1:])


def _win(seat: int, setting: Setting) -> float:
    share: float = setting["wins"][seat]
    return share


def _graded(grade: int, setting: Setting) -> float:
    share: float = setting["grades"]["shares"][grade]
    return share


def _score_cells(setting: Setting) -> list[str]:
    return [
        str(setting["games"]),
        *(shortest_number(setting["scores"][part]) for part in FIVE_NUMBERS),
    ]


def _games(setting: Setting) -> str:
    count = setting["games"]
    games = ngettext("%(count)d game", "%(count)d games", count) % {"count": count}
    return f"{format_players(setting['players'])} ({games})"


def five_words() -> list[str]:
    """Return the column headings of `sheets.stats.five_numbers`."""
    return [_("worst"), _("lower quarter"), _("median"), _("upper quarter"), _("best")]


def crossed_figure(settings: Sequence[Setting], others: OtherLevels) -> Figure:
    """Return the figure of the mean share of crossed fields, by number of players."""
    title = _("Fields crossed")
    rows, table = [], []
    for setting in settings:
        compared = others.compare(setting["players"], lambda other: other["crossed"])
        words = format_players(setting["players"])
        rows.append(_bar(words, setting["crossed"], compared))
        table.append([words, percent(setting["crossed"]), *comparison_cells(compared)])
    sentence = _("How many of a sheet’s fields are crossed at the end, on average.")
    head = comparison_head(_("Players"), others)
    return make_figure("crossed", title, sentence, share_bars(title, [Bars("", rows)]), head, table)


def heat_figures(level: Level, setting: Setting, others: OtherLevels) -> list[Figure]:
    """Return the heat map of a level for a number of players, and that of the chosen level.

    The second one is left out if the chosen level has no games for this number of players.
    """
    players = setting["players"]
    title = _("Crossed fields: %(players)s") % {"players": format_players(players)}
    found = [heat_figure(f"heat-{players}", title, _crossed_words(setting), level, setting)]
    other = others.setting(players)
    if other:
        title = _("Crossed fields (%(level)s): %(players)s") % {
            "level": level_name(others.chosen),
            "players": format_players(players),
        }
        name = f"heat-{players}-beside"
        found.append(heat_figure(name, title, _crossed_words(other), others.chosen, other))
    return found


def _crossed_words(setting: Setting) -> str:
    return _("On how many of a hundred sheets a field is crossed; %(share)s of all.") % {
        "share": percent(setting["crossed"])
    }


def heat_figure(name: str, title: str, sentence: str, level: Level, setting: Setting) -> Figure:
    """Return a heat map of a level: on which share of the sheets each field is crossed."""
    # Old reports have volcanoes among the fields.
    volcanoes = {field.name for field in level.fields if field.symbol == "volcano"}
    shares = {name: share for name, share in setting["fields"].items() if name not in volcanoes}
    symbols = {
        field.name: (symbol_id(field.symbol, field.colour), field_group(field))
        for field in level.fields
        if field.symbol
    }
    plot = heat_map(title, lay_out(level), shares, symbols)
    letters = [chr(ord("a") + column) for column in range(level.columns)]
    rows = [
        [
            str(row),
            *(
                f"{shares[at] * 100:.0f}"
                if (at := f"{letter}{row}") in shares
                else (_("volcano") if at in volcanoes else "")
                for letter in letters
            ),
        ]
        for row in range(1, level.rows + 1)
    ]
    players = setting["players"]
    return make_figure(name, title, sentence, plot, [_("Row"), *letters], rows, players)


def pay_figures(level: Level, settings: Sequence[Setting], others: OtherLevels) -> list[Figure]:
    """Return the figure of how often things pay, or none for a level on which nothing pays."""
    shares = mean_shares(settings)
    if not shares:
        return []
    kinds = _by_kind(shares)
    title = _("How often everything pays")
    groups, table = [], []
    each = [_by_kind(mean_shares([setting])) for setting in settings]
    for group, share in kinds.items():
        name = str(PAYER_NAMES[group])
        compared = _kind_comparison(group, settings, others)
        # Stops, heaps and bombs are counted together: the row of their kind is their only one.
        keys = [key for key in shares if key[0] == group and key[1]]
        rows = [_bar(name, share, compared, is_bold=True)]
        table.append(
            [
                name,
                *(percent(kind[group]) for kind in each),
                percent(share),
                *comparison_cells(compared),
            ]
        )
        for key in keys:
            rows.append(Bar(payer_name(level, *key), shares[key], shares[key] < MAX_RARE_SHARE))
            cells = [percent(setting["pays"][group][key[1]]) for setting in settings]
            table.append([rows[-1].label, *cells, percent(shares[key]), "", "", ""])
        groups.append(Bars("", rows))
    sentence = _(
        "On how many of all sheets it brings points; of gems, how many are crossed. "
        "Bold: the mean of its kind. An exclamation mark: hardly ever."
    )
    if not kinds.keys().isdisjoint(COST_GROUPS):
        costs = _("Heaps and bombs: on how many they cost points; alone, bombs bring some instead.")
        sentence = f"{sentence} {costs}"
    counts = [format_players(setting["players"]) for setting in settings]
    head = [_("What"), *counts, _("All"), *comparison_columns(others)]
    return [make_figure("pays", title, sentence, share_bars(title, groups), head, table)]


def _by_kind(shares: Shares) -> dict[str, float]:
    """Return the mean share of the things in each group."""
    groups = dict.fromkeys(group for group, _key in shares)
    return {
        kind: mean(share for (group, _key), share in shares.items() if group == kind)
        for kind in groups
    }


def _kind_comparison(
    group: str, settings: Sequence[Setting], others: OtherLevels
) -> ComparedFigure | None:
    """Return how often a group pays on other levels, for the same numbers of players."""
    played: dict[str, list[Setting]] = {}
    for setting in settings:
        for id, other in others.settings(setting["players"]).items():
            played.setdefault(id, []).append(other)
    kinds = {id: _by_kind(mean_shares(found)) for id, found in played.items()}
    return others.compare_values({id: kind[group] for id, kind in kinds.items() if group in kind})
