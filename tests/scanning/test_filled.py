"""Leaves of a pad that is none of ours are read beside a photo of its empty sheet."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from sheets.rules import parse_level
from sheets.scanning.kinds import EMPTY
from sheets.scanning.photos import open_photo
from sheets.scanning.reading import SURE, sheet_document
from sheets.scanning.unknown import filled
from sheets.scanning.unknown.filled import read_filled
from sheets.scanning.unknown.reading import read_new
from sheets.scanning.unknown.template import Template, make_template
from tests.scanning.shots import FIRM
from tests.scanning.unknown_shots import FONTS
from training.camera import photograph
from training.foreign import PX_PER_MM
from training.pads import Pad, choose_pad, fill_pad
from training.papers import Truth

SEED, OTHER = 32, 26


class Leaf(NamedTuple):
    """A pad, what is kept of its empty sheet, and a photo of a filled one."""

    pad: Pad
    template: Template
    jpeg: bytes
    truth: Truth


@cache
def take_leaf(seed: int = SEED, grade: str = "easy") -> Leaf:
    """A leaf by chance, filled in by somebody with a firm pen."""
    rng = np.random.default_rng(seed)
    pad = choose_pad(rng, FONTS)
    empty = photograph(rng, pad.page.picture, PX_PER_MM, "easy", megapixels=4).jpeg
    picture, truth = fill_pad(rng, pad, FIRM)
    jpeg = photograph(rng, picture, PX_PER_MM, grade, megapixels=4).jpeg
    return Leaf(pad, make_template(read_new(empty)), jpeg, truth)


def as_png(picture: np.ndarray) -> bytes:
    """A picture's file."""
    return cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))[1].tobytes()


def test_a_filled_leaf_is_read() -> None:
    leaf = take_leaf()
    reading = read_filled(leaf.jpeg, leaf.template, leaf.pad.level)
    assert reading.refused is None
    (sheet,) = reading.sheets
    best = sheet.best()
    wrong = {name: kind for name, (kind, _sure) in best.items() if kind != leaf.truth.fields[name]}
    assert set(best) == set(leaf.truth.fields)
    assert len({*leaf.truth.fields.values()} - {EMPTY}) >= 1
    assert len(wrong) <= 0.03 * len(best)
    assert not [name for name in wrong if best[name][1] >= SURE]
    document = sheet_document(sheet)
    assert document["level"] == leaf.pad.level.id
    assert document["refused"] is None


def test_whichever_way_the_photo_is_held_its_turn_is_told() -> None:
    leaf = take_leaf()
    photo = open_photo(leaf.jpeg)
    crosses = set()
    turns = []
    for quarters in range(2):
        turned = np.ascontiguousarray(np.rot90(photo, -quarters))
        reading = read_filled(as_png(turned), leaf.template, leaf.pad.level)
        turns += reading.turns
        crosses.add(tuple(sheet_document(reading.sheets[0])["crosses"]))
    assert turns[1] == (turns[0] + 1) % 4
    assert len(crosses) == 1


def test_a_sheet_that_looks_alike_upside_down_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The print is what tells; where it told nothing, a person says it once."""
    leaf = take_leaf()
    spots = filled.find_spots(open_photo(leaf.jpeg), filled.Pad(leaf.pad.level, leaf.template))
    alike = [replace(spot, alike=spots[0].alike - 0.01 * i) for i, spot in enumerate(spots[:2])]
    monkeypatch.setattr(filled, "find_spots", lambda *_args: alike)
    reading = read_filled(leaf.jpeg, leaf.template, leaf.pad.level)
    assert reading.refused == "does-not-fit"
    assert reading.turns == (alike[0].turn, alike[1].turn)
    said = read_filled(leaf.jpeg, leaf.template, leaf.pad.level, turn=alike[0].turn)
    assert said.refused is None
    assert said.sheets[0].refused is None


def test_a_leaf_of_another_pad_is_refused() -> None:
    leaf, other = take_leaf(), take_leaf(OTHER)
    reading = read_filled(other.jpeg, leaf.template, leaf.pad.level)
    refused = reading.refused or reading.sheets[0].refused
    assert refused == "does-not-fit"


def test_the_template_of_another_level_is_refused() -> None:
    leaf = take_leaf()
    other = parse_level(
        {"format": "dizzle-level/1", "id": "other", "name": "Other", "grid": ["1 2 3"] * 3}
    )
    assert read_filled(leaf.jpeg, leaf.template, other).refused == "does-not-fit"


def test_what_is_no_photo_is_refused_by_name() -> None:
    leaf = take_leaf()
    assert read_filled(b"no", leaf.template, leaf.pad.level).refused == "not-a-picture"
    bare = np.full((900, 700, 3), 220, np.uint8)
    assert read_filled(as_png(bare), leaf.template, leaf.pad.level).refused in {
        "no-sheet", "blurred",
    }  # fmt: skip
