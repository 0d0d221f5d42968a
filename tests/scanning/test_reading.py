"""What is read on photos of filled sheets, and what is not?"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from sheets.geometry import PageOptions
from sheets.levels import shipped_levels
from sheets.scanning.answered import ASKED_COLOUR, SURE_COLOUR, draw_answer
from sheets.scanning.forms import corner_points, fitting_forms, forms_of
from sheets.scanning.kinds import CROSS, EMPTY, KINDS, TAKEN_BACK
from sheets.scanning.locate import locate
from sheets.scanning.markers import find_markers
from sheets.scanning.photos import open_photo
from sheets.scanning.reading import (
    SURE,
    Reading,
    SheetReading,
    among,
    read_photo,
    reading_document,
    sheet_document,
)
from sheets.scanning.seen import see_sheets
from tests.scanning.shots import Taken, cover_code, noise, noise_on_cloth, take, to_jpeg
from training.camera import photograph
from training.papers import PX_PER_MM, Filling, Truth, fill_page
from training.pens import FAMILIES

LEVELS = list(shipped_levels().values())
BY_ID = shipped_levels()


def check(sheet: SheetReading, truth: Truth, *, right: float) -> None:
    """So many of the answers are right, and none that is sure is wrong."""
    assert sheet.refused is None
    assert sheet.form.level.id == truth.level
    best = sheet.best()
    asked = {name: kind for name, kind in truth.fields.items() if kind != "printed"}
    wrong = {name: (kind, best[name]) for name, kind in asked.items() if best[name][0] != kind}
    assert len(wrong) <= (1 - right) * len(asked), wrong
    assert not [name for name in wrong if best[name][1] >= SURE]
    for name, kind in truth.fields.items():
        if kind == "printed":
            assert best[name] == (EMPTY, 1.0)
    circled = {
        track: next((int(n) for n, how in some.items() if how == "circled"), None)
        for track, some in truth.numbers.items()
    }
    assert {track: points for track, (points, _sure) in sheet.best_numbers().items()} == circled


def asked(sheet: SheetReading) -> set[str]:
    """What a person is asked about."""
    unsure = {name for name, (_kind, sure) in sheet.best().items() if sure < SURE}
    return unsure | {track for track, (_n, sure) in sheet.best_numbers().items() if sure < SURE}


@pytest.mark.parametrize("crosses", [(), ("c5",)], ids=["no mark", "one mark"])
@pytest.mark.parametrize("level", ["level-2", "level-4", "level-6"])
def test_nothing_is_asked_of_a_sheet_with_hardly_a_mark(
    level: str, crosses: tuple[str, ...]
) -> None:
    taken = take(level, paper="a5", crosses=crosses)
    (sheet,) = read_photo(taken.jpeg, LEVELS).sheets
    check(sheet, taken.truths[0], right=1)
    # A single cross may be against the rules, which ask about that.
    assert asked(sheet) <= set(crosses)


def test_a_felt_pen_of_two_millimetres_on_every_field_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It covers most of the print by which the sheet is laid flat."""
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
def test_loose_sheets_in_one_photo_are_told_apart() -> None:
    """Single sheets have the same markers."""
    one, other = (open_photo(take("level-4", paper="a5", seed=seed).jpeg) for seed in (3, 7))
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


def test_a_code_that_lies_elsewhere_than_thought_is_found() -> None:
    taken = take("level-4", paper="a5", seed=3)
    photo = open_photo(taken.jpeg).copy()
    (found,) = locate(photo, forms_of(LEVELS))
    corners = corner_points(found.forms[0].frame.qr).reshape(1, -1, 2)
    seen = cv2.perspectiveTransform(corners, found.to_photo(found.forms[0]))[0]
    x, y, width, height = cv2.boundingRect(seen.astype(int))
    code = photo[y : y + height, x : x + width].copy()
    cv2.fillConvexPoly(photo, seen.astype(int), (240, 240, 240))
    aside = x - round(0.75 * width)
    photo[y - 12 : y + height + 12, aside - 12 : aside + width + 12] = 240
    photo[y : y + height, aside : aside + width] = code
    (sheet,) = read_photo(to_jpeg(photo), LEVELS).sheets
    assert sheet.number == 1
    check(sheet, taken.truths[0], right=0.95)


