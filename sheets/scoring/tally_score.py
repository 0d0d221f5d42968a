"""Scores and ranking of a tally, from the valid part of its input."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from sheets.art.drawings import symbol_id
from sheets.names.confusables import distinct_names
from sheets.rules.paper_scoring import PaperResult
from sheets.rules.symbols import BY_CATEGORY, COLOURS, PAYING_BY_COLOUR, PLAIN_PAYING, SYMBOLS
from sheets.scoring.ranking import Standing, rank_players
from sheets.scoring.score_view import SIGNS, ComparisonRow
from sheets.scoring.tally import CountRow, add_up, count_rows
from sheets.scoring.tally_forms import NOTHING, CountForm, PadForm
from sheets.text.form_errors import first_errors
from sheets.text.player_names import player_name
from sheets.text.symbols import CATEGORY_NAMES

_DRAWINGS = {
    "open_tracks": "track-EW",
    "loop_tracks": "track-ES",
    "longest_tracks": "track-NE",
    **{SYMBOLS[symbol].category: symbol for symbol in PLAIN_PAYING},
}
"""Ids of the drawings of rows without a colour, by the row's name."""


class Tallied:
    """Bound forms of a tally, with the derived scores and ranking.

    Args:
        typed: input texts by the names of the form fields.
    """

    def __init__(self, typed: Mapping[str, Any]) -> None:
        self.pad_form = PadForm(typed)
        is_valid = self.pad_form.is_valid()
        self.pad, self.is_solo = self.pad_form.pad(), self.pad_form.is_solo
        self.count_rows: list[CountRow] = count_rows(self.pad, solo=self.is_solo)
        self.count_forms = [
            CountForm(
                typed, prefix=f"p{i}", rows=self.count_rows, placeholder=player_name("", i + 1)
            )
            for i in range(self.pad_form.player_count)
        ]
        for form in self.count_forms:
            is_valid &= form.is_valid()
        self.is_valid = is_valid

    @cached_property
    def result(self) -> PaperResult:
        """Scores and outcome."""
        counts = [form.counts() for form in self.count_forms]
        return add_up(self.pad, counts, solo=self.is_solo)

    @cached_property
    def names(self) -> list[str]:
        """Names of the players."""
        forms = enumerate(self.count_forms, 1)
        return distinct_names(
            [player_name(form.cleaned_data.get("name", ""), i) for i, form in forms]
        )

    @cached_property
    def standing(self) -> Standing:
        """Ranking of the players; one without counts is uncounted unless `NOTHING` is ticked."""
        return rank_players(
            self.names,
            self.result.scores,
            self.result.outcome,
            numbers=range(1, len(self.names) + 1),
            uncounted={i for i, form in enumerate(self.count_forms) if form.is_uncounted},
        )

    @property
    def wrong(self) -> dict[str, str]:
        """Validation errors by field name; reading them gives the first invalid field the focus."""
        for form in (self.pad_form, *self.count_forms):
            for name in form.errors:
                form.fields[name].widget.attrs["autofocus"] = True
                return first_errors(self.pad_form, *self.count_forms)
        return {}

    @property
    def rows(self) -> list[ComparisonRow]:
        """Comparison of the players: one row per category of the pad."""
        signs: dict[str, str] = {}
        for row in self.count_rows:
            signs.setdefault(row.category, _sign(row))
        scores = self.result.scores
        return [
            ComparisonRow(
                category,
                str(CATEGORY_NAMES[category]),
                sign,
                [score.by_category[category] for score in scores],
            )
            for category, sign in signs.items()
        ]

    def typed(self) -> dict[str, str]:
        """Return the input to store: the texts of all non-empty fields, by their names."""
        found = {}
        for form in (self.pad_form, *self.count_forms):
            for bound in form:
                text = bound.value()
                if text not in (None, "", False):
                    found[bound.html_name] = "on" if text is True else str(text)
        return found


def merge_typed(kept: Mapping[str, str], was: Mapping[str, str], now: Mapping[str, str]) -> Tallied:
    """Merge one page's changes into a stored tally that other pages may have changed, too.

    Args:
        kept: the stored input.
        was: the input that the page showed when it was loaded.
        now: the input that it sends.
    """
    changed = {name for name in {*was, *now} if was.get(name, "") != now.get(name, "")}
    typed = {name: text for name, text in kept.items() if name not in changed}
    return Tallied({**typed, **{name: now[name] for name in changed if now.get(name)}})


def confirm_blank(kept: Mapping[str, str], number: int) -> dict[str, str]:
    """Return the stored input with `NOTHING` ticked for a player, unless the player has counts.

    ``number`` is the number of the player, from 1.
    """
    tallied = Tallied(kept)
    waiting = {rank.number for rank in tallied.standing.uncounted}
    names = [form[NOTHING].html_name for form in tallied.count_forms]
    return {**kept, names[number - 1]: "on"} if number in waiting else dict(kept)


def drawing_of(row: CountRow) -> str:
    """Return the id of a row's drawing; empty if the row shows a number instead."""
    if row.colour:
        return symbol_id(BY_CATEGORY[row.category].name, row.colour)
    return _DRAWINGS.get(row.name, "")


def all_drawings() -> set[str]:
    """Return the ids of the drawings for any pad.

    The page loads all of them, because a fragment can need drawings that the first page did not.
    """
    coloured = {
        symbol_id(symbol, colour) for symbol in PAYING_BY_COLOUR for colour in COLOURS.values()
    }
    return coloured | set(_DRAWINGS.values()) | set(SIGNS.values()) | {"flag-red", "cross-1"}


def _sign(row: CountRow) -> str:
    """Return the id of the drawing for the category of a row."""
    if row.category == "flags":
        return "flag-red"
    return SIGNS.get(row.category) or drawing_of(row)
