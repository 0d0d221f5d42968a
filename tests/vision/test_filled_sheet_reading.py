"""Tests of reading filled sheets of a purchased pad with a photo of its empty sheet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheets.rules import parse_level
from sheets.rules.level import Field
from sheets.vision.decoding import decode_photo
from sheets.vision.mark_classifier import PAD_WEIGHTS
from sheets.vision.mark_kinds import EMPTY
from sheets.vision.pads import filled_sheet_reading
from sheets.vision.pads.empty_sheet_reading import read_empty_sheet
from sheets.vision.pads.filled_sheet_reading import read_filled_sheet
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pads.pad_patches import pad_patches, patch_variants
from sheets.vision.pads.rectification import FIELD_MM, FIELD_PX
from sheets.vision.pads.registration import likely_registrations
from sheets.vision.pads.template import Template, grid_positions, make_template
from sheets.vision.patches import SIDE
from sheets.vision.pixels import Picture
from sheets.vision.reading import MIN_CONFIDENCE, SheetReading, read_sheet, sheet_document
from sheets.vision.rectification import PX_PER_MM
from sheets.vision.reference_image import reference_image
from sheets.vision.sheet_extraction import ExtractedSheet
from tests.vision.filled_sheet_shots import (
    FilledSheetShot,
    cut_flat_patches,
    draw_pad_form,
    take_filled_sheet,
)
from training.camera import photograph
from training.pad_pages import PX_PER_MM as PAGE_PX_PER_MM

SEED, OTHER, DARK, DARK_PEN, NO_BORDERS = 41, 26, 82, 318, 111
MIDDLE = np.s_[:, SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]


@pytest.fixture(scope="module")
def shot() -> FilledSheetShot:
    """Return a filled sheet."""
    return take_filled_sheet(SEED)


@pytest.fixture(scope="module")
def template(shot: FilledSheetShot) -> Template:
    """Return the template of its empty sheet."""
    return make_template(read_empty_sheet(shot.empty))


def as_png(picture: NDArray[Any]) -> bytes:
    """Encode a picture as PNG."""
    return cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))[1].tobytes()


def field_of(pad: PadForm, name: str) -> tuple[slice, slice]:
    """Return the slices of a pad's picture that show a field."""
    x, y, width, height = (round(v * PX_PER_MM) for v in pad.boxes[name])
    left, top = (round(v * PX_PER_MM) for v in pad.box[:2])
    return np.s_[y - top : y - top + height, x - left : x - left + width]


def test_a_filled_sheet_is_read_in_any_orientation(
    shot: FilledSheetShot, template: Template
) -> None:
    photo = decode_photo(shot.jpeg)
    turned = np.ascontiguousarray(np.rot90(photo, -1))
    first, second = (
        read_filled_sheet(data, template, shot.pad.level) for data in (shot.jpeg, as_png(turned))
    )
    assert (first.refused, second.refused) == (None, None)
    assert second.turns == ((first.turns[0] + 1) % 4,)
    truth = shot.truth.fields
    assert sum(kind != EMPTY for kind in truth.values()) >= 5, "something is to be read"
    for (sheet,) in (first.sheets, second.sheets):
        best = sheet.best()
        assert set(best) == set(truth)
        wrong = {name: sure for name, (kind, sure) in best.items() if kind != truth[name]}
        assert len(wrong) <= 0.05 * len(best)
        assert all(sure < MIN_CONFIDENCE for sure in wrong.values())
        document = sheet_document(sheet)
        assert (document["level"], document["number"]) == (shot.pad.level.id, None)
        assert sheet.layout
        assert sheet.rectified
        assert reference_image(sheet.layout).shape == sheet.rectified.picture.shape