def test_without_its_code_somebody_has_to_say_which_level(covered: np.ndarray) -> None:
    (sheet,) = read_photo(to_jpeg(covered), LEVELS).sheets
    assert (sheet.refused, sheet.number) == ("which-level", None)
    (sheet,) = read_photo(to_jpeg(covered), LEVELS, known=[BY_ID["level-4"]]).sheets
    check(sheet, take("level-4", paper="a5", seed=3).truths[0], right=0.95)


@pytest.mark.slow
def test_of_several_levels_that_somebody_named_the_print_tells_which(covered: np.ndarray) -> None:
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
def test_paper_that_curls_much_is_still_one_of_our_prints(share: float) -> None:
    forms = forms_of(LEVELS)
    form = next(one for one in forms if one.level.id == "level-2")
    points = form.marker_points([0, 1, 2, 3]).reshape(4, 4, 2) * 10.0
    low = points[2:].mean((0, 1))[1] - points[:2].mean((0, 1))[1]
    points[2:, :, 1] -= low * (1 - share)
    fitting = fitting_forms(forms, dict(enumerate(points)))
    assert form in fitting
    assert all(one.options.large == form.options.large for one in fitting[:4])


@pytest.mark.slow
def test_a_small_photo_may_be_shaky_where_its_fields_show_plainly() -> None:
    (seen,) = see_sheets(open_photo(take("level-4", paper="a5", seed=3).jpeg), LEVELS)
    assert seen.straight
    small = seen.straight._replace(px_per_mm=3.2, plain_mm=0.16, clear=0.63)
    assert small._replace(score=0.6).fits(is_named=True)
    assert not small._replace(score=0.45).fits(is_named=True)
    assert not small._replace(score=0.6, px_per_mm=8.0, plain_mm=0.2).fits(is_named=True)


def test_a_covered_marker_does_no_harm_and_two_are_too_few(covered: np.ndarray) -> None:
    taken = take("level-4", paper="a5", seed=3)
    photo = open_photo(taken.jpeg).copy()
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
def test_a_blurred_sheet_of_which_some_corners_are_found_is_blurred(squares: float) -> None:
    photo = open_photo(take("level-1", "level-7").jpeg)
    sides = [np.hypot(*(one.corners[1] - one.corners[0])) for one in find_markers(photo[..., 1])]
    soft = cv2.GaussianBlur(photo, (0, 0), squares * float(np.median(sides)) / 6)
    sheets = read_photo(to_jpeg(soft), LEVELS).sheets
    assert sheets
    assert {sheet.refused for sheet in sheets} == {"blurred"}


def glare(photo: np.ndarray, *boxes: tuple[float, float, float, float]) -> np.ndarray:
    """Nothing but white over some boxes of the one sheet, in millimetres, and a bit around them."""
    (found,) = locate(photo, forms_of(LEVELS))
    light = np.zeros(photo.shape[:2], np.float32)
    for x, y, width, height in boxes:
        left, top, right, low = x - 2, y - 2, x + width + 2, y + height + 2
        corners = np.array([[(left, top), (right, top), (right, low), (left, low)]])
        seen = cv2.perspectiveTransform(corners, found.to_photo(found.forms[0]))[0]
        cv2.fillConvexPoly(light, seen.astype(int), 1.0)
    light = cv2.GaussianBlur(light, (0, 0), 3)[..., None]
    return np.asarray(photo * (1 - light) + 255 * light, np.uint8)


