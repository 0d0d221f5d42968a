"""Which digit stands in each field, how sure is that, and which way is up?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Picture
from sheets.scanning.unknown.blobs import Blob, Box, Ink, Lines, find_blobs
from sheets.scanning.unknown.digits import KINDS, judge
from sheets.scanning.unknown.flat import FIELD_PX, Flat, Place, between, cut_patches
from sheets.scanning.unknown.lattice import Lattice
from sheets.scanning.unknown.quads import Points

TRIED: Final = 36
"""So many fields say which way is up."""

CLEAR: Final = 0.9
_ASKED: Final = 0.89
"""How sure at most is what is not read in one of the ways in `_SURE`: a symbol may be a digit
then."""

_SURE: Final = (Lines.PLAIN, Lines.SOFTER)

LEAST: Final = 0.5
"""What is less likely is no digit."""

_ENOUGH, _FEW = 0.6, 1
"""Where so many fields have a dark digit, no others are looked for to tell which way is up; and so
many light ones may be chance."""

_GLANCED, _GLIMPSE = 18, 0.07
"""So many patches of a lattice are glanced at first; where fewer than that share of them have a
digit, whichever way is up, it is no sheet."""

_MARGIN, _FAR, _MOSTLY = 0.2, 0.03, 0.6
"""What lies within so much of a field on all sides is looked at; its darkest and its brightest
pixels, but for so many, say which way its print differs; on so many fields at least it is light."""

_LEAST_OTHERS, _NEAR, _AS_HIGH = 8, 0.09, 0.17
_LEAST_PLACED, _MOST_PLACES = 4, 3
"""So many digits in one place say that there digits usually are, and of so many such places."""

_SEVERAL: Final = 3
"""So many digits are not there by chance."""

_OUT, _AS_SLENDER = 0.1, 0.2
_RIM, _ALL = 0.12, 0.9
_ALONE: Final = 0.6
"""What a digit of another size or at another place than all others is worth."""


Judged = tuple[list[Blob], NDArray[np.float32]]
"""The blobs of a field, and how likely each of `KINDS` is for each of them."""

Known = dict[tuple[Place, Ink, Lines], Judged]
"""What was seen at a place in an ink, by how its lines were looked at."""


@dataclass
class Number:
    """What stands in a field: ``digit`` (None: none that can be read), and how sure it is.

    ``blob`` is the digit's own.
    """

    digit: int | None
    sure: float
    blob: Blob | None


def seem_to_have_digits(photo: Picture, lattice: Lattice) -> bool:
    """Whether a few of a lattice's patches say that it may be a sheet, before it is laid flat."""
    crops = cut_patches(photo, lattice, ceil(len(lattice.at) / _GLANCED))
    return max(_shares(crops, (1, 1), range(4), _GLIMPSE).values()) >= _GLIMPSE


def upright(flat: Flat) -> tuple[Flat, float]:
    """The sheet turned so that most digits stand upright, and what share of its fields has one."""
    step = ceil(len(flat.places) / TRIED)
    crops = [flat.crop(place) for place in flat.places[::step]]
    # Rows are shifted, never columns: such a sheet has two ways to lie.
    turns = (0, 2) if any(x % 1 != flat.places[0][0] % 1 for x, _ in flat.places) else range(4)
    shares = _shares(crops, flat.inner, turns, _ENOUGH)
    best = max(shares, key=lambda turn: shares[turn])
    for _ in range(best):
        flat = flat.turned()
    return flat, shares[best]


def _shares(
    crops: Sequence[Picture], inner: tuple[float, float], turns: Iterable[int], enough: float
) -> dict[int, float]:
    """What share of some fields has a digit, for each way up; light ones count, too, where fewer
    than enough have a dark one."""
    turns = tuple(turns)
    best = np.zeros((len(turns), len(crops)))
    for ink in Ink:
        fields = [find_blobs(crop, inner, (ink,), is_upright=False) for crop in crops]
        best = np.maximum(best, [_clearest(fields, turn) for turn in turns])
        if best.mean(1).max() >= enough:
            break
    return dict(zip(turns, best.mean(1).tolist(), strict=True))


def _clearest(fields: Sequence[list[Blob]], turn: int) -> list[float]:
    """How likely the likeliest digit of each field is, turned by so many quarters."""
    return [float(one[:, 1:].max()) if len(one) else 0.0 for one in _likely(fields, turn)]


