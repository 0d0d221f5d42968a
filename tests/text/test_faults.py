"""Messages for faults of documents, for people and for programs."""

import json
from random import Random
from typing import Any

import pytest
from django.utils import translation

from sheets.documents.structure import read_sheets
from sheets.levels import find_level
from sheets.rules import DocumentError
from sheets.rules.violations import FAULTS
from sheets.text.faults import SENTENCES, describe_fault, format_fault
from tests.documents.mutations import encode, mutate
from tests.documents.test_fuzz import KINDS

GOOD: dict[str, Any] = {
    "format": "dizzle-sheets/1",
    "level": "level-2",
    "sheets": [{"player": "Ana", "crosses": ["a1"]}],
}


def refused(content: bytes | dict[str, Any]) -> DocumentError:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    with pytest.raises(DocumentError) as refusal:
        read_sheets(text, find_level)
    return refusal.value


def sheet(**more: Any) -> dict[str, Any]:
    return {**GOOD, "sheets": [{"player": "Ana", **more}]}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no json", "This is not a JSON file."),
        (b"[]", "An object in curly brackets belongs here."),
        ({**GOOD, "format": "dizzle-game/1"}, "Files of the kind “dizzle-game/1” cannot be opened "
         "here."),
        ({**GOOD, "format": "x" * 99}, "This document has a format "
         "that cannot be opened here."),
        (json.dumps(GOOD).encode().replace(b"Ana", b"\xff"), "The file holds letters that cannot "
         "be read. It must be saved as UTF-8."),
        ({**GOOD, "solo": "x" * 500}, "“solo”: Only true or false can stand here."),
        (sheet(flags={"x" * 500: 7}), f"Sheet 1, “flags”: “{'x' * 40}…” cannot stand here."),
        ({**GOOD, "level": "nope"}, "“level”: There is no level “nope” here."),
        ({**GOOD, "extra": 1}, "“extra” is unknown here."),
        ({"format": "dizzle-sheets/1", "level": "level-2"}, "“sheets” is missing."),
        (sheet(crosses=["z9"]), "Sheet 1, “crosses”: The level has no field z9."),
        (sheet(crosses=["zz"]), "Sheet 1, “crosses”, entry 1: A field is written like c4."),
        (sheet(flags={"red": 7}), "Sheet 1, “flags”, “red”: 7 is none of the numbers that can be "
         "circled there."),
        (sheet(flags={"pink": 7}), "Sheet 1, “flags”: “pink” cannot stand here."),
        (sheet(flags={"blue": 10, "red": 999}), "Sheet 1, “flags”, “red”: A number up to 99 "
         "belongs here."),
    ],
)  # fmt: skip
def test_refusal_is_one_sentence(content: bytes | dict[str, Any], sentence: str) -> None:
    assert describe_fault(refused(content)) == sentence


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_faults_of_random_documents_have_sentences(name: str, seed: int) -> None:
    random, kind = Random(f"sentences {name} {seed}"), KINDS[name]
    document = kind.make(random)
    faults = []
    for _ in range(150):
        try:
            kind.read(encode(mutate(random, document, 1)))
        except DocumentError as error:
            for line in (describe_fault(error), format_fault(error)):
                assert line.isprintable()
                assert len(line) < 250
            faults.append(error.fault)
    assert len(faults) > 10
    assert set(faults) <= set(FAULTS) - {"unusable"}


def test_place_of_an_entry_names_its_key() -> None:
    assert str(refused(sheet(flags={"blue": 1, "red": "x"}))).startswith(
        "sheets entry 1 flags red: "
    )
    wrong = {"format": "dizzle-level/1", "id": "x", "name": "x", "grid": ["1 2"],
             "points": {"gem": {"red": 1, "blue": 100}}}  # fmt: skip
    assert str(refused({**GOOD, "level": wrong})).startswith("level points gem blue: ")


def test_every_sentence_is_translated() -> None:
    with translation.override("en"):
        english = [str(sentence) for sentence in SENTENCES.values()]
    with translation.override("de"):
        german = [str(sentence) for sentence in SENTENCES.values()]
    assert not set(english) & set(german)