@pytest.mark.slow
def test_where_a_glare_leaves_nothing_is_asked() -> None:
    photo = open_photo(take("level-4", paper="a5", seed=3).jpeg)
    (plain,) = read_photo(to_jpeg(photo), LEVELS).sheets
    sure = [
        name
        for name, (kind, sure) in plain.best().items()
        if kind == EMPTY and sure >= SURE and len(plain.answers[name]) > 1
    ]
    boxes = plain.form.boxes
    for name in sure[:: len(sure) // 5]:
        (sheet,) = read_photo(to_jpeg(glare(photo, boxes[name])), LEVELS).sheets
        assert sheet.best()[name][1] < SURE, name
        assert name in sheet_document(sheet)["unsure"]


@pytest.mark.slow
def test_numbers_under_a_glare_are_asked() -> None:
    photo = open_photo(take("level-3", paper="a5", seed=3).jpeg)
    (plain,) = read_photo(to_jpeg(photo), LEVELS).sheets
    track = next(
        track for track, (got, sure) in plain.best_numbers().items() if got is None and sure >= SURE
    )
    boxes = [room.box for room in plain.form.numbers.values() if room.track == track]
    (sheet,) = read_photo(to_jpeg(glare(photo, *boxes)), LEVELS).sheets
    assert sheet.best_numbers()[track][1] < SURE


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
def test_photo_without_a_sheet_says_why(photo: Callable[[], bytes], reason: str) -> None:
    assert read_photo(photo(), LEVELS) == Reading(reason, [])


def test_document_lists_the_best_answers_and_names_what_is_unsure() -> None:
    taken: Taken = take("level-1", "level-7")
    reading = read_photo(taken.jpeg, LEVELS)
    document = reading_document("a.jpg", reading, 0.5)
    assert (document["format"], document["photo"], document["refused"]) == (
        "dizzle-reading/1", "a.jpg", None,
    )  # fmt: skip
    for sheet, read in zip(document["sheets"], reading.sheets, strict=True):
        best = read.best()
        assert set(sheet["crosses"]) == {n for n, (kind, _) in best.items() if kind == "cross"}
        assert set(sheet["unsure"]) == {n for n, (_, sure) in best.items() if sure < SURE}
        assert all(0 <= one["sure"] < SURE for one in sheet["unsure"].values())


def test_crosses_are_taken_back_more_seldom_than_the_network_has_learnt() -> None:
    equal = np.full(len(KINDS), 1 / len(KINDS), np.float32)
    found = among(equal, (EMPTY, CROSS, TAKEN_BACK))
    assert found == pytest.approx({EMPTY: 0.4, CROSS: 0.4, TAKEN_BACK: 0.2}, abs=1e-6)


def test_answer_is_drawn_where_the_field_lies() -> None:
    taken = take("level-4", paper="a5", seed=3)
    (sheet,) = read_photo(taken.jpeg, LEVELS).sheets
    picture, plain = draw_answer(sheet), sheet.straight.picture
    for name, (kind, sure) in sheet.best().items():
        box = sheet.form.frame.fields[name]
        x, y = ((box[i] - sheet.form.box[i] + sheet.straight.shifts[name][i]) * 8 for i in (0, 1))
        part = (slice(round(y) + 5, round(y + box.height * 8) - 5),
                slice(round(x) + 5, round(x + box.width * 8) - 5))  # fmt: skip
        is_drawn = bool((picture[part] != plain[part]).any())
        assert is_drawn == (kind != EMPTY or sure < SURE), name
        colour = SURE_COLOUR if sure >= SURE else ASKED_COLOUR
        if is_drawn:
            assert (picture[part] == colour).all(-1).any()
    for track, (points, _sure) in sheet.best_numbers().items():
        for name, room in sheet.form.numbers.items():
            if room.track == track:
                x, y = (
                    (room.box[i] - sheet.form.box[i] + sheet.straight.shifts[name][i]) * 8
                    for i in (0, 1)
                )
                middle = round(x + room.box[2] * 4)
                part = np.s_[round(y) - 8 : round(y) + 4, middle - 4 : middle + 4]  # above it
                is_drawn = bool((picture[part] == SURE_COLOUR).all(-1).any())
                assert is_drawn == (room.points == points), name