def read_numbers(flat: Flat, known: Known | None = None) -> list[Number]:
    """The digit of each of `Flat.places`.

    ``known`` is what was seen on this picture before: more of its places may be asked about then,
    without looking at the others again.
    """
    fields, likely = _look(flat, {} if known is None else known)
    first = [_number(blobs, one) for blobs, one in zip(fields, likely, strict=True)]
    usual = _usual_places(first)
    if len(usual) < _LEAST_OTHERS:
        return first
    worths = [one * _worths(blobs, usual) for blobs, one in zip(fields, likely, strict=True)]
    found = [_number(*field) for field in zip(fields, worths, strict=True)]
    plain = [_number(*_as_they_are(*one)).digit for one in zip(fields, worths, strict=True)]
    return _cut_free(flat, found, plain, usual)


def _as_they_are(
    blobs: Sequence[Blob], likely: NDArray[np.float32]
) -> tuple[list[Blob], NDArray[np.float32]]:
    """The blobs seen by lines as they are, and how likely each kind is for them."""
    kept = [i for i, blob in enumerate(blobs) if blob.lines is Lines.PLAIN]
    return [blobs[i] for i in kept], likely[kept]


def _cut_free(
    flat: Flat, numbers: Sequence[Number], plain: Sequence[int | None], usual: Points
) -> list[Number]:
    """The numbers; what is clear only within a box where digits usually are is cut out there.

    ``plain`` are the digits that are read with lines as they are.

    A symbol of the same ink may touch its digit. Where that is clear all the same the symbol is
    cut off, which would else be taken for a part of the digit.
    """
    found = list(numbers)
    boxes = _usual_boxes(numbers)
    asked = [
        (i, box)
        for i, one in enumerate(numbers)
        for box in boxes
        if one.sure < CLEAR
        or (one.blob and _sticks_out(one.blob.box, box) and not _is_as_its_kind(one, numbers))
    ]
    cut = [find_blobs(flat.crop(flat.places[i]), flat.inner, within=box) for i, box in asked]
    for (i, _box), blobs, likely in zip(asked, cut, _likely(cut), strict=True):
        one, first = _number(blobs, likely * _worths(blobs, usual)), numbers[i]
        if one.digit != plain[i]:
            # A part of a symbol may look like a digit where there is none.
            one.sure = min(one.sure, CLEAR)
        is_better = first.sure < CLEAR and one.sure > found[i].sure
        if one.sure >= CLEAR and (is_better or one.digit == first.digit):
            found[i] = one
    return found


def _sticks_out(box: Box, usual: Box) -> bool:
    """Whether something is more than a digit: one of its sides is far out of the usual box."""
    out = (
        usual[0] - box[0],
        usual[1] - box[1],
        box[0] + box[2] - usual[0] - usual[2],
        box[1] + box[3] - usual[1] - usual[3],
    )
    return sum(one > _OUT for one in out) == 1 and sum(abs(one) < _NEAR for one in out) == 3


def _is_as_its_kind(number: Number, numbers: Sequence[Number]) -> bool:
    """Whether most of the same digit are as slender: a 3, 4 or 5 of old style goes lower than
    others do, and a 6 higher."""
    if number.blob is None:
        return False
    kind = [one.blob for one in numbers
            if one.blob and one.digit == number.digit and one.sure >= CLEAR]  # fmt: skip
    off = [abs(_slender(one) - _slender(number.blob)) < _AS_SLENDER for one in kind]
    return bool(off) and sum(off) > len(off) / 2


def _slender(blob: Blob) -> float:
    """The logarithm of how much higher than wide something is."""
    return float(np.log(blob.box[3] / blob.box[2]))


