"""Sentences on typed texts that are no code of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.text.player_names import join_names

MAX_QUOTED: Final = 14
"""Maximum number of quoted items: characters of a code, wrong characters, or possible codes."""


def not_a_code_sentence(
    fault: str, *, characters: Sequence[str] = (), code: str = "", codes: Sequence[str] = ()
) -> str:
    """Return the sentence for a fault of `sheets.access.codes.NotACode`.

    Args:
        fault: the fault's name.
        characters: the characters that no code contains, for ``no-such-characters``.
        code: the typed code, for ``wrong-length``.
        codes: the possible codes, for ``several-codes``.
    """
    if fault == "no-such-characters":
        named = characters[:MAX_QUOTED]
        return ngettext(
            "No code contains %(characters)s. Codes consist of the letters A to Z without I, L "
            "and O, and of the digits 2 to 9.",
            "No code contains any of these: %(characters)s. Codes consist of the letters A to Z "
            "without I, L and O, and of the digits 2 to 9.",
            len(named),
        ) % {"characters": ", ".join(named)}
    if fault == "wrong-length":
        shown = code if len(code) <= MAX_QUOTED else f"{code[:MAX_QUOTED]}…"
        return ngettext(
            "A code has 5 or 6 characters, but %(code)s has %(count)d.",
            "A code has 5 or 6 characters, but %(code)s has %(count)d.",
            len(code),
        ) % {"code": shown, "count": len(code)}
    if fault == "several-codes":
        return _("This could be more than one code: %(codes)s. Type only the code.") % {
            "codes": join_names(codes[:MAX_QUOTED])
        }
    return _("Type the code as it stands on the phone that started the table.")
