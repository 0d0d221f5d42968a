"""What of a name do we keep, whoever typed it and wherever it is shown?"""

from __future__ import annotations

from itertools import accumulate
from typing import Final

import regex

NAME_LENGTH: Final = 40
"""So many characters has somebody's name at most, as the database and all documents count them."""

MOST_MARKS: Final = 4
"""So many accents, points and vowel signs in a row does a letter have in any living script."""

INVISIBLE: Final = regex.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters
    "\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"
    "\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}\N{SOFT HYPHEN}"
    "\N{MONGOLIAN VOWEL SEPARATOR}"
    "\N{ARABIC LETTER MARK}\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}"
    # what turns the direction of whatever stands after the name
    "\N{LEFT-TO-RIGHT EMBEDDING}-\N{RIGHT-TO-LEFT OVERRIDE}"
    "\N{LEFT-TO-RIGHT ISOLATE}-\N{POP DIRECTIONAL ISOLATE}"
    "\N{WORD JOINER}-\N{INVISIBLE PLUS}\N{INHIBIT SYMMETRIC SWAPPING}-\N{NOMINAL DIGIT SHAPES}"
    "\N{INTERLINEAR ANNOTATION ANCHOR}-\N{INTERLINEAR ANNOTATION TERMINATOR}"
    "\ud800-\udfff]"
)
"""What is in no name. Joiners are: scripts and emoji of several parts need them."""

BLANK: Final = regex.compile(r"[\s\p{Default_Ignorable_Code_Point}\N{BRAILLE PATTERN BLANK}]*")
"""A name of which nothing is seen."""

MARK: Final = regex.compile(r"[\p{Mn}\p{Me}]")
MARKS: Final = regex.compile(r"[\p{Mn}\p{Me}][\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]+")
CLUSTERS: Final = regex.compile(r"\X")
"""What people take for one character: a letter with its marks, a whole family."""


def clean_name(name: str) -> str:
    """A name in one line, without what nobody sees, and without heaps of accents.

    >>> clean_name("  Anna\\tMaria \\u202e ")
    'Anna Maria'
    """
    plain = " ".join(clean_text(name).split())
    return "" if BLANK.fullmatch(plain) else plain


def clean_text(text: str) -> str:
    """The same for a text that somebody is still typing: its blanks and lines stay as they are."""
    lines = (INVISIBLE.sub(" ", line) for line in text.split("\n"))
    return str(MARKS.sub(_cut_heap, "\n".join(lines)))


def cut_name(name: str, most: int) -> str:
    """Return the beginning of a name, at most ``most`` characters; no grapheme is cut in half.

    Only the beginning is split into graphemes: for a row of flags that takes quadratic time.
    """
    clusters = CLUSTERS.findall(name[: most + 1])
    count = sum(length <= most for length in accumulate(map(len, clusters)))
    return "".join(clusters[:count]).rstrip()


def _cut_heap(found: regex.Match[str]) -> str:
    heap = str(found[0])
    marks = [mark.start() for mark in MARK.finditer(heap)]
    return heap if len(marks) <= MOST_MARKS else heap[: marks[MOST_MARKS]]
