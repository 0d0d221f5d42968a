"""Drawn examples of the rules page: its own, and those of the printed short rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.safestring import SafeString, mark_safe

from sheets.art import svg
from sheets.art.render.inline_svg import draw_inline_svg, sprite_ids
from sheets.printing.rule_pictures import BoardPicture, Picture, SheetPicture
from sheets.printing.rule_positions import DICE2_EXAMPLES, DIZZLE_EXAMPLES
from sheets.text.rulebook.examples import EXAMPLES, example_level
from sheets.text.rulebook.short import describe_examples

PITCH_MM: Final = 10.0
"""Distance of two fields in a printed example."""


class DrawnExample(NamedTuple):
    """Example with its drawing.

    ``columns`` is its width in fields. ``description`` is the text alternative of the drawing,
    empty if the caption describes it.
    """

    drawing: SafeString
    columns: int
    caption: str
    description: str = ""


def draw_example(name: str) -> DrawnExample:
    """Return an example (`Rule.example`) in the active language."""
    if name not in EXAMPLES:
        picture = _picture(name)
        drawing = draw_inline_svg(
            picture.draw(0, 0, PITCH_MM), picture.width * PITCH_MM, picture.height * PITCH_MM
        )
        columns = round(picture.width)
        return DrawnExample(mark_safe(drawing), columns, describe_examples()[name])  # noqa: S308 - only our own drawings
    example, level = EXAMPLES[name], example_level(name)
    drawing = svg.draw_sheet(level, example.marks, example.ringed)
    texts = (str(example.caption), str(example.description))
    return DrawnExample(mark_safe(drawing), level.columns, *texts)  # noqa: S308 - only our own drawings


@lru_cache(maxsize=1)
def example_drawing_ids() -> frozenset[str]:
    """Return the ids of all drawings that examples refer to."""
    ids = set[str]()
    for name, example in EXAMPLES.items():
        marks = (mark for stack in example.marks.values() for mark in stack)
        ids |= svg.sheet_ids(example_level(name), marks)
    for name in describe_examples():
        if name not in EXAMPLES:
            ids |= sprite_ids(_picture(name).draw(0, 0, PITCH_MM))
    return frozenset(ids)


@lru_cache(maxsize=32)
def _picture(name: str) -> Picture:
    if name in DIZZLE_EXAMPLES:
        return SheetPicture(DIZZLE_EXAMPLES[name]())
    return BoardPicture(DICE2_EXAMPLES[name]())
