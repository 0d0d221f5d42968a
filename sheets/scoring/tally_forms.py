"""Forms of the tally page, with the bounds of their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from sheets.art.drawings import symbol_id
from sheets.rules.level import MAX_PLAYERS
from sheets.rules.symbols import (
    COLOURED_PAYING_ALL,
    COLOURED_PAYING_EACH,
    COLOURS,
    PAYING_BY_COLOUR,
    PLAIN_PAYING,
    SYMBOLS,
)
from sheets.scoring.forms import PlayerName
from sheets.scoring.tally import CROSSES, CountRow, Pad
from sheets.text import symbols
from sheets.text.form_errors import same_message

MAX_COUNT: Final = 99
"""Maximum value of one count; it has two digits."""

MAX_POINTS: Final = 99
"""Maximum points, positive or negative, for one symbol or printed number; two digits."""

MAX_NUMBERS: Final = 16
"""Maximum number of numbers in one `NumbersField`."""

NOTHING: Final = "nothing"
"""Name of the checkbox for a player with nothing to count."""

EXAMPLES: Final = {
    "gem_purple": 1,
    "gem_yellow": 2,
    "gem_orange": 3,
    "puzzle_green": 10,
    "arrows": "8 8 10 10",
    "areas": "",
    "flags": "10 6 3 1",
    **{symbol: SYMBOLS[symbol].default_points for symbol in PLAIN_PAYING},
}
"""Initial points. The page marks them as examples until the user says that the pad has them."""

DEFAULTS: Final = {"players": "2", "alone": "yes", **EXAMPLES}
"""Initial input of a new tally."""


LABELS: Final = {"bomb": _("exploded bomb"), "stop": _("stop on a loop")}
"""Labels of symbols that pay for something else than a cross."""


def is_of_pad(name: str) -> bool:
    """Return whether a form field is about the pad or the game, not one player (``p0-...``)."""
    return not re.match(r"p\d-", name)


class NumbersField(forms.CharField):
    """Several numbers in one line, such as ``8 8 10`` or ``10-6-3-1``."""

    default_error_messages: ClassVar = {
        "numbers": _("Please type numbers with spaces between them, such as 8 8 10."),
        "many": _("Please type at most %(count)s numbers."),
        "large": _("Please type numbers up to %(most)s."),
    }

    def __init__(self) -> None:
        super().__init__(required=False, max_length=120)

    def clean(self, value: Any) -> tuple[int, ...]:
        text = super().clean(value)
        if re.search(r"[^0-9\s,;/·–-]", text):
            raise forms.ValidationError(self.error_messages["numbers"])
        numbers = [int(digits) for digits in re.findall(r"[0-9]+", text)]
        if len(numbers) > MAX_NUMBERS:
            raise forms.ValidationError(self.error_messages["many"] % {"count": MAX_NUMBERS})
        if any(number > MAX_POINTS for number in numbers):
            raise forms.ValidationError(self.error_messages["large"] % {"most": MAX_POINTS})
        return tuple(numbers)


def _number_field(minimum: int, maximum: int) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(required=False, min_value=minimum, max_value=maximum, widget=widget)


def _count_field() -> forms.IntegerField:
    field = _number_field(0, MAX_COUNT)
    field.widget.attrs["placeholder"] = "0"
    return field


class PadForm(forms.Form):
    """Form of the number of players, and the points on their pad; an empty field means none."""

    players = forms.TypedChoiceField(
        coerce=int,
        choices=[(n, str(n)) for n in range(1, MAX_PLAYERS + 1)],
        label=_("Players"),
        error_messages=same_message(_("Choose how many play.")),
    )
    alone = forms.ChoiceField(required=False, choices=[("yes", _("yes")), ("no", _("no"))])
    arrows = NumbersField()
    areas = NumbersField()
    flags = NumbersField()
    rails = forms.BooleanField(required=False)
    is_ours = forms.BooleanField(
        required=False, label=_("These points are the ones printed on our pad")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for symbol in PLAIN_PAYING:
            costs = SYMBOLS[symbol].costs
            field = _number_field(-MAX_POINTS, 0) if costs else _number_field(0, MAX_POINTS)
            field.label = LABELS.get(symbol, symbols.SYMBOL_NAMES[symbol])
            self.fields[symbol] = field
        for symbol in PAYING_BY_COLOUR:
            for colour in COLOURS.values():
                field = _number_field(0, MAX_POINTS)
                field.label = symbols.COLOURED_SYMBOL_NAMES[symbol][colour]
                self.fields[f"{symbol}_{colour}"] = field

    def coloured(self, symbol: str) -> list[tuple[str, forms.BoundField]]:
        """Return the id of the drawing and the field for each colour of a symbol."""
        return [
            (symbol_id(symbol, colour), self[f"{symbol}_{colour}"]) for colour in COLOURS.values()
        ]

    def gems(self) -> list[tuple[str, forms.BoundField]]:
        """Return drawings and fields, as `coloured` does, of symbols that pay one by one."""
        return [entry for symbol in COLOURED_PAYING_EACH for entry in self.coloured(symbol)]

    def puzzles(self) -> list[tuple[str, forms.BoundField]]:
        """Return drawings and fields of symbols that pay when all of a colour are crossed."""
        return [entry for symbol in COLOURED_PAYING_ALL for entry in self.coloured(symbol)]

    def plain(self) -> list[tuple[str, forms.BoundField]]:
        """Return drawings and fields of symbols without a colour."""
        return [(symbol, self[symbol]) for symbol in PLAIN_PAYING]

    @property
    def examples(self) -> set[str]:
        """Names of the fields that still have the points of `EXAMPLES`; empty once confirmed."""
        if self.cleaned_data.get("is_ours"):
            return set()
        return {
            name
            for name, example in EXAMPLES.items()
            if example and str(self[name].value() or "") == str(example)
        }

    @property
    def player_count(self) -> int:
        """Number of players, 2 while the input is invalid."""
        return int(self.cleaned_data.get("players") or 2)

    @property
    def is_solo(self) -> bool:
        """Whether it was a solo game, and not only one sheet of a larger game."""
        return self.player_count == 1 and self.cleaned_data.get("alone") != "no"

    def pad(self) -> Pad:
        """Return the pad from the valid fields."""
        typed = self.cleaned_data
        by_colour = {
            symbol: {
                colour: typed[f"{symbol}_{colour}"]
                for colour in COLOURS.values()
                if typed.get(f"{symbol}_{colour}")
            }
            for symbol in PAYING_BY_COLOUR
        }
        return Pad(
            by_colour=by_colour,
            arrows=typed.get("arrows") or (),
            areas=typed.get("areas") or (),
            flags=typed.get("flags") or (),
            plain={symbol: typed.get(symbol) or 0 for symbol in PLAIN_PAYING},
            rails=bool(typed.get("rails")),
        )


class CountForm(forms.Form):
    """Form of a player's name, and of the counts on their sheet."""

    name = PlayerName(
        label=_("Name"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": 40}),
    )

    def __init__(
        self, *args: Any, rows: Iterable[CountRow], placeholder: str, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["placeholder"] = placeholder
        for row in rows:
            field = forms.BooleanField(required=False) if row.once else _count_field()
            # The page's script adds up by these, without a request.
            field.widget.attrs |= {"data-each": row.each, "data-row": row.category}
            self.fields[row.name] = field
        self.fields[CROSSES] = _count_field()
        nothing = _("There is nothing to count")
        self.fields[NOTHING] = forms.BooleanField(required=False, label=nothing)

    def counts(self) -> dict[str, int]:
        """Return the counts by the name of each `CountRow`; invalid and empty fields are 0."""
        typed = self.cleaned_data
        names = self.fields.keys() - {"name", NOTHING}
        return {name: int(typed.get(name) or 0) for name in names}

    @property
    def is_uncounted(self) -> bool:
        """Whether the player is not counted yet: all counts are 0 and `NOTHING` is not ticked."""
        return not any(self.counts().values()) and not self.cleaned_data.get(NOTHING)