def _usual_boxes(numbers: Sequence[Number]) -> list[Box]:
    """Where clear digits are: a box around most of those that are as high in one place, for each
    place where there are enough."""
    left = [one.blob for one in numbers if one.blob and one.sure >= CLEAR]
    least = max(_LEAST_PLACED, len(left) // 20)
    boxes = []
    while len(left) >= least:
        where = np.array([_where(blob) for blob in left])
        is_near = (np.abs(where[:, None] - where) < (_NEAR / 2, _NEAR / 2, _AS_HIGH / 2)).all(2)
        most = is_near[int(is_near.sum(1).argmax())]
        if most.sum() < least:
            break
        sides = np.array([blob.box for blob, one in zip(left, most, strict=True) if one])
        low = np.quantile(sides[:, :2], 0.1, axis=0)
        high = np.quantile(sides[:, :2] + sides[:, 2:], 0.9, axis=0)
        boxes.append((*low.tolist(), *(high - low).tolist()))
        left = [blob for blob, one in zip(left, most, strict=True) if not one]
    return boxes[:_MOST_PLACES]


def _look(flat: Flat, known: Known) -> tuple[list[list[Blob]], list[NDArray[np.float32]]]:
    """The blobs of each field and how likely each kind is for them.

    Those of the usual ink first. Digits of the other one are looked for in fields without a clear
    one, and if there are some, in all. Where none is clear lines are made softer, then thicker: a
    hairline is lost in grain, in pieces, or hardly darker than its field. Where nothing at all is
    read then, a digit may lie on its symbol, or touch one that is far darker.
    """
    first = _usual_ink(flat)
    other = Ink.LIGHT if first is Ink.DARK else Ink.DARK
    seen = _seen(flat, flat.places, first, known)
    fields = [list(blobs) for blobs, _likely in seen]
    likely = [one for _blobs, one in seen]

    def look(asked: Sequence[int], ink: Ink, *, lines: Lines = Lines.PLAIN) -> int:
        found = _seen(flat, [flat.places[i] for i in asked], ink, known, lines=lines)
        for i, (blobs, one) in zip(asked, found, strict=True):
            fields[i] += blobs
            likely[i] = np.concatenate([likely[i], one])
        return sum(_is_clear(one) for _blobs, one in found)

    asked = [i for i, one in enumerate(likely) if not _is_clear(one)]
    inks = [first]
    if look(asked, other) > _FEW:
        look(sorted(set(range(len(fields))) - set(asked)), other)
        inks.append(other)
    for lines in (Lines.SOFTER, Lines.THICKER):
        asked = [i for i, one in enumerate(likely) if not _is_clear(one)]
        for ink in inks:
            look(asked, ink, lines=lines)
    asked = [i for i, one in enumerate(likely) if not len(one) or one[:, 1:].max() < LEAST]
    for ink in inks:
        look(asked, ink, lines=Lines.CROWDED)
    return fields, likely


def _usual_ink(flat: Flat) -> Ink:
    """Whether print is mostly darker or brighter than its ground, by some fields."""
    off = round(_MARGIN * FIELD_PX)
    some = [
        flat.crop(place)[off:-off, off:-off].mean(2)
        for place in flat.places[:: ceil(len(flat.places) / TRIED)]
    ]
    low, ground, high = np.quantile(np.stack(some), (_FAR, 0.5, 1 - _FAR), axis=(1, 2))
    return Ink.LIGHT if (high - ground > ground - low).mean() > _MOSTLY else Ink.DARK


def _seen(
    flat: Flat, places: Sequence[Place], ink: Ink, known: Known, *, lines: Lines = Lines.PLAIN
) -> list[Judged]:
    """The blobs of one ink at some places; what was not known of them is then."""
    asked = [place for place in places if (place, ink, lines) not in known]
    fields = [find_blobs(flat.crop(place), flat.inner, (ink,), lines=lines) for place in asked]
    for place, blobs, likely in zip(asked, fields, _likely(fields), strict=True):
        known[place, ink, lines] = blobs, np.minimum(likely, 1 if lines in _SURE else _ASKED)
    return [known[place, ink, lines] for place in places]


def _is_clear(likely: NDArray[np.float32]) -> bool:
    """Whether one of some blobs clearly is a digit."""
    return bool(len(likely)) and bool(likely[:, 1:].max() >= CLEAR)


def find_unframed(flat: Flat, numbers: Sequence[Number], known: Known) -> list[Place]:
    """Places between fields where no border was seen but a digit stands as in other fields.

    There have to be several: one or two are numbers that somebody printed into a hole, but where
    fields lie on all four sides, for such a hole cannot be told from a field. Of these, and of all
    where there are several, whatever has print within is a field, a symbol without a digit, too.
    ``known`` as of `read_numbers`.
    """
    fields, clear = _look_between(flat, numbers, 0, tuple(Ink), known)
    printed = [
        place
        for place, blobs in fields.items()
        if place in clear or any(_is_print(blob, flat.inner) for blob in blobs)
    ]
    if len(clear) < max(_SEVERAL, len(flat.places) // 25):
        around = [*flat.places, *clear]
        return [place for place in printed if _is_closed_in(around, place)]
    return printed


def go_on(flat: Flat, numbers: Sequence[Number], known: Known) -> bool:
    """Whether several digits stand beside the fields as they do in them: more of the sheet is
    there. ``known`` as of `read_numbers`."""
    clear = Counter(ink for (_place, ink, _lines), (_blobs, one) in known.items() if _is_clear(one))
    inks = [ink for ink, count in clear.items() if count > _FEW]
    return len(_look_between(flat, numbers, 1, inks, known)[1]) >= _SEVERAL


def _look_between(
    flat: Flat, numbers: Sequence[Number], ring: int, inks: Sequence[Ink], known: Known
) -> tuple[dict[Place, list[Blob]], set[Place]]:
    """What is at the places `between` fields, and at which of them a digit stands as in fields."""
    usual = _usual_places(numbers)
    if len(usual) < _LEAST_OTHERS or not inks:
        return {}, set()
    asked = sorted(one for one in between(set(flat.places), ring) if flat.covers(one))
    found: dict[Place, list[Blob]] = {}
    clear = set()
    for place, *judged in zip(
        asked, *(_seen(flat, asked, ink, known) for ink in inks), strict=True
    ):
        found[place] = [blob for blobs, _likely in judged for blob in blobs]
        one = _number(found[place], np.concatenate([likely for _blobs, likely in judged]))
        if one.blob and one.sure >= CLEAR and _worths([one.blob], usual)[0, 0] == 1:
            clear.add(place)
    return found, clear


def _is_closed_in(places: Sequence[Place], place: Place) -> bool:
    """Whether there are fields on all four sides of a place."""
    steps = np.array(places) - place
    across, down = np.abs(steps).T
    beside = [steps[:, 0][(down == 0) & (across == 1)], steps[:, 1][(down == 1) & (across < 1)]]
    return all({-1, 1} <= set(some.tolist()) for some in beside)


def _is_print(blob: Blob, inner: tuple[float, float]) -> bool:
    """Whether a blob lies off the rim of its place, where a neighbour's border may reach in, and is
    not all of what is within, where nothing is."""
    left, top, wide, high = blob.box
    is_all = min(wide / inner[0], high / inner[1]) > _ALL
    return min(left, top, 1 - left - wide, 1 - top - high) > _RIM and not is_all


def _usual_places(numbers: Sequence[Number]) -> NDArray[np.float64]:
    """Where clear digits are, and how high."""
    found = [_where(one.blob) for one in numbers if one.blob and one.sure >= CLEAR]
    return np.array(found, float).reshape(-1, 3)


def _likely(fields: Sequence[Sequence[Blob]], turn: int = 0) -> list[NDArray[np.float32]]:
    """How likely each kind is for each blob of each field, turned by so many quarters."""
    patches = [np.rot90(blob.patch, turn) for blobs in fields for blob in blobs]
    likely = judge(np.stack(patches)) if patches else np.zeros((0, len(KINDS)), np.float32)
    ends = np.cumsum([0, *(len(blobs) for blobs in fields)])
    return [likely[start:end] for start, end in pairwise(ends)]


def _where(blob: Blob) -> tuple[float, float, float]:
    """Its middle, and the logarithm of its height."""
    left, top, wide, high = blob.box
    return left + wide / 2, top + high / 2, float(np.log(high))


def _worths(blobs: Sequence[Blob], others: NDArray[np.float64]) -> NDArray[np.float32]:
    """1 for each of N blobs that is where digits are, and as high; less for the rest: N × 1."""
    where = np.array([_where(blob) for blob in blobs]).reshape(-1, 1, 3)
    off = np.abs(others - where) / (_NEAR, _NEAR, _AS_HIGH)
    least = max(3, len(others) // 50)
    is_usual = (off.max(2) < 1).sum(1, keepdims=True) >= least
    return np.where(is_usual, np.float32(1), np.float32(_ALONE))


def _number(blobs: Sequence[Blob], likely: NDArray[np.float32]) -> Number:
    """The likeliest digit of a field; another one beside it makes it less sure."""
    if not len(blobs):
        return Number(None, 0.0, None)
    best = int(likely[:, 1:].max(1).argmax())
    kind = int(likely[best, 1:].argmax()) + 1
    sure = float(likely[best, kind])
    other = float(np.delete(likely[:, 1:], kind - 1, axis=1).max())
    sure = sure * sure / (sure + other) if other > LEAST else sure
    if sure < LEAST:
        return Number(None, sure, None)
    return Number(KINDS[kind], sure, blobs[best])
