"""Template tags for drawings and level texts."""

from collections.abc import Iterable, Mapping

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork import silhouette, svg
from sheets.artwork.glyphs import CHARACTERS
from sheets.rules import Level
from sheets.rules.marks import Marks
from sheets.texts import symbols

register = template.Library()


@register.filter
def in_language(texts: Mapping[str, str]) -> str:
    """Return a level's text in the active language: ``{{ level.name|in_language }}``."""
    return symbols.in_language(texts)


@register.simple_tag
def sprite(ids: Iterable[str], characters: str = CHARACTERS) -> SafeString:
    """Return the sprite of all drawings that a page refers to; once per page, before them."""
    return mark_safe(svg.sprite(ids, characters))  # noqa: S308 - only our own drawings


@register.simple_tag
def drawing(id: str, variant: str | int = "") -> SafeString:
    """Return a drawing of the page's sprite, sized by its class ``pic``.

    ``{% drawing "die" 3 %}`` is the drawing ``die-3``.
    """
    id = f"{id}-{variant}" if variant else id
    return mark_safe(  # noqa: S308 - ids come from our own tables
        f'<svg class="pic" viewBox="0 0 100 100" aria-hidden="true">'
        f'<use href="#{svg.PREFIX}{id}"/></svg>'
    )


@register.simple_tag
def lost_page() -> SafeString:
    """Return the drawing of the page “404”: a four, a scribbled-over field, a four."""
    ids = ("die-4", "scribble-0", "die-4")
    return mark_safe(svg.sprite(ids, "") + "".join(map(drawing, ids)))  # noqa: S308 - only ours


@register.simple_tag
def draw_sheet(
    level: Level,
    marks: Marks | None = None,
    ringed: Iterable[str] = (),
    *,
    is_named: bool = False,
) -> SafeString:
    """Return a whole sheet, hidden from screen readers: the page describes it next to it."""
    drawn = svg.draw_sheet(level, marks, ringed, is_named=is_named)
    return mark_safe(drawn)  # noqa: S308 - only our own drawings


@register.simple_tag
def draw_silhouette(level: Level) -> SafeString:
    """Return the coloured silhouette of a level; the page has its name next to it."""
    return mark_safe(silhouette.draw_silhouette(level))  # noqa: S308 - only our own drawings


@register.filter
def hue(level: Level) -> str:
    """Return the colour of a level's silhouette: ``<span class="g-{{ level|hue }}">``."""
    return silhouette.hue_of(level)


@register.simple_tag
def draw_where(level: Level, fields: int) -> SafeString:
    """Return a small map of some fields (a bit mask); the page names them for screen readers."""
    return mark_safe(silhouette.draw_where(level, fields))  # noqa: S308 - only our own drawings
