"""Reading of photos of printed, filled sheets: accuracy, questions and refusals."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from sheets.levels import shipped_levels
from sheets.printing.geometry import PageOptions
from sheets.vision.decoding import decode_photo
from sheets.vision.layouts import corner_points, layouts_of, matching_layouts
from sheets.vision.mark_kinds import CROSS, EMPTY, MARK_KINDS, TAKEN_BACK
from sheets.vision.marker_detection import find_markers
from sheets.vision.overlay import ASKED_COLOUR, CONFIDENT_COLOUR, draw_overlay
from sheets.vision.reading import (
    MIN_CONFIDENCE,
    Reading,
    SheetReading,
    read_photo,
    reading_document,
    restrict_to_possible,
    sheet_document,
)
from sheets.vision.sheet_detection import detect_sheets
from sheets.vision.sheet_extraction import extract_sheets
from tests.vision.shots import Taken, cover_code, noise, noise_on_cloth, take, to_jpeg
from training.camera import photograph
from training.filled_pages import PX_PER_MM, Filling, Truth, fill_page
from training.pens import FAMILIES

LEVELS = list(shipped_levels().values())
BY_ID = shipped_levels()


def check(sheet: SheetReading, truth: Truth, *, right: float) -> None:
    """Check the share of correct answers, and that no confident one is wrong."""
    assert sheet.refused is None
    assert sheet.layout.level.id == truth.level
    best = sheet.best()
    asked = {name: kind for name, kind in truth.fields.items() if kind != "printed"}
    wrong = {name: (kind, best[name]) for name, kind in asked.items() if best[name][0] != kind}
    assert len(wrong) <= (1 - right) * len(asked), wrong
    assert not [name for name in wrong if best[name][1] >= MIN_CONFIDENCE]
    for name, kind in truth.fields.items():
        if kind == "printed":
            assert best[name] == (EMPTY, 1.0)
    circled = {
        track: next((int(n) for n, how in some.items() if how == "circled"), None)
        for track, some in truth.numbers.items()
    }
    assert {track: points for track, (points, _sure) in sheet.best_numbers().items()} == circled


def asked(sheet: SheetReading) -> set[str]:
    """Return the fields with too little confidence."""
    unsure = {name for name, (_kind, sure) in sheet.best().items() if sure < MIN_CONFIDENCE}
    return unsure | {
        track for track, (_n, sure) in sheet.best_numbers().items() if sure < MIN_CONFIDENCE
    }


@pytest.mark.parametrize("crosses", [(), ("c5",)], ids=["no mark", "one mark"])
@pytest.mark.parametrize("level", ["level-2", "level-4", "level-6"])
def test_nothing_is_asked_about_an_almost_empty_sheet(level: str, crosses: tuple[str, ...]) -> None:
    taken = take(level, paper="a5", crosses=crosses)
    (sheet,) = read_photo(taken.jpeg, LEVELS).sheets
    check(sheet, taken.truths[0], right=1)
    # A single cross may be against the rules, which ask about that.
    assert asked(sheet) <= set(crosses)


def test_a_felt_pen_of_two_millimetres_on_every_field_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It covers most of the print that rectification matches."""
    monkeypatch.setitem(FAMILIES, "wide felt", FAMILIES["felt"]._replace(width_mm=(2.0, 2.0)))
    rng = np.random.default_rng(5)
    filling = Filling(("wide felt",), ("ribbon",), 0, 0, (1, 0, 0), extremes=(0, 0, 1))
    page, (truth,) = fill_page(rng, [BY_ID["level-6"]], PageOptions(paper="a5"), filling)
    shot = photograph(rng, page, PX_PER_MM, "easy", megapixels=4)
    (sheet,) = read_photo(shot.jpeg, LEVELS).sheets
    check(sheet, truth, right=0.98)
    assert len(asked(sheet)) <= 2


def test_both_sheets_of_a_page_are_read() -> None:
    taken = take("level-1", "level-7")
    reading = read_photo(taken.jpeg, LEVELS)
    assert [(sheet.place, sheet.number) for sheet in reading.sheets] == [(0, 1), (1, 2)]
    for sheet in reading.sheets:
        check(sheet, taken.truths[sheet.place], right=0.95)


