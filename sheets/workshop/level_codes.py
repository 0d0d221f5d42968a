"""How does a whole level fit into a link? Compressed, and in letters that need no escaping.

A code begins with the number of its kind, ``1``: the JSON of a ``dizzle-level/1`` document,
compressed by zlib with `WORDS` as its dictionary, in base64url without padding. Reading one never
makes more than `MAX_BYTES` out of it, whatever it claims to be, and checks the level like any file.
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

LONGEST_IN_LINK: Final = 6000
"""Letters of a code in a link: servers and messengers refuse much longer ones."""

LONGEST: Final = 400_000
"""Letters of any code that is read."""

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
"""What most codes have in common. It belongs to kind ``1``: another text needs another kind."""


def format_code(document: Mapping[str, Any]) -> str:
    """The code of a level's document.

    >>> len(format_code({"format": "dizzle-level/1", "id": "a", "name": "A", "grid": ["3x"]})) < 60
    True
    """
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    press = zlib.compressobj(9, zdict=WORDS)
    pressed = press.compress(text) + press.flush()
    return KIND + urlsafe_b64encode(pressed).decode().rstrip("=")


def parse_code(code: str) -> Level:
    """The level of a code.

    Raises:
        DocumentError: it is no code, was cut off or changed, or its level cannot be used.
    """
    if not code.startswith(KIND) or len(code) > LONGEST:
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
    """Whether a link with this code arrives everywhere."""
    return len(code) <= LONGEST_IN_LINK
