"""Encoding of a whole level for a link: compressed, in characters that need no escaping.

A code begins with the number of its kind, ``1``: the JSON of a ``dizzle-level/1`` document,
compressed by zlib with `WORDS` as its preset dictionary, in base64url without padding. Decoding
never produces more than `MAX_BYTES`, whatever the code claims, and checks the level like any file.
"""

from __future__ import annotations

import binascii
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, Final

from sheets.documents.structure import MAX_BYTES, read_level
from sheets.rules import DocumentError, Level

KIND: Final = "1"
"""Number of the encoding, the first character of a code."""

MAX_CODE_LENGTH_IN_LINK: Final = 6000
"""Maximum length of a code in a link, in characters: servers and messengers refuse much longer
links."""

MAX_CODE_LENGTH: Final = 400_000
"""Maximum length of a code that is decoded, in characters."""

WORDS: Final = (
    b'"walls":[["links":[["labels":{"shifts":[0.5,-0.5,0.25,0,0],"tracks":{"NS","EW","NE","ES",'
    b'"SW","NW"},"marks":"tracks","repeat_last":true,"author":"","about":{"de":"","en":""},'
    b'"difficulty":"ratings":[31,41,51,61,71,81,91],"rounds":{"5":2,"6":2},"dice":{"5":16,"6":19},'
    b'"heap":-3,"bomb":-2,"stop":4,"flag":{"red":[10,6,3,1],"yellow":[8,6,4,2]},"puzzle":{"green":'
    b'10,"blue":10,"orange":10},"points":{"gem":{"purple":1,"yellow":2,"orange":3},"race":['
    b'"areas":[{"fields":["a1","b1","a2","b2"],"points":6},"lines":[{"row":1,"points":10},'
    b'{"column":"c","points":12}],"name":{"de":"","en":""},"id":"own-",'
    b".   .   -V  -P  2Gy 5Gp 3Go 6Jb 1Jg 4Lr 2Kr 5Lb 3Kb 6H  1B  4R  2P  5Fr 3x  6   1   4   2   "
    b'"grid":["'
    b'{"format":"dizzle-level/1",'
)
"""Preset dictionary of zlib: text that most levels share. A change needs another `KIND`, because
existing codes depend on it."""


def format_code(document: Mapping[str, Any]) -> str:
    """Return the code of a level's document.

    >>> len(format_code({"format": "dizzle-level/1", "id": "a", "name": "A", "grid": ["3x"]})) < 60
    True
    """
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    press = zlib.compressobj(9, zdict=WORDS)
    pressed = press.compress(text) + press.flush()
    return KIND + urlsafe_b64encode(pressed).decode().rstrip("=")


def parse_code(code: str) -> Level:
    """Return the level of a code.

    Raises:
        DocumentError: the text is no code, was truncated or changed, or its level is invalid.
    """
    if not code.startswith(KIND) or len(code) > MAX_CODE_LENGTH:
        raise DocumentError("no-code")
    letters = code[len(KIND) :]
    try:
        pressed = urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        press = zlib.decompressobj(zdict=WORDS)
        text = press.decompress(pressed, MAX_BYTES + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise DocumentError("no-code") from None
    if len(text) > MAX_BYTES:
        raise DocumentError("code-too-large")
    if not press.eof or press.unused_data:
        raise DocumentError("code-cut-off")
    return read_level(text)


def fits_in_link(code: str) -> bool:
    """Return whether a link with this code is short enough for all servers and messengers."""
    return len(code) <= MAX_CODE_LENGTH_IN_LINK