@pytest.mark.slow
@pytest.mark.parametrize("seed", [SEED, NO_BORDERS], ids=["by its fields", "by print alone"])
def test_a_sheet_that_is_small_in_its_photo_is_found(seed: int) -> None:
    """Its lines, or its print, are too thin at the resolution that is searched first."""
    shot = take_filled_sheet(seed)
    photo = decode_photo(shot.jpeg)
    small = cv2.resize(photo, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
    photo = np.full((3000, 4000, 3), 120, np.uint8)
    photo[: small.shape[0], : small.shape[1]] = small
    template = make_template(read_empty_sheet(shot.empty))
    assert read_filled_sheet(as_png(photo), template, shot.pad.level).refused is None


@pytest.mark.slow
def test_print_is_distinguished_from_ink_where_most_fields_are_filled(
    shot: FilledSheetShot, template: Template
) -> None:
    pad = PadForm(shot.pad.level, template)
    picture = pad.picture.copy()
    rng = np.random.default_rng(1)
    names = list(pad.boxes)
    bare = [name for i, name in enumerate(names) if i % 5 > 2]
    for name in set(names) - set(bare):
        here = field_of(pad, name)
        shade = rng.uniform(0.5, 0.8, (*picture[here].shape[:2], 1))
        picture[here] = (picture[here] * shade).astype(np.uint8)
    look = cut_flat_patches(picture, pad)
    chosen = [look.names.index(name) for name in bare]
    off = np.abs(look.photo[chosen] - look.printed[chosen])[MIDDLE]
    assert np.median(off) < 0.03


@pytest.mark.slow
def test_a_field_filled_with_a_pale_pencil_is_no_shadow(
    shot: FilledSheetShot, template: Template
) -> None:
    pad = PadForm(shot.pad.level, template)
    picture = pad.picture.copy()
    filled_in = list(pad.boxes)[::7]
    for name in filled_in:
        here = field_of(pad, name)
        picture[here] = (picture[here] * 0.88).astype(np.uint8)
    look = cut_flat_patches(picture, pad)
    darker = np.median((look.photo - look.printed)[MIDDLE], axis=(1, 2, 3))
    is_filled = np.array([name in filled_in for name in look.names])
    assert darker[is_filled].min() > 0.06
    assert np.abs(darker[~is_filled]).max() < 0.02


@pytest.mark.slow
def test_a_completely_crossed_sheet_is_registered_by_its_black_print(
    shot: FilledSheetShot, template: Template
) -> None:
    """Hardly any border is visible; coloured strokes are removed with the colours."""
    names = list(shot.pad.boxes)
    pen = np.full_like(shot.pad.page.picture, 255)
    for name in names[3:]:
        x, y, wide, high = (v * PAGE_PX_PER_MM for v in shot.pad.boxes[name])
        for up in (-1, 1):
            ends = [(round(x + wide * (0.5 + by)), round(y + high * (0.5 + by * up)))
                    for by in (-0.62, 0.62)]  # fmt: skip
            cv2.line(pen, *ends, (70, 90, 225), round(0.14 * wide), cv2.LINE_AA)
    picture = np.minimum(shot.pad.page.picture, pen)
    (sheet,) = read_filled_sheet(as_png(picture), template, shot.pad.level).sheets
    assert sheet.refused is None
    best = sheet.best()
    assert sum(best[name][0] == "cross" for name in names[3:]) >= 0.9 * len(names[3:])


@pytest.mark.slow
def test_a_mark_no_darker_than_print_counts_if_the_print_alone_shows_none(
    shot: FilledSheetShot, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    (usual,) = read_filled_sheet(shot.jpeg, template, shot.pad.level).sheets
    pad = usual.layout
    assert isinstance(pad, PadForm)
    assert usual.rectified
    # As with a pencil that is paler than all print.
    monkeypatch.setattr(filled_sheet_reading, "find_unmarked", lambda look: set(look.names))
    sheet = filled_sheet_reading.classify_fields(usual.rectified, pad)
    assert sum(kind != EMPTY for kind, _sure in sheet.best().values()) >= 5
    assert {name: kind for name, (kind, _sure) in sheet.best().items()} == {
        name: kind for name, (kind, _sure) in usual.best().items()
    }


@pytest.mark.slow
def test_print_that_looks_drawn_is_unsure(shot: FilledSheetShot, template: Template) -> None:
    (usual,) = read_filled_sheet(shot.jpeg, template, shot.pad.level).sheets
    pad = usual.layout
    assert isinstance(pad, PadForm)
    assert usual.rectified
    # A filled sheet taken for the empty one: its crosses are print.
    look = pad_patches(usual.rectified, pad)
    crosses = {name for name, (kind, sure) in usual.best().items() if kind != EMPTY and sure > 0.99}
    same = look._replace(printed=look.photo)
    assert filled_sheet_reading.find_printed_marks(same, usual, crosses)
    assert not filled_sheet_reading.find_printed_marks(look, usual, crosses)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [20, 50, NO_BORDERS], ids=["few adjacent fields", "pale thin lines", "by print alone"]
)
def test_a_sheet_is_registered_with_few_or_no_detected_fields(seed: int) -> None:
    shot = take_filled_sheet(seed)
    (sheet,) = read_filled_sheet(
        shot.jpeg, make_template(read_empty_sheet(shot.empty)), shot.pad.level
    ).sheets
    truth = shot.truth.fields
    right = [name for name, (kind, _sure) in sheet.best().items() if kind == truth[name]]
    assert len(right) >= 0.9 * len(truth)


@pytest.mark.slow
def test_a_sheet_with_dark_fields_is_registered_in_a_dark_photo() -> None:
    shot = take_filled_sheet(DARK)
    pad = filled_sheet_reading.PadForm(shot.pad.level, make_template(read_empty_sheet(shot.empty)))
    photo = decode_photo(shot.jpeg)
    registrations, dimmed = (
        filled_sheet_reading.register(cv2.convertScaleAbs(photo, alpha=share), pad)
        for share in (1.0, 0.3)
    )
    assert dimmed[0].turn == registrations[0].turn
    assert dimmed[0].similarity > registrations[0].similarity - 0.05


@pytest.mark.slow
def test_the_patch_variant_with_fewer_unsure_fields_is_used() -> None:
    shot = take_filled_sheet(DARK_PEN)
    template = make_template(read_empty_sheet(shot.empty))
    (sheet,) = read_filled_sheet(shot.jpeg, template, shot.pad.level).sheets
    best = sheet.best()
    assert [name for name, (kind, _sure) in best.items() if kind != shot.truth.fields[name]] == []
    pad = filled_sheet_reading.PadForm(shot.pad.level, template)
    first, second = (
        read_sheet(ExtractedSheet(None, 0, None, pad, sheet.rectified, look), PAD_WEIGHTS)
        for look in patch_variants(sheet.rectified, pad)
    )
    assert count_unsure(sheet) <= count_unsure(second) < count_unsure(first)


def count_unsure(sheet: SheetReading) -> int:
    """Count the unsure fields."""
    return sum(sure < MIN_CONFIDENCE for _kind, sure in sheet.best().values())


def test_an_ambiguous_orientation_is_left_to_the_user(
    shot: FilledSheetShot, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    pad = filled_sheet_reading.PadForm(shot.pad.level, template)
    registrations = filled_sheet_reading.register(decode_photo(shot.jpeg), pad)[:2]
    assert len(likely_registrations(registrations)) == 1, "print says so on this one"
    tied = [registrations[0], replace(registrations[1], similarity=registrations[0].similarity)]
    monkeypatch.setattr(filled_sheet_reading, "register", lambda *_args: tied)
    reading = read_filled_sheet(shot.jpeg, template, shot.pad.level)
    assert (reading.refused, reading.sheets) == ("does-not-fit", [])
    assert reading.turns == (tied[0].turn, tied[1].turn)
    chosen = read_filled_sheet(shot.jpeg, template, shot.pad.level, turn=tied[0].turn)
    assert (chosen.refused, [sheet.refused for sheet in chosen.sheets]) == (None, [None])


def test_all_orientations_of_a_symmetric_sheet_are_found() -> None:
    count = 6

    def draw(picture: Picture, field: Field, start: tuple[int, int]) -> None:
        """Draw a border and a ring; a field and its opposite have the same."""
        place = field.column + count * field.row
        radius = 6 + 5 * min(place, count**2 - 1 - place) % 17
        left, top = start
        cv2.rectangle(picture, (left + 2, top + 2), (left + 62, top + 62), (60, 60, 60), 2)
        cv2.circle(picture, (left + 32, top + 32), radius, (20, 20, 20), 3)

    pad = draw_pad_form(count, draw)
    digits = dict.fromkeys(grid_positions(pad.level).values(), 0)
    template = replace(pad.template, digits=digits)
    rng = np.random.default_rng(1)
    jpeg = photograph(rng, template.picture, FIELD_PX / FIELD_MM, "easy", megapixels=4).jpeg
    reading = read_filled_sheet(jpeg, template, pad.level)
    assert (reading.refused, reading.sheets) == ("does-not-fit", [])
    first, second = reading.turns
    assert (first - second) % 4 == 2
    chosen = read_filled_sheet(jpeg, template, pad.level, turn=second)
    assert (chosen.refused, [sheet.refused for sheet in chosen.sheets]) == (None, [None])


def test_a_sheet_of_another_pad_is_refused(shot: FilledSheetShot, template: Template) -> None:
    reading = read_filled_sheet(take_filled_sheet(OTHER).jpeg, template, shot.pad.level)
    assert (reading.refused or reading.sheets[0].refused) == "does-not-fit"


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, 0.6])
def test_a_sheet_with_too_many_unsure_fields_is_refused(
    shot: FilledSheetShot, template: Template, share: float
) -> None:
    rng = np.random.default_rng(5)
    picture = shot.pad.page.picture.copy()
    boxes = [one.box for one in shot.pad.page.fields.values()]
    ringed = boxes[: round(share * len(boxes))]
    for x, y, wide, high in ringed:
        middle, size = (
            tuple(round(at * PAGE_PX_PER_MM) for at in some)
            for some in ((x + wide / 2, y + high / 2), (wide / 3, high / 4))
        )
        cv2.ellipse(picture, middle, size, 0, 0, 360, (90, 90, 90), 3)
    jpeg = photograph(rng, picture, PAGE_PX_PER_MM, "easy", megapixels=4).jpeg
    (sheet,) = read_filled_sheet(jpeg, template, shot.pad.level).sheets
    asked = [
        name for name, likely in sheet.answers.items() if max(likely.values()) < MIN_CONFIDENCE
    ]
    assert (sheet.refused, len(asked) > 2) == (
        ("does-not-fit", False) if share > 0.5 else (None, True)
    )


