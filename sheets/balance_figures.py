"""Which plots does a balance report have, and what stands in the table under each?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.artwork.layout import lay_out, number
from sheets.balance import RARE, key_figures, mean_shares, shipped_figures
from sheets.balance_words import payer, players_words
from sheets.levels import shipped_levels
from sheets.plots import Bar, Bars, Box5, Tally, bars, boxes, heat_map, histograms, percent
from sheets.rules import Level
from sheets.score_words import GRADES
from sheets.words import in_language

Setting = Mapping[str, Any]

FIVE = ("worst", "lower_quartile", "median", "upper_quartile", "best")


class Figure(NamedTuple):
    """A plot with its title, a sentence about it, and the table with its figures.

    The first cell of each of ``rows`` heads it.
    """

    name: str
    title: str
    sentence: str
    plot: SafeString
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def figures(level: Level, document: Mapping[str, Any]) -> list[Figure]:
    """Everything that a report shows, in the language of who is reading."""
    settings = document["settings"]
    found = [_scores(settings), _beside(level, settings), *_heat_maps(level, settings)]
    found += _paying(level, settings)
    found += _seats([setting for setting in settings if setting["players"] > 1])
    found += [_grades(level, s, document["ratings"]) for s in settings if s["grades"]]
    return found


def _figure(
    name: str,
    title: str,
    sentence: str,
    plot: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
) -> Figure:
    return Figure(name, title, sentence, mark_safe(plot), head, rows)  # noqa: S308  drawn by us


def _scores(settings: Sequence[Setting]) -> Figure:
    title = _("Scores")
    tallies = [Tally(_games(setting), setting["totals"]) for setting in settings]
    rows = [
        [
            players_words(s["players"]),
            str(s["games"]),
            *(number(s["scores"][part]) for part in FIVE),
        ]
        for s in settings
    ]
    head = [_("Players"), _("Games"), *_five_words()]
    sentence = _("How many sheets ended with how many points. The line is the median.")
    return _figure("scores", title, sentence, histograms(title, tallies), head, rows)


def _beside(level: Level, settings: Sequence[Setting]) -> Figure:
    """The scores beside those of the shipped levels, for the smallest number of players."""
    setting = settings[0]
    mine = key_figures(level, setting)
    shipped = [
        (in_language(shipped_levels()[id].name), found[str(setting["players"])])
        for id, found in shipped_figures().items()
        if str(setting["players"]) in found and id in shipped_levels()
    ]
    name = in_language(level.name) or _("This level")
    entries = [(name, mine), *shipped]
    title = _("Beside our own levels")
    plot = boxes(
        title,
        [
            Box5(label, tuple(figures[part] for part in FIVE), is_ours=figures is mine)
            for label, figures in entries
        ],
    )
    head = [_("Level"), *_five_words(), _("Fields crossed"), _("Pays most rarely")]
    rows = [
        [
            label,
            *(number(figures[part]) for part in FIVE),
            percent(figures["crossed"]),
            percent(figures["rarest_share"]),
        ]
        for label, figures in entries
    ]
    sentence = _("%(players)s: the box is the middle half of all scores, the line the median.") % {
        "players": players_words(setting["players"])
    }
    return _figure("beside", title, sentence, plot, head, rows)


def _heat_maps(level: Level, settings: Sequence[Setting]) -> Iterator[Figure]:
    """For who plays alone, and for the largest usual table."""
    layout = lay_out(level)
    right = max(box.x + box.width for box in layout.fields.values())
    bottom = max(box.y + box.height for box in layout.fields.values())
    usual = [setting for setting in settings if setting["players"] <= 4] or list(settings)
    for setting in {s["players"]: s for s in (usual[0], usual[-1])}.values():
        players = players_words(setting["players"])
        title = _("Crossed fields: %(players)s") % {"players": players}
        plot = heat_map(title, layout.fields, (right, bottom), setting["fields"])
        shares = setting["fields"]
        letters = [chr(ord("a") + column) for column in range(level.columns)]
        rows = [
            [
                str(row),
                *(
                    f"{shares[at] * 100:.0f}" if (at := f"{letter}{row}") in shares else ""
                    for letter in letters
                ),
            ]
            for row in range(1, level.rows + 1)
        ]
        sentence = _("On how many of a hundred sheets a field is crossed; %(share)s of all.") % {
            "share": percent(setting["crossed"])
        }
        name = f"heat-{setting['players']}"
        yield _figure(name, title, sentence, plot, [_("Row"), *letters], rows)


def _paying(level: Level, settings: Sequence[Setting]) -> Iterator[Figure]:
    shares = mean_shares(settings)
    if not shares:
        return
    title = _("How often everything pays")
    rows = [
        Bar(payer(level, group, key), share, share < RARE) for (group, key), share in shares.items()
    ]
    head = [_("What"), *(players_words(setting["players"]) for setting in settings)]
    table = [
        [payer(level, group, key), *(percent(s["pays"][group][key]) for s in settings)]
        for group, key in shares
    ]
    sentence = _(
        "On how many of all sheets it brings points; of gems, how many are crossed. "
        "An exclamation mark: hardly ever."
    )
    yield _figure("pays", title, sentence, bars(title, [Bars("", rows)]), head, table)


def _seats(settings: Sequence[Setting]) -> Iterator[Figure]:
    if not settings:
        return
    title = _("Who wins")
    groups, table = [], []
    for setting in settings:
        wins, players = setting["wins"], setting["players"]
        names = [_("Seat %(number)d") % {"number": seat} for seat in range(1, players + 1)]
        rows = [Bar(name, win) for name, win in zip(names, wins, strict=True)]
        groups.append(Bars(players_words(players), rows, 1 / players))
        table += [[f"{players_words(players)}: {row.label}", percent(row.share)] for row in rows]
    sentence = _("On what share of the games each seat wins. The dashed line would be fair.")
    yield _figure("seats", title, sentence, bars(title, groups), [_("Seat"), _("Wins")], table)


def _grades(level: Level, setting: Setting, fitting: Sequence[int]) -> Figure:
    title = _("Grades on your own")
    shares = setting["grades"]["shares"]
    names = [str(grade.title) for grade in GRADES]
    least = ["", *map(number, level.ratings)]
    suits = ["", *map(number, fitting)]
    sentence = _("How many of the bots’ solo games would get which grade.")
    return _figure(
        "grades",
        title,
        sentence,
        bars(title, [Bars("", [Bar(*pair) for pair in zip(names, shares, strict=True)])]),
        [_("Grade"), _("from"), _("Games"), _("from, for an even spread")],
        [
            [name, low or "–", percent(share), suit or "–"]
            for name, low, share, suit in zip(names, least, shares, suits, strict=True)
        ],
    )


def _games(setting: Setting) -> str:
    count = setting["games"]
    games = ngettext("%(count)d game", "%(count)d games", count) % {"count": count}
    return f"{players_words(setting['players'])} ({games})"


def _five_words() -> list[str]:
    return [_("worst"), _("lower quarter"), _("median"), _("upper quarter"), _("best")]
