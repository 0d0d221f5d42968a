"""Output and exit status of ``manage.py replay``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from sheets.documents.structure import MAX_BYTES
from tests.commands.conftest import Ran, Run
from tests.conformance.comparison import differences
from tests.documents.examples import GAME, Document, encode

VECTORS = Path(__file__).parents[1] / "conformance" / "dizzle"
GAMES = sorted(VECTORS.glob("*.game.json"))

KEYS = [
    *("ok", "finished", "applied", "error", "phase", "player", "pass", "round", "pool", "may"),
    *("legal", "boxed_in", "pending", "sheets", "scores", "winners", "rating"),
]
NOT_JSON = "This is not a JSON file"

TINY: Document = {
    "format": "dizzle-game/1",
    "level": {
        "format": "dizzle-level/1",
        "id": "tiny",
        "name": "Tiny",
        "grid": ["1x 2 3", "4 5Gr 6"],
        "points": {"gem": {"red": 2}},
        "dice": {"2": 3},
        "rounds": {"2": 1},
    },
    "dice": "tracked",
    "players": ["Ana", "Ben"],
    "actions": [
        {"do": "roll", "dice": [2, 4, 6]},
        {"do": "place", "player": 0, "die": 2, "at": "b1"},
    ],
}


def tiny(*more: Document, **change: Any) -> bytes:
    return encode(TINY | change | {"actions": TINY["actions"] + list(more)})


def results(ran: Ran) -> list[Any]:
    """Return the results of ``--lines``, one per line."""
    assert ran.status == 0
    assert ran.err == ""
    assert ran.out == "" or ran.out.endswith("\n")
    return [json.loads(line) for line in ran.out.splitlines()]


def messages(ran: Ran) -> list[str | None]:
    return [result["error"] and result["error"]["message"] for result in results(ran)]


def test_game_that_keeps_the_rules(run: Run) -> None:
    ran = run("replay", "-", stdin=tiny())
    assert ran.status == 0
    assert ran.out.count("\n") == 1
    assert sorted(ran.document) == sorted(KEYS)
    assert ran.document | {"sheets": None, "scores": None} == {
        "ok": True,
        "finished": False,
        "applied": 2,
        "error": None,
        "phase": "turn",
        "player": 1,
        "pass": 1,
        "round": 1,
        "pool": [4, 6],
        "may": ["place"],
        "legal": {"4": ["a2"], "6": []},
        "boxed_in": False,
        "pending": [],
        "sheets": None,
        "scores": None,
        "winners": [],
        "rating": None,
    }
    assert ran.document["sheets"][0] == {
        "player": "Ana",
        "crosses": ["a1"],
        "dice": ["b1"],
        "exploded": [],
        "lava": [],
        "tracks": {},
        "flags": {},
        "races": {},
        "out": False,
    }
    assert [score["total"] for score in ran.document["scores"]] == [0, 0]


def test_game_that_breaks_a_rule(run: Run) -> None:
    ran = run("replay", "-", stdin=tiny({"do": "drop", "player": 1}, {"do": "end_pass"}))
    assert ran.status == 1
    assert sorted(ran.document) == sorted(KEYS)
    before = run("replay", "-", stdin=tiny()).document
    error = ran.document["error"]
    assert ran.document == before | {"ok": False, "error": error}
    assert (error["action"], error["rule"]) == (2, "must-place")
    assert error["message"].endswith(".")


def test_refusal_names_the_player_whose_turn_it_is(run: Run) -> None:
    again = {"do": "place", "player": 0, "die": 4, "at": "a2"}
    error = run("replay", "-", stdin=tiny(again)).document["error"]
    assert error["rule"] == "not-your-turn"
    assert "Ben" in error["message"]


def test_texts_are_english_in_any_locale(run: Run) -> None:
    text = tiny({"do": "drop", "player": 1})
    english = run("replay", "-", stdin=text).document
    with translation.override("de"):
        assert run("replay", "-", stdin=text).document == english


def test_names_are_printed_as_they_are_on_one_line(run: Run) -> None:
    names = ["Äнa 😀", "B\u2028e\x85n\u2029\n\x1c"]
    ran = run("replay", "-", stdin=tiny(players=names))
    assert [sheet["player"] for sheet in ran.document["sheets"]] == names
    assert len(ran.out.splitlines()) == 1
    assert "Äнa 😀" in ran.out


@pytest.mark.parametrize("game", GAMES[:20], ids=lambda path: path.stem)
def test_file_gives_the_expected_result_and_status(run: Run, game: Path) -> None:
    expected = json.loads(game.with_name(game.name.replace("game", "expected")).read_text("utf-8"))
    ran = run("replay", game)
    assert not differences(expected, ran.document)
    assert ran.status == (0 if expected["ok"] else 1)


class TestLines:
    def test_each_line_gets_its_result(self, run: Run) -> None:
        lines = [
            tiny(),
            b"",
            tiny({"do": "drop", "player": 1}),
            b"   ",
            b"{",
            encode(TINY | {"level": "nowhere"}),
            b"\xff\xfe\x00",
            b"\xef\xbb\xbf" + tiny(),
            tiny(),
        ]
        ran = run("replay", "--lines", "-", stdin=b"\n".join(lines) + b"\n")
        assert [result["ok"] for result in results(ran)] == [
            *(True, False, False, False, False, False, False, True, True)
        ]
        assert results(ran)[4] == {
            "ok": False,
            "error": {"action": None, "rule": None, "message": messages(ran)[4]},
        }
        assert messages(ran)[5] == "level: There is no level “nowhere” here. [unknown-level]"
        assert all(str(messages(ran)[i]).startswith(NOT_JSON) for i in (1, 3, 4, 6))

    def test_result_equals_that_of_the_game_alone(self, run: Run) -> None:
        alone = run("replay", "-", stdin=tiny()).document
        assert results(run("replay", "--lines", "-", stdin=tiny())) == [alone]

    @pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
    @pytest.mark.parametrize("between", [b"\n", b"\r\n"])
    def test_line_ends(self, run: Run, between: bytes, end: bytes) -> None:
        ran = run("replay", "--lines", "-", stdin=tiny() + between + tiny() + end)
        assert messages(ran) == [None, None]

    def test_empty_input_has_empty_output(self, run: Run) -> None:
        assert run("replay", "--lines", "-") == (0, "", "")

    def test_only_newlines_end_lines(self, run: Run) -> None:
        text = tiny(players=["A\u2028\x85", "B\u2029"])
        assert messages(run("replay", "--lines", "-", stdin=text + b"\n" + text)) == [None, None]
        (message,) = messages(run("replay", "--lines", "-", stdin=tiny() + b"\r" + tiny()))
        assert str(message).startswith(NOT_JSON)

    @pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
    def test_size_limit_is_for_each_line(self, run: Run, end: bytes) -> None:
        largest = tiny().ljust(MAX_BYTES)
        text = largest + b"\n" + largest + b" \n" + tiny() + b"\n" + largest + b" " * 9 + end
        too_large = "The file is larger than 1024 KiB. [too-large]"
        ran = run("replay", "--lines", "-", stdin=text)
        assert messages(ran) == [None, too_large, None, too_large]
        assert messages(run("replay", "--lines", "-", stdin=largest + end)) == [None]

    def test_a_carriage_return_does_not_end_a_line(self, run: Run) -> None:
        text = tiny().ljust(MAX_BYTES) + b"\r" + b"x" * 10 + b"\n" + tiny()
        ran = run("replay", "--lines", "-", stdin=text)
        assert messages(ran) == ["The file is larger than 1024 KiB. [too-large]", None]

    def test_messages_are_single_lines(self, run: Run) -> None:
        text = encode(GAME | {"dice": "\n\u2028\x1b"})
        (message,) = messages(run("replay", "--lines", "-", stdin=text))
        assert str(message).isprintable()
