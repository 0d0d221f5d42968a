"""What does one need to know to play, on one page?"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from sheets.printing.items import Part, Words, line
from sheets.printing.type import wrap

EDGE_MM = 14.0
COLUMN_GAP_MM = 14.0
LARGEST_MM, SMALLEST_MM = 4.2, 1.8
"""Font sizes: the largest that fits the page is taken."""

LEADING = 1.34


def rules_text() -> list[tuple[str, str]]:
    """Headings with their paragraphs."""
    return [
        (
            _("What it is about"),
            _(
                "Everybody has a sheet of their own and crosses fields with dice from the "
                "middle of the table. Most points on the sheet win; if equal, fewer crosses "
                "do."
            ),
        ),
        (
            _("Rounds"),
            _(
                "Every round has as many passes as there are players, and each pass begins "
                "with another player. Who begins ticks a box at the top right and rolls all "
                "dice; the table on the sheet says how many dice and rounds there are."
            ),
        ),
        (
            _("Your turn"),
            _(
                "In turn, take one die from the middle and lay it on a field with its number. "
                "Your first die of a pass must touch a cross, edge to edge; every further die "
                "must touch one of your dice of this pass. If a die fits, you must take it."
            ),
        ),
        (
            _("Boxed in"),
            _(
                "Is no free field left around your dice? Then your next die may lie on any "
                "free field that touches a cross. Numbers that do not fit are no reason to "
                "jump."
            ),
        ),
        (
            _("When no die fits"),
            _(
                "Drop out of the pass, or roll all dice in the middle again. If one fits now, "
                "lay it. If none does, put one of your dice back into the middle as it is; "
                "you stay in."
            ),
        ),
        (
            _("The end of a pass"),
            _(
                "When all but one have dropped out, the last has exactly one more turn. A "
                "pass also ends when the middle is empty. Then every die on a sheet becomes a "
                "cross."
            ),
        ),
        (
            _("Keys and locks"),
            _(
                "A lock takes a die only once a key of its colour has been crossed in an "
                "earlier pass. One key opens all locks of its colour."
            ),
        ),
        (
            _("Bombs"),
            _(
                "Whoever crosses a bomb is safe. On all other sheets that bomb explodes at "
                "the end of the pass: scribble it through, nobody can use it any more, and it "
                "costs points."
            ),
        ),
        (
            _("Flags"),
            _(
                "The first to cross a flag of a colour circles the highest number, the next "
                "the following one. Those who get there in the same pass get the same number, "
                "and as many numbers are gone for the others."
            ),
        ),
        (
            _("Rockets and planets"),
            _(
                "A rocket that your die has crossed crosses a planet of your choice at once, "
                "wherever it is. That planet sets off nothing more."
            ),
        ),
        (
            _("Volcanoes and lava"),
            _(
                "Before the dice of a pass, one die is rolled. Everybody turns one open field "
                "with that number beside a volcano or lava into lava. It takes no die any "
                "more."
            ),
        ),
        (
            _("Tracks and stops"),
            _(
                "On a rail sheet each die leaves a straight or a curve instead of a cross. A "
                "field of an open route is worth 1, of a loop 2, of your longest loop 3. "
                "Stops on loops pay as well."
            ),
        ),
        (
            _("Points"),
            _(
                "Gems pay each. Rows and columns with an arrow, bordered areas and the puzzle "
                "pieces of a colour pay when all their fields are crossed. Heaps that you "
                "crossed and bombs that exploded cost points."
            ),
        ),
        (
            _("Alone"),
            _(
                "Play ten rounds with eight dice. After each die you lay, roll two more dice; "
                "for each of them a die of the same number leaves the middle. Nothing "
                "explodes: a crossed bomb is worth 2 points."
            ),
        ),
    ]


def draw_rules(width: float, height: float) -> Part:
    """The rules on a page of this size, in one column or two."""
    columns = 1 if width < 160 else 2
    room = (width - 2 * EDGE_MM - (columns - 1) * COLUMN_GAP_MM) / columns
    top = EDGE_MM + 14.0
    title = Words(_("Dizzle in short"), EDGE_MM, EDGE_MM + 5.5, 7.0, True)
    rule = line((EDGE_MM, EDGE_MM + 8.5), (width - EDGE_MM, EDGE_MM + 8.5))
    size = LARGEST_MM
    while True:
        placed = list(_flow(size, room, top, height - EDGE_MM, columns))
        if placed[-1][0] < columns or size <= SMALLEST_MM:
            break
        size -= 0.05
    words = [
        Words(text, EDGE_MM + column * (room + COLUMN_GAP_MM), y, size, bold)
        for column, y, text, bold in placed
    ]
    return Part("P", (title, rule, *words))


def _flow(
    size: float, room: float, top: float, bottom: float, columns: int
) -> Iterator[tuple[int, float, str, bool]]:
    """Lines with their column and baseline; a paragraph is not parted."""
    column, y = 0, top
    for heading, paragraph in rules_text():
        lines = list(wrap(paragraph, size, room))
        need = size * LEADING * (len(lines) + 1)
        if y + need > bottom and column < columns:
            column, y = column + 1, top
        yield column, y + size, heading, True
        for number, text in enumerate(lines, start=1):
            yield column, y + size + size * LEADING * number, text, False
        y += need + 0.75 * size
