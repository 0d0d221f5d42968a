"""Page with all design tokens and components, for developers; only sites with ``DEBUG`` have it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.levels import find_level
from sheets.levels.legend import legend_context

STYLES: Final = "sheets/app.css"
"""Style sheet with the tokens."""

NOT_DRAWN: Final = ("--font", "--shadow", "--shadow-up", "--radius-drawn")
"""Tokens that are visible in the components only."""

SIZES: Final = ("--space", "--touch", "--target", "--radius", "--text-")
"""Beginnings of the names of tokens that are no colours."""


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Show the tokens of colour, space, radius and type, and every component in its states."""
    drawn = [name for name in tokens() if name not in NOT_DRAWN]
    sizes = {kind: [name for name in drawn if name.startswith(kind)] for kind in SIZES}
    in_sizes = {name for names in sizes.values() for name in names}
    legend = legend_context(find_level("level-3"))
    dice = range(1, 7)
    context = {
        **legend,
        "drawings": {*legend["drawings"], *(f"die-{number}" for number in dice)},
        "colours": [name for name in drawn if name not in in_sizes],
        "spaces": sizes["--space"] + sizes["--touch"] + sizes["--target"],
        "radii": sizes["--radius"],
        "types": sizes["--text-"],
        "dice": dice,
        "wrong": {"copies": _("Copies: a number from 1 to %(most)d.") % {"most": 99}},
    }
    return render(request, "style.html", context)


def tokens() -> list[str]:
    """Return the names of all design tokens, in the order of the style sheet."""
    text = Path(str(finders.find(STYLES))).read_text("utf-8")
    root = text[text.index(":root {") :].partition("}")[0]
    return re.findall(r"^ *(--[\w-]+):", root, re.MULTILINE)
