"""Examples, limits and messages in docs/formats.md, compared with the code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from sheets.documents.analysis import (
    AnalysisDocument,
    BestEntry,
    ChoiceEntry,
    CourseEntry,
    DecisionEntry,
    EstimateEntry,
    GameHead,
    PlayerEntry,
    Sources,
)
from sheets.documents.structure import (
    AnyAction,
    DiceProofEntry,
    GameDocument,
    LevelDocument,
    SheetEntry,
)
from sheets.groups.documents import read_group
from sheets.rules.final_sheet import SHEET_KEYS
from sheets.rules.violations import FAULTS
from sheets.text.faults import SENTENCES
from tests.commands.conftest import Run
from tests.conformance.comparison import differences
from tests.vision.empty_sheet_shots import take_empty_sheet
from tests.vision.shots import take

DOCS = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
ANALYSIS_STRUCTURES = (
    *(AnalysisDocument, GameHead, Sources, PlayerEntry, CourseEntry),
    *(ChoiceEntry, BestEntry, DecisionEntry, EstimateEntry),
)
EXAMPLES = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```", DOCS, re.S | re.M)]


def examples(start: str) -> list[Any]:
    """Return the examples whose format begins with ``start``."""
    return [example for example in EXAMPLES if str(example.get("format")).startswith(start)]


def test_every_example_is_tested() -> None:
    formats = [example.get("format", "a result") for example in EXAMPLES]
    assert formats == [
        *("dizzle-level/1", "dizzle-level/1", "dizzle-game/1", "dizzle-sheets/1"),
        *("dice2-game/1", "dice2-relay/1", "dizzle-analysis/1"),
        *("a result", "a result", "a result", "a result", "a result", "a result"),
        *("dizzle-reading/1", "dizzle-new/1", "dizzle-group/1"),
    ]


def test_an_analysis_can_be_read_back(run: Run) -> None:
    (look,) = examples("dizzle-analysis")
    ran = run("analyse", "--check", "-", stdin=json.dumps(look).encode())
    assert ran.document == {"ok": True, "decisions": 1}


def test_a_group_can_be_opened() -> None:
    (group,) = examples("dizzle-group")
    assert read_group(json.dumps(group).encode()).group.players[2].same_as == 0


@pytest.mark.parametrize("level", examples("dizzle-level"), ids=lambda level: level["id"])
def test_levels_can_be_played(run: Run, level: Any) -> None:
    game = {"format": "dizzle-game/1", "dice": "tracked", "players": ["Ana"], "actions": []}
    assert run("replay", "-", stdin=json.dumps(game | {"level": level}).encode()).status == 0


def test_replay_prints_what_the_page_shows(run: Run) -> None:
    (game,) = examples("dizzle-game")
    ran = run("replay", "-", stdin=json.dumps(game).encode())
    assert ran.status == 1
    assert not differences(EXAMPLES[7], ran.document)
    assert list(EXAMPLES[7]["error"]) == list(ran.document["error"])


def test_unusable_line_prints_what_the_page_shows(run: Run) -> None:
    assert run("replay", "--lines", "-", stdin=b"\n").document == EXAMPLES[8]


def test_score_prints_what_the_page_shows(run: Run) -> None:
    (sheets,) = examples("dizzle-sheets")
    ran = run("score", "-", stdin=json.dumps(sheets).encode())
    assert ran.status == 0
    assert ran.document == EXAMPLES[9]


def test_dice2_prints_what_the_page_shows(run: Run) -> None:
    (game,) = examples("dice2-game")
    ran = run("dice2", "-", stdin=json.dumps(game).encode())
    assert ran.status == 1
    assert ran.document == EXAMPLES[10]


def test_relay_prints_what_the_page_shows(run: Run) -> None:
    (relay,) = examples("dice2-relay")
    ran = run("relay", "-", stdin=json.dumps(relay).encode())
    assert ran.status == 0
    assert ran.document == EXAMPLES[11]


def test_verify_prints_what_the_page_shows(run: Run) -> None:
    (game,) = examples("dizzle-game")
    (proof,) = re.findall(r'^```\n("dice_proof": .*?)^```', DOCS, re.S | re.M)
    document = game | json.loads("{" + proof + "}")
    ran = run("verify", "-", stdin=json.dumps(document).encode())
    assert ran.status == 0
    assert ran.document == EXAMPLES[12]


def test_read_prints_what_the_page_shows(run: Run, tmp_path: Path) -> None:
    photo = tmp_path / "a.jpg"
    photo.write_bytes(take("level-3", crosses=("c4",), taken_back=("d4", "d5")).jpeg)
    found, (shown,) = run("read", photo).document, examples("dizzle-reading")
    assert found.keys() == shown.keys()
    (sheet,), (wanted,) = found["sheets"], shown["sheets"]
    assert sheet.keys() == wanted.keys()
    for unsure in (sheet["unsure"], wanted["unsure"]):
        assert {key for one in unsure.values() for key in one} == {"best", "sure"}


def test_read_new_prints_what_the_page_shows(run: Run, tmp_path: Path) -> None:
    photo = tmp_path / "a.jpg"
    photo.write_bytes(take_empty_sheet(1).shot.jpeg)
    found, (shown,) = run("read", "--new", photo).document, examples("dizzle-new")
    assert list(found) == list(shown)
    assert found["sure"].keys() == found["corners"].keys()
    assert shown["sure"].keys() == shown["corners"].keys()
    for document in (found, shown):
        names = [name for group in document["groups"] for name in group]
        assert sorted(names) == sorted(document["sure"])


def test_every_key_is_explained() -> None:
    keys = {
        key
        for kind in (
            LevelDocument,
            GameDocument,
            DiceProofEntry,
            SheetEntry,
            *AnyAction.__args__,
            *ANALYSIS_STRUCTURES,
        )
        for key in kind.__struct_fields__
    }
    assert {key for key in keys if f"`{key}`" not in DOCS} == set()


def test_every_action_is_explained() -> None:
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| ([^|]*)\|", DOCS, re.M))
    for action in AnyAction.__args__:
        assert re.findall(r"`([a-z]+)`", rows[action.__struct_config__.tag]) == sorted(
            action.__struct_fields__,
            key=["player", "at", "die", "dice", "shape", *SHEET_KEYS].index,
        )


def test_page_shows_the_refusals_of_the_commands(run: Run) -> None:
    (shown,) = re.findall(r"^  ```\n(.*?)^  ```", DOCS, re.S | re.M)
    level = examples("dizzle-level")[1]
    row_3 = level | {"grid": ["1", "2", "7"], "tracks": {}}
    line_2 = level | {"lines": [{"row": 1, "points": 1}, {"row": 9, "points": 1}]}
    no_gem = level | {"grid": ["1 2 3Gr"], "points": {}, "tracks": {}}
    drop = {"do": "drop", "player": 0}
    place = {"do": "place", "player": 0, "at": "4c"}
    (game,) = examples("dizzle-game")
    documents = [
        game | {"level": row_3},
        game | {"level": line_2},
        game | {"actions": [drop] * 14 + [place]},
        game | {"level": no_gem},
    ]
    for document, line in zip(documents, shown.splitlines(), strict=True):
        refusal = run("replay", "-", stdin=json.dumps(document).encode()).refusal
        # The page shows two refusals of level files, so their places lack the key "level".
        assert refusal.removeprefix("-: ").removeprefix("level ") == line.strip().removeprefix(
            "level "
        )


def test_page_has_the_sentence_of_every_fault() -> None:
    section = DOCS.partition("### What can be wrong with a document")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.*) \|$", section, re.M)
    with translation.override("en"):
        said = [(name, re.sub(r"%\((\w+)\)s", r"*\1*", str(SENTENCES[name]))) for name in FAULTS]
    assert rows == said
