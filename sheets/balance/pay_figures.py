"""How often everything pays: each kind of thing beside other levels, and each thing by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets.balance.figure import Figure, Setting, cells_beside, make_figure, words_beside
from sheets.balance.plots import Bar, Bars, bars, percent
from sheets.balance.report import COSTS, RARE, mean_shares
from sheets.balance.shipped import Beside, Company
from sheets.balance.words import payer, players_words
from sheets.rules import Level
from sheets.words import CATEGORIES

KINDS: Final = {**CATEGORIES, "symbols": CATEGORIES["gems"], "planets": gettext_lazy("Planets")}
"""What the groups of ``pays`` are called."""

Shares = Mapping[tuple[str, str], float]


def pay_figures(level: Level, settings: Sequence[Setting], company: Company) -> list[Figure]:
    """One figure, or none for a level on which nothing pays."""
    shares = mean_shares(settings)
    if not shares:
        return []
    kinds = _by_kind(shares)
    title = _("How often everything pays")
    groups, table = [], []
    each = [_by_kind(mean_shares([setting])) for setting in settings]
    for group, share in kinds.items():
        name = str(KINDS[group])
        beside = _kind_beside(group, settings, company)
        # Stops, heaps and bombs are counted all together: their kind says it all.
        keys = [key for key in shares if key[0] == group and key[1]]
        rows = [Bar(name, share, beside=beside, is_bold=True)]
        table.append(
            [name, *(percent(kind[group]) for kind in each), percent(share), *cells_beside(beside)]
        )
        for key in keys:
            rows.append(Bar(payer(level, *key), shares[key], shares[key] < RARE))
            cells = [percent(setting["pays"][group][key[1]]) for setting in settings]
            table.append([rows[-1].label, *cells, percent(shares[key]), "", "", ""])
        groups.append(Bars("", rows))
    sentence = _(
        "On how many of all sheets it brings points; of gems, how many are crossed. "
        "Bold: the mean of its kind. An exclamation mark: hardly ever."
    )
    if not kinds.keys().isdisjoint(COSTS):
        costs = _("Heaps and bombs: on how many they cost points; alone, bombs bring some instead.")
        sentence = f"{sentence} {costs}"
    counts = [players_words(setting["players"]) for setting in settings]
    head = [_("What"), *counts, _("All"), *words_beside(company)]
    return [make_figure("pays", title, sentence, bars(title, groups), head, table)]


def _by_kind(shares: Shares) -> dict[str, float]:
    """The mean of each group of things that pay."""
    groups = dict.fromkeys(group for group, _key in shares)
    return {
        kind: mean(share for (group, _key), share in shares.items() if group == kind)
        for kind in groups
    }


def _kind_beside(group: str, settings: Sequence[Setting], company: Company) -> Beside | None:
    """How often a kind pays on those other levels that have it, for the same numbers of players."""
    played: dict[str, list[Setting]] = {}
    for setting in settings:
        for id, other in company.settings(setting["players"]).items():
            played.setdefault(id, []).append(other)
    kinds = {id: _by_kind(mean_shares(others)) for id, others in played.items()}
    return company.gather({id: kind[group] for id, kind in kinds.items() if group in kind})