@pytest.mark.slow
@pytest.mark.parametrize(
    "taken",
    [{"paper": "a5", "seed": 3}, {"large": True, "seed": 4}, {"paper": "letter", "seed": 5}],
)
def test_a_sheet_of_any_size_is_read(taken: dict) -> None:
    found = take("level-4", **taken)
    (sheet,) = read_photo(found.jpeg, LEVELS).sheets
    check(sheet, found.truths[0], right=0.95)


def test_tracks_are_read_on_a_rail_level() -> None:
    taken = take("level-8", paper="a5", seed=6)
    (sheet,) = read_photo(taken.jpeg, LEVELS).sheets
    check(sheet, taken.truths[0], right=0.9)
    assert sheet_document(sheet)["tracks"]


@pytest.mark.slow
def test_single_sheets_in_one_photo_are_separated() -> None:
    """Single sheets have the same markers."""
    one, other = (decode_photo(take("level-4", paper="a5", seed=seed).jpeg) for seed in (3, 7))
    height = min(len(one), len(other))
    both = np.hstack([one[:height], other[:height]])
    reading = read_photo(to_jpeg(both), LEVELS)
    assert [sheet.refused for sheet in reading.sheets] == [None, None]
    best = [sheet.best() for sheet in reading.sheets]
    truths = [take("level-4", paper="a5", seed=seed).truths[0].fields for seed in (3, 7)]
    for fields in truths:
        crosses = {name for name, kind in fields.items() if kind == "cross"}
        found = [{name for name, (kind, _) in marks.items() if kind == "cross"} for marks in best]
        assert min(len(crosses ^ names) for names in found) < 10


@pytest.fixture
def covered() -> np.ndarray:
    return cover_code(take("level-4", paper="a5", seed=3).jpeg)


def test_a_code_away_from_its_expected_position_is_found() -> None:
    taken = take("level-4", paper="a5", seed=3)
    photo = decode_photo(taken.jpeg).copy()
    (found,) = detect_sheets(photo, layouts_of(LEVELS))
    corners = corner_points(found.layouts[0].frame.qr).reshape(1, -1, 2)
    seen = cv2.perspectiveTransform(corners, found.to_photo(found.layouts[0]))[0]
    x, y, width, height = cv2.boundingRect(seen.astype(int))
    code = photo[y : y + height, x : x + width].copy()
    cv2.fillConvexPoly(photo, seen.astype(int), (240, 240, 240))
    aside = x - round(0.75 * width)
    photo[y - 12 : y + height + 12, aside - 12 : aside + width + 12] = 240
    photo[y : y + height, aside : aside + width] = code
    (sheet,) = read_photo(to_jpeg(photo), LEVELS).sheets
    assert sheet.number == 1
    check(sheet, taken.truths[0], right=0.95)


def test_without_its_code_the_level_must_be_given(covered: np.ndarray) -> None:
    (sheet,) = read_photo(to_jpeg(covered), LEVELS).sheets
    assert (sheet.refused, sheet.number) == ("which-level", None)
    (sheet,) = read_photo(to_jpeg(covered), LEVELS, known=[BY_ID["level-4"]]).sheets
    check(sheet, take("level-4", paper="a5", seed=3).truths[0], right=0.95)


@pytest.mark.slow
def test_the_print_selects_among_several_given_levels(covered: np.ndarray) -> None:
    (sheet,) = read_photo(to_jpeg(covered), LEVELS, known=LEVELS).sheets
    check(sheet, take("level-4", paper="a5", seed=3).truths[0], right=0.95)
    others = [level for level in LEVELS if level.id != "level-4"]
    (sheet,) = read_photo(to_jpeg(covered), LEVELS, known=others).sheets
    assert sheet.refused in ("which-level", "does-not-fit")


def test_a_sheet_of_another_level_does_not_fit(covered: np.ndarray) -> None:
    (sheet,) = read_photo(to_jpeg(covered), LEVELS, known=[BY_ID["level-8"]]).sheets
    assert sheet.refused == "does-not-fit"
    assert not sheet.answers


