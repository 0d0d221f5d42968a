"""Which modules of QR codes are dark, of some codes at once?

As `sheets.printing.codes.qr_modules` says it, in a third of the time: most of a code's time goes
into which of eight masks is laid over its data, the one with the fewest patterns that confuse
machines (ISO/IEC 18004, 7.8). Here the masks of all codes are judged together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import segno
from numpy.typing import NDArray
from segno import consts

from sheets.printing.codes import make_qr

Modules = NDArray[np.bool_]
"""… × side × side: what is dark."""

MASKS: Final = 8

_DATA: Final = (consts.TYPE_DATA_DARK, consts.TYPE_DATA_LIGHT)
_SET_LATER: Final = (
    consts.TYPE_FORMAT_DARK,
    consts.TYPE_VERSION_DARK,
    consts.TYPE_DARKMODULE,
)
"""What is light as long as masks are judged."""

_FINDER: Final = (True, False, True, True, True, False, True)
_BESIDE: Final = 4
"""So many light modules beside it make a pattern look like a finder."""


class _Frame(NamedTuple):
    """What all codes of a size and strength have in common.

    ``is_data`` are the modules that masks turn, ``masks`` those that each of them does; ``judged``
    is what else is dark while masks are judged, ``finished`` afterwards, for each mask.
    """

    is_data: Modules
    masks: Modules
    judged: Modules
    finished: Modules


def modules_of(contents: Sequence[str]) -> Modules:
    """The modules of the codes of some texts, N × side × side; all codes are of one size."""
    codes = [make_qr(content, mask=0) for content in contents]
    (strength,) = {(int(code.version), code.error) for code in codes}
    frame = _frame(*strength)
    data = np.array([code.matrix for code in codes], bool) & frame.is_data
    masked = data[:, None] ^ frame.masks
    best = _penalties(masked | frame.judged).argmin(1)
    return np.asarray(masked[np.arange(len(codes)), best] | frame.finished[best])


@lru_cache(maxsize=16)
def _frame(version: int, error: str) -> _Frame:
    codes = [
        segno.make("0", version=version, error=error, mask=mask, boost_error=False)
        for mask in range(MASKS)
    ]
    dark = np.array([code.matrix for code in codes], bool)
    kinds = np.array([list(row) for row in codes[0].matrix_iter(border=0, verbose=True)])
    is_data = np.isin(kinds, _DATA)
    is_data[8, -9] = True  # Segno says that it tells of the format, which begins right of it.
    return _Frame(
        is_data, (dark ^ dark[0]) & is_data, dark[0] & ~is_data & ~np.isin(kinds, _SET_LATER),
        dark & ~is_data,
    )  # fmt: skip


def _penalties(codes: Modules) -> NDArray[np.int64]:
    """How much speaks against each code; the last two axes are its rows and columns."""
    both = np.stack([codes, codes.swapaxes(-1, -2)])
    lines = (_runs(both) + 40 * _finders(both)).sum((0, -1))
    blocks = _alike(codes)[..., 1:, :] & _alike(codes)[..., :-1, :]
    blocks &= codes[..., 1:, 1:] == codes[..., :-1, 1:]
    share = codes.mean((-1, -2)) * 100
    uneven = (np.abs(share - 50) / 5).astype(int)
    return np.asarray(lines + 3 * blocks.sum((-1, -2)) + 10 * uneven)


def _alike(lines: Modules) -> Modules:
    """Which modules are as the one before."""
    return np.asarray(lines[..., 1:] == lines[..., :-1])


def _runs(lines: Modules) -> NDArray[np.int64]:
    """For each line: 3 for five alike in a row, 1 for each that follows."""
    alike = _alike(lines)
    five = alike[..., :-3] & alike[..., 1:-2] & alike[..., 2:-1] & alike[..., 3:]
    begun = five[..., 0] + (five[..., 1:] & ~five[..., :-1]).sum(-1)
    return np.asarray(five.sum(-1) + 2 * begun)


def _finders(lines: Modules) -> NDArray[np.int64]:
    """For each line how often something in it looks like a part of a finder; none overlap."""
    places = lines.shape[-1] - len(_FINDER) + 1
    looks = np.ones((*lines.shape[:-1], places), bool)
    for i, is_dark in enumerate(_FINDER):
        looks &= lines[..., i : i + places] == is_dark
    light = np.pad(~lines, [(0, 0)] * (lines.ndim - 1) + [(_BESIDE, _BESIDE)], constant_values=True)
    before, after = (
        np.logical_and.reduce([light[..., i + j : i + j + places] for j in range(_BESIDE)])
        for i in (0, _BESIDE + len(_FINDER))
    )
    looks &= before | after
    counts = np.zeros(lines.shape[:-1], np.int64)
    free = np.zeros_like(counts)
    for at in np.flatnonzero(looks.any(tuple(range(lines.ndim - 1)))):
        found = looks[..., at] & (free <= at)
        counts += found
        free[found] = at + len(_FINDER)
    return counts
