"""Pages of the shipped levels: gallery, level, picture, document."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.access.devices import keep_private_if_known
from sheets.http import render_tasks, rendering
from sheets.http.downloads import attach, document_bytes, show_picture
from sheets.http.link_preview import level_preview
from sheets.levels import find_level, shipped_levels
from sheets.levels.legend import legend, legend_context
from sheets.printing.pictures.sizes import blank_size
from sheets.rules import DocumentError, Level, format_level
from sheets.scoring.sentences import grades_from
from sheets.text.symbols import in_language


@require_safe
def levels(request: HttpRequest) -> HttpResponse:
    """Show each shipped level as a small drawing."""
    found = shipped_levels().values()
    legends = [legend(level) for level in found]
    ids = {sign.drawing for signs in legends for sign in signs}
    ids |= {f"die-{level.difficulty}" for level in found if level.difficulty}
    context = {"levels": list(zip(found, legends, strict=True)), "drawings": ids}
    return keep_private_if_known(request, render(request, "levels/gallery.html", context))


@require_safe
def level(request: HttpRequest, level_id: str) -> HttpResponse:
    """Show a level with a legend of everything on it."""
    shown = _find(level_id)
    context = {
        **legend_context(shown),
        "link_preview": level_preview(
            request, shown, reverse("level-picture", args=(level_id,)), blank_size(shown)
        ),
        "grades": grades_from(shown.ratings),
    }
    return render(request, "levels/level.html", context)


@require_safe
def level_picture(request: HttpRequest, level_id: str) -> HttpResponse:
    """Return the empty sheet as a PNG, for link previews of the level's page."""
    shown = _find(level_id)
    return rendering.file_response(
        request,
        ("level-picture", rendering.level_cache_key(shown)),
        lambda: partial(render_tasks.blank_picture, shown),
        lambda picture: show_picture(picture, in_language(shown.name), shown.id),
    )


@require_safe
def level_document(request: HttpRequest, level_id: str) -> HttpResponse:
    """Return the level as a ``dizzle-level/1`` file for download."""
    content = document_bytes(format_level(_find(level_id)))
    return attach(content, "application/json", f"{level_id}.json")


def _find(level_id: str) -> Level:
    try:
        return find_level(level_id)
    except DocumentError as error:
        raise Http404(str(error)) from error
