"""Short rules as a poster: cards with drawn examples, as large as the page allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.art.board import die_id
from sheets.art.layout import Box
from sheets.art.render.fonts import CAPITAL_HEIGHT, face, fitted_size, wrap
from sheets.art.render.items import POINT_MM, Item, Part, Stamp, TextLine, line, panel
from sheets.printing.geometry import EDGE_MM, common_area
from sheets.printing.rule_pictures import (
    ALLOWED,
    REFUSED,
    TRAY_EDGE,
    BoardPicture,
    Picture,
    SheetPicture,
    draw_tray,
)
from sheets.printing.rule_positions import DICE2_EXAMPLES, DIZZLE_EXAMPLES
from sheets.rules import Level
from sheets.rules.marks import DICE
from sheets.text.rulebook.short import ShortRule, dice2_in_short, dizzle_in_short

MAX_TEXT_MM: Final = 6.0
"""Maximum font size."""

MIN_TEXT_MM: Final = 7 * POINT_MM
"""Minimum font size: 7 points. Rules that do not fit one page at this size take more pages."""

STEP_MM: Final = 0.02
"""Step in the search for the largest font size that fits."""

MIN_TEXT_STEPS: Final = ceil(MIN_TEXT_MM / STEP_MM)
"""`MIN_TEXT_MM` in steps."""

TITLE: Final = 2.2
"""Font size of the page's title, in font sizes of the text (em)."""

COLUMN_GAP: Final = 0.6
"""Distance between two columns, in em."""

CARD_GAP: Final = 0.5
"""Distance between two cards of a column, in em."""

PADDING: Final = 0.55
"""Distance from the frame of a card to its content, in em."""

LEADING: Final = 1.2
"""Distance between the baselines of two lines, in em."""

HEADING: Final = 1.15
"""Maximum font size of a card's heading, in em."""

HEADING_HEIGHT: Final = 1.5
"""Height of a card's heading with the gap below it, in em."""

MIN_PITCH: Final = 2.4
"""Minimum distance of two fields in an example, in em.

It is smaller only in an example that is too wide for its card. Examples grow from this distance up
to `MAX_PITCH` while their column has room.
"""

MAX_PITCH: Final = 3.4
"""Maximum distance of two fields in an example, in em."""

PITCH_STEP: Final = 0.05
"""Step in the search for the largest pitch that fits, in em."""

PICTURE_GAP: Final = 0.7
"""Distance between an example and its text, in em."""

MIN_SIDE_TEXT: Final = 9.5
"""Minimum width of a text to the right of its example, in em; else it is below the example."""

KEY_GAP: Final = 1.8
"""Distance between two entries of the key below the title, in em."""

MIN_KEY_MM: Final = 5.0
"""Minimum size of the signs in the key below the title."""

MAX_EXTRA: Final = 5.0
"""Maximum height added to a card to fill its column, in em."""

PICTURE_SHARE: Final = 2
"""Share of the height added to the cards of a column that goes to a card with a picture.

A card without a picture has the share 1.
"""


class Poster(NamedTuple):
    """Content of a page of short rules.

    Attributes:
        title: title of the page.
        rules: the rules in reading order.
        pictures: drawn examples by the name of their rule.
        die: id of the drawing of a die in the key below the title.
        pool: text of the key next to this die.
    """

    title: str
    rules: Sequence[ShortRule]
    pictures: Mapping[str, Picture]
    die: str
    pool: str


def dizzle_poster(levels: Sequence[Level]) -> Poster:
    """Return the rules of Dizzle that the levels need, in the active language."""
    pictures = {name: SheetPicture(rows()) for name, rows in DIZZLE_EXAMPLES.items()}
    rules = dizzle_in_short(levels)
    return Poster(_("Dizzle in short"), rules, pictures, DICE[4], _("Die from the pool"))


def dice2_poster() -> Poster:
    """Return the rules of Dice², in the active language."""
    pictures = {name: BoardPicture(position()) for name, position in DICE2_EXAMPLES.items()}
    die = die_id(0, 5)
    return Poster(_("Dice² in short"), dice2_in_short(), pictures, die, _("Die that you rolled"))


class _Card(NamedTuple):
    """A rule with its text in lines; lengths are in millimetres.

    ``pitch`` is the distance of two fields in its picture. ``has_side_text``: the text is to the
    right of the picture, not below it.
    """

    rule: ShortRule
    lines: tuple[str, ...]
    picture: Picture | None
    pitch: float
    has_side_text: bool
    height: float