@pytest.mark.slow
@pytest.mark.parametrize("share", [1.0, 0.9, 0.86])
def test_strongly_curled_paper_is_accepted(share: float) -> None:
    layouts = layouts_of(LEVELS)
    layout = next(one for one in layouts if one.level.id == "level-2")
    points = layout.marker_points([0, 1, 2, 3]).reshape(4, 4, 2) * 10.0
    low = points[2:].mean((0, 1))[1] - points[:2].mean((0, 1))[1]
    points[2:, :, 1] -= low * (1 - share)
    fitting = matching_layouts(layouts, dict(enumerate(points)))
    assert layout in fitting
    assert all(one.options.large == layout.options.large for one in fitting[:4])


@pytest.mark.slow
def test_a_small_photo_may_be_blurred_if_its_fields_are_clear() -> None:
    (seen,) = extract_sheets(decode_photo(take("level-4", paper="a5", seed=3).jpeg), LEVELS)
    assert seen.rectified
    small = seen.rectified._replace(px_per_mm=3.2, plain_mm=0.16, clear=0.63)
    assert small._replace(score=0.6).fits(is_named=True)
    assert not small._replace(score=0.45).fits(is_named=True)
    assert not small._replace(score=0.6, px_per_mm=8.0, plain_mm=0.2).fits(is_named=True)


def test_one_covered_marker_is_accepted_and_two_are_refused(covered: np.ndarray) -> None:
    taken = take("level-4", paper="a5", seed=3)
    photo = decode_photo(taken.jpeg).copy()
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(photo)
    at = {int(id): found[0] for id, found in zip(ids.ravel(), corners, strict=True)}
    for count, refused in ((1, None), (2, "markers")):
        cv2.fillConvexPoly(photo, at[count].astype(int), (150, 110, 90))
        (sheet,) = read_photo(to_jpeg(photo), LEVELS).sheets
        assert sheet.refused == refused
    assert sheet_document(sheet)["crosses"] == []


@pytest.mark.slow
@pytest.mark.parametrize("squares", [0.45, 0.5, 0.52])
def test_a_blurred_sheet_with_some_corners_is_refused_as_blurred(squares: float) -> None:
    photo = decode_photo(take("level-1", "level-7").jpeg)
    sides = [np.hypot(*(one.corners[1] - one.corners[0])) for one in find_markers(photo[..., 1])]
    soft = cv2.GaussianBlur(photo, (0, 0), squares * float(np.median(sides)) / 6)
    sheets = read_photo(to_jpeg(soft), LEVELS).sheets
    assert sheets
    assert {sheet.refused for sheet in sheets} == {"blurred"}


def glare(photo: np.ndarray, *boxes: tuple[float, float, float, float]) -> np.ndarray:
    """Overexpose some boxes of the only sheet, in millimetres, with a margin."""
    (found,) = detect_sheets(photo, layouts_of(LEVELS))
    light = np.zeros(photo.shape[:2], np.float32)
    for x, y, width, height in boxes:
        left, top, right, low = x - 2, y - 2, x + width + 2, y + height + 2
        corners = np.array([[(left, top), (right, top), (right, low), (left, low)]])
        seen = cv2.perspectiveTransform(corners, found.to_photo(found.layouts[0]))[0]
        cv2.fillConvexPoly(light, seen.astype(int), 1.0)
    light = cv2.GaussianBlur(light, (0, 0), 3)[..., None]
    return np.asarray(photo * (1 - light) + 255 * light, np.uint8)


