"""Which free fonts are digits learnt from, and which are kept to test on?

All come as packages of Debian (docs/scanning.md lists them) with licences that let them be used and
changed; none is needed, or part of anything, once the weights are made. They are looked for where
they are installed, or in the folder that FONTS names.
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
    "BebasNeue", "ComicNeue", "DejaVuSerif", "Inconsolata", "LinBiolinum_R", "LinBiolinum_RB",
    "YanoneKaffeesatz", "GoudyBookletter1911", "Prociono", "Z003",
)  # fmt: skip


@lru_cache(maxsize=4)
def font_files(stems: Sequence[str]) -> tuple[Path, ...]:
    """The files of some families, those first whose names come first.

    Raises:
        ValueError: none of them is installed.
    """
    files = sorted(FOLDER.rglob("*.ttf")) + sorted(FOLDER.rglob("*.otf"))
    found = tuple(file for file in files if file.stem.partition("-")[0] in stems)
    if not found:
        raise ValueError("no font to draw digits with is there, see docs/scanning.md")
    return found


def families(stems: Sequence[str]) -> dict[str, list[Path]]:
    """The files of some families, by family: one with many cuts is drawn no more often."""
    found: dict[str, list[Path]] = {}
    for file in font_files(tuple(stems)):
        found.setdefault(file.stem.partition("-")[0], []).append(file)
    return found


@lru_cache(maxsize=512)
def open_font(file: Path, size_px: int) -> ImageFont.FreeTypeFont:
    """A font at a size."""
    return ImageFont.truetype(str(file), size_px)
