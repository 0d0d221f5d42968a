"""The same photo is read once for all tests that do something with what was read.

To read one takes longer than all that a test then does with it. The first to send it has it read
as on a site, by what is tested; what came of it is given to all others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from sheets.photos import look
from sheets.rules import Level, format_level
from tests.made_once import made_once

_read = look.look_at_photo


def read_once(patch: pytest.MonkeyPatch) -> None:
    """Have each photo read once, for the levels that its sheets may be."""
    patch.setattr(look, "look_at_photo", _given_again)


def _given_again(data: bytes, levels: Sequence[Level], known: Sequence[Level]) -> bytes:
    """What `look_at_photo` gives."""
    choices = [[format_level(level) for level in among] for among in (levels, known)]
    asked = hashlib.sha256(json.dumps(choices).encode() + data).hexdigest()

    def make(folder: Path) -> None:
        (folder / "read").write_bytes(_read(data, levels, known))

    return (made_once(f"photo-{asked}", make) / "read").read_bytes()
