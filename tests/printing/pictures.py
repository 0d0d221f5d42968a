"""Pictures of the levels in docs/: ``python -m tests.printing.pictures``."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "images"
"""Folder of the pictures."""

DPI = 72
"""Resolution of the pictures."""


def main() -> None:
    """Write one small picture per level: its sheet on A5."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from PIL import Image

    from sheets.levels import shipped_levels
    from sheets.printing.geometry import PageOptions
    from tests.printing.printed import print_pdf, render

    FOLDER.mkdir(parents=True, exist_ok=True)
    for level in shipped_levels().values():
        pdf = print_pdf([level], PageOptions(paper="a5", markers=False))
        picture = Image.fromarray(render(pdf, 0, 4 * DPI, grayscale=False)).reduce(4)
        picture = picture.quantize(256, kmeans=8, dither=Image.Dither.NONE)
        picture.save(FOLDER / f"{level.id}.png", optimize=True)


if __name__ == "__main__":
    main()
