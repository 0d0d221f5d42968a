"""Cleaning and comparison of names, without pages."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from sheets.names import confusables
from sheets.names.cleaning import MAX_MARKS, NAME_LENGTH, clean_name, cut_name
from sheets.names.confusables import are_confusable, distinct_name, distinct_names, skeletons

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
WALES = "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"

WORDS = (
    "Nguyễn Thị Phượng",
    unicodedata.normalize("NFD", "Nguyễn Thị Phượng"),
    "ก้องเกียรติ",
    "น้ำผึ้ง",
    "שָׁלוֹם",
    "בְּרֵאשִׁ֖ית",
    "नेहा",
    "लक्ष्म्याः",
    "مُحَمَّدٌ",
    "ٱلرَّحْمَٰنِ",
    "می‌خواهم",  # a Persian verb, with a joiner that keeps two letters apart
    "ශ්‍රී",
    "ញ៉ាំ",
    "ညှို့",
    "བསྒྲུབས",
    "Ž̨ǫ́",
    FAMILY,
    "👩🏽‍❤️‍💋‍👨🏿",
    "🏳️‍🌈",
    "1️⃣",
    WALES,
    "Zoë",
    "José",
)


@pytest.mark.parametrize("name", WORDS)
def test_names_of_all_scripts_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == name
    assert distinct_name(name, ["Anna"]) == name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("A" + "\u0301" * 38, "A" + "\u0301" * MAX_MARKS),
        ("Z" + "\u0301\u0489" * 19 + "a", "Z" + "\u0301\u0489" * 2 + "a"),
        ("Z" + "\u0301\u200d" * 19, "Z" + "\u0301\u200d" * MAX_MARKS),
        ("ก" + "็" * 30, "ก" + "็" * MAX_MARKS),
        ("\u200d", ""),
        ("\u3164 \u2800", ""),
        ("\U000e0041\u034f", ""),
        ("\t=1", "=1"),
        ("Ana\u2064\ufff9", "Ana"),
    ],
)
def test_stacked_accents_are_cut_and_invisible_names_are_empty(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@given(st.text())
def test_a_clean_name_is_clean(typed: str) -> None:
    name = clean_name(typed)
    assert clean_name(name) == name
    assert len(name) <= len(typed)
    assert name == name.strip()


@given(st.lists(st.sampled_from([*WORDS, "a", "🇩🇪", "각", "\u0301"])), st.integers(0, 60))
def test_graphemes_are_never_cut(parts: list[str], most: int) -> None:
    name = clean_name("".join(parts))
    cut = cut_name(name, most)
    assert len(cut) <= most
    clusters = regex.findall(r"\X", name)
    whole = ["".join(clusters[:count]).rstrip() for count in range(len(clusters) + 1)]
    assert cut in whole
    longer = [one for one in whole if len(cut) < len(one.rstrip()) <= most]
    assert not longer


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Anna"),
        ("Anna", "anna"),
        ("Anna", "ANNA"),
        ("Anna", "Аnnа"),  # with Cyrillic letters
        ("Anna", "Ａｎｎａ"),
        ("Anna", "𝓐𝓷𝓷𝓪"),
        ("Anna", "An\u200cna"),
        ("Anna", "An na"),
        ("Anna", "Anna\ufe0f"),
        ("AIex", "Alex"),
        ("Bernd", "Bemd"),
        ("Otto", "0tto"),
        ("Παν", "Πaν"),
        ("José", "Jose\u0301"),
        ("STRASSE", "straße"),
        ("İnci", "i\u0307nci"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert are_confusable(one, other)
    assert are_confusable(other, one)
    assert distinct_name(other, [one]) == f"{other} 2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Anne"),
        ("José", "Jose"),
        ("Müller", "Muller"),
        ("Player 1", "Player 2"),
        ("Анна", "Anna"),
        ("مريم", "محمد"),
        ("ליאור", "ליאת"),
        ("木", "林"),
        (FAMILY, "👨\u200d👩\u200d👧"),
        ("", ""),
    ],
)
def test_names_that_look_different(one: str, other: str) -> None:
    assert not are_confusable(one, other)
    assert distinct_name(other, [one]) == other


def test_names_that_look_alike_get_different_numbers() -> None:
    assert distinct_names(["Anna", "Anna", "anna", "Anna 2", "", ""]) == [
        "Anna",
        "Anna 2",
        "anna 3",
        "Anna 2 2",
        "",
        "",
    ]


def test_a_long_name_is_cut_for_its_number() -> None:
    long = "A" * NAME_LENGTH
    assert distinct_name(long, [long]) == "A" * (NAME_LENGTH - 2) + " 2"
    family = "x" * (NAME_LENGTH - 7) + FAMILY
    assert distinct_name(family, [family]) == "x" * (NAME_LENGTH - 7) + " 2"
    assert distinct_name("👨" + "\u200d👨" * 19, ["👨" + "\u200d👨" * 19]) == "2"


@given(st.lists(st.text(max_size=NAME_LENGTH), max_size=6))
def test_distinct_names_do_not_look_alike(typed: list[str]) -> None:
    names = distinct_names([clean_name(name)[:NAME_LENGTH] for name in typed])
    seen = [name for name in names if name]
    assert all(len(name) <= NAME_LENGTH for name in names)
    pairs = [(a, b) for i, a in enumerate(seen) for b in seen[:i]]
    assert not any(are_confusable(a, b) for a, b in pairs)
    assert distinct_names(names) == names


def test_many_equal_names_are_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group's file can have two hundred players of one name, which once took twenty seconds."""
    asked: list[str] = []

    def counted(name: str) -> frozenset[str]:
        asked.append(name)
        return skeletons(name)

    monkeypatch.setattr(confusables, "skeletons", counted)
    names = distinct_names(["Ana"] * 200)
    assert names[::199] == ["Ana", "Ana 200"]
    assert len(asked) < 5 * len(names)
