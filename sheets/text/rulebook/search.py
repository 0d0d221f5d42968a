"""Search for rules by words, in the active language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from sheets.text.rulebook.chapters import Chapter, Rule
from sheets.text.rulebook.keywords import KEYWORDS

MAX_QUERY: Final = 80
"""Maximum length of a query in characters; the rest of a longer one is ignored."""

MAX_ENDING: Final = 3
"""Maximum number of letters that are ignored at the end of a word that no rule contains."""

MIN_STEM: Final = 4
"""Minimum number of letters that remain of such a word."""


class FoundRules(NamedTuple):
    """Rules that a search has found.

    Attributes:
        rules: the hits, first those with the most words in their title, then in their keywords. The
            introduction of a chapter is a rule here, named after its anchor.
        parts: the parts of words that the hits contain (`contains_part`).
        is_partial: no rule contains all words; the hits contain the most of them.
        similar: a known word that looks like one of the query, if there is no hit.
    """

    rules: Sequence[Rule]
    parts: Sequence[str] = ()
    is_partial: bool = False
    similar: str = ""


class _Entry(NamedTuple):
    """A rule with the words of its title, its keywords, and all of these and its text."""

    rule: Rule
    title: str
    keywords: str
    text: str


def search_rules(chapters: Sequence[Chapter], query: str) -> FoundRules:
    """Return the rules and introductions that contain the most words of a query."""
    entries = [entry for chapter in chapters for entry in _entries(chapter)]
    words = list(dict.fromkeys(_words(query)))
    parts = [part for word in words if (part := _known_part(word, entries))]
    best = max(_count(parts, entry.text) for entry in entries)
    if not best:
        return FoundRules((), similar=_similar_word(words, entries))
    hits = [entry for entry in entries if _count(parts, entry.text) == best]
    hits.sort(key=lambda one: (-_count(parts, one.title), -_count(parts, one.keywords)))
    return FoundRules([entry.rule for entry in hits], parts, best < len(words))


def contains_part(word: str, parts: Iterable[str]) -> bool:
    """Return whether a word contains a part; a part that begins with a space begins the word."""
    text = _joined([_fold(word)])
    return any(part in text for part in parts)


def _entries(chapter: Chapter) -> Iterator[_Entry]:
    """Yield the introduction, which the title of its chapter does not describe, and all rules."""
    intro = Rule(f"chapter-{chapter.name}", chapter.title, chapter.intro)
    for rule in (intro, *chapter.rules):
        title = "" if rule is intro else _joined(_words(str(rule.title)))
        keywords = _joined(_words(str(KEYWORDS.get(rule.name, ""))))
        text = title + keywords + _joined(_words(str(rule.text)))
        yield _Entry(rule, title, keywords, text)


def _count(parts: Iterable[str], text: str) -> int:
    return sum(part in text for part in parts)


def _known_part(word: str, entries: Sequence[_Entry]) -> str:
    """Return how rules contain a word: at a word's start, inside one, without its ending, or ''."""
    shortest = max(MIN_STEM, len(word) - MAX_ENDING)
    stems = (word[:length] for length in range(len(word) - 1, shortest - 1, -1))
    candidates = (part for stem in (word, *stems) for part in (f" {stem}", stem))
    return next((part for part in candidates if any(part in one.text for one in entries)), "")


def _similar_word(words: Iterable[str], entries: Sequence[_Entry]) -> str:
    """Return a word of a title or of keywords that looks like one of these words, or ''."""
    known = {
        _fold(word): word
        for rule in (entry.rule for entry in entries)
        for word in re.findall(r"\w+", f"{rule.title} {KEYWORDS.get(rule.name, '')}")
    }
    matches = (match for word in words for match in get_close_matches(word, known, 1))
    return next((known[match] for match in matches), "")


def _joined(words: Iterable[str]) -> str:
    return "".join(f" {word}" for word in words)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", _fold(text))


def _fold(text: str) -> str:
    """Return a text without case and accents.

    >>> _fold("Schlüssel"), _fold("Dice²")
    ('schlussel', 'dice2')
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
