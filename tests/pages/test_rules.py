"""Search in the rules."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import translation

from sheets.rules import RULES
from sheets.rules.dice2 import KINDS
from sheets.rules.dice2.game import RULES as DICE2_RULES
from sheets.text.rulebook import DICE2_CHAPTERS, DIZZLE_CHAPTERS
from sheets.text.rulebook.keywords import KEYWORDS
from sheets.text.rulebook.search import MAX_QUERY

CHAPTERS = (*DIZZLE_CHAPTERS, *DICE2_CHAPTERS)


def page_of(client: Client, query: str, language: str = "en", **headers: str) -> str:
    headers["accept-language"] = language
    response = client.get("/rules/", {"q": query}, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def found(client: Client, query: str, language: str = "en") -> list[str]:
    """Return the names of the rules that a search finds, in order."""
    page = page_of(client, query, language)
    return re.findall(r'<section class="rule card" id="([\w-]+)"', page)


def count_of(page: str) -> str:
    (text,) = re.findall(r'role="status">(.*?)</p>', page.partition('id="_rules"')[2])
    return unescape(text)


@pytest.mark.parametrize(
    ("language", "query", "first"),
    [
        ("en", "explode", "exploded"),
        ("en", "exploding", "exploded"),
        ("en", "TIE", "winner"),
        ("en", "equal points", "winner"),
        ("en", "stuck", "stuck"),
        ("en", "blocked", "jump"),
        ("en", "who starts", "start-order"),
        ("en", "lock  key!", "locked"),
        ("de", "explodieren", "exploded"),
        ("de", "Gleichstand", "winner"),
        ("de", "eingeschlossen", "jump"),
        ("de", "schlussel SCHLOSSER", "locked"),
        ("de", "nichts geht mehr", "stuck"),
    ],
)
def test_search_finds_a_rule_by_the_words_of_players(
    client: Client, language: str, query: str, first: str
) -> None:
    assert first in found(client, query, language)[:3]


def test_all_words_must_be_in_a_rule_and_titles_come_first(client: Client) -> None:
    assert found(client, "keys")[0] == "locked"
    both, one = found(client, "lock printed"), found(client, "lock")
    assert set(both) < set(one)
    assert found(client, "stuck")[0] == "stuck"


def test_without_a_rule_with_all_words_the_nearest_are_shown(client: Client) -> None:
    page = page_of(client, "flags xyzzy")
    assert re.search(r"^No rule contains all of these words\. \d rules", count_of(page))
    assert "flag" in found(client, "flags xyzzy")


def test_number_of_hits_is_announced_and_words_are_marked(client: Client) -> None:
    page = page_of(client, "bomb")
    assert count_of(page) == f"{len(found(client, 'bomb'))} rules found for “bomb”."
    assert "<mark>Bombs</mark>: when they explode" in page


def test_search_without_hits_suggests_words(client: Client) -> None:
    page = page_of(client, "xyzzy")
    assert count_of(page) == "No rule contains “xyzzy”."
    for word in re.findall(r'<a href="\?q=(\w+)">', page):
        assert found(client, word)
    assert '<a href="?q=reroll">reroll</a>' in page_of(client, "reoll")


def test_strange_queries_are_harmless(client: Client) -> None:
    for query in ("a\0b", "<b>'\"&", "a\N{RIGHT-TO-LEFT OVERRIDE}b", "%s %(count)d %", "\xff"):
        page = page_of(client, query).partition('id="_rules"')[2]
        assert not re.search("[\0\N{RIGHT-TO-LEFT OVERRIDE}]|<b>", page), query
        assert 'role="status">' in page
    assert client.get("/rules/?q=%ff%fe").status_code == 200


def test_queries_that_no_rule_contains_have_no_hits(client: Client) -> None:
    for query in ("!?", "x" * 100_000, "1" * 79):
        assert count_of(page_of(client, query)) == f"No rule contains “{query[:MAX_QUERY]}”."


def test_empty_search_shows_all_rules(client: Client) -> None:
    whole = client.get("/rules/").content.decode()
    for query in ("", "   "):
        assert page_of(client, query).count("<details") == whole.count("<details") > 1


def test_htmx_gets_the_rules_only_and_an_address_to_share(client: Client) -> None:
    hx = {"HX-Request": "true"}
    response = client.get("/rules/", {"q": " key  lock "}, headers=hx)
    assert response.content.decode().startswith('<div class="rule-list" id="_rules">')
    assert response.headers["HX-Replace-Url"] == "/rules/?q=key+lock"
    assert "HX-Request" in response.headers["Vary"]
    assert client.get("/rules/?q=", headers=hx).headers["HX-Replace-Url"] == "/rules/"


def test_every_rule_of_the_games_has_keywords() -> None:
    anchors = {rule.name for chapter in CHAPTERS for rule in chapter.rules}
    anchors |= {f"chapter-{chapter.name}" for chapter in CHAPTERS}
    assert KEYWORDS.keys() <= anchors
    without = {*RULES, *DICE2_RULES, *KINDS} & anchors - KEYWORDS.keys()
    assert without <= {"no-such-die", "centre-first", "not-a-choice"}
    for words in KEYWORDS.values():
        with translation.override("en"):
            english = str(words)
        with translation.override("de"):
            assert str(words) != english
