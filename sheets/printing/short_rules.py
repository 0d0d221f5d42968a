"""Short rules as a poster: cards with drawn examples, as large as the page allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.artwork.board import die_id
from sheets.artwork.layout import Box
from sheets.geometry import EDGE_MM, common_area
from sheets.printing.rule_pictures import (
    ALLOWED,
    REFUSED,
    TRAY_EDGE,
    BoardPicture,
    Picture,
    SheetPicture,
    draw_tray,
)
from sheets.printing.rule_positions import DICE2, DIZZLE, dice2_example, dizzle_example
from sheets.render.fonts import CAPITAL_HEIGHT, face, fit, wrap
from sheets.render.items import POINT_MM, Item, Part, Stamp, Words, line, panel
from sheets.rules import Level
from sheets.rules.marks import DICE
from sheets.texts.rulebook.short import ShortRule, dice2_in_short, dizzle_in_short

LARGEST_MM, SMALLEST_MM = 6.0, 7 * POINT_MM
"""Font sizes: the largest with which all fits a page is taken, and more pages below 7 points."""

STEP_MM: Final = 0.02
"""Step in the search for the largest font size that fits."""

_SMALLEST: Final = ceil(SMALLEST_MM / STEP_MM)
"""`SMALLEST_MM` in steps."""

TITLE: Final = 2.2
"""Size of the page's title, in that of the text; the following lengths are in this unit, too."""

COLUMN_GAP, CARD_GAP = 0.6, 0.5
PADDING: Final = 0.55
LEADING: Final = 1.2
HEADING, HEADING_HEIGHT = 1.15, 1.5
LEAST_PITCH, MOST_PITCH, PITCH_STEP = 2.4, 3.4, 0.05
"""Distance of two fields in an example: as large as the column has room for, but less in an example
that is too wide for its card."""

PICTURE_GAP: Final = 0.7
SIDE_TEXT: Final = 9.5
"""Least width of a text to the right of its example; a narrower one goes below it."""

KEY_GAP: Final = 1.8
KEY_MM: Final = 5.0
"""Least size of the signs in the key below the title."""

MOST_EXTRA: Final = 5.0
"""How much higher than needed a card gets at most, to fill its column."""

PICTURE_SHARE: Final = 2
"""Share of this extra height for a card with a picture, compared with one that has only text."""


class Poster(NamedTuple):
    """The content of a page of short rules.

    ``pictures`` are drawn examples by the name of their rule. The key below the title shows the die
    with the id ``die``, with ``pool`` as its text.
    """

    title: str
    rules: Sequence[ShortRule]
    pictures: Mapping[str, Picture]
    die: str
    pool: str


def dizzle_poster(levels: Sequence[Level]) -> Poster:
    """Return the rules of Dizzle that the levels need, in the active language."""
    pictures = {name: SheetPicture(dizzle_example(name)) for name in DIZZLE}
    rules = dizzle_in_short(levels)
    return Poster(_("Dizzle in short"), rules, pictures, DICE[4], _("Die from the pool"))


def dice2_poster() -> Poster:
    """Return the rules of Dice², in the active language."""
    pictures = {name: BoardPicture(dice2_example(name)) for name in DICE2}
    die = die_id(0, 5)
    return Poster(_("Dice² in short"), dice2_in_short(), pictures, die, _("Die that you rolled"))


class _Card(NamedTuple):
    """A rule with its text in lines. Lengths are in millimetres.

    ``pitch`` is the distance of fields in its picture; ``is_beside``: the text is to the right.
    """

    rule: ShortRule
    lines: tuple[str, ...]
    picture: Picture | None
    pitch: float
    is_beside: bool
    height: float