@pytest.mark.slow
def test_fields_under_glare_are_asked() -> None:
    photo = decode_photo(take("level-4", paper="a5", seed=3).jpeg)
    (plain,) = read_photo(to_jpeg(photo), LEVELS).sheets
    sure = [
        name
        for name, (kind, sure) in plain.best().items()
        if kind == EMPTY and sure >= MIN_CONFIDENCE and len(plain.answers[name]) > 1
    ]
    boxes = plain.layout.boxes
    for name in sure[:: len(sure) // 5]:
        (sheet,) = read_photo(to_jpeg(glare(photo, boxes[name])), LEVELS).sheets
        assert sheet.best()[name][1] < MIN_CONFIDENCE, name
        assert name in sheet_document(sheet)["unsure"]


@pytest.mark.slow
def test_numbers_under_a_glare_are_asked() -> None:
    photo = decode_photo(take("level-3", paper="a5", seed=3).jpeg)
    (plain,) = read_photo(to_jpeg(photo), LEVELS).sheets
    track = next(
        track
        for track, (got, sure) in plain.best_numbers().items()
        if got is None and sure >= MIN_CONFIDENCE
    )
    boxes = [room.box for room in plain.layout.numbers.values() if room.track == track]
    (sheet,) = read_photo(to_jpeg(glare(photo, *boxes)), LEVELS).sheets
    assert sheet.best_numbers()[track][1] < MIN_CONFIDENCE


@pytest.mark.parametrize(
    ("photo", "reason"),
    [
        (lambda: to_jpeg(noise(20)), "too-dark"),
        (lambda: to_jpeg(noise_on_cloth(200)), "no-sheet"),
        (lambda: to_jpeg(noise_on_cloth(45)), "too-dark"),
        (lambda: to_jpeg(noise(160)), "no-sheet"),
        (lambda: to_jpeg(cv2.GaussianBlur(noise(160), (0, 0), 25)), "blank"),
        (lambda: to_jpeg(cv2.GaussianBlur(noise_on_cloth(200), (0, 0), 25)), "blurred"),
        (lambda: b"no photo", "not-a-picture"),
    ],
    ids=[
        "dark", "paper on a black cloth", "the same in the dark", "a table", "blank", "blurred",
        "a text",
    ],
)  # fmt: skip
def test_photo_without_a_sheet_is_refused_with_a_reason(
    photo: Callable[[], bytes], reason: str
) -> None:
    assert read_photo(photo(), LEVELS) == Reading(reason, [])


def test_document_lists_the_best_answers_and_the_unsure_fields() -> None:
    taken: Taken = take("level-1", "level-7")
    reading = read_photo(taken.jpeg, LEVELS)
    document = reading_document("a.jpg", reading, 0.5)
    assert (document["format"], document["photo"], document["refused"]) == (
        "dizzle-reading/1", "a.jpg", None,
    )  # fmt: skip
    for sheet, read in zip(document["sheets"], reading.sheets, strict=True):
        best = read.best()
        assert set(sheet["crosses"]) == {n for n, (kind, _) in best.items() if kind == "cross"}
        assert set(sheet["unsure"]) == {n for n, (_, sure) in best.items() if sure < MIN_CONFIDENCE}
        assert all(0 <= one["sure"] < MIN_CONFIDENCE for one in sheet["unsure"].values())


def test_prior_of_erased_crosses_is_lower_than_in_training() -> None:
    equal = np.full(len(MARK_KINDS), 1 / len(MARK_KINDS), np.float32)
    found = restrict_to_possible(equal, (EMPTY, CROSS, TAKEN_BACK))
    assert found == pytest.approx({EMPTY: 0.4, CROSS: 0.4, TAKEN_BACK: 0.2}, abs=1e-6)


def test_overlay_draws_each_answer_at_its_field() -> None:
    taken = take("level-4", paper="a5", seed=3)
    (sheet,) = read_photo(taken.jpeg, LEVELS).sheets
    picture, plain = draw_overlay(sheet), sheet.rectified.picture
    for name, (kind, sure) in sheet.best().items():
        box = sheet.layout.frame.fields[name]
        x, y = (
            (box[i] - sheet.layout.box[i] + sheet.rectified.shifts[name][i]) * 8 for i in (0, 1)
        )
        part = (slice(round(y) + 5, round(y + box.height * 8) - 5),
                slice(round(x) + 5, round(x + box.width * 8) - 5))  # fmt: skip
        is_drawn = bool((picture[part] != plain[part]).any())
        assert is_drawn == (kind != EMPTY or sure < MIN_CONFIDENCE), name
        colour = CONFIDENT_COLOUR if sure >= MIN_CONFIDENCE else ASKED_COLOUR
        if is_drawn:
            assert (picture[part] == colour).all(-1).any()
    for track, (points, _sure) in sheet.best_numbers().items():
        for name, room in sheet.layout.numbers.items():
            if room.track == track:
                x, y = (
                    (room.box[i] - sheet.layout.box[i] + sheet.rectified.shifts[name][i]) * 8
                    for i in (0, 1)
                )
                middle = round(x + room.box[2] * 4)
                part = np.s_[round(y) - 8 : round(y) + 4, middle - 4 : middle + 4]  # above it
                is_drawn = bool((picture[part] == CONFIDENT_COLOUR).all(-1).any())
                assert is_drawn == (room.points == points), name
