"""Leaves of a pad that is none of ours are read beside a photo of its empty sheet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheets.rules import parse_level
from sheets.scanning.blank import blank_of
from sheets.scanning.kinds import EMPTY
from sheets.scanning.network import PAD_WEIGHTS
from sheets.scanning.patches import SIDE
from sheets.scanning.photos import open_photo
from sheets.scanning.reading import SURE, SheetReading, read_sheet, sheet_document
from sheets.scanning.seen import SeenSheet
from sheets.scanning.straighten import PX_PER_MM
from sheets.scanning.unknown import filled
from sheets.scanning.unknown.beside import look_beside, looks_beside
from sheets.scanning.unknown.filled import read_filled
from sheets.scanning.unknown.pad import Pad
from sheets.scanning.unknown.reading import read_new
from sheets.scanning.unknown.template import Template, make_template
from tests.scanning.leaf_shots import Leaf, look_at_flat, take_leaf
from training.camera import photograph
from training.foreign import PX_PER_MM as PAGE_PX_PER_MM

SEED, OTHER, DARK, DARK_PEN, NO_BORDERS = 41, 26, 82, 318, 111
MIDDLE = np.s_[:, SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]


@pytest.fixture(scope="module")
def leaf() -> Leaf:
    """A filled leaf."""
    return take_leaf(SEED)


@pytest.fixture(scope="module")
def template(leaf: Leaf) -> Template:
    """What is kept of its empty sheet."""
    return make_template(read_new(leaf.empty))


def as_png(picture: NDArray[Any]) -> bytes:
    """A picture's file."""
    return cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))[1].tobytes()


def field_of(pad: Pad, name: str) -> tuple[slice, slice]:
    """The part of a pad's picture that shows a field."""
    x, y, width, height = (round(v * PX_PER_MM) for v in pad.boxes[name])
    left, top = (round(v * PX_PER_MM) for v in pad.box[:2])
    return np.s_[y - top : y - top + height, x - left : x - left + width]


def test_a_filled_leaf_is_read_whichever_way_it_is_held(leaf: Leaf, template: Template) -> None:
    photo = open_photo(leaf.jpeg)
    turned = np.ascontiguousarray(np.rot90(photo, -1))
    first, second = (
        read_filled(data, template, leaf.pad.level) for data in (leaf.jpeg, as_png(turned))
    )
    assert (first.refused, second.refused) == (None, None)
    assert second.turns == ((first.turns[0] + 1) % 4,)
    truth = leaf.truth.fields
    assert sum(kind != EMPTY for kind in truth.values()) >= 5, "something is to be read"
    for (sheet,) in (first.sheets, second.sheets):
        best = sheet.best()
        assert set(best) == set(truth)
        wrong = {name: sure for name, (kind, sure) in best.items() if kind != truth[name]}
        assert len(wrong) <= 0.05 * len(best)
        assert all(sure < SURE for sure in wrong.values())
        document = sheet_document(sheet)
        assert (document["level"], document["number"]) == (leaf.pad.level.id, None)
        assert sheet.form
        assert sheet.straight
        assert blank_of(sheet.form).shape == sheet.straight.picture.shape


