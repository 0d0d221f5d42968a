"""Template tags for drawings and level texts."""

from collections.abc import Iterable, Mapping

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.art import svg, thumbnail
from sheets.art.glyphs import CHARACTERS
from sheets.rules import Level
from sheets.rules.marks import Marks
from sheets.text import symbols
from sheets.text.house_rules import ShownHouseRule, shown_house_rules

register = template.Library()


@register.filter
def in_language(texts: Mapping[str, str]) -> str:
    """Return a level's text in the active language: ``{{ level.name|in_language }}``."""
    return symbols.in_language(texts)


@register.filter
def house_rules(level: Level) -> list[ShownHouseRule]:
    """Return the house rules of a level: ``{% for rule in level|house_rules %}``."""
    return shown_house_rules(level)


@register.simple_tag
def sprite(ids: Iterable[str], characters: str = CHARACTERS) -> SafeString:
    """Return an SVG sprite with the drawings of a page; use it once, before the first drawing."""
    return mark_safe(svg.sprite(ids, characters))  # noqa: S308 - only our own drawings


@register.simple_tag
def drawing(id: str, variant: str | int = "") -> SafeString:
    """Return an ``<svg>`` that shows a drawing of the page's `sprite`; the class ``pic`` sizes it.

    ``{% drawing "die" 3 %}`` shows the drawing ``die-3``.
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
    """Return an SVG of a whole sheet; screen readers skip it and need a description in the page.

    ``ringed`` fields have a line around them; ``is_named`` adds the names of columns and rows.
    """
    drawn = svg.draw_sheet(level, marks, ringed, is_named=is_named)
    return mark_safe(drawn)  # noqa: S308 - only our own drawings


@register.simple_tag
def draw_silhouette(level: Level) -> SafeString:
    """Return an SVG of a level's coloured silhouette, for pages that name the level next to it."""
    return mark_safe(thumbnail.draw_thumbnail(level))  # noqa: S308 - only our own drawings


@register.filter
def hue(level: Level) -> str:
    """Return the palette group of a level's silhouette: ``<span class="g-{{ level|hue }}">``."""
    return thumbnail.thumbnail_group(level)


@register.simple_tag
def draw_where(level: Level, fields: int) -> SafeString:
    """Return a thumbnail of a level that highlights some fields, given as a bit mask.

    Screen readers skip it and need a description in the page.
    """
    return mark_safe(thumbnail.draw_highlighted_fields(level, fields))  # noqa: S308 - only our own drawings
