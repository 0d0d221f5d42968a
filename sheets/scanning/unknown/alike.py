"""Which fields look alike apart from their digit? Symbols are gathered, not guessed.

A small network makes of each field a place, so that like symbols lie near each other, whatever
symbols they are; `training.learn_groups` has made its weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.scanning.layers import Floats, Weights, read_weights, run_layer
from sheets.scanning.pixels import Picture
from sheets.scanning.unknown.faint import join_faint, look_for_faint
from sheets.scanning.unknown.flat import Place
from sheets.scanning.unknown.looks import (
    Looks,
    Mask,
    are_dark,
    colours_of,
    inked_share,
    inverted,
    out_of_shade,
    seen,
    some_of,
    take_looks,
)
from sheets.scanning.unknown.numbers import CLEAR, Number
from sheets.scanning.unknown.one_ink import split_inks
from sheets.scanning.unknown.outlines import join_shapes, split_shapes

WEIGHTS: Final = Path(__file__).with_name("alike.npz")
LAYERS: Final = ("a", "b", "c")
"""Convolutions of 3 × 3, each pooled by 2 afterwards."""

PLACED: Final = 32
"""A field's place has so many coordinates; one output more says whether there is a symbol."""

AT_ONCE: Final = 32
_FARTHER: Final = 1.3
"""How much farther apart what is joined may lie than two fields that are as likely alike as not: it
is the middle of many places that is looked at."""

_WITH_SYMBOLS: Final = 1.5
"""The same where it is clear which fields have symbols: their shapes are compared afterwards."""

_LARGE: Final = 0.35
"""How near large groups have to be, beside two fields, to be one."""

_PLAIN: Final = -2.0
"""What is less likely to have symbols than that, as a logarithm of odds, has none."""

_LEAST_PRINT: Final = 0.03
"""How much of a field without a digit is printed at least, where there is a symbol."""

_USUAL: Final = 0.85
"""The share of clear digits that have the usual ink: a few symbols may have been taken for some."""

_LEAST_CLEAR, _LEAST_OFF, _OTHER_INK = 8, 0.1, 1.5
"""So many clear digits say which ink digits are printed in; how far off theirs are at least taken
to be, beside the ground; and how much farther is another ink."""


def group_fields(
    fields: Sequence[Picture],
    numbers: Sequence[Number],
    masks: Sequence[Mask | None],
    inner: tuple[float, float],
    at: Sequence[Place],
) -> list[list[int]]:
    """The fields that look alike, each in one group, those first that are least like the others of
    theirs: of all groups the largest is the first.

    Those with nothing but a digit are a group, too, and so are those with nothing at all.
    ``fields`` are as `even_light` makes them, ``masks`` as `digit_masks` says; ``inner``: how wide
    and how high a field is within its border, of its picture; ``at``: where each field is.
    """
    if are_dark(fields, masks, inner):
        fields = inverted(fields, masks, at)
    else:
        fields = out_of_shade(fields, inner)
    looks = take_looks(fields, masks, inner)
    places, marked = place(looks)
    near = float(load_weights()["near"][0])
    plain: list[int] = []
    with_symbols: list[int] = []
    for group in cluster(places, _FARTHER * near):
        if np.mean(marked[group]) > _PLAIN:
            with_symbols += group
        else:
            plain += group
    # What is printed where no digit is, however little it looks like a symbol.
    is_printed = inked_share(looks) > _LEAST_PRINT
    printed = [i for i in plain if not numbers[i].digit and is_printed[i]]
    with_symbols += printed
    plain = [i for i in plain if i not in printed]
    groups = []
    if with_symbols:
        joined = cluster(places[with_symbols], _WITH_SYMBOLS * near)
        parts = split_shapes([[with_symbols[i] for i in one] for one in joined], looks)
        groups = split_inks(join_shapes(parts, looks), looks)
    boxes = [one.blob.box if one.blob else None for one in numbers]
    if faint := look_for_faint(fields, boxes, inner, plain):
        others = look_for_faint(fields, boxes, inner, with_symbols)
        groups = join_faint(faint, others, groups)
        plain = sorted(set(plain).difference(*groups))
    bare = [i for i in plain if not numbers[i].digit]
    plain = [i for i in plain if numbers[i].digit]
    found = sorted(
        (sorted(one) for one in (plain, bare, *groups) if one), key=lambda one: (-len(one), one)
    )
    return [_odd_first(one, places) for one in found]


