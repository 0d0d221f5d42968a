"""Training examples of the mark classifier: patches of synthetic photos.

    PYTHONPATH=. python -m training.cases FOLDER --sheets 300 --seed 1

writes ``cases-SEED-PART.npz`` files: patches of whole sheets with their labels, cut by the reader's
own steps. The marks are random, or with ``--filled games`` those of whole games that bots play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sheets.printing.geometry import PageOptions
from sheets.rules.level import Level
from sheets.vision.decoding import decode_photo
from sheets.vision.layouts import SheetLayout
from sheets.vision.mark_kinds import EMPTY, MARK_KINDS, NUMBER_KINDS, possible_kinds
from sheets.vision.patches import SheetPatches
from sheets.vision.refusals import Refused
from sheets.vision.sheet_extraction import extract_sheets
from training.camera import GRADES, photograph
from training.commands import parse_options, set_up_django
from training.filled_pages import PX_PER_MM, Filling, Truth, fill_page
from training.games import play_sheets
from training.pens import WITH_WIDE_FELT
from training.random_levels import choose_level

SHEETS_PER_FILE: Final = 50
"""Number of sheets per file."""

PHOTOS_PER_PRINT: Final = 4
"""Number of photos per print, since drawing a page costs more than filling it in."""

_USUAL: Final = Filling()
"""How people fill sheets in."""

_GAMES: Final = Filling(WITH_WIDE_FELT, taken_back=0.04, stray=0.04, notes=(0.5, 0.3, 0.2))
"""Higher shares of rare marks and wide pens than on real sheets, so that the network learns them.

These sheets are full, so many have notes: a note across a cross resembles one taken back.
"""

_RANDOM: Final = Filling(WITH_WIDE_FELT, taken_back=0.04, stray=0.04, extremes=(0.1, 0.05, 0.1))
"""The same for random marks, with some empty and some full sheets."""

_SHARES: Final = (0.2, 0.35, 0.45)
"""Share of photos by grade; difficult photos teach most."""


@dataclass
class Case:
    """Labelled patches of a sheet.

    ``patches`` are N × side × side × 6 (photo and reference, 0 to 255 for -0.25 to 1); ``kinds``
    are indices of `MARK_KINDS`; ``possible`` (N × kinds) is the mask of possible kinds.
    """

    patches: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    possible: NDArray[np.bool_]


def choose_filling(filled: str, validation: bool) -> Filling:
    """Return how sheets are filled in for training or validation; ``filled`` is one of `FILLED`."""
    if validation:
        return _USUAL
    return _GAMES if filled == "games" else _RANDOM


def pack_patches(patches: SheetPatches) -> NDArray[np.uint8]:
    """Quantise darkness to bytes."""
    both = np.concatenate([patches.photo, patches.printed], 3)
    return np.clip(np.round((both + 0.25) * (255 / 1.25)), 0, 255).astype(np.uint8)


def unpack_patches(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the darkness of quantised patches."""
    return patches.astype(np.float32) * np.float32(1.25 / 255) - np.float32(0.25)


def choose_print(rng: Generator) -> tuple[list[Level], PageOptions]:
    """Choose one or two random levels, and print options."""
    two = rng.random() < 0.2
    options = PageOptions(
        paper="a5" if not two and rng.random() < 0.8 else str(rng.choice(["a4", "letter"])),
        per_page=2 if two else 0,
        bw=bool(rng.random() < 0.3),
    )
    return [choose_level(rng) for _ in range(2 if two else 1)], options


def make_cases(
    rng: Generator, levels: list[Level], options: PageOptions, filling: Filling, filled: str
) -> list[Case]:
    """Make the examples of one photo, without refused sheets; ``filled`` is one of `FILLED`."""
    marked = play_sheets(rng, levels, filling, filled)
    page, truths = fill_page(rng, levels, options, filling, marked)
    grade = str(rng.choice(GRADES, p=_SHARES))
    megapixels = rng.uniform(7, 12) if len(levels) > 1 else rng.uniform(3, 6)
    shot = photograph(rng, page, PX_PER_MM, grade, megapixels)
    by_place = {truth.place: truth for truth in truths}
    try:
        sheets = extract_sheets(decode_photo(shot.jpeg), levels, levels)
    except Refused:
        return []
    return [
        make_case(one.layout, one.patches, by_place[one.place])
        for one in sheets
        if one.layout and one.patches and one.place in by_place
    ]


def make_case(layout: SheetLayout, patches: SheetPatches, truth: Truth) -> Case:
    """Label the patches of a sheet with its ground truth."""
    level = layout.level
    true: dict[str, str] = {
        name: EMPTY if kind == "printed" else kind for name, kind in truth.fields.items()
    }
    possible: dict[str, tuple[str, ...]] = {
        one.name: possible_kinds(level, one) for one in level.fields
    }
    for name, room in layout.numbers.items():
        true[name] = truth.numbers.get(room.track, {}).get(str(room.points), EMPTY)
        possible[name] = NUMBER_KINDS
    names = [name for name in patches.names if len(possible[name]) > 1]
    chosen = [patches.names.index(name) for name in names]
    return Case(
        pack_patches(patches)[chosen],
        np.array([MARK_KINDS.index(true[name]) for name in names], np.uint8),
        np.array([[kind in possible[name] for kind in MARK_KINDS] for name in names]),
    )


def make_sheets(seed: int, filling: Filling, filled: str = "chance") -> Iterator[Case]:
    """Yield the examples of synthetic photos without end; ``filled`` is one of `FILLED`."""
    for number in count():
        if number % PHOTOS_PER_PRINT == 0:
            levels, options = choose_print(np.random.default_rng([seed, number, 0]))
        rng = np.random.default_rng([seed, number, 1])
        yield from make_cases(rng, levels, options, filling, filled)


def write_files(folder: Path, seed: int, cases: Iterator[Case]) -> None:
    """Write examples to files of `SHEETS_PER_FILE` sheets; create the folder if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in count():
        sheets = list(islice(cases, SHEETS_PER_FILE))
        if not sheets:
            break
        np.savez(
            folder / f"cases-{seed}-{part}.npz",
            patches=np.concatenate([one.patches for one in sheets]),
            kinds=np.concatenate([one.kinds for one in sheets]),
            possible=np.concatenate([one.possible for one in sheets]),
            sizes=np.array([len(one.kinds) for one in sheets]),
        )


def read_files(folder: Path) -> list[Case]:
    """Read the examples of all files in a folder, sorted by file name."""
    sheets = []
    for path in sorted(folder.glob("cases-*.npz")):
        with np.load(path, allow_pickle=False) as file:
            ends = np.cumsum(file["sizes"])
            whole = [file[name] for name in ("patches", "kinds", "possible")]
        for start, end in zip([0, *ends[:-1]], ends, strict=True):
            sheets.append(Case(*(one[start:end] for one in whole)))
    return sheets


def main() -> None:
    """Write files of examples."""
    options = parse_options("--sheets", 300, has_filled=True)
    filling = choose_filling(options.filled, options.validation)
    sheets = make_sheets(options.seed, filling, options.filled)
    write_files(options.output, options.seed, islice(sheets, options.sheets))


if __name__ == "__main__":
    set_up_django()
    main()
