"""Log formatter that masks keys and table codes, which would give readers of the log access."""

import logging
import re
from typing import Final

MASK: Final = "…"
"""Replacement of a masked key or code."""

KEY_LENGTH: Final = 32
"""Length of the shortest key; secrets of devices have 43 letters, values of cookies more."""

MAX_TYPED_CODE_LENGTH: Final = 12
"""Maximum length of a table's code to type, which stays readable; longer ones are masked."""

_PERCENT: Final = r"%(?:25)*"  # also of an address that was encoded more than once

WORD: Final = re.compile(
    rf"""(?:[A-Za-z0-9_-]
    | {_PERCENT}(?:2[Dd] | 3[0-9] | [46][1-9A-Fa-f] | [57][0-9Aa] | 5[Ff])  # one of these, encoded
    ){{{MAX_TYPED_CODE_LENGTH + 1},}}+""",
    re.VERBOSE,
)
"""A run of letters of which keys are made. The longest possible, and never tried again from its
middle, so that the time is linear in the length of the line."""

TABLE_CODE: Final = re.compile(rf"[A-HJKMNP-Z2-9]{{{MAX_TYPED_CODE_LENGTH + 1},}}")
"""Form of the code in a table's address."""

TABLE_ADDRESS: Final = re.compile(
    rf"((?:table|live|code)(?:[/=]|{_PERCENT}(?:2F|3D)))[A-Z0-9]{{{MAX_TYPED_CODE_LENGTH + 1},}}",
    re.IGNORECASE,
)
"""A code in an address or in a form, also in small letters, which both accept."""

NO_KEY: Final = re.compile(r"[0-9]*[a-z_-]+|[0-9a-f-]+")
"""Words that are not masked: names of functions, modules and migrations, digests and UUIDs. Fewer
than one of 10^11 keys matches. Other long words, such as names of classes of 32 letters, are
masked."""


class KeyMaskingFormatter(logging.Formatter):
    """Formatter of lines and tracebacks in which each key and long code is an ellipsis.

    Every handler that may write the address of a request has it (see ``LOGGING`` in the settings).
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with its traceback if there is one."""
        return mask_keys(super().format(record))


def mask_keys(text: str) -> str:
    """Replace keys and long codes wherever they stand, with letters and digits next to them.

    >>> mask_keys("Internal Server Error: /print/filled/Cf_DXmem-Gq0TbVeIVpXv8D1gQhX_5zZ.pdf")
    'Internal Server Error: /print/filled/….pdf'
    >>> mask_keys("?next=%2Flive%2FAB3CD4EF5GH6JK%2F")
    '?next=%2Flive%…%2F'
    """
    return TABLE_ADDRESS.sub(rf"\1{MASK}", WORD.sub(_mask_word, text))


def _mask_word(found: re.Match[str]) -> str:
    word = found[0]
    if len(word) >= KEY_LENGTH and NO_KEY.fullmatch(word):
        return word
    if len(word) >= KEY_LENGTH or "%" in word or TABLE_CODE.search(word):
        return MASK
    return word