class _Layout(NamedTuple):
    """A poster with text of one size (mm): ``head`` above ``area``, which has the cards.

    ``column_mm`` is the width of one of the columns, of which a page has ``across``.
    """

    poster: Poster
    size: float
    head: tuple[Part, ...]
    area: Box
    across: int
    column_mm: float

    def cards(self, rules: Iterable[ShortRule], pitch: float) -> list[_Card]:
        """The cards of rules, with a distance of fields in their pictures (in text sizes)."""
        found, size = self.poster.pictures, self.size
        return [
            _card(rule, found.get(rule.name), size, pitch * size, self.column_mm) for rule in rules
        ]

    def columns(self) -> list[list[_Card]]:
        """All cards in columns of about the same height, for as many pages as they need."""
        cards = self.cards(self.poster.rules, LEAST_PITCH)
        least, most = max(card.height for card in cards), self.area.height
        count = self.page_count * self.across
        while most - least > 0.5:  # the lowest height with which they need no further column
            middle = (least + most) / 2
            if len(self._fill(cards, middle)) <= count:
                most = middle
            else:
                least = middle
        return self._fill(cards, most)

    @property
    def page_count(self) -> int:
        """The number of pages."""
        cards = self.cards(self.poster.rules, LEAST_PITCH)
        return ceil(len(self._fill(cards, self.area.height)) / self.across)

    def _fill(self, cards: Sequence[_Card], high: float) -> list[list[_Card]]:
        found: list[list[_Card]] = [[]]
        for card in cards:
            if found[-1] and self.height([*found[-1], card]) > high:
                found.append([])
            found[-1].append(card)
        return found

    def height(self, cards: Sequence[_Card]) -> float:
        """The height of a column of cards."""
        return sum(card.height for card in cards) + (len(cards) - 1) * CARD_GAP * self.size

    def enlarge(self, column: list[_Card]) -> list[_Card]:
        """The cards of a column with pictures as large as it has room for."""
        pitch = LEAST_PITCH
        while pitch < MOST_PITCH:
            pitch += PITCH_STEP
            larger = self.cards((card.rule for card in column), pitch)
            if self.height(larger) > self.area.height:
                break
            column = larger
        return column


def safe_area(width: float, height: float) -> Box:
    """Return the part of a page in which rules lie, so that they are whole on the other paper."""
    x, y, across, down = common_area(width, height)
    return Box(x + EDGE_MM, y + EDGE_MM, across - 2 * EDGE_MM, down - 2 * EDGE_MM)


def draw_rules(poster: Poster, width: float, height: float) -> list[tuple[Part, ...]]:
    """Return the parts of each page of this size (mm), in reading order."""
    least, most = _SMALLEST, int(LARGEST_MM / STEP_MM)
    count = count_pages_of_rules(poster, width, height)
    while least < most:  # the largest text that needs no more pages than the smallest one
        middle = (least + most + 1) // 2
        if _lay_out(poster, width, height, middle).page_count == count:
            least = middle
        else:
            most = middle - 1
    layout = _lay_out(poster, width, height, least)
    columns = [layout.enlarge(column) for column in layout.columns()]
    return [
        tuple(_draw_page(layout, columns[first : first + layout.across]))
        for first in range(0, len(columns), layout.across)
    ]


def count_pages_of_rules(poster: Poster, width: float, height: float) -> int:
    """Return the number of pages that `draw_rules` returns, without drawing them."""
    return _lay_out(poster, width, height, _SMALLEST).page_count


def _lay_out(poster: Poster, width: float, height: float, steps: int) -> _Layout:
    """Lay out the poster with text of this size (in `STEP_MM`)."""
    area, size = safe_area(width, height), steps * STEP_MM
    across = 2 if width < height else 3
    head = tuple(_head(poster, area, size))
    top = head[-1].items[0].y + 1.2 * size
    below = Box(area.x, top, area.width, area.y + area.height - top)
    column_mm = (area.width - (across - 1) * COLUMN_GAP * size) / across
    return _Layout(poster, size, head, below, across, column_mm)


def _draw_page(layout: _Layout, columns: Sequence[Sequence[_Card]]) -> Iterator[Part]:
    """The parts of one page; the cards get higher to fill their column."""
    size, (x, top, _width, high) = layout.size, layout.area
    yield from layout.head
    for cards in columns:
        shares = [PICTURE_SHARE if card.picture else 1 for card in cards]
        extra = (high - layout.height(cards)) / sum(shares)
        y = top
        for card, share in zip(cards, shares, strict=True):
            height = card.height + min(MOST_EXTRA * size, share * extra)
            yield from _draw(card, Box(x, y, layout.column_mm, height), size)
            y += height + CARD_GAP * size
        x += layout.column_mm + COLUMN_GAP * size


