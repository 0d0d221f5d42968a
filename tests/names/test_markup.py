"""Names in sentences, marked for browsers that translate pages."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.template import Context, Template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from sheets.names.markup import mark_names, untranslated

NAMES = (
    *("Ana", "a", "1", "The", "wins", "amp", "lt", "b", "bdi", "translate", "no", "x27", "#"),
    *("&", "&amp;", "<b>", "</bdi>", '"', "'", "Ana'", "Ana & Ben", "a.*(", "\\", "[", "-x-"),
    *("Anna 2", "Ana Maria", "Zoë", "Nguyễn", "می‌خواهم", "👨‍👩‍👧", "ana"),
)
MARKED = re.compile('<bdi translate="no">(.*?)</bdi>')


def marked_in(html: str) -> list[str]:
    return [unescape(name) for name in MARKED.findall(html)]


def text_of(html: str) -> str:
    """Return the text of HTML whose only tags are those of names."""
    text = MARKED.sub(r"\1", html)
    assert not re.search(r"[<>\"']|&(?!\w+;|#x27;)", text), html
    return unescape(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_marked_and_the_text_stays_the_same(name: str) -> None:
    sentence = f'The sheet of {name}: 1 < 2 & “{name}” wins a pass, not "amp".'
    html = mark_names(sentence, [name])
    assert text_of(html) == sentence
    assert marked_in(html).count(name) >= 2
    assert set(marked_in(html)) == {name}


def test_all_names_at_once_leave_the_text_as_it_is() -> None:
    sentence = "; ".join(NAMES) + " & <b>no</b> name wins."
    assert text_of(mark_names(sentence, NAMES)) == sentence


def test_a_name_within_a_longer_word_or_name_is_not_marked() -> None:
    html = mark_names("Ana 2 and Anabel beat Ana; Joana is out.", ["Ana", "Ana 2", "Anabel"])
    assert marked_in(html) == ["Ana 2", "Anabel", "Ana"]


def test_html_of_a_sentence_keeps_its_tags_and_what_is_marked_already() -> None:
    drawing = SafeString("<svg class='Ana'><text>Ana</text></svg>")
    sentence = format_html('<b title="Ana">{}</b> {} beats {}', drawing, untranslated("Ana"), "Ana")
    html = mark_names(sentence, ["Ana", "b", "title"])
    begin = f'<b title="Ana">{drawing}</b> <bdi translate="no">Ana</bdi> beats '
    assert html == f'{begin}<bdi translate="no">Ana</bdi>'


def test_a_sentence_without_names_is_only_escaped() -> None:
    assert mark_names("1 < 2", []) == mark_names("1 < 2", ["", "Ben"]) == "1 &lt; 2"


def test_the_names_can_be_a_single_one() -> None:
    assert marked_in(mark_names("A level called Ana", "Ana")) == ["Ana"]


def test_the_filters_work_in_translated_blocks_and_around_parts() -> None:
    source = (
        "{% load i18n name_tags %}"
        "{% blocktranslate with who=who|untranslated %}It is {{ who }}{% endblocktranslate %} "
        "{% filter mark_names:who %}<i>{{ who }}</i> wins{% endfilter %}"
    )
    html = Template(source).render(Context({"who": "<Ana>"}))
    name = '<bdi translate="no">&lt;Ana&gt;</bdi>'
    assert html == f"It is {name} <i>{name}</i> wins"
