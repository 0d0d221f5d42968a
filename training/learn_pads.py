"""Let the reader's network learn how leaves of pads look, beside photos of empty ones.

    PYTHONPATH=. python -m training.learn_pads FOLDER --out sheets/scanning/unknown/pads.npz

with cases of `training.pad_cases`. It goes on from the weights for our own sheets; what the
convolutions see stays as it is, so that this takes minutes. Needs JAX, as `training.learn` does.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sheets.scanning.layers import read_weights
from sheets.scanning.network import WEIGHTS
from training.learn import (
    SHEETS,
    TARGETS,
    Sheet,
    concluded,
    convolved,
    load_sheets,
    print_report,
    temperature,
    turned,
    varied,
)
from training.weights import moved, write_weights

RATE, WARM, DECAY = 5e-4, 100, 3e-4
WAYS: Final = 2
"""So often each sheet is changed as cameras and hands might have."""

HEAD: Final = ("e", "e0", "f", "f0", "g", "g0")
_AT_ONCE: Final = 256


class Seen(NamedTuple):
    """What the convolutions see of a sheet, N × 1600, and as of `Sheet`."""

    flat: NDArray[np.float16]
    kinds: NDArray[np.int32]
    possible: NDArray[np.bool_]


def see(rng: Generator, weights: Any, sheets: Sequence[Sheet], ways: int) -> list[Seen]:
    """Each sheet in several ways, or as it is where there is to be one."""
    changed = []
    for sheet in sheets:
        for _ in range(ways):
            patches = sheet.patches.astype(np.float32) * (1.25 / 255) - 0.25
            kinds = sheet.kinds.astype(np.int32)
            if ways > 1:
                patches, kinds = turned(patches, sheet.kinds, int(rng.integers(8)))
                patches = varied(rng, patches)
            changed.append((patches.astype(np.float16), kinds, sheet.possible))
    flat = _convolved(weights, np.concatenate([patches for patches, *_rest in changed]))
    ends = np.cumsum([len(patches) for patches, *_rest in changed])
    return [
        Seen(flat[end - len(kinds) : end], kinds, possible)
        for end, (_patches, kinds, possible) in zip(ends, changed, strict=True)
    ]


def _convolved(weights: Any, patches: NDArray[np.float16]) -> NDArray[np.float16]:
    """As many at once as are quick, always the same number."""
    look = jax.jit(convolved)
    room = np.zeros((-len(patches) % _AT_ONCE, *patches.shape[1:]), np.float16)
    whole = np.concatenate([patches, room])
    parts = [
        np.asarray(look(weights, whole[i : i + _AT_ONCE].astype(np.float32)), np.float16)
        for i in range(0, len(whole), _AT_ONCE)
    ]
    return np.concatenate(parts)[: len(patches)]


def judged(head: Any, seen: Sequence[Seen], sheets: Sequence[Sheet]) -> list[Any]:
    """The logits of sheets that were seen as they are, with nothing possible that is not."""
    found = []
    for one, sheet in zip(seen, sheets, strict=True):
        logits = np.asarray(concluded(head, one.flat[None].astype(np.float32))[0], np.float64)
        found.append((np.where(one.possible, logits, -1e9), sheet))
    return found


def _loss(head: Any, flat: Any, kinds: Any, possible: Any) -> Any:
    likely = jax.nn.log_softmax(jnp.where(possible, concluded(head, flat), -1e9))
    return -jnp.take_along_axis(likely, kinds[..., None], -1).mean()


@jax.jit
def improve(head: Any, state: Any, step: Any, rate: Any, batch: Any) -> Any:
    """One step of Adam."""
    loss, slope = jax.value_and_grad(_loss)(head, *batch)
    return *moved(head, state, slope, step=step, rate=rate, decay=DECAY), loss


def learn(rng: Generator, head: Any, seen: Sequence[Seen], steps: int) -> Any:
    """The last layers after so many steps."""
    state = (jax.tree.map(jnp.zeros_like, head), jax.tree.map(jnp.zeros_like, head))
    total = 0.0
    for step in range(1, steps + 1):
        rate = RATE * min(1, step / WARM) * 0.5 * (1 + np.cos(np.pi * step / (steps + 1)))
        rows: list[list[Any]] = [[], [], []]
        for number in rng.integers(0, len(seen), SHEETS):
            one = seen[int(number)]
            few = len(one.kinds) < TARGETS
            chosen = rng.choice(len(one.kinds), TARGETS, replace=few)
            for some, part in zip(rows, one, strict=True):
                some.append(part[chosen])
        batch = (np.stack(rows[0]).astype(np.float32), np.stack(rows[1]), np.stack(rows[2]))
        head, state, loss = improve(head, state, step, rate, batch)
        total += float(loss)
        if step % 200 == 0:
            print(f"{step} {total / 200:.4f}", flush=True)
            total = 0.0
    return head


def main() -> None:
    """Learn, fit how sure it is on a sixth of the sheets, and write the weights."""
    parser = ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=600)
    options = parser.parse_args()
    sheets = load_sheets(list(options.folder.glob("cases-*.npz")))
    held, kept = sheets[::6], [one for i, one in enumerate(sheets) if i % 6]
    weights = {name: jnp.asarray(one) for name, one in read_weights(WEIGHTS).items()}
    rng = np.random.default_rng(1)
    as_they_are = see(rng, weights, held, 1)
    print_report(judged(weights, as_they_are, held))
    seen = see(rng, weights, kept, WAYS)
    weights |= learn(rng, {name: weights[name] for name in HEAD}, seen, options.steps)
    by = temperature(judged(weights, as_they_are, held))
    weights["g"], weights["g0"] = weights["g"] / by, weights["g0"] / by
    print(f"{len(sheets)} sheets, temperature {by:.2f}")
    write_weights(options.out, weights)
    print_report(judged(weights, as_they_are, held))


if __name__ == "__main__":
    sys.exit(main())
