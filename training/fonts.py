"""Free fonts for drawing digits: families for training, and families held out for tests.

All are packages of Debian, listed in docs/photos.md, with licences that allow use and changes. None
is needed, or part of anything, once the weights are made. They are searched in the system's font
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

LEARNT: Final = (
    "Andika", "AveriaSansGWF", "B612", "B612Mono", "C059", "Cabin", "Caladea", "Cantarell",
    "Carlito", "Comfortaa", "DejaVuSans", "DejaVuSansCondensed", "DejaVuSansMono", "Dosis",
    "EBGaramond12", "FreeMono", "FreeSans", "FreeSerif", "Gentium", "Hack", "Inter",
    "InterDisplay", "JetBrainsMono", "Junction", "Jura", "Karla", "Lato", "LeagueSpartan",
    "LiberationMono", "LiberationSans", "LiberationSansNarrow", "LiberationSerif",
    "LinLibertine_R", "LinLibertine_RB", "LobsterTwo", "Manrope", "NimbusMonoPS", "NimbusRoman",
    "NimbusSans", "NimbusSansNarrow", "NotoSans", "NotoSansDisplay", "NotoSerif",
    "NotoSerifDisplay", "OldStandard", "OpenSans", "Oxygen", "P052", "PTC75F", "PTF55F", "PTF75F",
    "PTM75F", "PTN57F", "PTN77F", "PTS55F", "PTS75F", "Play", "Quicksand", "Roboto",
    "RobotoCondensed", "STIXGeneral", "Tuffy", "URWBookman", "URWGothic", "Vollkorn",
)  # fmt: skip
"""Files whose name is one of these up to its first hyphen."""

HELD_OUT: Final = (
    "DejaVuSerif", "BebasNeue", "ComicNeue", "Prociono", "LinBiolinum_R", "LinBiolinum_RB",
    "GoudyBookletter1911", "Z003", "YanoneKaffeesatz", "Inconsolata",
)  # fmt: skip


@lru_cache(maxsize=4)
def font_files(stems: Sequence[str], folder: Path = FOLDER) -> tuple[Path, ...]:
    """The files of some families, in the families' order, each by the files' names.

    The same number draws the same font wherever they lie in the folder, and whether a cut is there
    as TrueType, as OpenType or as both: that differs from one release of the packages to the next.

    Raises:
        ValueError: none of them is installed.
    """
    once: dict[str, Path] = {}
    every = (file for ending in ("ttf", "otf") for file in folder.rglob(f"*.{ending}"))
    for file in sorted(every, key=lambda file: (file.name, file)):
        once.setdefault(file.stem, file)
    found = tuple(file for stem in stems for file in once.values() if _family(file) == stem)
    if not found:
        raise ValueError("no font to draw digits with was found, see docs/photos.md")
    return found


def families(stems: Sequence[str], folder: Path = FOLDER) -> dict[str, list[Path]]:
    """The files of some families, by family: one with many cuts is drawn no more often."""
    found: dict[str, list[Path]] = {}
    for file in font_files(tuple(stems), folder):
        found.setdefault(_family(file), []).append(file)
    return found


def _family(file: Path) -> str:
    return file.stem.partition("-")[0]


@lru_cache(maxsize=512)
def open_font(file: Path, size_px: int) -> ImageFont.FreeTypeFont:
    """A font at a size."""
    return ImageFont.truetype(str(file), size_px)
