"""Page with the rules of all games, and the search in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from sheets.http.fragments import render_part
from sheets.pages.rule_examples import DrawnExample, draw_example, example_drawing_ids
from sheets.rules.level import RATINGS
from sheets.scoring.sentences import grades_from
from sheets.text.rulebook import DICE2_CHAPTERS, DIZZLE_CHAPTERS, Rule
from sheets.text.rulebook.search import MAX_QUERY, FoundRules, contains_part, search_rules

_CHAPTERS = (*DIZZLE_CHAPTERS, *DICE2_CHAPTERS)
"""Chapters of the page, in order."""


class ShownRule(NamedTuple):
    """A rule with its drawn example; found words are marked in its texts."""

    rule: Rule
    title: SafeString
    text: SafeString
    example: DrawnExample | None


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show all rules, or those that the search ``q`` finds; a rule's name is its anchor."""
    typed = request.GET.get("q", "")[:MAX_QUERY]
    query = " ".join("".join(c if c.isprintable() else " " for c in typed).split())
    context: dict[str, Any] = {
        "query": query,
        "max_query": MAX_QUERY,
        "chapters": _CHAPTERS,
        "drawings": {chapter.drawing for chapter in _CHAPTERS} | example_drawing_ids(),
        "grades": grades_from(RATINGS),
    }
    if query:
        found = search_rules(_CHAPTERS, query)
        context |= {
            "found": _shown(found.rules, found.parts),
            "count": _count_in_words(query, found),
            "similar": found.similar,
            "examples_of_words": (_("bomb"), _("reroll"), _("tie")),
        }
    else:
        context["shown"] = [(chapter, _shown(chapter.rules)) for chapter in _CHAPTERS]
    response = render_part(request, "rules/rules.html", "rules/_rules.html", context)
    address = reverse("rules") + (f"?{urlencode({'q': query})}" if query else "")
    return replace_url(response, address)


def _shown(rules: Iterable[Rule], parts: Collection[str] = ()) -> list[ShownRule]:
    return [
        ShownRule(
            rule,
            _mark(str(rule.title), parts),
            _mark(str(rule.text), parts),
            draw_example(rule.example) if rule.example else None,
        )
        for rule in rules
    ]


def _mark(text: str, parts: Collection[str]) -> SafeString:
    """Return a text in which the words with one of these parts are marked."""
    pieces = re.split(r"(\w+)", text)
    marked = (
        (format_html("<mark>{}</mark>", piece) if contains_part(piece, parts) else piece,)
        for piece in pieces
    )
    return format_html_join("", "{}", marked)


def _count_in_words(query: str, found: FoundRules) -> str:
    count = len(found.rules)
    facts = {"count": count, "query": query}
    if not count:
        return _("No rule contains “%(query)s”.") % facts
    if found.is_partial:
        return (
            ngettext(
                "No rule contains all of these words. %(count)d rule contains some of them.",
                "No rule contains all of these words. %(count)d rules contain some of them.",
                count,
            )
            % facts
        )
    return (
        ngettext(
            "%(count)d rule found for “%(query)s”.", "%(count)d rules found for “%(query)s”.", count
        )
        % facts
    )