def _odd_first(group: list[int], places: Floats) -> list[int]:
    """What does not belong to a group is mostly far from its middle."""
    off = ((places[group] - np.median(places[group], axis=0)) ** 2).sum(1)
    # Fields that look the same keep their order, whatever is lost in rounding.
    return [group[i] for i in np.argsort(-np.round(off, 4), kind="stable")]


def digit_masks(
    fields: Sequence[Picture], numbers: Sequence[Number], inner: tuple[float, float]
) -> list[Mask | None]:
    """Which pixels of each field are its digit's.

    A symbol alone in its field may have been taken for a digit, however clearly. Where its colour
    is none that clear digits usually have, nothing is hidden: all of it would be lost.
    """
    masks = [number.blob.mask if number.blob else None for number in numbers]
    is_clear = np.array([number.digit is not None and number.sure >= CLEAR for number in numbers])
    if is_clear.sum() < _LEAST_CLEAR:
        return masks
    inks = colours_of(fields, masks, inner)
    off = np.abs(inks - np.median(inks[is_clear], axis=0)).max(1)
    usual = max(_LEAST_OFF, float(np.quantile(off[is_clear], _USUAL)))
    is_other = off > _OTHER_INK * usual
    return [None if other else mask for mask, other in zip(masks, is_other, strict=True)]


@cache
def load_weights() -> Weights:
    """Convolutions ``a`` to ``c``, ``d`` for a field, ``e`` and ``f`` for one among the others."""
    return read_weights(WEIGHTS)


def place(looks: Looks) -> tuple[Floats, Floats]:
    """Where each field lies among all that can be seen, N × `PLACED`, and how likely it is that it
    has a symbol: above 0 that is likelier than not."""
    weights = load_weights()
    count = len(looks.told)
    parts = [slice(i, i + AT_ONCE) for i in range(0, count, AT_ONCE)]
    alone = np.concatenate([_see(weights, some_of(looks, part)) for part in parts])
    every = [np.broadcast_to(one, alone.shape) for one in (alone.mean(0), alone.std(0))]
    among = np.maximum(np.concatenate([alone, *every], 1) @ weights["e"] + weights["e0"], 0)
    found = among @ weights["f"] + weights["f0"]
    return np.asarray(found[:, :PLACED]), np.asarray(found[:, PLACED])


def _see(weights: Weights, looks: Looks) -> Floats:
    """What is seen of each field alone."""
    parts = []
    for patches in seen(looks):
        for name in LAYERS:
            patches = run_layer(patches, weights, name, pooled=2)
        parts.append(patches.reshape(len(patches), -1))
    found = np.concatenate([*parts, looks.told], 1) @ weights["d"] + weights["d0"]
    return np.asarray(np.maximum(found, 0), np.float32)


def cluster(places: Floats, near: float) -> list[list[int]]:
    """Groups of fields by their places: the two nearest are joined, again and again.

    ``near`` is the square of how far apart two fields are that are as likely alike as not. The
    middles of large groups have to be nearer than that: in them what differs by chance is evened
    out.
    """
    middles = places.astype(np.float64)
    sizes = np.ones(len(middles))
    groups: list[list[int]] = [[i] for i in range(len(middles))]
    apart = np.stack([_apart(middles, sizes, i, near) for i in range(len(middles))])
    while True:
        i, k = (int(v) for v in np.unravel_index(apart.argmin(), apart.shape))
        if not apart[i, k] < 1:
            return [group for group in groups if group]
        middles[i] = (middles[i] * sizes[i] + middles[k] * sizes[k]) / (sizes[i] + sizes[k])
        sizes[i] += sizes[k]
        groups[i], groups[k] = groups[i] + groups[k], []
        off = np.where([bool(group) for group in groups], _apart(middles, sizes, i, near), np.inf)
        apart[i], apart[:, i] = off, off
        apart[k], apart[:, k] = np.inf, np.inf


def _apart(
    middles: NDArray[np.float64], sizes: NDArray[np.float64], i: int, near: float
) -> NDArray[np.float64]:
    """How far each group is from one of them; below 1 they may be joined."""
    allowed = near * (_LARGE + (1 - _LARGE) * (1 / sizes + 1 / sizes[i]) / 2)
    off = ((middles - middles[i]) ** 2).sum(1) / allowed
    off[i] = np.inf
    return np.asarray(off, np.float64)
