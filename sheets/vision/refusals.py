"""Reasons for not reading a photo or a sheet."""

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
    "corners",
    "not-at-corners",
)
"""Names of the reasons, as in a ``dizzle-reading/1`` document."""


class Refused(Exception):
    """Refusal of a photo; ``name`` is one of `REFUSALS`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
