"""How do the rules in short fill their pages? In cards with drawings, to be hung up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sheets.printing.grid import stamp
from sheets.printing.items import POINT_MM, Item, Part, Words, line, panel
from sheets.printing.type import CAPITAL_HEIGHT, fit, wrap
from sheets.texts.rulebook.short import ShortRules

EDGE_MM: Final = 7.0
COLUMN_GAP_MM: Final = 2.5
CARD_GAP_MM: Final = 1.6
PADDING: Final = 0.55
"""What a card leaves around its words, in their font size."""

LARGEST_MM, SMALLEST_MM = 4.2, 8 * POINT_MM
"""Font sizes: the largest with which all fits a page is taken, and more pages below 8 points."""

STEP_MM: Final = 0.05
LEADING: Final = 1.22
HEADING: Final = 1.15
"""Size of a card's heading, in that of its words."""

DRAWING: Final = 1.6
"""Side of a drawing in the size of the words."""

DRAWING_GAP: Final = 0.3

DIZZLE: Final[tuple[tuple[str, ...], ...]] = (
    ("die-6", "cross-2"),
    ("die-1", "die-2"),
    ("cross-print", "die-5"),
    ("die-2", "die-6", "die-1"),
    ("die-4",),
    ("die-3", "cross-0"),
    ("key-red", "lock-red"),
    ("bomb", "scribble-0"),
    ("flag-red",),
    ("rocket", "planet"),
    ("volcano", "lava"),
    ("track-ES", "stop"),
    ("gem-yellow", "puzzle-green", "heap"),
    ("die-3", "die-3"),
)
"""What is drawn beside the headings of Dizzle's rules, one after the other."""


class _Card(NamedTuple):
    """A rule with its words in lines; ``height`` in millimetres."""

    heading: str
    lines: tuple[str, ...]
    drawings: tuple[str, ...]
    height: float


class _Column(NamedTuple):
    """The cards of one column on a page."""

    cards: list[_Card]
    page: int
    x: float


def draw_rules(
    heading: str,
    rules: ShortRules,
    width: float,
    height: float,
    drawings: Sequence[tuple[str, ...]] = (),
) -> list[tuple[Part, ...]]:
    """The parts of each page of this size (mm), in the order in which they are read.

    Args:
        heading: of the first page.
        rules: headings with their paragraphs.
        width: of a page; ``height`` likewise.
        drawings: ids of drawings beside each heading; none where there are fewer.
    """
    columns = 2
    room = (width - 2 * EDGE_MM - (columns - 1) * COLUMN_GAP_MM) / columns
    title_mm = min(9.0, 0.05 * width)
    top = EDGE_MM + 1.5 * title_mm
    high = height - EDGE_MM - top
    size = LARGEST_MM
    while True:
        cards = [_card(rule, drawn, size, room) for rule, drawn in _drawn(rules, drawings)]
        placed = _columns(cards, high, columns, room)
        if placed[-1].page == 0 or size <= SMALLEST_MM:
            break
        size = max(SMALLEST_MM, size - STEP_MM)
    pages: list[list[Part]] = [[] for _page in range(placed[-1].page + 1)]
    pages[0].append(_title(heading, title_mm, width))
    for column in placed:
        y = top
        for card in column.cards:
            pages[column.page] += _draw(card, column.x, y, room, size)
            y += card.height + CARD_GAP_MM
    return [tuple(parts) for parts in pages]


def _drawn(
    rules: ShortRules, drawings: Sequence[tuple[str, ...]]
) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    more = ((),) * (len(rules) - len(drawings))
    yield from zip(rules, (*drawings, *more), strict=True)


def _title(heading: str, size: float, width: float) -> Part:
    base = EDGE_MM + CAPITAL_HEIGHT * size
    size = fit(heading, size, width - 2 * EDGE_MM, bold=True)
    below = EDGE_MM + 1.15 * size
    rule = line((EDGE_MM, below), (width - EDGE_MM, below), 0.5)
    return Part("H1", (Words(heading, EDGE_MM, base, size, True), rule))


def _card(rule: tuple[str, str], drawings: tuple[str, ...], size: float, room: float) -> _Card:
    heading, paragraph = rule
    lines = tuple(wrap(paragraph, size, room - 2 * PADDING * size))
    top = max(HEADING, DRAWING)
    return _Card(heading, lines, drawings, (top + LEADING * len(lines) + 2 * PADDING) * size)


def _columns(cards: Sequence[_Card], high: float, columns: int, room: float) -> list[_Column]:
    """The cards in columns that end at about the same height, on as many pages as they need."""
    least, most = max(card.height for card in cards), high
    if len(_fill(cards, high)) <= columns:
        # The lowest height at which they still fit one page's columns.
        while most - least > 0.5:
            middle = (least + most) / 2
            if len(_fill(cards, middle)) <= columns:
                most = middle
            else:
                least = middle
    return [
        _Column(found, number // columns, EDGE_MM + number % columns * (room + COLUMN_GAP_MM))
        for number, found in enumerate(_fill(cards, most))
    ]


def _fill(cards: Sequence[_Card], high: float) -> list[list[_Card]]:
    found: list[list[_Card]] = [[]]
    used = 0.0
    for card in cards:
        if found[-1] and used + card.height > high:
            found.append([])
            used = 0.0
        found[-1].append(card)
        used += card.height + CARD_GAP_MM
    return found


def _draw(card: _Card, x: float, y: float, room: float, size: float) -> Iterator[Part]:
    """A card: its frame, its heading with the drawings, its words."""
    frame = panel((x, y, room, card.height), 1.8, fill="wash", stroke="line", width=0.2)
    yield Part("Artifact", (frame,))
    left, top = x + PADDING * size, y + PADDING * size
    side = DRAWING * size if card.drawings else 0.0
    heading_mm = HEADING * size
    row = max(HEADING, DRAWING) * size
    right = x + room - PADDING * size
    items: list[Item] = []
    for drawing in reversed(card.drawings):
        right -= side
        items.append(stamp(drawing, right, top - 0.1 * size, side))
        right -= DRAWING_GAP * size
    heading_mm = fit(card.heading, heading_mm, right - left, bold=True)
    base = top + row / 2 + CAPITAL_HEIGHT / 2 * heading_mm
    yield Part("H2", (Words(card.heading, left, base, heading_mm, True),))
    if items:
        yield Part("Artifact", tuple(items))
    base = top + row + (CAPITAL_HEIGHT + 0.2) * size
    yield Part(
        "P",
        tuple(
            Words(text, left, base + number * LEADING * size, size)
            for number, text in enumerate(card.lines)
        ),
    )
