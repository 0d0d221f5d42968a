"""What the reader's network learns from: patches of photos, seen as the reader sees them.

    PYTHONPATH=. python -m training.cases FOLDER --photos 300 --seed 1

writes ``cases-SEED-PART.npz`` files: patches of whole sheets with what is true of them. Chance
fills the sheets in, or bots that play whole games with ``--filled games``.
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

from sheets.geometry import PageOptions
from sheets.rules.level import Level
from sheets.scanning.forms import Leaf
from sheets.scanning.kinds import EMPTY, KINDS, NUMBER_KINDS, possible_kinds
from sheets.scanning.patches import Look
from sheets.scanning.photos import open_photo
from sheets.scanning.refusals import Refused
from sheets.scanning.seen import see_sheets
from training.camera import GRADES, photograph
from training.games import FILLED, play_sheets
from training.levels import choose_level
from training.papers import PX_PER_MM, Filling, Truth, fill_page
from training.pens import WITH_WIDE_FELT

SHEETS_A_FILE: Final = 50
PHOTOS_A_PRINT: Final = 4
"""Drawing a page costs more than filling it in."""

_MANY_DOUBTS: Final = Filling(taken_back=0.04, stray=0.04)
"""What is seldom must be seen often enough to be learnt."""

_MANY_NOTES: Final = replace(_MANY_DOUBTS, notes=(0.5, 0.3, 0.2))
"""Sheets of whole games are full: a note runs across crosses, which looks like taking them back."""

_EXTREMES: Final = (0.4, 0.2, 0.2)
"""Shares of `Filling.extremes` among sheets that teach nothing else."""

_SHARES: Final = (0.2, 0.35, 0.45)
"""Of the grades: the network learns most where it is difficult."""


@dataclass
class Case:
    """The patches of a sheet: N × side × side × 6 (photo and print, 0 … 255 for -0.25 … 1).

    ``kinds`` are places in `KINDS`, ``possible`` N × kinds what could be told, ``ways`` as of
    `Truth` and the lights of the `Shot`, with spaces between, ``grade`` that of the photo.
    """

    patches: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    possible: NDArray[np.bool_]
    ways: str
    grade: str

    def has(self, way: str) -> bool:
        """Whether it is one of its ways."""
        return way in self.ways.split()


def doubtful(filled: str) -> Filling:
    """Who fills in what is learnt from; ``filled`` is one of `FILLED`."""
    return _MANY_NOTES if filled == "games" else _MANY_DOUBTS


def packed(seen: Look) -> NDArray[np.uint8]:
    """Darkness as bytes."""
    both = np.concatenate([seen.photo, seen.printed], 3)
    return np.clip(np.round((both + 0.25) * (255 / 1.25)), 0, 255).astype(np.uint8)


def unpacked(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The darkness that bytes stand for."""
    return patches.astype(np.float32) * np.float32(1.25 / 255) - np.float32(0.25)


def choose_print(rng: Generator) -> tuple[list[Level], PageOptions]:
    """One or two sheets of levels by chance, printed in some way."""
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
    """The sheets of one photo that the reader did not refuse; ``filled`` is one of `FILLED`."""
    marked = play_sheets(rng, levels, filling, filled)
    page, truths = fill_page(rng, levels, options, filling, marked)
    grade = str(rng.choice(GRADES, p=_SHARES))
    megapixels = rng.uniform(7, 12) if len(levels) > 1 else rng.uniform(3, 6)
    shot = photograph(rng, page, PX_PER_MM, grade, megapixels)
    by_place = {truth.place: truth for truth in truths}
    try:
        sheets = see_sheets(open_photo(shot.jpeg), levels, levels)
    except Refused:
        return []
    return [
        case_of(one.form, one.look, by_place[one.place], grade, shot.lights)
        for one in sheets
        if one.form and one.look and one.place in by_place
    ]


def case_of(
    form: Leaf, look: Look, truth: Truth, grade: str, lights: frozenset[str] = frozenset()
) -> Case:
    """What was seen on a sheet, with what is true of it."""
    level = form.level
    true: dict[str, str] = {
        name: EMPTY if kind == "printed" else kind for name, kind in truth.fields.items()
    }
    possible: dict[str, tuple[str, ...]] = {
        one.name: possible_kinds(level, one) for one in level.fields
    }
    for name, room in form.numbers.items():
        true[name] = truth.numbers.get(room.track, {}).get(str(room.points), EMPTY)
        possible[name] = NUMBER_KINDS
    names = [name for name in look.names if len(possible[name]) > 1]
    chosen = [look.names.index(name) for name in names]
    return Case(
        packed(look)[chosen],
        np.array([KINDS.index(true[name]) for name in names], np.uint8),
        np.array([[kind in possible[name] for kind in KINDS] for name in names]),
        " ".join(sorted(truth.ways | lights)),
        grade,
    )


def write_cases(
    folder: Path, seed: int, photos: int, filling: Filling, filled: str = "chance"
) -> None:
    """Write the sheets of so many photos; ``filled`` is one of `FILLED`."""

    def make() -> Iterator[list[Case]]:
        for number in range(photos):
            if number % PHOTOS_A_PRINT == 0:
                levels, options = choose_print(np.random.default_rng([seed, number, 0]))
            rng = np.random.default_rng([seed, number, 1])
            yield make_cases(rng, levels, options, filling, filled)

    write_files(folder, seed, make(), photos)


def write_files(folder: Path, seed: int, found: Iterable[list[Case]], photos: int) -> None:
    """Write cases, some sheets to a file; the folder is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets: list[Case] = []
    part = 0
    for number, some in enumerate(found):
        sheets += some
        if len(sheets) >= SHEETS_A_FILE or (sheets and number == photos - 1):
            np.savez(
                folder / f"cases-{seed}-{part}.npz",
                patches=np.concatenate([one.patches for one in sheets]),
                kinds=np.concatenate([one.kinds for one in sheets]),
                possible=np.concatenate([one.possible for one in sheets]),
                sizes=np.array([len(one.kinds) for one in sheets]),
                ways=np.array([one.ways for one in sheets]),
                grades=np.array([one.grade for one in sheets]),
            )
            part, sheets = part + 1, []


def read_files(folder: Path) -> list[Case]:
    """The sheets of all files of cases in a folder, in the order of the files' names."""
    sheets = []
    for path in sorted(folder.glob("cases-*.npz")):
        with np.load(path, allow_pickle=False) as file:
            ends = np.cumsum(file["sizes"])
            whole = [file[name] for name in ("patches", "kinds", "possible")]
            about = list(zip(file["ways"], file["grades"], strict=True))
        for (ways, grade), start, end in zip(about, [0, *ends[:-1]], ends, strict=True):
            parts = [one[start:end] for one in whole]
            sheets.append(Case(*parts, str(ways), str(grade)))
    return sheets


def main() -> None:
    """Write files of cases."""
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
    filling = doubtful(options.filled)
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
