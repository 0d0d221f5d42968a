"""Set-up and options that commands share."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

import cv2
import django

from training.games import FILLED


def set_up_django() -> None:
    """Set Django up with the settings of the site."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    django.setup()


def parse_options(count: str, default: int, *, has_filled: bool = False) -> Namespace:
    """Parse the options of a command that makes examples; ``count`` is that of their number."""
    cv2.setNumThreads(1)
    parser = ArgumentParser()
    parser.add_argument("output", type=Path)
    parser.add_argument(count, type=int, default=default)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--validation", action="store_true", help="examples for calibration")
    if has_filled:
        parser.add_argument(
            "--filled", choices=FILLED, default="chance", help="what fills sheets in"
        )
    return parser.parse_args()