class _Layout(NamedTuple):
    """Layout of a poster for one font size.

    Attributes:
        poster: the content.
        size: the font size in millimetres.
        head: title and key above the cards.
        area: the part of a page for the cards.
        column_count: number of columns of a page.
        column_mm: width of a column.
    """

    poster: Poster
    size: float
    head: tuple[Part, ...]
    area: Box
    column_count: int
    column_mm: float

    def cards(self, rules: Iterable[ShortRule], pitch: float) -> list[_Card]:
        """Return the cards of rules; ``pitch`` is the distance of two fields in pictures, in em."""
        pictures, size = self.poster.pictures, self.size
        return [
            _card(rule, pictures.get(rule.name), size, pitch * size, self.column_mm)
            for rule in rules
        ]

    def columns(self) -> list[list[_Card]]:
        """Return all cards in columns of about the same height, for as many pages as they need.

        A binary search finds the lowest height that needs no additional page.
        """
        cards = self.cards(self.poster.rules, MIN_PITCH)
        low, high = max(card.height for card in cards), self.area.height
        count = self.page_count * self.column_count
        while high - low > 0.5:
            middle = (low + high) / 2
            if len(self._fill(cards, middle)) <= count:
                high = middle
            else:
                low = middle
        return self._fill(cards, high)

    @property
    def page_count(self) -> int:
        """Minimum number of pages for all cards."""
        cards = self.cards(self.poster.rules, MIN_PITCH)
        return ceil(len(self._fill(cards, self.area.height)) / self.column_count)

    def _fill(self, cards: Sequence[_Card], max_height: float) -> list[list[_Card]]:
        """Return the cards in columns; each column is filled before the next one begins."""
        columns: list[list[_Card]] = [[]]
        for card in cards:
            if columns[-1] and self.height([*columns[-1], card]) > max_height:
                columns.append([])
            columns[-1].append(card)
        return columns

    def height(self, cards: Sequence[_Card]) -> float:
        """Return the height of a column of cards."""
        return sum(card.height for card in cards) + (len(cards) - 1) * CARD_GAP * self.size

    def enlarge(self, column: list[_Card]) -> list[_Card]:
        """Return the cards of a column, with its pictures as large as fits the column."""
        pitch = MIN_PITCH
        while pitch < MAX_PITCH:
            pitch += PITCH_STEP
            larger = self.cards((card.rule for card in column), pitch)
            if self.height(larger) > self.area.height:
                break
            column = larger
        return column


def safe_area(width: float, height: float) -> Box:
    """Return the area for rules on a page; a print on `OTHER_PAPER` does not cut it."""
    x, y, across, down = common_area(width, height)
    return Box(x + EDGE_MM, y + EDGE_MM, across - 2 * EDGE_MM, down - 2 * EDGE_MM)


def draw_rules(poster: Poster, width: float, height: float) -> list[tuple[Part, ...]]:
    """Return the parts of each page of this size (mm), in reading order.

    A binary search finds the largest font size that needs no more pages than the smallest one.
    """
    low, high = MIN_TEXT_STEPS, int(MAX_TEXT_MM / STEP_MM)
    count = count_pages_of_rules(poster, width, height)
    while low < high:
        middle = (low + high + 1) // 2
        if _lay_out(poster, width, height, middle).page_count == count:
            low = middle
        else:
            high = middle - 1
    layout = _lay_out(poster, width, height, low)
    columns = [layout.enlarge(column) for column in layout.columns()]
    return [
        tuple(_draw_page(layout, columns[first : first + layout.column_count]))
        for first in range(0, len(columns), layout.column_count)
    ]


def count_pages_of_rules(poster: Poster, width: float, height: float) -> int:
    """Return the number of pages that `draw_rules` returns, without drawing them."""
    return _lay_out(poster, width, height, MIN_TEXT_STEPS).page_count


def _lay_out(poster: Poster, width: float, height: float, steps: int) -> _Layout:
    """Return the layout of a poster with a font size of ``steps`` × `STEP_MM`."""
    area, size = safe_area(width, height), steps * STEP_MM
    column_count = 2 if width < height else 3
    head = tuple(_head(poster, area, size))
    top = head[-1].items[0].y + 1.2 * size
    below = Box(area.x, top, area.width, area.y + area.height - top)
    column_mm = (area.width - (column_count - 1) * COLUMN_GAP * size) / column_count
    return _Layout(poster, size, head, below, column_count, column_mm)


def _draw_page(layout: _Layout, columns: Sequence[Sequence[_Card]]) -> Iterator[Part]:
    """Yield the parts of one page; the cards are made higher so that they fill their column."""
    size, (x, top, _width, area_height) = layout.size, layout.area
    yield from layout.head
    for cards in columns:
        shares = [PICTURE_SHARE if card.picture else 1 for card in cards]
        extra = (area_height - layout.height(cards)) / sum(shares)
        y = top
        for card, share in zip(cards, shares, strict=True):
            height = card.height + min(MAX_EXTRA * size, share * extra)
            yield from _draw(card, Box(x, y, layout.column_mm, height), size)
            y += height + CARD_GAP * size
        x += layout.column_mm + COLUMN_GAP * size


