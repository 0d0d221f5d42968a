"""Which fields are crossed: how many of all, and each on a heat map beside another level's."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from sheets.artwork.layout import lay_out
from sheets.balance.figure import (
    Figure,
    Setting,
    cells_beside,
    head_beside,
    level_name,
    make_figure,
)
from sheets.balance.heat_map import heat_map
from sheets.balance.plots import Bar, Bars, bars, percent
from sheets.balance.shipped import Company
from sheets.balance.words import players_words
from sheets.rules import Level


def crossed_figure(settings: Sequence[Setting], company: Company) -> Figure:
    """The mean share of a sheet's fields that is crossed, by number of players."""
    title = _("Fields crossed")
    rows = [
        Bar(
            players_words(setting["players"]),
            setting["crossed"],
            beside=company.beside(setting["players"], lambda other: other["crossed"]),
        )
        for setting in settings
    ]
    table = [[row.label, percent(row.share), *cells_beside(row.beside)] for row in rows]
    sentence = _("How many of a sheet’s fields are crossed at the end, on average.")
    head = head_beside(_("Players"), company)
    return make_figure("crossed", title, sentence, bars(title, [Bars("", rows)]), head, table)


def heat_figures(level: Level, setting: Setting, company: Company) -> list[Figure]:
    """The heat map of a number of players, and that of the chosen level if it has one."""
    players = setting["players"]
    title = _("Crossed fields: %(players)s") % {"players": players_words(players)}
    found = [_heat_figure(f"heat-{players}", title, level, setting, is_small=False)]
    other = company.setting(players)
    if other:
        title = _("Crossed fields on %(level)s: %(players)s") % {
            "level": level_name(company.chosen),
            "players": players_words(players),
        }
        name = f"heat-{players}-beside"
        found.append(_heat_figure(name, title, company.chosen, other, is_small=True))
    return found


def _heat_figure(
    name: str, title: str, level: Level, setting: Setting, *, is_small: bool
) -> Figure:
    # Reports that were made long ago have volcanoes among the fields.
    volcanoes = {field.name for field in level.fields if field.symbol == "volcano"}
    shares = {name: share for name, share in setting["fields"].items() if name not in volcanoes}
    plot = heat_map(title, lay_out(level), shares, is_small=is_small)
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
    sentence = _("On how many of a hundred sheets a field is crossed; %(share)s of all.") % {
        "share": percent(setting["crossed"])
    }
    return make_figure(name, title, sentence, plot, [_("Row"), *letters], rows, setting["players"])
