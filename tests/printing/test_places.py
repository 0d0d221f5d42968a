"""Places to write on printed sheets: `geometry` compared with the ink of filled sheets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from sheets.levels import shipped_levels
from sheets.printing.geometry import PageOptions
from sheets.printing.geometry_document import format_geometry
from sheets.printing.score_tracks import WrittenNumbers, categories, tracks
from sheets.printing.sheet import Writing
from sheets.rules import Level, parse_level
from tests.printing.printed import print_pdf, render

DPI = 200
"""Resolution of the rendered pages."""

PAGES = {
    "two sheets, black and white": {"bw": True},
    "one sheet, letter": {"per_page": 1, "paper": "letter"},
    "a5": {"paper": "a5"},
    "large": {"large": True},
}
LEVELS = [shipped_levels()[name] for name in ("level-2", "level-8")]


def boxes_of(sheet: dict) -> Iterator[tuple[str, list[float]]]:
    yield "name", sheet["name"]
    yield from sheet["scores"].items()
    for track, numbers in sheet["numbers"].items():
        for points, places in numbers.items():
            for place in places if isinstance(places[0], list) else [places]:
                yield f"{track} {points}", place


@pytest.mark.parametrize("kind", PAGES)
def test_a_filled_sheet_is_filled_where_geometry_says(kind: str) -> None:
    options = PageOptions(lang="de", **PAGES[kind])
    geometry = format_geometry(LEVELS, options)
    circled = [{t.place: t.numbers[-1] for found in tracks(level).values() for t in found}
               for level in LEVELS]  # fmt: skip
    writings = [
        Writing("Ana", filled=WrittenNumbers(dict.fromkeys(categories(level), 88), 88, numbers))
        for level, numbers in zip(LEVELS, circled, strict=True)
    ]
    blank, filled = print_pdf(LEVELS, options), print_pdf(LEVELS, options, writings)
    for number in {sheet["page"] for sheet in geometry["sheets"]}:
        found = [render(pdf, number - 1, DPI).astype(int) for pdf in (blank, filled)]
        written = np.abs(found[0] - found[1]) > 40
        rooms = np.zeros_like(written)
        for sheet in (sheet for sheet in geometry["sheets"] if sheet["page"] == number):
            wanted = circled[[level.id for level in LEVELS].index(sheet["level"])]
            for what, box in boxes_of(sheet):
                mine = pixels(box, border_mm=0.5)
                rooms[mine] = True
                track, _space, points = what.rpartition(" ")
                is_spared = bool(track) and wanted[track.replace("-", " ")] != int(points)
                if is_spared:  # the ring around the next number comes near its border
                    assert not written[pixels(box, border_mm=-0.8)].any(), what
                else:
                    assert written[mine].any(), what
        assert not (written & ~rooms).any()


def pixels(box: list[float], border_mm: float) -> tuple[slice, slice]:
    left, top, width, height = box
    spans = ((top, height), (left, width))
    low, high = ([start - border_mm, start + size + border_mm] for start, size in spans)
    return tuple(slice(*(round(mm / 25.4 * DPI) for mm in span)) for span in (low, high))


@pytest.mark.parametrize("level", shipped_levels().values(), ids=lambda level: level.id)
def test_every_row_and_every_number_has_a_place_to_write(level: Level) -> None:
    (sheet,) = format_geometry([level], PageOptions(paper="a5"))["sheets"]
    assert list(sheet["scores"]) == [*categories(level), "total"]
    found = {f"{t.kind}-{t.key}": t.numbers for of in tracks(level).values() for t in of}
    assert {track: tuple(map(int, of)) for track, of in sheet["numbers"].items()} == found


def test_equal_numbers_of_a_track_have_a_place_each() -> None:
    level = parse_level(
        {
            "id": "twice",
            "name": "Twice",
            "grid": ["1x 2Fr"],
            "points": {"flag": {"red": [5, 3, 3, 3]}},
        }
    )
    (sheet,) = format_geometry([level], PageOptions())["sheets"]
    numbers = sheet["numbers"]["flag-red"]
    assert list(numbers) == ["5", "3"]
    assert len(numbers["5"]) == 4
    assert len(numbers["3"]) == 3
    assert len({tuple(box) for box in numbers["3"]}) == 3
