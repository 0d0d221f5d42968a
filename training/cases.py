"""Training examples of the mark classifier: patches of synthetic photos.

    PYTHONPATH=. python -m training.cases FOLDER --photos 300 --seed 1

writes ``cases-SEED-PART.npz`` files: patches of whole sheets with their labels, cut by the reader's
own steps. The marks are random, or with ``--filled games`` those of whole games that bots play.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
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
from training.filled_pages import PX_PER_MM, Filling, Truth, fill_page
from training.games import FILLED, play_sheets
from training.pens import WITH_WIDE_FELT
from training.random_levels import choose_level

SHEETS_PER_FILE: Final = 50
"""Number of sheets per file."""

PHOTOS_PER_PRINT: Final = 4
"""Number of photos per print, since drawing a page costs more than filling it in."""

_MANY_DOUBTS: Final = Filling(taken_back=0.04, stray=0.04)
"""Higher shares of rare marks than on real sheets, so that the network learns them."""

_MANY_NOTES: Final = replace(_MANY_DOUBTS, notes=(0.5, 0.3, 0.2))
"""The same for whole games, whose sheets are full: a note across a cross resembles one taken back.
"""

_EXTREMES: Final = (0.4, 0.2, 0.2)
"""Shares of `Filling.extremes` with ``--extremes``."""

_SHARES: Final = (0.2, 0.35, 0.45)
"""Share of photos by grade; difficult photos teach most."""


@dataclass
class Case:
    """Labelled patches of a sheet.

    ``patches`` are N × side × side × 6 (photo and reference, 0 to 255 for -0.25 to 1); ``kinds``
    are indices of `MARK_KINDS`; ``possible`` (N × kinds) is the mask of possible kinds;
    ``conditions`` are those of `Truth` and the lights of `Shot`, separated by spaces; ``grade`` is
    that of the photo.
    """

    patches: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    possible: NDArray[np.bool_]
    conditions: str
    grade: str

    def has(self, condition: str) -> bool:
        """Return whether the sheet has this pen, stroke or light."""
        return condition in self.conditions.split()


def training_filling(filled: str) -> Filling:
    """Return how sheets are filled in for training; ``filled`` is one of `FILLED`."""
    return _MANY_NOTES if filled == "games" else _MANY_DOUBTS


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
        make_case(one.layout, one.patches, by_place[one.place], grade, shot.lights)
        for one in sheets
        if one.layout and one.patches and one.place in by_place
    ]


def make_case(
    layout: SheetLayout,
    patches: SheetPatches,
    truth: Truth,
    grade: str,
    lights: frozenset[str] = frozenset(),
) -> Case:
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
        " ".join(sorted(truth.conditions | lights)),
        grade,
    )


def write_cases(
    folder: Path, seed: int, photos: int, filling: Filling, filled: str = "chance"
) -> None:
    """Write the examples of synthetic photos; ``filled`` is one of `FILLED`."""

    def make() -> Iterator[list[Case]]:
        for number in range(photos):
            if number % PHOTOS_PER_PRINT == 0:
                levels, options = choose_print(np.random.default_rng([seed, number, 0]))
            rng = np.random.default_rng([seed, number, 1])
            yield make_cases(rng, levels, options, filling, filled)

    write_files(folder, seed, make(), photos)


def write_files(folder: Path, seed: int, found: Iterable[list[Case]], photos: int) -> None:
    """Write examples to files of `SHEETS_PER_FILE` sheets; create the folder if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets: list[Case] = []
    part = 0
    for number, some in enumerate(found):
        sheets += some
        if len(sheets) >= SHEETS_PER_FILE or (sheets and number == photos - 1):
            np.savez(
                folder / f"cases-{seed}-{part}.npz",
                patches=np.concatenate([one.patches for one in sheets]),
                kinds=np.concatenate([one.kinds for one in sheets]),
                possible=np.concatenate([one.possible for one in sheets]),
                sizes=np.array([len(one.kinds) for one in sheets]),
                conditions=np.array([one.conditions for one in sheets]),
                grades=np.array([one.grade for one in sheets]),
            )
            part, sheets = part + 1, []


def read_files(folder: Path) -> list[Case]:
    """Read the examples of all files in a folder, sorted by file name."""
    sheets = []
    for path in sorted(folder.glob("cases-*.npz")):
        with np.load(path, allow_pickle=False) as file:
            ends = np.cumsum(file["sizes"])
            whole = [file[name] for name in ("patches", "kinds", "possible")]
            about = list(zip(file["conditions"], file["grades"], strict=True))
        for (conditions, grade), start, end in zip(about, [0, *ends[:-1]], ends, strict=True):
            parts = [one[start:end] for one in whole]
            sheets.append(Case(*parts, str(conditions), str(grade)))
    return sheets


def main() -> None:
    """Write files of examples."""
    parser = ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--filled", choices=FILLED, default="chance", help="what fills sheets in")
    parser.add_argument(
        "--extremes", action="store_true", help="most sheets empty, with one mark, or full"
    )
    parser.add_argument("--wide-felt", action="store_true", help="felt pens of up to 2.2 mm")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    filling = training_filling(options.filled)
    if options.extremes:
        filling = replace(filling, extremes=_EXTREMES)
    if options.wide_felt:
        filling = replace(filling, families=WITH_WIDE_FELT)
    write_cases(options.folder, options.seed, options.photos, filling, options.filled)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    import django

    django.setup()
    sys.exit(main())