@pytest.mark.slow
@pytest.mark.parametrize("seed", [SEED, NO_BORDERS], ids=["by its fields", "by print alone"])
def test_a_leaf_that_is_small_in_its_photo_is_found(seed: int) -> None:
    """Its lines, or its print, are too thin to be seen in the picture that is searched at first."""
    leaf = take_leaf(seed)
    photo = open_photo(leaf.jpeg)
    small = cv2.resize(photo, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
    photo = np.full((3000, 4000, 3), 120, np.uint8)
    photo[: small.shape[0], : small.shape[1]] = small
    template = make_template(read_new(leaf.empty))
    assert read_filled(as_png(photo), template, leaf.pad.level).refused is None


@pytest.mark.slow
def test_print_is_told_from_ink_where_most_of_a_leaf_is_coloured_in(
    leaf: Leaf, template: Template
) -> None:
    pad = Pad(leaf.pad.level, template)
    picture = pad.picture.copy()
    rng = np.random.default_rng(1)
    names = list(pad.boxes)
    bare = [name for i, name in enumerate(names) if i % 5 > 2]
    for name in set(names) - set(bare):
        here = field_of(pad, name)
        shade = rng.uniform(0.5, 0.8, (*picture[here].shape[:2], 1))
        picture[here] = (picture[here] * shade).astype(np.uint8)
    look = look_at_flat(picture, pad)
    chosen = [look.names.index(name) for name in bare]
    off = np.abs(look.photo[chosen] - look.printed[chosen])[MIDDLE]
    assert np.median(off) < 0.03


@pytest.mark.slow
def test_a_field_that_a_pale_pencil_has_filled_in_is_no_shadow(
    leaf: Leaf, template: Template
) -> None:
    pad = Pad(leaf.pad.level, template)
    picture = pad.picture.copy()
    filled_in = list(pad.boxes)[::7]
    for name in filled_in:
        here = field_of(pad, name)
        picture[here] = (picture[here] * 0.88).astype(np.uint8)
    look = look_at_flat(picture, pad)
    darker = np.median((look.photo - look.printed)[MIDDLE], axis=(1, 2, 3))
    is_filled = np.array([name in filled_in for name in look.names])
    assert darker[is_filled].min() > 0.06
    assert np.abs(darker[~is_filled]).max() < 0.02


@pytest.mark.slow
def test_a_leaf_that_is_crossed_out_all_over_is_found_by_its_black_print(
    leaf: Leaf, template: Template
) -> None:
    """Hardly a field is left whose border shows, but coloured pens are pale where colours are."""
    names = list(leaf.pad.boxes)
    pen = np.full_like(leaf.pad.page.picture, 255)
    for name in names[3:]:
        x, y, wide, high = (v * PAGE_PX_PER_MM for v in leaf.pad.boxes[name])
        for up in (-1, 1):
            ends = [(round(x + wide * (0.5 + by)), round(y + high * (0.5 + by * up)))
                    for by in (-0.62, 0.62)]  # fmt: skip
            cv2.line(pen, *ends, (70, 90, 225), round(0.14 * wide), cv2.LINE_AA)
    picture = np.minimum(leaf.pad.page.picture, pen)
    (sheet,) = read_filled(as_png(picture), template, leaf.pad.level).sheets
    assert sheet.refused is None
    best = sheet.best()
    assert sum(best[name][0] == "cross" for name in names[3:]) >= 0.9 * len(names[3:])


@pytest.mark.slow
def test_a_mark_no_darker_than_print_around_is_one_if_print_alone_shows_none(
    leaf: Leaf, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    (usual,) = read_filled(leaf.jpeg, template, leaf.pad.level).sheets
    pad = usual.form
    assert isinstance(pad, Pad)
    assert usual.straight
    # As with a pencil that is paler than all that is printed.
    monkeypatch.setattr(filled, "bare_fields", lambda look: set(look.names))
    sheet = filled.judge_leaf(usual.straight, pad)
    assert sum(kind != EMPTY for kind, _sure in sheet.best().values()) >= 5
    assert {name: kind for name, (kind, _sure) in sheet.best().items()} == {
        name: kind for name, (kind, _sure) in usual.best().items()
    }


@pytest.mark.slow
def test_where_print_itself_looks_drawn_and_nothing_is_darker_a_person_is_asked(
    leaf: Leaf, template: Template
) -> None:
    (usual,) = read_filled(leaf.jpeg, template, leaf.pad.level).sheets
    pad = usual.form
    assert isinstance(pad, Pad)
    assert usual.straight
    # A leaf that somebody has filled in, taken for an empty one: its crosses are print.
    look = look_beside(usual.straight, pad)
    crosses = {name for name, (kind, sure) in usual.best().items() if kind != EMPTY and sure > 0.99}
    same = look._replace(printed=look.photo)
    assert filled.find_printed_marks(same, usual, crosses)
    assert not filled.find_printed_marks(look, usual, crosses)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [20, 50, NO_BORDERS], ids=["few beside each other", "pale thin lines", "by print alone"]
)
def test_a_leaf_is_found_though_few_of_its_fields_are_or_none(seed: int) -> None:
    leaf = take_leaf(seed)
    (sheet,) = read_filled(leaf.jpeg, make_template(read_new(leaf.empty)), leaf.pad.level).sheets
    truth = leaf.truth.fields
    right = [name for name, (kind, _sure) in sheet.best().items() if kind == truth[name]]
    assert len(right) >= 0.9 * len(truth)


@pytest.mark.slow
def test_a_leaf_with_dark_fields_is_found_in_a_dark_photo() -> None:
    leaf = take_leaf(DARK)
    pad = filled.Pad(leaf.pad.level, make_template(read_new(leaf.empty)))
    photo = open_photo(leaf.jpeg)
    spots, dimmed = (
        filled.find_spots(cv2.convertScaleAbs(photo, alpha=share), pad) for share in (1.0, 0.3)
    )
    assert dimmed[0].turn == spots[0].turn
    assert dimmed[0].alike > spots[0].alike - 0.05


@pytest.mark.slow
def test_a_dark_pen_on_dark_fields_is_read_as_on_any_where_that_leaves_fewer_doubts() -> None:
    leaf = take_leaf(DARK_PEN)
    template = make_template(read_new(leaf.empty))
    (sheet,) = read_filled(leaf.jpeg, template, leaf.pad.level).sheets
    best = sheet.best()
    assert [name for name, (kind, _sure) in best.items() if kind != leaf.truth.fields[name]] == []
    pad = filled.Pad(leaf.pad.level, template)
    first, second = (
        read_sheet(SeenSheet(None, 0, None, pad, sheet.straight, look), PAD_WEIGHTS)
        for look in looks_beside(sheet.straight, pad)
    )
    assert doubts(sheet) <= doubts(second) < doubts(first)


def doubts(sheet: SheetReading) -> int:
    """On how many fields nobody is sure."""
    return sum(sure < SURE for _kind, sure in sheet.best().values())


def test_where_the_print_does_not_say_which_way_is_up_a_person_does(
    leaf: Leaf, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    pad = filled.Pad(leaf.pad.level, template)
    spots = filled.find_spots(open_photo(leaf.jpeg), pad)[:2]
    assert spots[0].alike > spots[1].alike + filled.AHEAD, "print says so on this one"
    alike = [spots[0], replace(spots[1], alike=spots[0].alike - filled.AHEAD / 2)]
    monkeypatch.setattr(filled, "find_spots", lambda *_args: alike)
    reading = read_filled(leaf.jpeg, template, leaf.pad.level)
    assert (reading.refused, reading.sheets) == ("does-not-fit", [])
    assert reading.turns == (alike[0].turn, alike[1].turn)
    said = read_filled(leaf.jpeg, template, leaf.pad.level, turn=alike[0].turn)
    assert (said.refused, [sheet.refused for sheet in said.sheets]) == (None, [None])


def test_a_leaf_of_another_pad_is_refused(leaf: Leaf, template: Template) -> None:
    reading = read_filled(take_leaf(OTHER).jpeg, template, leaf.pad.level)
    assert (reading.refused or reading.sheets[0].refused) == "does-not-fit"


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, 0.6])
def test_a_leaf_with_other_print_is_refused_where_much_would_be_asked(
    leaf: Leaf, template: Template, share: float
) -> None:
    rng = np.random.default_rng(5)
    picture = leaf.pad.page.picture.copy()
    boxes = [one.box for one in leaf.pad.page.fields.values()]
    ringed = boxes[: round(share * len(boxes))]
    for x, y, wide, high in ringed:
        middle, size = (
            tuple(round(at * PAGE_PX_PER_MM) for at in some)
            for some in ((x + wide / 2, y + high / 2), (wide / 3, high / 4))
        )
        cv2.ellipse(picture, middle, size, 0, 0, 360, (90, 90, 90), 3)
    jpeg = photograph(rng, picture, PAGE_PX_PER_MM, "easy", megapixels=4).jpeg
    (sheet,) = read_filled(jpeg, template, leaf.pad.level).sheets
    asked = [name for name, likely in sheet.answers.items() if max(likely.values()) < SURE]
    assert (sheet.refused, len(asked) > 2) == (
        ("does-not-fit", False) if share > 0.5 else (None, True)
    )


