"""All URL patterns of the site, and the paths of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from sheets.templatetags.menu_tags import SECTIONS

NO_PAGES: Final = {
    *("health", "set_language", "theme", "manifest", "worker", "icon", "robots"),
    "secure-authority",
    *("photos-line", "photos-read", "photos-sum", "photos-take", "photos-empty"),
    *("print-pdf", "open-level", "open-use", "tally-keep"),
    *("mine-hide", "mine-old", "mine-link", "day"),
}
"""Names of URL patterns without arguments that show no page to a visitor."""


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    """Yield every URL pattern below a resolver."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from patterns(entry)
        else:
            yield entry


def plain_pages() -> list[str]:
    """Return the paths of all pages whose URL patterns have no arguments."""
    return [
        reverse(pattern.name)
        for pattern in patterns(get_resolver())
        if pattern.name and pattern.name not in NO_PAGES and not pattern.pattern.converters
    ]


def pages_in_navigation() -> list[str]:
    """Return the paths of the pages in the menu."""
    return [reverse(name) for section in SECTIONS for name in section.pages]
