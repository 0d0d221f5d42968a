"""Geometry of printed pages, in millimetres from the top left.

Both the printing of pages and the reading of their photos use this module. A sheet fills a whole
page, or half of a landscape page. `make_frame` returns the layout of a level's sheet, and
`arrange_pages` assigns sheets to pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Final, NamedTuple

from sheets.art import layout as artwork_layout
from sheets.art.layout import Box, Layout, lay_out
from sheets.rules.level import Level

PAPERS: Final[Mapping[str, tuple[float, float]]] = {
    "a4": (210.0, 297.0),
    "a5": (148.0, 210.0),
    "letter": (215.9, 279.4),
}
"""Width and height of each paper in portrait orientation, in mm."""

EDGE_MM: Final = 8.0
"""Margin at the left and the right of a sheet."""

OTHER_PAPER: Final[Mapping[str, str]] = {"a4": "letter", "letter": "a4"}
"""Paper on which a page may be printed by mistake, by the intended paper."""

UNPRINTABLE_MM: Final = 4.2
"""Width of the strip at each edge of the paper that common printers cannot print on."""

MARKER_MM: Final = 12.0
"""Side of a marker, a black square at a corner of the sheet."""

MARKER_TO_FIELD_MM: Final = 5.0
"""Minimum distance of a marker from the fields."""

FIELD_GAP: Final = 0.075
"""Gap between two fields, as a share of their pitch (the distance of their centres)."""

READABLE_FIELD_MM: Final = 11.0
"""Side of a field from which two sheets share a page, if the options leave this open."""

MAX_FIELD_MM: Final = 22.0
"""Maximum side of a field, for levels with few fields."""

MAX_COPIES: Final = 500
"""Maximum number of copies in one print."""

MIN_TEXT_MM: Final = 7 * 25.4 / 72
"""Minimum font size in a normal print of the shipped levels: 7 points."""

LARGE_TEXT_MM: Final = 12 * 25.4 / 72
"""Minimum font size in a large print of the shipped levels: 12 points."""

_BLOCK_GAP_MM: Final = 2.5
"""Distance between the blocks of a sheet: grid, markers, table and legend."""

_INSET: Final = (FIELD_GAP - artwork_layout.GAP) / 2
"""Distance from a field's border on screen inwards to its border on paper, in pitches."""


class OptionError(ValueError):
    """Invalid or contradictory options; the message is a single line.

    ``fault`` is the name of the invalid option, or the names of two contradictory ones, separated
    by a blank.
    """

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(message)
        self.fault = fault


@dataclass(frozen=True)
class PageOptions:
    """Options of a print, for the management commands and the site.

    ``per_page`` is the number of sheets per page, 0 to let `sheets_per_page` choose. ``bw`` means
    black and white; ``rules`` adds the short rules. Without ``markers`` the print has neither
    markers nor QR codes. ``dice2`` adds the pages for Dice², each on a whole page of the paper.
    """

    paper: str = "a4"
    per_page: int = 0
    copies: int = 1
    duplex: bool = False
    bw: bool = False
    large: bool = False
    lang: str = "en"
    rules: bool = False
    markers: bool = True
    dice2: bool = False

    def __post_init__(self) -> None:
        """Raise OptionError for options that cannot be printed."""
        if self.paper not in PAPERS:
            raise OptionError("paper", f"paper is one of {', '.join(PAPERS)}")
        if self.per_page not in (0, 1, 2):
            raise OptionError("per-page", "per-page is 1 or 2")
        if not 1 <= self.copies <= MAX_COPIES:
            raise OptionError("copies", f"copies is a number from 1 to {MAX_COPIES}")
        if self.per_page == 2 and self.large:
            raise OptionError("large per-page", "large prints one sheet per page, not 2")
        if self.large and self.paper == "a5":
            raise OptionError("large paper", "large needs a4 or letter paper, not a5")
        if self.per_page == 2 and self.paper == "a5":
            raise OptionError(
                "paper per-page", "two sheets per page need a4 or letter paper, not a5"
            )

    @property
    def is_dark(self) -> bool:
        """Whether digits are black.

        In other prints they are grey, so that photo reading can separate pen marks from them.
        """
        return self.large or not self.markers


