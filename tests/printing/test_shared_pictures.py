"""Shared pictures of a sheet and its score."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from sheets.art.layout import lay_out
from sheets.art.palette import DARK, LIGHT, rgb
from sheets.printing.pictures.fitted_text import fit_text
from sheets.printing.pictures.sheet import ScoreRow, draw_sheet
from sheets.printing.pictures.sizes import MAX_FIELD, MAX_HEIGHT, WIDTH
from tests.art.sheets_to_draw import EVERYTHING, level

SHEET = level(*EVERYTHING, lines=[{"row": 4, "points": 8}])
EDGES = (36, 104, 36, 104)
"""Distance of the sheet from the left and the top of its picture, in pixels, twice for a box."""

ROWS = [ScoreRow("Gems", 7, "gem-red"), ScoreRow("Heaps", -3, "heap")]


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def colours_of(image: Image.Image, name: str) -> set[str]:
    """Return the colours within a field of a picture without a score column."""
    layout = lay_out(SHEET)
    unit = (WIDTH - 72) / layout.width
    box = layout.fields[name]
    left, top = 36 + box.x * unit, 104 + box.y * unit
    size = box.width * unit
    part = image.crop((round(left), round(top), round(left + size), round(top + size)))
    return {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in part.getcolors(maxcolors=100_000)}


@pytest.mark.parametrize(
    ("mark", "roles"),
    [
        ("", set()),
        ("cross", {"pen"}),
        ("rocket", {"pen", "flame"}),
        ("exploded", {"pen"}),
        ("lava", {"lava", "lava-edge", "lava-glow"}),
        ("die-6", {"die", "pip"}),
        ("NE", {"rail", "tie"}),
        ("printed-NE", {"rail-print", "tie-print"}),
        ("printed", {"print"}),
    ],
)
def test_a_mark_is_painted_on_its_field_only(mark: str, roles: set[str]) -> None:
    image = picture(draw_sheet(SHEET, {"d4": (mark,)} if mark else {}, title="Drawn"))
    wanted = {LIGHT.colour(role) for role in roles}
    assert wanted <= colours_of(image, "d4")
    assert not wanted - {LIGHT.colour("die")} & colours_of(image, "b4")


def test_the_picture_has_its_width_and_room_for_a_long_score() -> None:
    short = picture(draw_sheet(SHEET, {}, title="Drawn", rows=ROWS, total=ScoreRow("Total", 4)))
    long = picture(draw_sheet(SHEET, {}, title="Drawn", rows=ROWS * 10))
    assert short.width == long.width == WIDTH
    assert long.height > short.height


def test_equal_sheets_have_equal_bytes() -> None:
    marks = {"a1": ("cross",), "a4": ("rocket",)}
    first, second = (draw_sheet(SHEET, marks, title="Drawn", rows=ROWS) for _ in range(2))
    assert first == second


def test_the_ground_has_the_colour_of_the_palette() -> None:
    image = picture(draw_sheet(SHEET, {}, title="Drawn", palette=DARK))
    assert image.getpixel((2, 2)) == rgb(DARK.colour("ground"))


@pytest.mark.parametrize("name", ["", "W" * 40, "Łucja Ďurišová", "😀 日本", "‮abc"])
def test_any_name_can_be_written(name: str) -> None:
    image = picture(draw_sheet(SHEET, {}, title="W" * 500, player=name, rows=ROWS))
    column = {image.getpixel((x, y)) for x in (3, WIDTH - 4) for y in range(90)}
    assert column == {rgb(LIGHT.colour("ground"))}


def test_a_title_without_a_player_s_name_next_to_it_has_the_whole_width() -> None:
    ink = Image.new("RGB", (1, 1), LIGHT.colour("ink")).getpixel((0, 0))

    def width(player: str) -> int:
        head = picture(draw_sheet(SHEET, {}, title="A very long title of a level", player=player))
        written = [x for x in range(WIDTH) for y in range(90) if head.getpixel((x, y)) == ink]
        return max(written) - min(written)

    assert width("Ana") < WIDTH / 2 - 36 < width("")


def test_a_title_that_fits_at_a_smaller_size_is_not_cut() -> None:
    fitted = [fit_text("A very long title", (0, 40), 40, room) for room in range(200, 300)]
    assert {words.text for words in fitted} == {"A very long title"}


def test_the_fields_of_a_tiny_sheet_are_not_huge() -> None:
    image = picture(draw_sheet(level("1 2"), {}, title=""))
    paper = rgb(LIGHT.colour("paper"))
    across = [x for x in range(WIDTH) if image.getpixel((x, 104 + 20)) == paper]
    assert 1.8 * MAX_FIELD < max(across) - min(across) < 2 * MAX_FIELD
    assert max(across) + min(across) == pytest.approx(WIDTH, abs=4)
    assert image.height < 400


@pytest.mark.parametrize("columns", [1, 2, 6])
def test_a_picture_of_a_narrow_sheet_has_a_maximum_height(columns: int) -> None:
    sheet = level(*[" ".join("1" * columns)] * 26)
    image = picture(draw_sheet(sheet, {}, title="", footer="Below"))
    assert MAX_HEIGHT - 20 < image.height <= MAX_HEIGHT


def test_opened_locks_are_painted_open() -> None:
    shut = draw_sheet(SHEET, {}, title="Drawn")
    assert shut != draw_sheet(SHEET, {}, title="Drawn", opened={"red"})
    assert shut == draw_sheet(SHEET, {}, title="Drawn", opened={"white"})


def test_no_mark_hides_points() -> None:
    lines = [{"fields": ["a2"], "points": 9}]
    areas = [{"fields": ["a1", "b1"], "points": 7}]
    sheet = level("1 2 3 4 5 6", "3 4 5 6 1 2", lines=lines, areas=areas)
    layout = lay_out(sheet)
    unit = 1008 / layout.width
    clean, marked = (
        picture(draw_sheet(sheet, marks, title=""))
        for marks in ({}, dict.fromkeys(layout.fields, ("cross",)))
    )
    for badge in layout.badges:
        x, y, width, height = badge.box
        corner = 0.09
        inside = (x + corner, y + corner, x + width - corner, y + height - corner)
        part = [round(value * unit) + edge for value, edge in zip(inside, EDGES, strict=True)]
        assert marked.crop(part).tobytes() == clean.crop(part).tobytes()
    assert marked.tobytes() != clean.tobytes()