def test_what_cannot_be_a_leaf_is_refused_by_name(leaf: Leaf, template: Template) -> None:
    grid = ["1 2 3"] * 3
    other = parse_level({"format": "dizzle-level/1", "id": "other", "name": "Other", "grid": grid})
    assert read_filled(leaf.jpeg, template, other).refused == "does-not-fit"
    assert read_filled(b"no", template, leaf.pad.level).refused == "not-a-picture"
    rng = np.random.default_rng(1)
    grain = rng.integers(60, 200, (900, 700, 3), dtype=np.uint8)
    assert read_filled(as_png(grain), template, leaf.pad.level).refused == "no-sheet"


def test_numbers_whose_place_nobody_knows_are_asked_about(leaf: Leaf, template: Template) -> None:
    crossed = next(name for name, kind in leaf.truth.fields.items() if kind == "cross")
    document: dict[str, Any] = dict(leaf.pad.level.document)
    column, row = ord(crossed[0]) - ord("a"), int(crossed[1:]) - 1
    rows = [line.split() for line in document["grid"]]
    rows[row][column] = f"{rows[row][column][0]}Fr"
    points = {**document["points"], "flag": {"red": [10, 6]}}
    level = parse_level({**document, "grid": [" ".join(line) for line in rows], "points": points})
    (sheet,) = read_filled(leaf.jpeg, template, level).sheets
    told = sheet_document(sheet)
    assert told["flags"] == {}
    assert told["unsure"]["flag-red"] == {"best": None, "sure": 0.333}