class Margins(NamedTuple):
    """Margins of a page, in mm: above and below the sheet, and below its address line."""

    top: float
    bottom: float
    address: float


EARLIER_MARGINS: Final = Margins(EDGE_MM, EDGE_MM, 5.0)
"""Margins of all pages up to version 1.1; photo reading still accepts those prints."""

_MARGINS: Final[Mapping[tuple[str, int, bool], Margins]] = {
    ("a4", 1, False): Margins(13.2, 22.0, 22.0),
    ("a4", 1, True): Margins(13.2, 13.2, 13.2),
    ("letter", 2, False): Margins(EDGE_MM, EDGE_MM, 7.4),
}
"""Margins by paper, sheets per page and `PageOptions.large`; other pages have `EARLIER_MARGINS`.

A page that is printed centred at 100 % on `OTHER_PAPER` must lose only margin: A4 loses 8.8 mm and
`UNPRINTABLE_MM` at the top and at the bottom. The bottom margin of a single sheet on A4, unless
large, allows for alignment at the top of the paper, too.
"""

_INWARD_MM: Final = 5.2
"""Distance by which each of two sheets on A4 is moved to the middle of the page.

The reason is the same as for `_MARGINS`: printed on `OTHER_PAPER`, the page loses only margin.
"""


class Frame(NamedTuple):
    """Positions and sizes of all parts of one printed sheet, in mm.

    Attributes:
        size: width and height of its page or half page.
        layout: layout of the sheet, in pitches.
        pitch_mm: distance between the centres of neighbouring fields.
        origin: position of the top left of ``layout``.
        fields: border of each field, by name.
        markers: the markers, clockwise from the top left; empty without markers.
        qr: the QR code; None without markers.
        column: the room for round tracker and score column.
        text_scale: size of texts relative to A5.
        is_large: whether no text may be smaller than `LARGE_TEXT_MM`.
    """

    size: tuple[float, float]
    layout: Layout
    pitch_mm: float
    origin: tuple[float, float]
    fields: Mapping[str, Box]
    markers: tuple[Box, ...]
    qr: Box | None
    title: Box
    column: Box
    table: Box
    legend: Box
    footer: Box
    text_scale: float
    is_large: bool

    @property
    def field_mm(self) -> float:
        """Side of a field, in mm."""
        return self.pitch_mm * (1 - FIELD_GAP)


class _Style(NamedTuple):
    """Sizes of the blocks of a sheet.

    ``column_mm`` is the minimum width of the score column, ``column_gap_mm`` its distance from the
    fields, ``qr_mm`` the side of the QR code. ``legend_mm``, ``table_mm`` and ``address_mm`` are
    the heights of legend, table and address line.
    """

    column_mm: float
    column_gap_mm: float
    legend_mm: float
    qr_mm: float
    text_scale: float
    table_mm: float = MARKER_MM
    address_mm: float = 3.0


_HALF: Final = _Style(28.5, 2.5, 21.0, 18.5, 1.0)
"""Sizes on half a page, and on A5."""

_WHOLE: Final = _Style(44.0, 6.0, 30.0, 22.0, 1.35)
"""Sizes on a whole page."""

_LARGE: Final = _Style(25.0, 2.5, 20.0, 18.5, 1.7, 15.0, 4.8)
"""Sizes of a large print (`PageOptions.large`)."""

_MIN_AREA_MM: Final = 150.0
"""Minimum width of heading, table and legend of a large sheet, however few columns it has."""


class PlacedSheet(NamedTuple):
    """One sheet on a page.

    ``level`` is its index among the levels of the print, ``number`` its number in one set, from 1.
    ``place`` is 0 for the left or only sheet of the page, 1 for the right one; ``x_mm`` is its left
    edge.
    """

    level: int
    number: int
    place: int
    x_mm: float


def page_size(options: PageOptions, per_page: int) -> tuple[float, float]:
    """Return width and height of a page in mm; landscape if two sheets share it."""
    width, height = PAPERS[options.paper]
    return (height, width) if per_page == 2 else (width, height)


