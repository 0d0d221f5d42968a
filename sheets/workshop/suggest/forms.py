"""Form for the wish that a suggested level has to fulfil, and the sentences of refusals."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets.workshop.suggest.outlines import OUTLINES
from sheets.workshop.suggest.suggestion import ANY, LIMITS, CannotSuggest, SuggestionRequest

LABELS: Final = {
    "columns": gettext_lazy("Columns"),
    "rows": gettext_lazy("Rows"),
    "starts": gettext_lazy("Printed crosses"),
    "gems": gettext_lazy("Gems"),
    "puzzles": gettext_lazy("Puzzles"),
    "keys": gettext_lazy("Keys, each with two locks"),
    "flags": gettext_lazy("Flags"),
    "bombs": gettext_lazy("Bombs"),
    "heaps": gettext_lazy("Heaps"),
    "rockets": gettext_lazy("Rockets"),
    "planets": gettext_lazy("Planets"),
    "volcanoes": gettext_lazy("Volcanoes"),
    "stops": gettext_lazy("Stops"),
    "lines": gettext_lazy("Arrows"),
    "areas": gettext_lazy("Areas"),
    "players": gettext_lazy("Players at most"),
    "seed": gettext_lazy("Number of the suggestion"),
}
"""Labels of the fields for numbers, in their order on the page."""

OUTLINE_WORDS: Final = {
    ANY: gettext_lazy("as it comes"),
    "full": gettext_lazy("full"),
    "rounded": gettext_lazy("rounded"),
    "castle": gettext_lazy("towers"),
    "ring": gettext_lazy("around a lake"),
    "hourglass": gettext_lazy("hourglass"),
    "tree": gettext_lazy("fir"),
    "coast": gettext_lazy("coast"),
}
"""Names of the outlines."""


class WishForm(forms.Form):
    """Form of a `SuggestionRequest`, with the same defaults."""

    outline = forms.ChoiceField(
        choices=[(name, OUTLINE_WORDS[name]) for name in (ANY, *OUTLINES)],
        label=gettext_lazy("Outline"),
    )
    rails = forms.BooleanField(required=False, label=gettext_lazy("Tracks in place of crosses"))

    def __init__(self, sent: Any = None) -> None:
        usual = {
            name: str(value)
            for name, value in SuggestionRequest()._asdict().items()
            if name != "rails"
        }
        super().__init__(usual | sent.dict() if sent is not None else usual)
        for name, (least, most) in LIMITS.items():
            self.fields[name] = forms.IntegerField(
                min_value=least,
                max_value=most,
                label=LABELS[name],
            )

    @property
    def numbers(self) -> list[forms.BoundField]:
        """The fields for numbers without the seed, in their order on the page."""
        return [self[name] for name in LABELS if name != "seed"]

    @property
    def wanted(self) -> SuggestionRequest:
        """The wish; the form must be valid."""
        return SuggestionRequest(**self.cleaned_data)

    @property
    def wrong(self) -> dict[str, str]:
        """Error sentence of each invalid field, in the order of the page."""
        found = [
            CannotSuggest("out-of-range", name)
            for name in ("outline", *LABELS)
            if name in self.errors
        ]
        return {refused.key: describe_refusal(refused) for refused in found}


def describe_refusal(refused: CannotSuggest) -> str:
    """Return the sentence that explains why there is no level for a wish."""
    match refused.reason:
        case "out-of-range" if refused.key in LIMITS:
            least, most = LIMITS[refused.key]
            values = {"what": LABELS[refused.key], "least": least, "most": most}
            return _("%(what)s: a number from %(least)d to %(most)d.") % values
        case "out-of-range":
            return _("There is no such outline.")
        case "crowded":
            return _("That many symbols do not fit: ask for fewer, or for a larger sheet.")
        case "rails" if refused.key == "stops":
            return _("Stops are for sheets with tracks only.")
        case "rails":
            return _("Sheets with tracks are suggested without rockets, planets and volcanoes.")
        case "rockets":
            return _("Rockets need planets to fly to, and planets need rockets.")
    return _("These settings gave no good level. Change the seed, or ask for a little less.")