def _head(poster: Poster, area: Box, size: float) -> Iterator[Part]:
    """Yield the title and the key to the signs; the last part is the lowest text of the key."""
    title_mm = fitted_size(poster.title, TITLE * size, area.width, bold=True)
    base = area.y + CAPITAL_HEIGHT * title_mm
    below = base + 0.42 * title_mm
    right = area.x + area.width
    rule = line((area.x, below), (right, below), 0.5)
    yield Part("H1", (TextLine(poster.title, area.x, base, title_mm, True), rule))
    sign_mm = max(MIN_KEY_MM, 1.5 * size)
    tray_mm = sign_mm * (1 + 2 * TRAY_EDGE)
    x, middle = area.x, below + 0.6 * size + tray_mm / 2
    for sign, text in (
        (None, poster.pool),
        (ALLOWED, _("The die may go here.")),
        (REFUSED, _("The die may not go here.")),
    ):
        side = sign_mm if sign else tray_mm
        width = side + 0.5 * size + face(False).width(text) * size
        if x + width > right:
            x, middle = area.x, middle + tray_mm + 0.3 * size
        yield Part("Artifact", tuple(_key(sign, poster.die, x, middle, sign_mm)))
        base = middle + CAPITAL_HEIGHT / 2 * size
        yield Part("P", (TextLine(text, x + side + 0.5 * size, base, size),))
        x += width + KEY_GAP * size


def _key(sign: Stamp | None, die: str, x: float, middle: float, size: float) -> Iterator[Item]:
    """Yield a sign of the key; None stands for the pool with a die."""
    if sign is None:
        yield from draw_tray((die,), x, middle - size * (0.5 + TRAY_EDGE), size)
    else:
        yield panel((x, middle - size / 2, size, size), 0.09 * size, fill="paper", stroke="line")
        yield sign._replace(x=x, y=middle - size / 2, size=size)


def _card(
    rule: ShortRule, picture: Picture | None, size: float, pitch: float, room: float
) -> _Card:
    """Return the card of a rule, with the text next to or below the picture.

    Of these, the one that makes the card lower is chosen.
    """
    inner = room - 2 * PADDING * size
    top = (2 * PADDING + HEADING_HEIGHT) * size
    full_lines = _wrap(rule.text, size, inner)
    if not picture:
        return _Card(rule, full_lines, None, 0, False, top + LEADING * len(full_lines) * size)
    pitch = min(pitch, inner / picture.width)
    picture_mm = picture.height * pitch
    stacked_mm = picture_mm + (PICTURE_GAP + LEADING * len(full_lines)) * size
    side_room = inner - picture.width * pitch - PICTURE_GAP * size
    if side_room >= MIN_SIDE_TEXT * size:
        side_lines = _wrap(rule.text, size, side_room)
        side_mm = max(picture_mm, LEADING * len(side_lines) * size)
        if side_mm < stacked_mm:
            return _Card(rule, side_lines, picture, pitch, True, top + side_mm + 0.3 * size)
    return _Card(rule, full_lines, picture, pitch, False, top + stacked_mm + 0.3 * size)


def _wrap(text: str, size: float, room: float) -> tuple[str, ...]:
    """Return the lines of a text, narrower ones if the last line would be one short word."""
    lines = narrower = tuple(wrap(text, size, room))
    while len(narrower) == len(lines) > 1 and face(False).width(narrower[-1]) * size < room / 4:
        lines, room = narrower, room - size / 4
        narrower = tuple(wrap(text, size, room))
    return narrower if len(narrower) == len(lines) else lines


def _draw(card: _Card, box: Box, size: float) -> Iterator[Part]:
    """Yield the frame, heading, example and text of a card."""
    frame = panel(box, 0.5 * size, fill="wash", stroke="line", width=0.2)
    yield Part("Artifact", (frame,))
    x, y = box.x + PADDING * size, box.y + PADDING * size
    inner = box.width - 2 * PADDING * size
    heading_mm = fitted_size(card.rule.heading, HEADING * size, inner, bold=True)
    base = y + CAPITAL_HEIGHT * heading_mm
    yield Part("H2", (TextLine(card.rule.heading, x, base, heading_mm, True),))
    extra = box.height - card.height
    y += HEADING_HEIGHT * size + extra / 2
    body = box.y + box.height - PADDING * size - extra / 2 - y
    if card.picture:
        drawn = card.picture.height * card.pitch
        left, top = x, y
        if card.has_side_text:
            top += (body - drawn) / 2
            x += card.picture.width * card.pitch + PICTURE_GAP * size
        else:
            left += (inner - card.picture.width * card.pitch) / 2
            y += drawn + PICTURE_GAP * size
            body -= drawn + PICTURE_GAP * size
        items = tuple(card.picture.draw(left, top, card.pitch))
        yield Part("Figure", items, card.rule.description)
    if card.has_side_text:
        y += max(0.0, body - LEADING * len(card.lines) * size) / 2
    base = y + 0.85 * size
    texts = (
        TextLine(text, x, base + number * LEADING * size, size)
        for number, text in enumerate(card.lines)
    )
    yield Part("P", tuple(texts))
