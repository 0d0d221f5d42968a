"""How well are photos of filled sheets read that are none of ours, and how fast?

What `bench/unknown.py` and `bench/scanning.py` print of them: pads by chance (`training/pads.py`),
the empty sheet photographed once, easily, and leaves that somebody has filled in, with other light.
Who is asked which way is up, as the page does, says it rightly.
"""

from __future__ import annotations

import numpy as np

from bench.scanning import Scores, print_clear, row
from sheets.scanning.checked import Check, OnPaper, format_checks
from sheets.scanning.kinds import EMPTY, TAKEN_BACK
from sheets.scanning.reading import SURE, SheetReading
from sheets.scanning.timed import beside_floor
from sheets.scanning.unknown.filled import FilledReading, read_filled
from sheets.scanning.unknown.found import turn_until_upright
from sheets.scanning.unknown.reading import read_new
from sheets.scanning.unknown.template import Template, align, make_template
from training.camera import GRADES, photograph
from training.foreign import PX_PER_MM, Fonts
from training.pads import Pad, choose_pad, fill_pad
from training.papers import Filling, Truth

MEGAPIXELS = 12.0
LEAVES = 2
"""Of each pad."""


def print_filled(pads: int, first: int, fonts: Fonts, *, is_told: bool = False) -> None:
    """Print a column for each grade; pads are so many from a seed on."""
    grades = GRADES[:2]
    checks = {grade: Check() for grade in grades}
    scores = {grade: Scores() for grade in grades}
    unusable = dict.fromkeys(grades, 0)
    turned = dict.fromkeys(grades, 0)
    for grade in grades:
        for seed in range(first, first + pads):
            rng = np.random.default_rng([seed, GRADES.index(grade), 1])
            pad = choose_pad(rng, fonts)
            template = take_template(rng, pad)
            unusable[grade] += template is None
            for leaf in range(LEAVES if template else 0):
                picture, truth = fill_pad(rng, pad, Filling())
                shot = photograph(rng, picture, PX_PER_MM, grade, MEGAPIXELS)
                jpeg = shot.jpeg
                reading, times = beside_floor(
                    jpeg,
                    lambda jpeg=jpeg, pad=pad, of=template: read_filled(jpeg, of, pad.level),
                )
                checks[grade].time(times)
                if len(reading.turns) > 1 and template:
                    turned[grade] += 1
                    across, down = shot.corners[1] - shot.corners[0]
                    turn = turn_until_upright(across, down)
                    reading = read_filled(jpeg, template, pad.level, turn)
                told = f"{grade} {seed} {leaf}" if is_told else ""
                count(checks[grade], scores[grade], reading, truth, told)
    print(format_checks(checks))
    print_clear(scores.values())
    row("empty unusable", [str(some) for some in unusable.values()])
    row("asked what is up", [str(some) for some in turned.values()])


def take_template(rng: np.random.Generator, pad: Pad) -> Template | None:
    """What is kept of the empty sheet, if its photo is good enough to make a level of it."""
    empty = read_new(photograph(rng, pad.page.picture, PX_PER_MM, GRADES[0], MEGAPIXELS).jpeg)
    if empty.refused:
        return None
    template = make_template(empty)
    return template if align(template, pad.level) else None


def count(check: Check, scores: Scores, reading: FilledReading, truth: Truth, told: str) -> None:
    """Compare what was read on a leaf with what is true."""
    sheets = [sheet for sheet in reading.sheets if not sheet.refused]
    if not sheets:
        check.refuse()
        if told:
            print(told, reading.refused or reading.sheets[0].refused, reading.turns)
        return
    fields = {
        name: EMPTY if kind in (TAKEN_BACK, "printed") else kind
        for name, kind in truth.fields.items()
    }
    check.add(sheets[0], OnPaper(fields, {}))
    scores.count(sheets[0], truth)
    if told:
        tell(told, sheets[0], fields, truth)


def tell(told: str, sheet: SheetReading, fields: dict[str, str], truth: Truth) -> None:
    """Print what is sure and wrong."""
    for name, (kind, sure) in sheet.best().items():
        if sure >= SURE and kind != fields[name]:
            print(told, name, kind, f"{sure:.4f}", truth.fields[name], sorted(truth.ways))
