"""Strokes of hand-drawn marks, each in a unit square around its centre."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.random import Generator

from training.pens import Points, smooth, turned

HALF: Final = 0.5
"""Half the side of the square."""

_MIDDLES: Final = {"N": (0, -HALF), "E": (HALF, 0), "S": (0, HALF), "W": (-HALF, 0)}
"""Middle of each edge, by compass direction."""

Strokes = list[Points]
"""Polylines of one mark."""


def cross(rng: Generator, hand: Hand) -> Strokes:
    """Draw a cross: usually two strokes, for some players one, sometimes doubled."""
    size = hand.size * rng.normal(1, 0.1)
    width, height = size * rng.normal(1, 0.1), size * rng.normal(1, 0.1)
    middle = rng.normal(0, hand.off, 2)
    a, b, c, d = (
        np.array(corner) * (width / 2, height / 2) + rng.normal(0, 0.06, 2) + middle
        for corner in ((-1, -1), (1, 1), (1, -1), (-1, 1))
    )
    tilt = hand.tilt + rng.normal(0, 6)
    if rng.random() < hand.one_stroke:  # down, round the outside, and back through the middle
        out = np.array([HALF * width + rng.uniform(-0.05, 0.2), rng.uniform(-0.2, 0.2)]) + middle
        strokes = [np.array([a, (a + b) / 2, b, out, c, (c + d) / 2, d])]
    else:
        strokes = [_bowed(rng, a, b, hand.bow), _bowed(rng, c, d, hand.bow)]
        if rng.random() < hand.doubled:
            again = strokes[int(rng.integers(2))]
            strokes.append(again + rng.normal(0, 0.04, again.shape))
        if rng.random() < 0.05:  # one is much shorter
            strokes[1] = strokes[1][: max(2, len(strokes[1]) // 2 + 1)]
    return [turned(stroke, tilt) for stroke in strokes]


def scribble(rng: Generator, hand: Hand) -> Strokes:
    """Draw an exploded bomb: a zigzag or loops over most of the field."""
    size = rng.uniform(0.65, 1.1)
    passes = int(rng.integers(5, 13))
    if rng.random() < 0.35:
        t = np.linspace(0, 2 * math.pi * rng.uniform(3, 7), 90)
        radius = size / 2 * (0.35 + 0.65 * np.abs(np.sin(t * rng.uniform(0.15, 0.45))))
        loops = np.stack([radius * np.cos(t), radius * np.sin(t)], 1)
        return [loops + rng.normal(0, 0.02, loops.shape) + rng.normal(0, 0.05, 2)]
    strokes = []
    for turn in (rng.uniform(-60, 60), rng.uniform(60, 120))[: 2 if rng.random() < 0.35 else 1]:
        xs = np.linspace(-size / 2, size / 2, passes)
        ys = np.where(np.arange(passes) % 2, 1, -1) * size / 2 * rng.uniform(0.7, 1.1, passes)
        strokes.append(turned(np.stack([xs, ys], 1) + rng.normal(0, 0.03, (passes, 2)), turn))
    return [stroke + rng.normal(0, 0.04, 2) for stroke in strokes]


def colouring(rng: Generator, hand: Hand) -> Strokes:
    """Draw lava: dense hatching up to the field's border."""
    size = rng.uniform(0.85, 1.02)
    passes = int(rng.integers(14, 30))
    turn = rng.uniform(-70, 70)
    xs = np.linspace(-size / 2, size / 2, passes)
    reach = size / 2 * rng.uniform(0.85, 1.08, passes)
    if abs(turn) > 20:  # diagonal hatching is limited by the field
        reach = np.minimum(reach, 0.72 - np.abs(xs) * 0.8)
    ys = np.where(np.arange(passes) % 2, 1, -1) * reach
    strokes = [turned(np.stack([xs, ys], 1) + rng.normal(0, 0.015, (passes, 2)), turn)]
    if rng.random() < 0.35:
        s = size / 2
        round_ = np.array([(-s, -s), (s, -s), (s, s), (-s, s), (-s, -s)])
        strokes.append(round_ + rng.normal(0, 0.03, round_.shape))
    return strokes


def taken_back(rng: Generator, hand: Hand) -> Strokes:
    """Draw a cross that was taken back: crossed by a wave, struck through, or scribbled out."""
    strokes = cross(rng, hand)
    how = rng.random()
    if how < 0.4:
        xs = np.linspace(-0.55, 0.55, int(rng.integers(6, 12)))
        ys = np.where(np.arange(len(xs)) % 2, 1, -1) * rng.uniform(0.06, 0.25)
        wave = np.stack([xs, ys], 1) + rng.normal(0, 0.03, (len(xs), 2))
        strokes.append(turned(wave, rng.uniform(-35, 35)))
    elif how < 0.7:
        for _ in range(int(rng.integers(2, 4))):
            y = rng.uniform(-0.25, 0.25)
            ends = np.array([(-0.55, y), (0.55, y)]) + rng.normal(0, 0.08, (2, 2))
            strokes.append(turned(ends, rng.uniform(-15, 15)))
    else:
        strokes += [stroke * rng.uniform(0.55, 0.9) for stroke in scribble(rng, hand)]
    return strokes


