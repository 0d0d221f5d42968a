"""Drawings and level texts in templates."""

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
    """``{{ level.name|in_language }}``: a level's text in the reader's language."""
    return symbols.in_language(texts)


@register.simple_tag
def sprite(ids: Iterable[str], characters: str = CHARACTERS) -> SafeString:
    """The drawings a page refers to; once per page, before them."""
    return mark_safe(svg.sprite(ids, characters))  # noqa: S308 - only our own drawings


@register.simple_tag
def drawing(id: str, variant: str | int = "") -> SafeString:
    """One drawing of the page's sprite, as large as its class ``pic`` says.

    ``{% drawing "die" 3 %}`` is the drawing ``die-3``.
    """
    id = f"{id}-{variant}" if variant else id
    return mark_safe(  # noqa: S308 - ids come from our own tables
        f'<svg class="pic" viewBox="0 0 100 100" aria-hidden="true">'
        f'<use href="#{svg.PREFIX}{id}"/></svg>'
    )


@register.simple_tag
def lost_page() -> SafeString:
    """What a page shows that is not there: a four, a field that is scribbled over, a four."""
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
    """A whole sheet; what it shows is told beside it, so it is hidden from screen readers."""
    drawn = svg.draw_sheet(level, marks, ringed, is_named=is_named)
    return mark_safe(drawn)  # noqa: S308 - only our own drawings


@register.simple_tag
def draw_silhouette(level: Level) -> SafeString:
    """A level as its coloured shape; its name stands beside it."""
    return mark_safe(silhouette.draw_silhouette(level))  # noqa: S308 - only our own drawings


@register.filter
def hue(level: Level) -> str:
    """``<span class="g-{{ level|hue }}">``: around a silhouette, its level's own colour."""
    return silhouette.hue_of(level)


@register.simple_tag
def draw_where(level: Level, fields: int) -> SafeString:
    """Where some fields lie on a level; they are named beside it for who does not see it."""
    return mark_safe(silhouette.draw_where(level, fields))  # noqa: S308 - only our own drawings