def test_unreadable_photos_are_refused_with_the_reason(
    shot: FilledSheetShot, template: Template
) -> None:
    grid = ["1 2 3"] * 3
    other = parse_level({"format": "dizzle-level/1", "id": "other", "name": "Other", "grid": grid})
    assert read_filled_sheet(shot.jpeg, template, other).refused == "does-not-fit"
    assert read_filled_sheet(b"no", template, shot.pad.level).refused == "not-a-picture"
    rng = np.random.default_rng(1)
    grain = rng.integers(60, 200, (900, 700, 3), dtype=np.uint8)
    assert read_filled_sheet(as_png(grain), template, shot.pad.level).refused == "no-sheet"


def test_numbers_at_unknown_positions_are_unsure(shot: FilledSheetShot, template: Template) -> None:
    crossed = next(name for name, kind in shot.truth.fields.items() if kind == "cross")
    level_document: dict[str, Any] = dict(shot.pad.level.document)
    column, row = ord(crossed[0]) - ord("a"), int(crossed[1:]) - 1
    rows = [line.split() for line in level_document["grid"]]
    rows[row][column] = f"{rows[row][column][0]}Fr"
    points = {**level_document["points"], "flag": {"red": [10, 6]}}
    level = parse_level(
        {**level_document, "grid": [" ".join(line) for line in rows], "points": points}
    )
    (sheet,) = read_filled_sheet(shot.jpeg, template, level).sheets
    document = sheet_document(sheet)
    assert document["flags"] == {}
    assert document["unsure"]["flag-red"] == {"best": None, "sure": 0.333}