def stray(rng: Generator, hand: Hand) -> Strokes:
    """Draw a meaningless stroke: a dot, a tick, or a line that slipped."""
    start = rng.uniform(-0.5, 0.5, 2)
    how = rng.random()
    if how < 0.35:
        return [np.array([start, start + rng.normal(0, 0.02, 2)])]
    if how < 0.75:
        return [np.array([start, start + rng.normal(0, 0.25, 2)])]
    along = turned(np.array([(0.0, 0.0), (rng.uniform(0.3, 0.8), 0.0)]), rng.uniform(0, 360))
    return [_bowed(rng, along[0] + start, along[1] + start, 0.1)]


def track(rng: Generator, hand: Hand, shape: str) -> Strokes:
    """Draw a piece of track between two edges: a line, or rails with sleepers."""
    ends = [np.array(_MIDDLES[edge]) for edge in shape]
    reach = rng.uniform(0.86, 1.08)
    start, end = (point * reach + rng.normal(0, 0.035, 2) for point in ends)
    if shape in ("NS", "EW"):
        line = _bowed(rng, start, end, 0.03)
    else:
        corner = (ends[0] + ends[1]) * rng.uniform(0.0, 0.32)
        line = np.array(
            [start, (start * 0.55 + corner * 0.45), corner, (end * 0.55 + corner * 0.45), end]
        )
        if rng.random() < 0.25:  # round a sharp corner at the middle
            line = np.array([start, rng.normal(0, 0.03, 2), end])
    if not hand.sleepers:
        return [line]
    fine = smooth(line, per_mm=20)
    along = np.gradient(fine, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    across /= np.maximum(np.hypot(across[:, 0], across[:, 1]), 1e-6)[:, None]
    gauge = hand.gauge * rng.normal(1, 0.08)
    rails = [fine + across * gauge / 2, fine - across * gauge / 2] if hand.sleepers == 2 else [fine]
    count = int(rng.integers(2, 6))
    for i in np.linspace(0.1, 0.9, count) * (len(fine) - 1):
        at = fine[int(i)]
        half = across[int(i)] * gauge * rng.uniform(0.6, 1.0)
        rails.append(np.array([at - half, at + half]) + rng.normal(0, 0.02, (2, 2)))
    return [rail[:: max(1, len(rail) // 12)] if len(rail) > 12 else rail for rail in rails]


def ring(rng: Generator, hand: Hand) -> Strokes:
    """Draw a circle around a number; the unit is the diameter of the printed circle."""
    radius = rng.uniform(0.42, 0.82)
    start = rng.uniform(0, 2 * math.pi)
    t = start + np.linspace(0, 2 * math.pi * rng.uniform(0.9, 1.25), 18)
    wide, high = radius * rng.uniform(0.85, 1.15), radius * rng.uniform(0.85, 1.15)
    drift = np.linspace(0, rng.normal(0, 0.1), len(t))
    ring_ = np.stack([(wide + drift) * np.cos(t), (high + drift) * np.sin(t)], 1)
    strokes = [ring_ + rng.normal(0, 0.07, 2)]
    if rng.random() < 0.15:
        strokes.append(ring_ * rng.uniform(0.9, 1.1) + rng.normal(0, 0.05, 2))
    return strokes


def strike(rng: Generator, hand: Hand) -> Strokes:
    """Draw a number struck through: one line, two, or a small cross."""
    how = rng.random()
    turn = rng.choice([-45.0, 45.0, 0.0, 90.0], p=[0.35, 0.3, 0.25, 0.1]) + rng.normal(0, 12)
    reach = rng.uniform(0.35, 0.75)
    line = turned(np.array([(-reach, 0.0), (reach, 0.0)]), turn)
    strokes = [line + rng.normal(0, 0.08, 2)]
    if how < 0.3:
        strokes.append(turned(line, rng.choice([90.0, 8.0])) + rng.normal(0, 0.06, 2))
    return strokes


class Hand:
    """Handwriting of a player: parameters that stay the same over a sheet."""

    def __init__(self, rng: Generator) -> None:
        self.size = float(np.clip(rng.normal(0.78, 0.16), 0.42, 1.2))
        self.off = float(rng.uniform(0.01, 0.07))
        self.tilt = float(rng.normal(0, 7))
        self.bow = float(rng.uniform(0, 0.12))
        self.one_stroke = float(rng.random() < 0.15) * 0.85
        self.doubled = float(rng.choice([0.0, 0.05, 0.6], p=[0.6, 0.3, 0.1]))
        self.sleepers = int(rng.choice([0, 1, 2], p=[0.5, 0.2, 0.3]))
        """Of tracks: 0 one line, 1 a line with sleepers, 2 rails with sleepers."""
        self.gauge = float(rng.uniform(0.16, 0.34))


def _bowed(rng: Generator, start: Points, end: Points, bow: float) -> Points:
    """Return a slightly curved line."""
    along = end - start
    across = np.array([-along[1], along[0]]) * rng.normal(0, bow or 0.01)
    return np.array([start, start + along * 0.3 + across, start + along * 0.7 + across, end])
