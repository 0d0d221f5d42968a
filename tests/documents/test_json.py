"""Refusals of bytes that are no document."""

from __future__ import annotations

import pytest

from sheets.documents.structure import MAX_BYTES, read_game, read_level
from sheets.levels import find_level
from sheets.rules import DocumentError
from sheets.text.faults import format_fault
from tests.documents.examples import HARBOUR, SHEETS, encode

TEXT = encode(HARBOUR)


def with_about(text: bytes) -> bytes:
    """Return `HARBOUR` with these bytes in its ``about``."""
    return TEXT.replace(b"Ships come and go.", text)


def with_author(value: bytes) -> bytes:
    """Return `HARBOUR` with this author."""
    return TEXT.replace(b'"author": "Ana"', b'"author": ' + value)


NO_JSON = {
    "nothing": b"",
    "blanks": b" \n ",
    "words": b"dizzle",
    "binary": bytes(range(256)),
    "zeros": bytes(100),
    "picture": b"\x89PNG\r\n\x1a\n",
    "truncated": TEXT[:-1],
    "half": TEXT[: len(TEXT) // 2],
    "more after it": TEXT + b"{}",
    "two of them": TEXT + b"\n" + TEXT,
    "trailing comma": TEXT[:-1] + b",}",
    "comment": b"// a level\n" + TEXT,
    "single quotes": TEXT.replace(b'"', b"'"),
    "UTF-16": TEXT.decode().encode("utf-16"),
    "Latin-1": with_about("Häfen".encode("latin-1")),
    "overlong UTF-8": with_about(b"\xc0\x80"),
    "surrogate in UTF-8": with_about(b"\xed\xa0\x80"),
    "lone surrogate": with_about(rb"\ud800"),
    "lone low surrogate": with_about(rb"\udc00x"),
    "line end in a text": with_about(b"a\nb"),
    "control character in a text": with_about(b"a\x01b"),
    "unknown escape": with_about(rb"\x41"),
    "NaN": with_author(b"NaN"),
    "Infinity": with_author(b"-Infinity"),
    "leading zero": with_author(b"007"),
    "Python": with_author(b"None"),
    "two byte order marks": b"\xef\xbb\xbf" * 2 + TEXT,
}

OTHER_TYPE = {
    "null": b"null",
    "number": b"1e999",
    "text": b'"dizzle-level/1"',
    "list": b"[" + TEXT + b"]",
    "list 100,000 deep": b"[" * 100_000,
    "deep list": with_author(b"[" * 5000 + b"]" * 5000),
    "deep objects": with_author(b'{"a":' * 5000 + b"1" + b"}" * 5000),
    "huge integer": with_author(b"9" * 100_000),
    "huge float": with_author(b"1e999999"),
}


@pytest.mark.parametrize("text", NO_JSON.values(), ids=NO_JSON)
def test_text_that_is_not_json_is_refused(text: bytes) -> None:
    with pytest.raises(DocumentError) as refusal:
        read_level(text)
    assert refusal.value.place == ()
    assert refusal.value.fault in ("not-json", "broken-json", "not-utf-8")


@pytest.mark.parametrize("text", OTHER_TYPE.values(), ids=OTHER_TYPE)
def test_other_types_are_refused(text: bytes) -> None:
    with pytest.raises(DocumentError) as refusal:
        read_level(text)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(
    "double",
    [
        (b'"id": "harbour"', b'"id": "harbour", "id": "harbour"'),
        (b'"id": "harbour"', rb'"id": "harbour", "\u0069d": "port"'),
        (b'"yellow": 1', b'"yellow": 1, "yellow": 2'),
        (b'"row": 2', b'"row": 2, "row": 3'),
        (b'"planet":', b'"planet": "x", "planet":'),
    ],
    ids=str,
)
def test_duplicate_keys_are_refused(double: tuple[bytes, bytes]) -> None:
    with pytest.raises(DocumentError, match=r"^double-key \(key \w+\)$"):
        read_level(TEXT.replace(*double))


def test_byte_order_mark_and_blanks_are_ignored() -> None:
    assert read_level(b"\xef\xbb\xbf \r\n" + TEXT + b"\r\n\t ").id == "harbour"


def test_escapes_are_read() -> None:
    text = with_about(rb"\u00dc \ud83d\ude00 \"\\\/\b\f\n\r\t")
    assert read_level(text).about == {"": 'Ü 😀 "\\/\b\f\n\r\t'}


def test_text_with_a_nul_character_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"^about: nul-character$"):
        read_level(with_about(rb"a\u0000b"))


def test_size_limit_is_one_mebibyte() -> None:
    assert read_level(TEXT.ljust(MAX_BYTES)).id == "harbour"
    assert MAX_BYTES == 1024 * 1024
    with pytest.raises(DocumentError, match=r"^too-large \(kib 1024\)$"):
        read_level(TEXT.ljust(MAX_BYTES + 1))


@pytest.mark.parametrize("document", [HARBOUR, SHEETS], ids=lambda d: d["format"])
def test_another_format_is_named(document: dict[str, object]) -> None:
    with pytest.raises(DocumentError, match=r"^format: other-format \(written dizzle-\w+/1\)$"):
        read_game(
            encode({"format": document["format"], "level": "", "dice": "", "players": []}),
            find_level,
        )


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("x" * 100_000, "x" * 40 + "…"),
        ("x\n\u2028\x1b[2J\ud7ff", "x[2J"),
        ("x` - at `$.grid[2]", "x` - at `$.grid[2]"),
        ("100 %s {0}", "100 %s {0}"),
    ],
    ids=["long", "control characters", "a place", "placeholders"],
)
def test_refused_value_is_quoted_in_one_short_line(value: str, quoted: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        read_level(encode(HARBOUR | {"marks": value}))
    assert refusal.value.place == ("marks",)
    assert (refusal.value.fault, refusal.value.facts) == ("not-allowed", {"written": value})
    assert str(refusal.value) == f"marks: not-allowed (written {quoted})"
    line = format_fault(refusal.value)
    assert line == f"marks: “{quoted}” cannot stand here. [not-allowed]"
    assert line.isprintable()