def sheets_per_page(levels: Sequence[Level], options: PageOptions) -> int:
    """Return the number of sheets on a page, 1 or 2.

    If the options leave it open, it is 2 where fields have at least `READABLE_FIELD_MM`. A single
    sheet fills its page.
    """
    if options.per_page or options.large or options.paper == "a5" or not levels:
        return options.per_page or 1
    sides = -(-len(levels) // 2) if options.duplex else len(levels)
    if sides * options.copies == 1:
        return 1
    fields = (make_frame(level, options, 2).field_mm for level in levels)
    return 2 if all(field_mm >= READABLE_FIELD_MM for field_mm in fields) else 1


def common_area(width: float, height: float) -> Box:
    """Return the part of a page that remains if it is printed centred at 100 % on `OTHER_PAPER`.

    >>> common_area(210.0, 297.0)
    Box(x=0.0, y=8.8, width=210.0, height=279.4)
    """
    size = (min(width, height), max(width, height))
    paper = next(name for name, known in PAPERS.items() if known == size)
    other = PAPERS[OTHER_PAPER.get(paper, paper)]
    short, long = min(size[0], other[0]), min(size[1], other[1])
    across, down = (short, long) if width < height else (long, short)
    return Box(round((width - across) / 2, 3), round((height - down) / 2, 3), across, down)


def make_frame(
    level: Level, options: PageOptions, per_page: int, margins: Margins | None = None
) -> Frame:
    """Return the positions on a level's printed sheet.

    ``margins`` are those of an earlier version, to read photos of its prints; None for the current
    ones.
    """
    if margins is None:
        margins = _MARGINS.get((options.paper, per_page, options.large), EARLIER_MARGINS)
    page_width, height = page_size(options, per_page)
    width = page_width / per_page
    style = _style(width, options)
    layout = lay_out(level)
    area_mm = width - 2 * EDGE_MM - style.column_mm - style.column_gap_mm
    under_mm = style.table_mm + _BLOCK_GAP_MM + style.legend_mm
    top = margins.top + MARKER_MM + MARKER_TO_FIELD_MM
    arrows_below = any(arrow.direction == "up" for arrow in layout.arrows)
    below_mm = _BLOCK_GAP_MM if arrows_below else MARKER_TO_FIELD_MM
    footer_y = height - margins.address - style.address_mm
    bottom = footer_y - under_mm - below_mm
    pitch = min(
        area_mm / layout.width,
        (bottom - top) / layout.height,
        MAX_FIELD_MM / (1 - FIELD_GAP),
    )
    column_mm = style.column_mm
    if options.large:  # if the height limits the fields, the column takes the remaining width
        spare = max(0.0, area_mm - max(layout.width * pitch, _MIN_AREA_MM))
        column_mm = min(_WHOLE.column_mm, column_mm + spare)
        area_mm -= column_mm - style.column_mm
    first_y = min(box.y for box in layout.fields.values()) + _INSET
    origin = (EDGE_MM + (area_mm - layout.width * pitch) / 2, top - first_y * pitch)
    fields = place_fields(layout, pitch, origin)
    last_y = max(box.y + box.height for box in fields.values())
    low = max(last_y + MARKER_TO_FIELD_MM, origin[1] + layout.height * pitch + _BLOCK_GAP_MM)
    right = EDGE_MM + area_mm
    column_x = width - EDGE_MM - column_mm
    corners = (
        (EDGE_MM, margins.top),
        (right - MARKER_MM, margins.top),
        (right - MARKER_MM, low),
        (EDGE_MM, low),
    )
    aside = MARKER_MM + _BLOCK_GAP_MM if options.markers else 0.0
    legend_y = low + style.table_mm + _BLOCK_GAP_MM
    end = height - margins.bottom
    qr_mm = style.qr_mm if options.markers else 0.0
    return Frame(
        size=(width, height),
        layout=layout,
        pitch_mm=pitch,
        origin=origin,
        fields=fields,
        markers=tuple(Box(x, y, MARKER_MM, MARKER_MM) for x, y in corners)
        if options.markers
        else (),
        qr=Box(column_x + (column_mm - qr_mm) / 2, end - qr_mm, qr_mm, qr_mm) if qr_mm else None,
        title=Box(EDGE_MM + aside, margins.top, area_mm - 2 * aside, MARKER_MM),
        column=Box(
            column_x,
            margins.top,
            column_mm,
            end - margins.top - (qr_mm + 4.0 if qr_mm else 0.0),
        ),
        table=Box(EDGE_MM + aside, low, area_mm - 2 * aside, style.table_mm),
        legend=Box(EDGE_MM, legend_y, area_mm, footer_y - legend_y),
        footer=Box(EDGE_MM, footer_y, area_mm, style.address_mm),
        text_scale=style.text_scale,
        is_large=options.large,
    )


def place_fields(layout: Layout, pitch_mm: float, origin: tuple[float, float]) -> dict[str, Box]:
    """Return the borders of a layout's fields on paper, in mm."""
    side_mm = pitch_mm * (1 - FIELD_GAP)
    return {
        name: Box(
            origin[0] + (box.x + _INSET) * pitch_mm,
            origin[1] + (box.y + _INSET) * pitch_mm,
            side_mm,
            side_mm,
        )
        for name, box in layout.fields.items()
    }


def _style(sheet_width: float, options: PageOptions) -> _Style:
    if sheet_width < 160:
        return _HALF
    return _LARGE if options.large else _WHOLE


def arrange_pages(
    levels: Sequence[Level], options: PageOptions
) -> Iterator[tuple[PlacedSheet, ...]]:
    """Yield the pages in printing order, with all copies.

    In a simplex print the sheets follow each other, copy by copy. In a duplex print two
    consecutive sheets are front and back of the same paper, and each front page is followed by its
    back page. The printer flips the paper at its long edge. On a landscape page this is the top or
    bottom, so front and back of a sheet are on the same half, left or right. The last back may be
    empty.
    """
    per_page = sheets_per_page(levels, options)
    sheet_width = page_size(options, per_page)[0] / per_page
    inward = _INWARD_MM if per_page == 2 and options.paper == "a4" else 0.0
    numbers = [i for _ in range(options.copies) for i in range(len(levels))]

    def page(chosen: Sequence[int | None]) -> tuple[PlacedSheet, ...]:
        return tuple(
            PlacedSheet(
                index, index + 1, place, place * sheet_width + (-inward if place else inward)
            )
            for place, index in enumerate(chosen)
            if index is not None
        )

    if not options.duplex:
        for start in range(0, len(numbers), per_page):
            yield page(numbers[start : start + per_page])
        return
    once: list[tuple[int, int | None]] = [
        (i, i + 1 if i + 1 < len(levels) else None) for i in range(0, len(levels), 2)
    ]
    pairs = once * options.copies
    for start in range(0, len(pairs), per_page):
        chosen = pairs[start : start + per_page]
        yield page([front for front, _ in chosen])
        yield page([back for _, back in chosen])


def count_pages(levels: Sequence[Level], options: PageOptions) -> int:
    """Return the number of pages that `arrange_pages` yields."""
    per_page = sheets_per_page(levels, options)
    if options.duplex:
        return -(-(-(-len(levels) // 2) * options.copies) // per_page) * 2
    return -(-len(levels) * options.copies // per_page)


def layout_hash(level: Level, shape: Frame) -> str:
    """Return a hash of a printed sheet, eight hex digits, for its QR code.

    It changes with the position of any field or marker, and with what is printed on any field.
    Photo reading finds the layout of the sheet by it.
    """
    places = {name: [round(value, 2) for value in box] for name, box in shape.fields.items()}
    markers = [[round(value, 2) for value in box] for box in shape.markers]
    prints = [[f.name, f.number, f.symbol, f.colour, f.printed] for f in level.fields]
    content = dumps([level.id, places, markers, prints, dict(level.printed_tracks)], sort_keys=True)
    return sha256(content.encode()).hexdigest()[:8]


def marker_id(place: int, corner: int) -> int:
    """Return the ArUco id of a marker.

    ``place`` is `PlacedSheet.place`; ``corner`` is 0 to 3, clockwise from the top left of the
    sheet.
    """
    return 4 * place + corner
