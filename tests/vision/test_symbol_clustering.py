"""Tests of grouping fields by symbol: embedding, clustering, shape and ink matching."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from sheets.vision.pads.connected_components import Blob
from sheets.vision.pads.digit_reading import DigitReading
from sheets.vision.pads.field_features import (
    correct_illumination,
    extract_features,
    inks_on_paper,
    printed_share,
)
from sheets.vision.pads.ink_matching import split_by_ink
from sheets.vision.pads.shape_matching import (
    merge_by_shape,
    remove_accidental_pairs,
    split_by_shape,
)
from sheets.vision.pads.symbol_clustering import cluster, digit_masks, group_fields

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


def test_shapes_of_one_ink_are_separated() -> None:
    kinds = ["round", "bars", "round", "none", "bars", "round"]
    fields = [cv2.warpAffine(field(kind, RED, WHITE), moved(i % 3 - 1), (SIDE, SIDE),
                             borderMode=cv2.BORDER_REPLICATE)
              for i, kind in enumerate(kinds)]  # fmt: skip
    digit = np.zeros((SIDE, SIDE), bool)
    digit[4:14, 8:14] = True
    for one in fields:
        one[digit] = INK
    features = extract_features(fields, [digit] * len(fields), INNER)
    parts = split_by_shape([[0, 1, 2, 4, 5]], features)
    assert sorted(sorted(part) for part in parts) == [[0, 2, 5], [1, 4]]


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


def test_clear_shapes_with_much_overlap_are_separated() -> None:
    disc = field("round", RED, WHITE)
    cut = disc.copy()
    cut[SIDE // 2 + 5 :, :] = WHITE
    drawn = [disc, cut, disc, cut, disc, cut, disc]
    fields = [cv2.warpAffine(one, moved(i % 2), (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
              for i, one in enumerate(drawn)]  # fmt: skip
    digit = np.zeros((SIDE, SIDE), bool)
    digit[4:14, 8:14] = True
    digits = [digit] * 6 + [None]  # without a digit, the last one joins the most similar
    features = extract_features(fields, digits, INNER)
    parts = split_by_shape([list(range(7))], features)
    assert sorted(sorted(part) for part in parts) == [[0, 2, 4, 6], [1, 3, 5]]


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


def test_a_symbol_printed_stronger_without_a_digit_is_merged() -> None:
    pale = (235, 160, 165)
    digit = np.zeros((SIDE, SIDE), bool)
    digit[24:40, 28:36] = True
    drawn = [("round", pale)] * 3 + [("bars", pale)] * 2 + [("round", RED)] * 2
    fields = [np.array(field(*kind, WHITE)) for kind in drawn]
    for one in fields[:5]:
        one[digit] = INK
    features = extract_features(fields, [digit] * 5 + [None] * 2, INNER)
    parts = merge_by_shape([[0, 1, 2], [3, 4], [5, 6]], features)
    assert sorted(sorted(part) for part in parts) == [[0, 1, 2, 5, 6], [3, 4]]


@pytest.mark.parametrize("other", [BLUE, RED])
def test_groups_of_one_shape_are_merged_in_one_ink(other: tuple[int, int, int]) -> None:
    drawn = [("round", RED)] * 2 + [("round", other)] * 3 + [("bars", RED)]
    fields = [field(*kind, WHITE) for kind in drawn]
    features = extract_features(fields, [None] * len(fields), INNER)
    parts = merge_by_shape([[0, 1], [2, 3, 4], [5]], features)
    joined = [[0, 1, 2, 3, 4], [5]] if other == RED else [[0, 1], [2, 3, 4], [5]]
    assert sorted(sorted(part) for part in parts) == joined


def test_groups_of_one_ink_on_different_tints_are_merged() -> None:
    green, grey = (90, 200, 150), (150, 150, 160)
    drawn = [("round", green, WHITE)] * 3 + [("round", green, grey)] * 2 + [("bars", green, grey)]
    fields = [field(*kind) for kind in drawn]
    features = extract_features(fields, [None] * len(fields), INNER)
    parts = merge_by_shape([[0, 1, 2], [3, 4], [5]], features)
    assert sorted(sorted(part) for part in parts) == [[0, 1, 2, 3, 4], [5]]


def test_two_dark_inks_in_shadow_stay_separate() -> None:
    violet, black = (34, 10, 60), (10, 10, 10)
    lit = [0.45, 0.4]
    fields = [(field("round", ink, WHITE) * by).astype(np.uint8)
              for ink in (violet, black) for by in lit]  # fmt: skip
    features = extract_features(fields, [None] * 4, INNER)
    assert len(merge_by_shape([[0, 1], [2, 3]], features)) == 2


def test_a_hairline_with_two_tints_showing_through_is_one_ink() -> None:
    tints = [WHITE, (172, 172, 190)]
    fields = [np.array(field("none", RED, tint)) for tint in tints for _ in range(3)]
    for i, one in enumerate(fields):
        ink = tuple((0.6 * np.array((60, 130, 110)) + 0.4 * np.array(tints[i // 3])).tolist())
        for top in (18, 30, 42):
            cv2.rectangle(one, (18, top), (46, top + 3), ink, -1)
    features = extract_features(fields, [None] * 6, INNER)
    assert len(merge_by_shape([[0, 1, 2], [3, 4, 5]], features)) == 1
    other = [np.flip(one, 2) if i < 3 else one for i, one in enumerate(fields)]
    features = extract_features(other, [None] * 6, INNER)
    assert len(merge_by_shape([[0, 1, 2], [3, 4, 5]], features)) == 2


def test_a_symbol_alone_is_merged_with_those_behind_unmasked_digits() -> None:
    pale = (235, 160, 165)
    digit = np.zeros((SIDE, SIDE), bool)
    digit[6:58, 27:37] = True
    drawn = [("round", pale)] * 4 + [("round", RED)] * 2
    fields = [np.array(field(*kind, WHITE)) for kind in drawn]
    for one in fields[:4]:
        one[digit] = INK
    features = extract_features(fields, [digit] * 3 + [None] * 3, INNER)
    assert len(merge_by_shape([[0, 1, 2, 3], [4, 5]], features)) == 1


def test_dark_ink_without_a_digit_is_merged() -> None:
    """A camera's tone curve changes the hue of dark colours."""
    ink, behind = (4, 96, 50), (112, 177, 159)
    digit = np.zeros((SIDE, SIDE), bool)
    digit[24:40, 28:36] = True
    drawn = [("round", behind)] * 3 + [("round", ink)] * 2
    fields = [np.array(field(*kind, (210, 200, 200))) for kind in drawn]
    for one in fields[:3]:
        one[digit] = INK
    features = extract_features(fields, [digit] * 3 + [None] * 2, INNER)
    assert len(merge_by_shape([[0, 1, 2], [3, 4]], features)) == 1


