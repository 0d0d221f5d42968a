"""Levels encoded in links: round trip, and refusal of other codes in one line."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from base64 import urlsafe_b64encode

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sheets.documents.structure import MAX_BYTES
from sheets.levels import shipped_levels
from sheets.rules import DocumentError, format_level
from sheets.workshop.level_codes import (
    KIND,
    MAX_CODE_LENGTH,
    MAX_CODE_LENGTH_IN_LINK,
    WORDS,
    fits_in_link,
    format_code,
    parse_code,
)
from sheets.workshop.suggest.suggestion import SuggestionRequest
from sheets.workshop.suggest.tuning import suggest


def press(text: bytes) -> str:
    """Return a code of arbitrary bytes."""
    packer = zlib.compressobj(9, zdict=WORDS)
    return KIND + urlsafe_b64encode(packer.compress(text) + packer.flush()).decode().rstrip("=")


@pytest.mark.parametrize("level_id", sorted(shipped_levels()))
def test_every_level_survives_encoding(level_id: str) -> None:
    document = format_level(shipped_levels()[level_id])
    code = format_code(document)
    assert format_level(parse_code(code)) == document
    assert len(code) < 900
    assert code.replace("-", "").replace("_", "").isalnum()


@pytest.mark.usefixtures("few_trials")
def test_texts_of_any_language_and_large_sheets_survive_encoding() -> None:
    document = suggest(SuggestionRequest(columns=12, rows=14, gems=40, keys=4, flags=3))
    document["about"] = {"de": "Füße & Straße, 骰子 🎲" * 10, "en": "<script>"}
    code = format_code(document)
    assert format_level(parse_code(code)) == document
    assert fits_in_link(code)


def test_code_of_the_first_kind_stays_readable() -> None:
    """Old links must stay valid, so the words of kind 1 must never change."""
    document = {"format": "dizzle-level/1", "id": "old", "name": "Old", "grid": ["3x 2Gy", "1B 4"],
                "points": {"gem": {"yellow": 2}, "bomb": -2}}  # fmt: skip
    assert format_level(parse_code(OLD)) == document


OLD = "1ePkrC8q4wyMFdWZOihLMK0r-YA7MWKCdQOcCBYCOMUEON3jcwCOkFpFIamsBIvUjRg"


def test_a_bomb_of_zeros_is_not_unpacked() -> None:
    code = press(b" " * (200 * MAX_BYTES))
    assert len(code) < MAX_CODE_LENGTH
    tracemalloc.start()
    try:
        with pytest.raises(DocumentError, match=r"^code-too-large$"):
            parse_code(code)
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10 * MAX_BYTES


GOOD = format_code(format_level(shipped_levels()["level-1"]))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "^no-code$"),
        ("2" + GOOD[1:], "^no-code$"),
        (KIND, "^code-cut-off$"),
        (KIND + "ö" * 9, "^no-code$"),
        (KIND + "A" * (MAX_CODE_LENGTH + 1), "^no-code$"),
        (GOOD[:300], "^code-cut-off$"),
        (GOOD + "AAAA", "^code-cut-off$"),
        (press(b"[]"), "^not-an-object$"),
        (press(b'{"format": "dizzle-level/1"}'), "^missing-key"),
        (press(b"\xff\xfe"), "^not-json$"),
        (press(json.dumps({"format": "dizzle-game/1"}).encode()), "^format: other-format"),
    ],
)
def test_invalid_codes_are_refused(code: str, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        parse_code(code)


@given(st.text(max_size=60) | st.binary(max_size=60).map(press))
@example("1AAAA")
@settings(max_examples=60)
def test_any_text_causes_document_errors_only(code: str) -> None:
    with pytest.raises(DocumentError):
        parse_code(code)


@given(st.integers(0, len(GOOD) - 1), st.sampled_from("Az09_-"))
@settings(max_examples=60)
def test_a_changed_letter_is_noticed_or_harmless(place: int, letter: str) -> None:
    changed = GOOD[:place] + letter + GOOD[place + 1 :]
    try:
        level = parse_code(changed)
    except DocumentError:
        return
    assert format_level(level) == format_level(parse_code(GOOD))


def test_codes_in_links_are_short() -> None:
    assert fits_in_link("1" * MAX_CODE_LENGTH_IN_LINK)
    assert not fits_in_link("1" * (MAX_CODE_LENGTH_IN_LINK + 1))
