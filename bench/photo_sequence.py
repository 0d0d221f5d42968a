"""Sixty mixed photos, one after the other in one reading process, compared with each alone.

Each photo is first read in a new process of its own, then all are read in a sequence as a site with
one core reads them. Prints what the sequence refuses that was read alone (the aim: none), the
number of processes it took, the most memory that one of them had, and its time compared with that
of the photos alone.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django  # noqa: E402

django.setup()

from sheets.http.render_pool import RenderPool  # noqa: E402
from tests.photos.mixed_photos import (  # noqa: E402
    TaskResult,
    Upload,
    costly_photos,
    different_photos,
    mixed_photos,
)


def main() -> None:
    """Print one line for each kind of photo, then the sequence."""
    alone: dict[str, str] = {}
    seconds: dict[str, float] = {}
    for sent in [*different_photos(), *costly_photos()]:
        done, seconds[sent.name] = _timed(RenderPool(1), sent)
        alone[sent.name] = done.outcome
        print(f"{sent.name:32} {done.outcome:20} {done.mib:4.0f} MiB {seconds[sent.name]:5.1f} s")
    pool, photos = RenderPool(1), mixed_photos(rounds=5)
    pids: set[int] = set()
    most = spent = 0.0
    differing: Counter[str] = Counter()
    for sent in photos:
        done, took = _timed(pool, sent)
        pids.add(done.pid)
        most, spent = max(most, done.mib), spent + took
        if done.outcome != alone[sent.name]:
            differing[f"{sent.name}: {done.outcome}"] += 1
    print(f"{len(photos)} in sequence: {differing.total()} with another outcome than alone")
    for what, count in differing.items():
        print(f"    {count} x {what}")
    together = sum(seconds[sent.name] for sent in photos)
    print(
        f"{len(pids - {0})} processes, {most:.0f} MiB at most, {spent / together:.2f} times as long"
    )


def _timed(pool: RenderPool, sent: Upload) -> tuple[TaskResult, float]:
    start = time.monotonic()
    done = sent.read_by(pool)
    return done, time.monotonic() - start


if __name__ == "__main__":
    main()
