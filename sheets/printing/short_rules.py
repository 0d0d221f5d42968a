"""How do the rules in short fill a page?"""

from __future__ import annotations

from collections.abc import Iterator

from sheets.printing.items import Part, Words, line
from sheets.printing.type import wrap
from sheets.texts.rulebook.short import ShortRules

EDGE_MM = 14.0
COLUMN_GAP_MM = 14.0
LARGEST_MM, SMALLEST_MM = 4.2, 1.8
"""Font sizes: the largest that fits the page is taken."""

LEADING = 1.34


def draw_rules(heading: str, rules: ShortRules, width: float, height: float) -> Part:
    """The rules on a page of this size (mm), in one column or two."""
    columns = 1 if width < 160 else 2
    room = (width - 2 * EDGE_MM - (columns - 1) * COLUMN_GAP_MM) / columns
    top = EDGE_MM + 14.0
    title = Words(heading, EDGE_MM, EDGE_MM + 5.5, 7.0, True)
    rule = line((EDGE_MM, EDGE_MM + 8.5), (width - EDGE_MM, EDGE_MM + 8.5))
    size = LARGEST_MM
    while True:
        placed = list(_flow(rules, size, room, top, height - EDGE_MM, columns))
        if placed[-1][0] < columns or size <= SMALLEST_MM:
            break
        size -= 0.05
    words = [
        Words(text, EDGE_MM + column * (room + COLUMN_GAP_MM), y, size, bold)
        for column, y, text, bold in placed
    ]
    return Part("P", (title, rule, *words))


def _flow(
    rules: ShortRules, size: float, room: float, top: float, bottom: float, columns: int
) -> Iterator[tuple[int, float, str, bool]]:
    """Lines with their column and baseline; a paragraph is not parted."""
    column, y = 0, top
    for heading, paragraph in rules:
        lines = list(wrap(paragraph, size, room))
        need = size * LEADING * (len(lines) + 1)
        if y + need > bottom and column < columns:
            column, y = column + 1, top
        yield column, y + size, heading, True
        for number, text in enumerate(lines, start=1):
            yield column, y + size + size * LEADING * number, text, False
        y += need + 0.75 * size
