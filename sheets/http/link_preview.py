"""Preview of a link in a messenger: title, description and picture, as Open Graph tags.

A messenger's crawler has no cookies, and all readers of the chat see what it finds. So a preview
shows no more than the page does, and the address of its picture never has an edit key.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.translation import gettext as _

from sheets.http.phone_address import public_url
from sheets.rules import Level
from sheets.text.symbols import in_language

ICON: Final = "sheets/icon-512.png"
"""Static file of the icon of the site."""

ICON_SIZE: Final = (512, 512)
"""Width and height of the icon in pixels."""


class LinkPreview(NamedTuple):
    """Context of the template ``_link_preview.html``; ``image`` is the absolute address of a PNG.

    ``is_large`` is set unless the image is the icon of the site.
    """

    title: str
    description: str
    image: str
    width: int
    height: int
    is_large: bool


def link_preview(
    request: HttpRequest,
    title: str,
    description: str,
    picture: str = "",
    size: tuple[int, int] = (0, 0),
) -> LinkPreview:
    """Return the preview of a page.

    Args:
        picture: the path of a PNG; empty for the icon of the site.
        size: the width and the height of that PNG in pixels.
    """
    image = public_url(request, picture or static(ICON))
    width, height = size if picture else ICON_SIZE
    return LinkPreview(title, description, image, width, height, is_large=bool(picture))


def level_preview(
    request: HttpRequest, level: Level, picture: str = "", size: tuple[int, int] = (0, 0)
) -> LinkPreview:
    """Return the preview of a level's page; ``picture`` as in `link_preview`."""
    told = in_language(level.about) if level.about else _("A level for the dice game Dizzle.")
    return link_preview(request, in_language(level.name), told, picture, size)
