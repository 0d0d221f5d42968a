"""Free fonts for drawing digits: families for training, for validation and for tests.

All are packages of Debian, listed in docs/measuring-photos.md, with licences that allow use and
changes. They are not needed once the weights are made. They are searched in the system's font
folder, or in the folder that FONTS names.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from PIL import ImageFont

FOLDER: Final = Path(os.environ.get("FONTS", "/usr/share/fonts"))
"""Folder in which the fonts are searched."""

TRAINING: Final = (
    "AveriaSansGWF", "B612", "B612Mono", "C059", "Cabin", "Cantarell", "Carlito", "DejaVuSans",
    "DejaVuSansCondensed", "DejaVuSansMono", "Dosis", "EBGaramond12", "FreeMono", "FreeSans",
    "FreeSerif", "Gentium", "Hack", "Inter", "Junction", "Jura", "Karla", "Lato", "LeagueSpartan",
    "LiberationMono", "LiberationSans", "LiberationSansNarrow", "LiberationSerif", "LinLibertine_R",
    "LinLibertine_RB", "LobsterTwo", "Manrope", "NimbusMonoPS", "NimbusRoman", "NimbusSans",
    "NimbusSansNarrow", "NotoSans", "NotoSansDisplay", "NotoSerif", "OldStandard", "OpenSans",
    "Oxygen", "P052", "PTC75F", "PTF55F", "PTF75F", "PTM75F", "PTN57F", "PTN77F", "PTS55F", "Play",
    "Quicksand", "Roboto", "RobotoCondensed", "STIXGeneral", "Tuffy", "URWGothic", "Vollkorn",
)  # fmt: skip
"""Families for training: files whose name has one of these before its first hyphen."""

VALIDATION: Final = (
    "Andika", "Caladea", "Comfortaa", "InterDisplay", "JetBrainsMono", "NotoSerifDisplay", "PTS75F",
    "URWBookman",
)  # fmt: skip
"""Families that calibrate confidence after the training."""

HELD_OUT: Final = (
    "DejaVuSerif", "BebasNeue", "ComicNeue", "Prociono", "LinBiolinum_R", "LinBiolinum_RB",
    "GoudyBookletter1911", "Z003", "YanoneKaffeesatz", "Inconsolata",
)  # fmt: skip
"""Families held out for the final test; nothing is trained, calibrated or chosen with them."""


@lru_cache(maxsize=4)
def font_files(stems: Sequence[str], folder: Path = FOLDER) -> tuple[Path, ...]:
    """Return the files of some families, in the families' order, each sorted by file name.

    The result does not depend on the folders of the files, or on whether a font exists as TrueType,
    OpenType or both, because that differs between releases of the packages.

    Raises:
        ValueError: none of them is installed.
    """
    once: dict[str, Path] = {}
    every = (file for ending in ("ttf", "otf") for file in folder.rglob(f"*.{ending}"))
    for file in sorted(every, key=lambda file: (file.name, file)):
        once.setdefault(file.stem, file)
    found = tuple(file for stem in stems for file in once.values() if _family(file) == stem)
    if not found:
        raise ValueError("no font to draw digits with was found, see docs/measuring-photos.md")
    return found


def families(stems: Sequence[str], folder: Path = FOLDER) -> dict[str, list[Path]]:
    """Group the files of some families by family, so that each is drawn equally often."""
    found: dict[str, list[Path]] = {}
    for file in font_files(tuple(stems), folder):
        found.setdefault(_family(file), []).append(file)
    return found


def _family(file: Path) -> str:
    return file.stem.partition("-")[0]


@lru_cache(maxsize=512)
def open_font(file: Path, size_px: int) -> ImageFont.FreeTypeFont:
    """Open a font at a size; cached."""
    return ImageFont.truetype(str(file), size_px)
