"""Tests of grouping fields by symbol: embedding and clustering."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from sheets.vision.pads.connected_components import Blob
from sheets.vision.pads.digit_reading import DigitReading
from sheets.vision.pads.field_features import correct_illumination
from sheets.vision.pads.symbol_clustering import (
    cluster,
    digit_masks,
    group_fields,
    squared_distances,
)

SIDE = 64
INNER = (0.94, 0.94)
RED, BLUE = (200, 30, 40), (30, 60, 200)
INK, WHITE = (40, 40, 40), (250, 250, 250)
NO_NUMBER = DigitReading(None, 0.0, None)


def field(shape: str, colour: tuple[int, int, int], tint: tuple[int, int, int]) -> np.ndarray:
    picture = Image.new("RGB", (SIDE, SIDE), tint)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, SIDE - 1, SIDE - 1), outline=(40, 40, 40), width=2)
    if shape == "round":
        draw.ellipse((16, 16, 48, 48), fill=colour)
    elif shape == "bars":
        for top in (16, 30, 44):
            draw.rectangle((16, top, 48, top + 5), fill=colour)
    return np.asarray(picture)


def grouped(fields: list[np.ndarray]) -> list[list[int]]:
    even, none = correct_illumination(fields, INNER), [None] * len(fields)
    groups = group_fields(even, [NO_NUMBER] * len(fields), none, INNER, in_a_row(fields))
    return [sorted(group) for group in groups]


def in_a_row(fields: list[np.ndarray]) -> list[tuple[float, float]]:
    return [(float(x), 0.0) for x in range(len(fields))]


def test_outliers_come_first_in_their_group() -> None:
    fields = [field("round", RED, WHITE)] * 9
    fields[6] = field("round", (214, 62, 70), WHITE)
    (group,) = group_fields(fields, [NO_NUMBER] * 9, [None] * 9, INNER, in_a_row(fields))
    assert group == [6, *(i for i in range(9) if i != 6)]


@pytest.mark.parametrize("light", [1.0, 0.6])
def test_shape_and_colour_separate_groups_but_tints_do_not(light: float) -> None:
    kinds = [("round", RED), ("round", BLUE), ("bars", RED), ("none", RED)]
    tints = [(250, 250, 250), (235, 225, 200)]
    fields = [field(*kind, tint) for kind in kinds for tint in tints for _ in range(3)]
    lit = [(one * light).astype(np.uint8) for one in fields]
    groups = grouped(lit)
    assert sorted(groups) == [list(range(i, i + 6)) for i in range(0, 24, 6)]


def test_a_symbol_of_another_ink_read_as_a_digit_is_not_masked() -> None:
    digit = (field("round", INK, WHITE) != field("none", INK, WHITE)).any(2)
    drawn = [(INK, 0.99)] * 9 + [(INK, 0.6), (RED, 0.6), (RED, 0.99)]
    fields = [field("round", ink, WHITE) for ink, _sure in drawn]
    masks = digit_masks(fields, [number(digit, sure) for _ink, sure in drawn], INNER)
    assert [mask is None for mask in masks] == [False] * 10 + [True, True]


def test_several_symbols_read_as_digits_do_not_make_their_ink_usual() -> None:
    digit = (field("round", INK, WHITE) != field("none", INK, WHITE)).any(2)
    inks = [INK] * 30 + [RED] * 3
    fields = [field("round", ink, WHITE) for ink in inks]
    masks = digit_masks(fields, [number(digit, 0.99)] * len(inks), INNER)
    assert [mask is None for mask in masks] == [False] * 30 + [True] * 3


def test_a_digit_in_deep_shadow_has_the_usual_ink() -> None:
    digit = (field("round", INK, WHITE) != field("none", INK, WHITE)).any(2)
    lights = [1.0] * 9 + [0.2]
    fields = [(field("round", INK, WHITE) * light).astype(np.uint8) for light in lights]
    masks = digit_masks(fields, [number(digit, 0.99)] * 10, INNER)
    assert all(mask is digit for mask in masks)


def test_without_clear_digits_all_digits_are_masked() -> None:
    digit = (field("round", INK, WHITE) != field("none", INK, WHITE)).any(2)
    fields = [field("round", ink, WHITE) for ink in (INK, INK, RED)]
    masks = digit_masks(fields, [number(digit, sure) for sure in (0.99, 0.99, 0.6)], INNER)
    assert all(mask is digit for mask in masks)


def test_on_dark_fields_groups_are_independent_of_tints() -> None:
    teal, green = (58, 140, 145), (14, 84, 62)
    backgrounds = [(20, 8, 10), (66, 72, 80), (84, 60, 66), (10, 30, 20)]
    kinds = [("round", teal), ("round", green), ("bars", teal), ("none", teal)]
    digit = np.zeros((SIDE, SIDE), bool)
    digit[6:13, 28:36] = True
    fields = [np.array(field(*kind, ground)) for kind in kinds for ground in backgrounds]
    for one in fields:
        one[digit] = (190, 190, 190)
    numbers = [number(digit, 0.99)] * len(fields)
    groups = group_fields(fields, numbers, [digit] * len(fields), INNER, in_a_row(fields))
    assert sorted(map(sorted, groups)) == [list(range(i, i + 4)) for i in range(0, 16, 4)]


def test_on_dark_fields_groups_are_independent_of_illumination() -> None:
    """Digits measure the illumination; a field without one takes it from its neighbours."""
    kinds = [("round", (120, 50, 130)), ("bars", (120, 50, 130)), ("none", RED)]
    lights = [1.0, 0.75, 0.6, 0.45, 0.32]
    digit = np.zeros((SIDE, SIDE), bool)
    digit[6:13, 28:36] = True
    fields = []
    for light, kind in ((light, kind) for light in lights for kind in kinds):
        one = np.array(field(*kind, (45, 45, 50)))
        if (light, kind[0]) != (0.32, "bars"):
            one[digit] = (235, 235, 235)
        fields.append((one * light).astype(np.uint8))
    alone = 13
    masks = [None if i == alone else digit for i in range(len(fields))]
    numbers = [NO_NUMBER if mask is None else number(digit, 0.99) for mask in masks]
    groups = group_fields(fields, numbers, masks, INNER, in_a_row(fields))
    assert sorted(map(sorted, groups)) == [list(range(i, 15, 3)) for i in range(3)]


PALE, GREY, SAND = (235, 160, 165), (190, 190, 200), (235, 225, 200)

KINDS: dict[str, list[list[tuple[str, tuple[int, int, int], tuple[int, int, int]]]]] = {
    "shapes of one ink": [[("round", RED, WHITE)], [("bars", RED, WHITE)], [("none", RED, WHITE)]],
    "inks of one shape": [[("round", RED, WHITE)], [("round", BLUE, WHITE)]],
    "one ink on several tints": [
        [("round", (90, 200, 150), tint) for tint in (WHITE, GREY)],
        [("bars", (90, 200, 150), tint) for tint in (WHITE, GREY)],
    ],
    "pale shapes": [[("round", PALE, WHITE)], [("bars", PALE, WHITE)], [("none", PALE, WHITE)]],
    "two inks on two tints": [
        [("round", ink, tint) for tint in (WHITE, SAND)] for ink in ((60, 90, 160), (150, 60, 90))
    ],
}


@pytest.mark.parametrize("kinds", KINDS.values(), ids=KINDS)
def test_fields_with_digits_are_grouped_by_shape_and_ink(
    kinds: list[list[tuple[str, tuple[int, int, int], tuple[int, int, int]]]],
) -> None:
    """Each group lists its fields: shape, ink and tint; each is drawn four times, shifted."""
    digit = np.zeros((SIDE, SIDE), bool)
    digit[5:15, 8:14] = True
    fields, expected = [], []
    for number_, group in enumerate(kinds):
        for kind in group * 4:
            one = cv2.warpAffine(
                field(*kind), moved(len(fields) % 3 - 1), (SIDE, SIDE),
                borderMode=cv2.BORDER_REPLICATE,
            )  # fmt: skip
            one[digit] = INK
            fields.append(one)
            expected.append(number_)
    numbers = [number(digit, 0.99)] * len(fields)
    found = group_fields(fields, numbers, [digit] * len(fields), INNER, in_a_row(fields))
    assert sorted(map(sorted, found)) == [
        [i for i, own in enumerate(expected) if own == one] for one in range(len(kinds))
    ]


def test_illumination_gradients_across_a_field_are_corrected() -> None:
    even = field("round", RED, WHITE)
    shade = np.linspace(1, 0.45, SIDE)[None, :, None]
    lit, same = correct_illumination([(even * shade).astype(np.uint8), even], INNER)
    assert (same == even).all()
    ground = (even == WHITE).all(2)
    ground[:, :4] = ground[:, -4:] = False
    assert np.ptp(lit[ground].mean(1)) < 12 < np.ptp((even * shade)[ground].mean(1))


def test_fields_at_the_edge_of_a_shadow_are_grouped_with_the_others() -> None:
    kinds = [("round", (150, 200, 150)), ("bars", (220, 180, 180)), ("none", RED)]
    shade = np.linspace(1, 0.5, SIDE)[:, None, None]
    fields = [
        (field(*kind, WHITE) * (shade if i < 3 else 0.8)).astype(np.uint8)
        for kind in kinds
        for i in range(8)
    ]
    groups = grouped(fields)
    assert sorted(groups) == [list(range(i, i + 8)) for i in range(0, 24, 8)]


def test_a_thick_frame_does_not_matter() -> None:
    kinds = [("round", RED), ("round", BLUE), ("bars", RED), ("bars", BLUE), ("none", RED)]
    fields = []
    for number_, kind in enumerate(kinds * 3):
        one = np.array(field(*kind, WHITE))
        cv2.rectangle(one, (0, 0), (SIDE - 1, SIDE - 1), (70, 70, 70), 9 if number_ < 5 else 2)
        fields.append(one)
    assert sorted(grouped(fields)) == [[i, i + 5, i + 10] for i in range(5)]


def test_symbols_in_deep_shadow_are_grouped_with_those_in_light() -> None:
    kinds = [("round", RED), ("round", BLUE), ("bars", RED), ("none", RED)]
    lights = [1.0, 0.12]
    fields = [
        (field(*kind, WHITE) * by).astype(np.uint8)
        for kind in kinds
        for by in lights
        for _ in range(4)
    ]
    assert sorted(grouped(fields)) == [list(range(i, i + 8)) for i in range(0, 32, 8)]


def moved(by: int) -> np.ndarray:
    return np.array([[1, 0, by], [0, 1, 2 * by]], np.float32)


def number(mask: np.ndarray, sure: float) -> DigitReading:
    left, top, wide, high = (at / SIDE for at in cv2.boundingRect(mask.astype(np.uint8)))
    return DigitReading(
        1, sure, Blob((left, top, wide, high), mask, np.zeros((24, 24, 2), np.float32))
    )


def test_clusters_merge_if_their_fields_are_close_on_average() -> None:
    two = np.array([[0.0, 0], [0.9, 0]])
    assert cluster(squared_distances(two), 1) == [[0, 1]]
    one = np.array([[0, 0.4], [0, -0.4]] * 6)
    other = one + np.array([0.9, 0])
    found = cluster(squared_distances(np.concatenate([one, other])), 1)
    assert sorted(map(sorted, found)) == [list(range(12)), list(range(12, 24))]


def test_one_field_alone_is_a_group() -> None:
    assert cluster(np.zeros((1, 1)), 1) == [[0]]
