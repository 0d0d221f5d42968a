"""Pages of a print: sheets of levels, the pages of Dice², and short rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import override

from sheets.art.render.items import Bookmark, DrawnPage, Part, PlacedPart, line
from sheets.printing.dice2 import PAGES_PER_SET as DICE2_PAGES
from sheets.printing.dice2 import draw_dice2_pages
from sheets.printing.geometry import (
    PageOptions,
    PlacedSheet,
    arrange_pages,
    count_pages,
    make_frame,
    page_size,
    sheets_per_page,
)
from sheets.printing.paper_palette import print_palette
from sheets.printing.sheet import BLANK, Writing, draw_codes, draw_sheet
from sheets.printing.short_rules import (
    Poster,
    count_pages_of_rules,
    dice2_poster,
    dizzle_poster,
    draw_rules,
)
from sheets.rules.level import Level
from sheets.text.labels import with_label
from sheets.text.symbols import in_language

DEFAULT_ADDRESS: Final = "Dizzle Companion"
"""Address line of printed sheets if no URL of the site is configured."""

CUT_MARK_MM: Final = 5.0
"""Length of a cut mark."""

CUT_MARK_TO_EDGE_MM: Final = 7.4
"""Distance of a cut mark from the edge of the page."""


def draw_booklet(
    levels: Sequence[Level],
    options: PageOptions,
    writings: Sequence[Writing] = (),
    *,
    address: str = DEFAULT_ADDRESS,
) -> Iterator[DrawnPage]:
    """Yield the pages of a print, one at a time.

    Equal sheets share their parts as the same objects, so that a PDF stores them once.

    Args:
        levels: the level of each sheet of a set.
        options: paper, copies and contents of the print.
        writings: the handwriting on each sheet of a set; empty for blank sheets.
        address: the text for the address line of each sheet.
    """
    yield from _sheet_pages(levels, options, writings, address)
    if options.dice2:
        for _copy in range(options.copies):
            yield from draw_dice2_pages(options, address)
    size = page_size(options, sheets_per_page(levels, options))
    palette = print_palette(bw=options.bw, dark=True)
    with override(options.lang):
        rules = {
            Bookmark(anchor, poster.title): draw_rules(poster, *size)
            for anchor, poster in _posters(levels, options).items()
        }
    for bookmark, pages in rules.items():
        for number, parts in enumerate(pages):
            bookmarks = () if number else (bookmark,)
            placed = tuple(PlacedPart(part, 0) for part in parts)
            yield DrawnPage(*size, palette, placed, bookmarks)


def _sheet_pages(
    levels: Sequence[Level], options: PageOptions, writings: Sequence[Writing], address: str
) -> Iterator[DrawnPage]:
    per_page = sheets_per_page(levels, options)
    size = page_size(options, per_page)
    palette = print_palette(bw=options.bw, dark=options.is_dark)
    frames = [make_frame(level, options, per_page) for level in levels]
    drawn: dict[int, tuple[Part, ...]] = {}
    codes: dict[PlacedSheet, tuple[Part, ...]] = {}
    marks = cut_marks(*size) if per_page == 2 else None
    seen: set[int] = set()
    for page in arrange_pages(levels, options):
        parts: list[PlacedPart] = []
        bookmarks: list[Bookmark] = []
        for placed in page:
            i = placed.level
            with override(options.lang):
                if i not in drawn:
                    writing = writings[i] if writings else BLANK
                    drawn[i] = draw_sheet(levels[i], frames[i], address, writing)
                if placed not in codes:
                    codes[placed] = draw_codes(levels[i], frames[i], placed)
                if i not in seen:
                    seen.add(i)
                    bookmarks.append(
                        _bookmark(levels[i], placed, writings[i] if writings else BLANK)
                    )
            parts += [PlacedPart(part, placed.x_mm) for part in (*drawn[i], *codes[placed])]
        if marks:
            parts.append(PlacedPart(marks, 0))
        yield DrawnPage(*size, palette, tuple(parts), tuple(bookmarks))


def _posters(levels: Sequence[Level], options: PageOptions) -> dict[str, Poster]:
    """Return a poster for each printed game, by the key of its bookmark; empty without rules."""
    posters = {"rules": dizzle_poster(levels)} if levels and options.rules else {}
    if options.dice2 and options.rules:
        posters["dice2-rules"] = dice2_poster()
    return posters


def _bookmark(level: Level, placed: PlacedSheet, writing: Writing) -> Bookmark:
    name = in_language(level.name)
    title = with_label(name, writing.player) if writing.player else name
    return Bookmark(f"sheet-{placed.number}", title)


def cut_marks(width: float, height: float) -> Part:
    """Return two short lines, at the top and bottom of a page, to cut its two sheets apart."""
    x, low = width / 2, height - CUT_MARK_TO_EDGE_MM
    return Part(
        "Artifact",
        (
            line((x, CUT_MARK_TO_EDGE_MM), (x, CUT_MARK_TO_EDGE_MM + CUT_MARK_MM)),
            line((x, low - CUT_MARK_MM), (x, low)),
        ),
    )


def count_drawn_pages(levels: Sequence[Level], options: PageOptions) -> int:
    """Return the number of pages that `draw_booklet` yields."""
    dice2 = options.copies * DICE2_PAGES if options.dice2 else 0
    size = page_size(options, sheets_per_page(levels, options))
    with override(options.lang):
        posters = _posters(levels, options).values()
        rules = sum(count_pages_of_rules(poster, *size) for poster in posters)
    return count_pages(levels, options) + dice2 + rules


def name_booklet(levels: Sequence[Level], options: PageOptions) -> str:
    """Return the title of the document: the names of its levels."""
    with override(options.lang):
        names = list(dict.fromkeys(in_language(level.name) for level in levels))
        names += ["Dice²"] * options.dice2
        return "Dizzle Companion: " + ", ".join(names)


def sheet_address(site_url: str) -> str:
    """Return the text for the address line: product name, and URL of the site if it has one."""
    return (
        f"{DEFAULT_ADDRESS} · {site_url.removeprefix('https://')}" if site_url else DEFAULT_ADDRESS
    )
