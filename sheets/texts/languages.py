"""Which languages can be read here, and in which one is somebody reading?

They are those of ``settings.LANGUAGES``; texts that lack one are in the language of the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import get_language, get_supported_language_variant, override

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def languages() -> dict[str, str]:
    """The name of every language in its own words, by its code."""
    return dict(settings.LANGUAGES)


def source_first() -> dict[str, str]:
    """The same, but the language of the source, which all others fall back to, is the first."""
    source = settings.LANGUAGE_CODE
    return {source: languages()[source]} | languages()


def own_first() -> dict[str, str]:
    """The same, but the language somebody is reading in is the first."""
    own = reading_language()
    return {own: languages()[own]} | languages()


def reading_language() -> str:
    """The code of the language of who is reading, as prints and documents know it."""
    try:
        return get_supported_language_variant(get_language() or "")
    except LookupError:
        return settings.LANGUAGE_CODE


def in_every_language(text: str | _StrPromise) -> dict[str, str]:
    """A text by language: a lazy one in each of them, what somebody typed the same in all."""
    found = {}
    for language in languages():
        with override(language):
            found[language] = str(text)
    return found
