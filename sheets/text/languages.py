"""Languages of the site (``settings.LANGUAGES``) and the active one.

Texts without a translation stay in the language of the source code, English.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import get_language, get_supported_language_variant, override

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def languages() -> dict[str, str]:
    """Return the name of each language, in that language, by its code."""
    return dict(settings.LANGUAGES)


def languages_source_first() -> dict[str, str]:
    """Return `languages` with the source code's language, the fallback of the others, first."""
    source = settings.LANGUAGE_CODE
    return {source: languages()[source]} | languages()


def languages_active_first() -> dict[str, str]:
    """Return `languages` with the active language first."""
    own = active_language()
    return {own: languages()[own]} | languages()


def active_language() -> str:
    """Return the code of the active language, always one of `languages`."""
    try:
        return get_supported_language_variant(get_language() or "")
    except LookupError:
        return settings.LANGUAGE_CODE


def in_every_language(text: str | _StrPromise) -> dict[str, str]:
    """Return a text by language: a lazy text is translated, a plain one is the same in each."""
    found = {}
    for language in languages():
        with override(language):
            found[language] = str(text)
    return found
