"""What is said about how a suggestion plays, beside the shipped levels?"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets.charts.numbers import percent
from sheets.workshop.suggest.trying import Beside, Played

TITLES: Final = {
    "median": gettext_lazy("Median, alone"),
    "spread": gettext_lazy("Middle half"),
    "first": gettext_lazy("Seat 1 of 2 wins"),
}


class Said(NamedTuple):
    """A figure in words: what it is, how much, ``ours`` (the range of the shipped levels), and how
    far it is ``off`` that, empty within it."""

    title: str
    figure: str
    ours: str
    off: str


def describe_beside(beside: Beside, played: Played) -> Said:
    """A figure of a suggestion, and how far it lies beyond what the shipped levels have."""
    figure = _amount(beside.name, beside.figure)
    if beside.name == "spread":
        span = {"lower": round(played.lower), "upper": round(played.upper), "points": figure}
        figure = _("%(lower)s to %(upper)s: %(points)s points") % span
    ours = {
        "least": _amount(beside.name, beside.ours.least),
        "most": _amount(beside.name, beside.ours.most),
    }
    words = _("%(by)s too few") if beside.off < 0 else _("%(by)s too many")
    if beside.name == "first":
        words = _("%(by)s too rarely") if beside.off < 0 else _("%(by)s too often")
    by = max(abs(beside.off), 0.01 if beside.name == "first" else 1)  # never by nothing
    off = words % {"by": _amount(beside.name, by)} if beside.off else ""
    return Said(str(TITLES[beside.name]), figure, _("ours: %(least)s to %(most)s") % ours, off)


def _amount(name: str, figure: float) -> str:
    return percent(figure, is_rough=True) if name == "first" else str(round(figure))
