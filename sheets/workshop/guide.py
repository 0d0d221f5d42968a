"""Guide for entering a bought sheet: its steps, and which of them a sheet needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext_lazy

from sheets.workshop.draft import Document, Draft

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FEATURES: Final[Mapping[str, _StrPromise]] = {
    "volcano": gettext_lazy("a volcano"),
    "tracks": gettext_lazy("railway tracks in place of crosses"),
    "shifts": gettext_lazy("rows that are moved sideways"),
    "pairs": gettext_lazy("walls or bridges between fields"),
    "races": gettext_lazy("areas that pay the first player more than the second"),
}
"""Features that only some sheets have; the user ticks those of the bought sheet."""


PHOTO: Final = "photo"
"""Feature of a sheet whose empty copy was photographed."""

NO_GOALS: Final = "no-goals"
"""Feature of a sheet without areas whose photo shows neither arrows nor areas."""


class Step(NamedTuple):
    """A step of the guide: its title, its instruction, and its tools.

    ``needs`` is the feature that the sheet must have: one of `FEATURES`, ``crosses`` (printed ones)
    or `PHOTO`. A sheet with a photo does not need a step with ``is_in_photo``, because its result
    is gathered from the photo; ``with_photo`` is another instruction for a sheet with a photo.
    """

    title: _StrPromise
    sentence: _StrPromise
    tools: tuple[str, ...]
    needs: str = ""
    is_in_photo: bool = False
    with_photo: _StrPromise | str = ""

    @property
    def is_off_rails(self) -> bool:
        """Whether rail levels skip the step: they have no printed crosses and no shifted rows."""
        return self.needs in ("crosses", "shifts")

    def is_left_out(self, has: Collection[str]) -> bool:
        """Return whether the photo of a sheet makes the step superfluous, whatever the user ticks.

        ``has`` are the features of the sheet, as for `is_needed`.
        """
        if self.is_in_photo:
            return PHOTO in has
        return NO_GOALS in has and not self.needs and self.tools == ("areas",)


STEPS: Final[Mapping[str, Step]] = {
    "size": Step(
        gettext_lazy("Size and name"),
        gettext_lazy("Count the fields of the longest row and of the longest column."),
        ("names", "grid", "features"),
        with_photo=gettext_lazy(
            "What is the pad called? Are all its rows and columns there? What else does it have?"
        ),
    ),
    "numbers": Step(
        gettext_lazy("Numbers"),
        gettext_lazy(
            "Row by row, from the top left. Where the paper has no field, tap “no field”."
        ),
        ("numbers",),
        with_photo=gettext_lazy(
            "The app asks about numbers that it could not read for sure. Then check the "
            "rest: each reading stands next to the printed number."
        ),
    ),
    "gather": Step(
        gettext_lazy("What is on the fields"),
        gettext_lazy("These look alike. Say once what they are; tap those that are not."),
        ("gather",),
        PHOTO,
    ),
    "shifts": Step(
        gettext_lazy("Moved rows"),
        gettext_lazy("Tap a row, then move it sideways until it lies as on the paper."),
        ("shifts",),
        "shifts",
    ),
    "symbols": Step(
        gettext_lazy("Symbols"),
        gettext_lazy("Pick a symbol once, then tap every field that has it."),
        ("symbols",),
        is_in_photo=True,
    ),
    "volcano": Step(
        gettext_lazy("Volcano"),
        gettext_lazy("Tap each field that is a volcano; a large one covers several."),
        ("volcano",),
        "volcano",
    ),
    "crosses": Step(
        gettext_lazy("Printed crosses"),
        gettext_lazy("Tap the fields on which a cross is printed already."),
        ("crosses",),
        "crosses",
        is_in_photo=True,
    ),
    "tracks": Step(
        gettext_lazy("Printed tracks"),
        gettext_lazy("Which fields have a piece of track printed on them already?"),
        ("crosses",),
        "tracks",
    ),
    "pairs": Step(
        gettext_lazy("Walls and bridges"),
        gettext_lazy("What keeps neighbours apart, and what joins fields that lie apart?"),
        ("pairs",),
        "pairs",
    ),
    "arrows": Step(
        gettext_lazy("Arrows"),
        gettext_lazy(
            "Where the paper has an arrow, tap the “+” at the end of the row or column, and give "
            "its points."
        ),
        ("lines",),
    ),
    "areas": Step(
        gettext_lazy("Bordered areas"),
        gettext_lazy("For each area with a border: tap its fields, and give its points."),
        ("areas",),
        with_photo=gettext_lazy(
            "Tap an area with a dashed border to add it, and give its points. For every other area"
            " with a border on your paper: tap its fields."
        ),
    ),
    "races": Step(
        gettext_lazy("Races"),
        gettext_lazy(
            "For each area that pays the first player more: tap its fields, and give its numbers."
        ),
        ("areas",),
        "races",
    ),
    "points": Step(
        gettext_lazy("Points"),
        gettext_lazy("What is each symbol worth? It is printed next to the score column."),
        ("points",),
    ),
    "counts": Step(
        gettext_lazy("Dice and rounds"),
        gettext_lazy(
            "These are the rules’ own values. Change only what your sheet says otherwise."
        ),
        ("counts",),
    ),
    "check": Step(
        gettext_lazy("Compare with the paper"),
        gettext_lazy("Go through it field by field: is it the same on paper?"),
        ("check",),
    ),
    "done": Step(
        gettext_lazy("Done"),
        gettext_lazy("Your sheet is ready for the table."),
        (),
    ),
}
"""Steps of the guide by name, in their order."""


def features_of(document: Document) -> set[str]:
    """Return the `FEATURES` that a draft already has."""
    draft = Draft(document)
    found = {
        "volcano": any(square.is_volcano for _, square in draft.places()),
        "tracks": draft.is_rails,
        "shifts": bool(document.get("shifts")),
        "pairs": bool(document.get("links") or document.get("walls")),
        "races": any("race" in area for area in document.get("areas", ())),
    }
    return {feature for feature, is_there in found.items() if is_there}


def steps_by_tool(names: Collection[str], has: Collection[str]) -> dict[str, str]:
    """Return the name of a step that has the tool, for each tool of the guide.

    Args:
        names: the steps that the sheet needs; they are preferred to other steps with a tool.
        has: the features of the sheet, as for `is_needed`.
    """
    found: dict[str, str] = {}
    for name, step in sorted(STEPS.items(), key=lambda item: item[0] not in names):
        if "tracks" in has and step.is_off_rails:
            continue
        for tool in step.tools:
            found.setdefault(tool, name)
    return found


def is_needed(step: Step, has: Collection[str]) -> bool:
    """Return whether a sheet with these features needs a step."""
    if "tracks" in has and step.is_off_rails:
        return False
    return not step.is_left_out(has) and step.needs in ("", "crosses", *has)


def needed_steps(has: Collection[str], also: str = "") -> list[str]:
    """Return the names of the steps that a sheet with these features needs, and of one more."""
    return [name for name, step in STEPS.items() if name == also or is_needed(step, has)]
