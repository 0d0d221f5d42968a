"""Why is a photo, or a sheet on one, not read?"""

from __future__ import annotations

from typing import Final

REFUSALS: Final = (
    "not-a-picture",
    "password",
    "damaged",
    "too-many-pages",
    "too-large",
    "too-small",
    "blank",
    "no-sheet",
    "which-level",
    "blurred",
    "too-dark",
    "markers",
    "does-not-fit",
)
"""The names, as a reading has them."""


class Refused(Exception):
    """Nothing is read; ``name`` is one of `REFUSALS`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
