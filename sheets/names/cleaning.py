"""Cleaning of typed names: length, invisible characters, stacked accents."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

import regex

NAME_LENGTH: Final = 40
"""Maximum length of a name in code points, as the database and all documents count them."""

MAX_MARKS: Final = 4
"""Maximum number of combining marks on a letter; no living script needs more."""

INVISIBLE: Final = regex.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters
    "\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"
    "\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}\N{SOFT HYPHEN}"
    "\N{MONGOLIAN VOWEL SEPARATOR}"
    "\N{ARABIC LETTER MARK}\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}"
    # directional formatting, which would affect the text after the name
    "\N{LEFT-TO-RIGHT EMBEDDING}-\N{RIGHT-TO-LEFT OVERRIDE}"
    "\N{LEFT-TO-RIGHT ISOLATE}-\N{POP DIRECTIONAL ISOLATE}"
    "\N{WORD JOINER}-\N{INVISIBLE PLUS}\N{INHIBIT SYMMETRIC SWAPPING}-\N{NOMINAL DIGIT SHAPES}"
    "\N{INTERLINEAR ANNOTATION ANCHOR}-\N{INTERLINEAR ANNOTATION TERMINATOR}"
    "\ud800-\udfff]"
)
"""A character that names never contain. Joiners are allowed: some scripts and emoji need them."""

BLANK: Final = regex.compile(r"[\s\p{Default_Ignorable_Code_Point}\N{BRAILLE PATTERN BLANK}]*")
"""A name without any visible character."""

MARK: Final = regex.compile(r"[\p{Mn}\p{Me}]")
"""A combining mark: an accent, a point or a vowel sign."""

MARKS: Final = regex.compile(r"[\p{Mn}\p{Me}][\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]+")
"""Several combining marks in a row, with invisible characters between them."""

GRAPHEME: Final = regex.compile(r"\X")
"""A grapheme, what people see as one character: a letter with its marks, an emoji of a family."""


def clean_name(name: str) -> str:
    """Return a name in one line, without invisible characters and without stacked accents.

    >>> clean_name("  Anna\\tMaria \\u202e ")
    'Anna Maria'
    """
    plain = " ".join(clean_text(name).split())
    return "" if BLANK.fullmatch(plain) else plain


def clean_text(text: str) -> str:
    """Clean a text like `clean_name`, but keep spaces and line breaks, for use during input."""
    lines = (INVISIBLE.sub(" ", line) for line in text.split("\n"))
    return str(MARKS.sub(_cut_marks, "\n".join(lines)))


def cut_name(name: str, max_length: int) -> str:
    """Return a name cut to at most ``max_length`` code points, without splitting a grapheme.

    Only the beginning of the name is searched for graphemes, because the search takes quadratic
    time in a row of flag emoji.
    """
    graphemes = GRAPHEME.findall(name[: max_length + 1])
    count = sum(length <= max_length for length in accumulate(map(len, graphemes)))
    return "".join(graphemes[:count]).rstrip()


def _cut_marks(found: regex.Match[str]) -> str:
    text = str(found[0])
    starts = [mark.start() for mark in MARK.finditer(text)]
    return text if len(starts) <= MAX_MARKS else text[: starts[MAX_MARKS]]
