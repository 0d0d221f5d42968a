"""Log formatter that masks keys and table codes, which would give readers of the log access."""

import logging
import re
from typing import Final

MASK: Final = "…"
"""Replacement of a masked key or code."""

KEY_LENGTH: Final = 32
"""Length of the shortest key; secrets of devices have 43 letters, values of cookies more."""

MAX_TYPED_CODE_LENGTH: Final = 12
"""Maximum length of a table's short code, which is not masked. Long codes are longer."""

_PERCENT: Final = r"%(?:25)*"  # also of an address that was encoded more than once

WORD: Final = re.compile(
    rf"""(?:[A-Za-z0-9_-]
    | {_PERCENT}(?:2[Dd] | 3[0-9] | [46][1-9A-Fa-f] | [57][0-9Aa] | 5[Ff])  # one of these, encoded
    ){{{MAX_TYPED_CODE_LENGTH + 1},}}+""",
    re.VERBOSE,
)
"""Longest run of characters that keys may contain, plain or percent-encoded. The quantifier is
possessive, so that the time is linear in the length of the line."""

TABLE_CODE: Final = re.compile(rf"[A-HJKMNP-Z2-9]{{{MAX_TYPED_CODE_LENGTH + 1},}}")
"""Form of a table's long code, which the table's address contains."""

TABLE_ADDRESS: Final = re.compile(
    rf"((?:table|live|code)(?:[/=]|{_PERCENT}(?:2F|3D)))[A-Z0-9]{{{MAX_TYPED_CODE_LENGTH + 1},}}",
    re.IGNORECASE,
)
"""A long code in an address or a form field. Both also accept lower-case letters."""

NO_KEY: Final = re.compile(r"[0-9]*[a-z_-]+|[0-9a-f-]+")
"""Words that are not masked: names of functions, modules and migrations, digests and UUIDs. Fewer
than one of 10^11 keys matches. Other long words, such as names of classes of 32 letters, are
masked."""


class KeyMaskingFormatter(logging.Formatter):
    """Formatter that replaces each key and long code in lines and tracebacks with an ellipsis.

    All handlers that may write the address of a request use it (see ``LOGGING`` in the settings).
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with its traceback if there is one."""
        return mask_keys(super().format(record))


def mask_keys(text: str) -> str:
    """Replace each key and long code, with letters and digits directly next to it, by an ellipsis.

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