def _head(poster: Poster, area: Box, size: float) -> Iterator[Part]:
    """The title and a key to the signs; the last part is the lowest text."""
    title_mm = fit(poster.title, TITLE * size, area.width, bold=True)
    base = area.y + CAPITAL_HEIGHT * title_mm
    below = base + 0.42 * title_mm
    right = area.x + area.width
    rule = line((area.x, below), (right, below), 0.5)
    yield Part("H1", (Words(poster.title, area.x, base, title_mm, True), rule))
    sign_mm = max(KEY_MM, 1.5 * size)
    high = sign_mm * (1 + 2 * TRAY_EDGE)
    x, middle = area.x, below + 0.6 * size + high / 2
    for sign, text in (
        (None, poster.pool),
        (ALLOWED, _("The die may go here.")),
        (REFUSED, _("The die may not go here.")),
    ):
        side = sign_mm if sign else high
        width = side + 0.5 * size + face(False).width(text) * size
        if x + width > right:
            x, middle = area.x, middle + high + 0.3 * size
        yield Part("Artifact", tuple(_key(sign, poster.die, x, middle, sign_mm)))
        base = middle + CAPITAL_HEIGHT / 2 * size
        yield Part("P", (Words(text, x + side + 0.5 * size, base, size),))
        x += width + KEY_GAP * size


def _key(sign: Stamp | None, die: str, x: float, middle: float, size: float) -> Iterator[Item]:
    if sign is None:
        yield from draw_tray((die,), x, middle - size * (0.5 + TRAY_EDGE), size)
    else:
        yield panel((x, middle - size / 2, size, size), 0.09 * size, fill="paper", stroke="line")
        yield sign._replace(x=x, y=middle - size / 2, size=size)


def _card(
    rule: ShortRule, picture: Picture | None, size: float, pitch: float, room: float
) -> _Card:
    inner = room - 2 * PADDING * size
    top = (2 * PADDING + HEADING_HEIGHT) * size
    whole = _wrap(rule.text, size, inner)
    if not picture:
        return _Card(rule, whole, None, 0, False, top + LEADING * len(whole) * size)
    pitch = min(pitch, inner / picture.width)
    drawn = picture.height * pitch
    below = drawn + (PICTURE_GAP + LEADING * len(whole)) * size
    left = inner - picture.width * pitch - PICTURE_GAP * size
    if left >= SIDE_TEXT * size:
        lines = _wrap(rule.text, size, left)
        beside = max(drawn, LEADING * len(lines) * size)
        if beside < below:
            return _Card(rule, lines, picture, pitch, True, top + beside + 0.3 * size)
    return _Card(rule, whole, picture, pitch, False, top + below + 0.3 * size)


def _wrap(text: str, size: float, room: float) -> tuple[str, ...]:
    """The lines of a text; they get narrower instead of leaving one short word in the last one."""
    lines = narrower = tuple(wrap(text, size, room))
    while len(narrower) == len(lines) > 1 and face(False).width(narrower[-1]) * size < room / 4:
        lines, room = narrower, room - size / 4
        narrower = tuple(wrap(text, size, room))
    return narrower if len(narrower) == len(lines) else lines


def _draw(card: _Card, box: Box, size: float) -> Iterator[Part]:
    """A card: its frame, its heading, its example and its text."""
    frame = panel(box, 0.5 * size, fill="wash", stroke="line", width=0.2)
    yield Part("Artifact", (frame,))
    x, y = box.x + PADDING * size, box.y + PADDING * size
    inner = box.width - 2 * PADDING * size
    heading_mm = fit(card.rule.heading, HEADING * size, inner, bold=True)
    base = y + CAPITAL_HEIGHT * heading_mm
    yield Part("H2", (Words(card.rule.heading, x, base, heading_mm, True),))
    extra = box.height - card.height
    y += HEADING_HEIGHT * size + extra / 2
    body = box.y + box.height - PADDING * size - extra / 2 - y
    if card.picture:
        drawn = card.picture.height * card.pitch
        left, top = x, y
        if card.is_beside:
            top += (body - drawn) / 2
            x += card.picture.width * card.pitch + PICTURE_GAP * size
        else:
            left += (inner - card.picture.width * card.pitch) / 2
            y += drawn + PICTURE_GAP * size
            body -= drawn + PICTURE_GAP * size
        items = tuple(card.picture.draw(left, top, card.pitch))
        yield Part("Figure", items, card.rule.description)
    if card.is_beside:
        y += max(0.0, body - LEADING * len(card.lines) * size) / 2
    base = y + 0.85 * size
    texts = (
        Words(text, x, base + number * LEADING * size, size)
        for number, text in enumerate(card.lines)
    )
    yield Part("P", tuple(texts))