def test_two_separated_shapes_of_one_ink_are_not_merged() -> None:
    disc = field("round", RED, WHITE)
    cut = disc.copy()
    cut[SIDE // 2 + 5 :, :] = WHITE
    digit = np.zeros((SIDE, SIDE), bool)
    digit[4:14, 8:14] = True
    features = extract_features([disc, cut] * 3, [digit] * 6, INNER)
    assert len(merge_by_shape([[0, 2, 4], [1, 3, 5]], features)) == 2


@pytest.mark.parametrize("are_mixed", [True, False])
def test_two_inks_of_one_shape_are_separated_on_the_same_tints(*, are_mixed: bool) -> None:
    """If each ink has a tint of its own, it may be one ink that the tint shows through."""
    inks, tints = [(60, 90, 160), (95, 120, 185)], [WHITE, (215, 225, 245)]
    digit = np.zeros((SIDE, SIDE), bool)
    digit[4:14, 8:14] = True
    fields = []
    for i in range(12):
        fields.append(
            np.array(field("round", inks[i % 2], tints[(i // 2 if are_mixed else i) % 2]))
        )
        fields[-1][digit] = INK
    masks = [digit] * 11 + [None]
    parts = split_by_ink([list(range(12))], extract_features(fields, masks, INNER))
    one, other = list(range(0, 12, 2)), list(range(1, 12, 2))
    assert sorted(map(sorted, parts)) == ([one, other] if are_mixed else [sorted(one + other)])
    if are_mixed:
        numbers = [NO_NUMBER if mask is None else number(mask, 0.99) for mask in masks]
        groups = group_fields(fields, numbers, masks, INNER, in_a_row(fields))
        assert sorted(map(sorted, groups)) == [one, other]


def test_fields_with_digits_decide_whether_groups_are_merged() -> None:
    """Without a digit the symbol is larger and does not match."""
    digit = np.zeros((SIDE, SIDE), bool)
    digit[8:24, 8:20] = True
    small = np.array(field("none", RED, WHITE))
    cv2.circle(small, (46, 46), 7, RED, -1)
    small[digit] = INK
    large = np.array(field("none", RED, WHITE))
    cv2.rectangle(large, (20, 20), (44, 30), RED, -1)
    fields = [large, large, large, small, small, small]
    features = extract_features(fields, [None] * 3 + [digit] * 3, INNER)
    assert len(merge_by_shape([[0, 1, 2, 3], [4, 5]], features)) == 1


def test_a_thick_frame_that_touches_symbols_is_removed() -> None:
    kinds = [("round", RED), ("round", BLUE), ("bars", RED), ("bars", BLUE), ("none", RED)]
    fields = []
    for kind in kinds:
        one = np.array(field(*kind, WHITE))
        one[16:49, 48:60] = one[32, 32] if kind[0] != "none" else WHITE
        cv2.rectangle(one, (0, 0), (SIDE - 1, SIDE - 1), (70, 70, 70), 9)
        fields += [one] * 3
    assert sorted(grouped(fields)) == [list(range(i, i + 3)) for i in range(0, 15, 3)]


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


def test_print_close_to_the_border_is_compared() -> None:
    """Only the bar of a T behind digits is visible, close to the border."""
    digits = [np.zeros((SIDE, SIDE), bool) for _ in range(2)]
    digits[0][12:56, 24:40] = True
    digits[1][30:60, 26:38] = True
    letter = np.array(field("none", RED, WHITE))
    letter[4:8, 18:46] = letter[4:50, 29:35] = (214, 170, 120)
    fields = [letter.copy() for _ in range(6)]
    for i, one in enumerate(fields):
        one[digits[i // 3]] = INK
    features = extract_features(fields, [digits[i // 3] for i in range(6)], INNER)
    assert len(merge_by_shape([[0, 1, 2], [3, 4, 5]], features)) == 1


def test_a_sharpening_halo_is_no_background() -> None:
    """The halo of a black border is brighter than a dark field, which looked like print."""
    tint, edge = (146, 175, 91), (135, 169, 75)
    one = np.array(field("bars", BLUE, tint))
    within = one[2:-2, 2:-2].copy()
    one[2:-2, 2:-2] = edge
    one[7:-7, 7:-7] = within[5:-5, 5:-5]
    features = extract_features([one] * 2 + [field("none", RED, WHITE)] * 2, [None] * 4, INNER)
    assert printed_share(features)[0] < 0.3
    assert np.abs(features.backgrounds[0] - tint).max() < 3


def test_the_ink_of_a_hairline_excludes_its_surroundings() -> None:
    one = np.array(field("none", RED, WHITE))
    cv2.circle(one, (32, 32), 14, (250, 235, 235), 9)
    cv2.circle(one, (32, 32), 14, BLUE, 2)
    features = extract_features([one, field("none", RED, WHITE)], [None] * 2, INNER)
    assert np.abs(inks_on_paper(features)[0, 1] - np.array(BLUE) / 250).max() < 0.2


def test_fields_without_a_clear_shape_are_not_split() -> None:
    kinds = [("round", RED), ("none", RED), ("bars", (244, 240, 240)), ("none", RED)]
    features = extract_features([field(*kind, WHITE) for kind in kinds], [None] * len(kinds), INNER)
    assert [sorted(part) for part in split_by_shape([[0, 1, 2], [3]], features)] == [[0, 1, 2], [3]]


def test_pale_shapes_in_several_fields_are_separated() -> None:
    pale = (228, 228, 232)
    kinds = ["round", "bars"] * 4 + ["none"]
    features = extract_features([field(kind, pale, WHITE) for kind in kinds], [None] * 9, INNER)
    parts = split_by_shape([list(range(9))], features)
    assert sorted(sorted({*part} - {8}) for part in parts) == [[0, 2, 4, 6], [1, 3, 5, 7]]


def moved(by: int) -> np.ndarray:
    return np.array([[1, 0, by], [0, 1, 2 * by]], np.float32)


def number(mask: np.ndarray, sure: float) -> DigitReading:
    left, top, wide, high = (at / SIDE for at in cv2.boundingRect(mask.astype(np.uint8)))
    return DigitReading(
        1, sure, Blob((left, top, wide, high), mask, np.zeros((24, 24, 2), np.float32))
    )


def test_the_distance_threshold_is_lower_for_large_clusters() -> None:
    two = np.array([[0.0, 0], [0.9, 0]])
    assert cluster(two, 1) == [[0, 1]]
    one = np.array([[0, 0.3], [0, -0.3]] * 6)
    other = one + np.array([0.9, 0])
    assert sorted(map(sorted, cluster(np.concatenate([one, other]), 1))) == [
        list(range(12)), list(range(12, 24)),
    ]  # fmt: skip


def test_one_field_alone_is_a_group() -> None:
    assert cluster(np.zeros((1, 2)), 1) == [[0]]


def test_a_chance_link_does_not_chain_shapes() -> None:
    shapes = np.array([0] * 6 + [1] * 5 + [2])
    is_like = shapes[:, None] == shapes
    by_chance = is_like.copy()
    by_chance[0, 6] = by_chance[6, 0] = True
    assert (remove_accidental_pairs(by_chance) == is_like).all()


def test_a_chain_of_similar_fields_is_kept() -> None:
    at = np.arange(12)
    is_like = np.abs(at[:, None] - at) < 4
    assert (remove_accidental_pairs(is_like) == is_like).all()
