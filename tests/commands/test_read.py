"""`manage.py read`: one document in a line for each photo."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sheets.rules.documents.level import format_level
from sheets.vision.decoding import decode_photo
from sheets.vision.evaluation import LABEL
from tests.commands.conftest import Ran, Run
from tests.vision.empty_sheet_shots import take_empty_sheet
from tests.vision.filled_sheet_shots import take_filled_sheet
from tests.vision.shots import take


def photo(folder: Path, name: str = "IMG_1.jpg") -> Path:
    file = folder / name
    file.write_bytes(take("level-4", paper="a5", seed=3).jpeg)
    return file


def test_prints_a_document_for_each_photo_in_order(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "notes.txt"
    bad.write_text("no photo")
    ran = run("read", photo(tmp_path), bad)
    first, second = map(json.loads, ran.out.splitlines())
    assert (ran.status, ran.err) == (1, "")
    assert (first["photo"], first["refused"], first["sheets"][0]["level"]) == (
        "IMG_1.jpg", None, "level-4",
    )  # fmt: skip
    assert (second["photo"], second["refused"], second["sheets"]) == (
        "notes.txt", "not-a-picture", [],
    )  # fmt: skip


def test_reads_a_scan_page_by_page(run: Run, tmp_path: Path) -> None:
    scan, sheets = tmp_path / "scan.pdf", tmp_path / "sheets.json"
    with Image.open(photo(tmp_path)) as page:
        blank = Image.new("L", page.size, 250)
        page.save(scan, save_all=True, append_images=[blank, page.rotate(180)])
    ran = run("read", scan, "--sheets", sheets, "--pictures", tmp_path)
    assert ran.status == 0, "a blank back is no fault"
    read = list(map(json.loads, ran.out.splitlines()))
    assert [(one["photo"], one["page"], one["refused"]) for one in read] == [
        ("scan.pdf", 1, None), ("scan.pdf", 2, "blank"), ("scan.pdf", 3, None),
    ]  # fmt: skip
    assert read[0]["sheets"][0]["crosses"] == read[2]["sheets"][0]["crosses"]
    assert len(json.loads(sheets.read_text())["sheets"]) == 2
    assert (tmp_path / "scan-2.png").exists()

    scan.write_bytes(b"%PDF-1.7")
    ran = run("read", scan)
    assert (ran.status, ran.document["refused"], ran.document["page"]) == (1, "damaged", None)


def test_writes_sheets_that_can_be_scored_and_pictures(run: Run, tmp_path: Path) -> None:
    sheets = tmp_path / "sheets.json"
    ran = run("read", photo(tmp_path), "--sheets", sheets, "--pictures", tmp_path)
    assert ran.status == 0
    read = ran.document["sheets"][0]
    written = json.loads(sheets.read_text())
    kinds = ("crosses", "exploded", "lava", "tracks", "flags", "races")
    marked = {kind: read[kind] for kind in kinds if read[kind]}
    assert written["sheets"] == [{"player": "1", **marked}]
    assert run("score", sheets).document["scores"][0]["player"] == "1"
    with Image.open(tmp_path / "IMG_1-1.png") as picture:
        assert picture.size[0] > 800


def test_refuses_what_it_cannot_use(run: Run, tmp_path: Path) -> None:
    assert "missing.jpg: cannot be read" in run("read", tmp_path / "missing.jpg").refusal
    assert "no-level" in run("read", photo(tmp_path), "--level", "no-level").refusal
    assert "is no folder" in run("read", photo(tmp_path), "--pictures", tmp_path / "none").refusal
    bad = tmp_path / "notes.txt"
    bad.write_text("no photo")
    ran = run("read", bad, "--sheets", tmp_path / "sheets.json")
    assert ran.status == 2
    assert "nothing was read" in ran.err
    assert not (tmp_path / "sheets.json").exists()


@pytest.mark.slow
def test_checks_a_folder_of_photos_against_their_truth_files(run: Run, tmp_path: Path) -> None:
    read = run("read", photo(tmp_path)).document
    truth = tmp_path / "IMG_1.json"
    truth.write_text(json.dumps(read))
    photo(tmp_path, "IMG_2.jpg")  # a photo without a truth file
    ran = run("read", "--check", tmp_path)
    rows = rows_of(ran)
    assert "1 photos" in ran.out.splitlines()[0]
    assert rows["fields right"] == "100.00"
    assert rows["sheets refused"] == "0.00"

    sheet = read["sheets"][0]
    missed = sheet["crosses"].pop()
    truth.write_text(json.dumps(read))
    ran = run("read", "--check", tmp_path)
    assert float(rows_of(ran)["fields right"]) < 100, missed

    truth.write_text(json.dumps({**read, "sheets": [{"level": "level-1"}]}))
    assert rows_of(run("read", "--check", tmp_path))["sheets refused"] == "100.00"


@pytest.mark.slow
def test_compares_the_time_for_large_photos_with_the_minimum(run: Run, tmp_path: Path) -> None:
    small = photo(tmp_path)
    read = run("read", small).document
    (tmp_path / "IMG_1.json").write_text(json.dumps(read))
    ran = run("read", "--check", tmp_path)
    rows = rows_of(ran)
    assert (rows["photos timed"], rows["time / floor"], rows["its median"]) == ("0", "-", "-")

    with Image.open(small) as picture:
        picture.resize((picture.width * 2, picture.height * 2)).save(tmp_path / "IMG_2.jpg")
    (tmp_path / "IMG_2.json").write_text(json.dumps(read))
    (tmp_path / "IMG_3.json").write_text(json.dumps({**read, "sheets": [{"level": "level-4"}]}))
    (tmp_path / "IMG_3.jpg").write_text("no photo")
    ran = run("read", "--check", tmp_path)
    rows = rows_of(ran)
    assert (rows["photos timed"], rows["sheets"]) == ("1", "3")
    assert float(rows["time / floor"]) == float(rows["its median"]) > 0


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, -1], ids=["as they lie", "the other way round"])
def test_marks_distinguish_sheets_of_one_level_and_number(
    run: Run, tmp_path: Path, order: int
) -> None:
    """Several prints of one page have the same numbers."""
    one, other = (decode_photo(take("level-4", paper="a5", seed=seed).jpeg) for seed in (3, 7))
    height = min(len(one), len(other))
    file = tmp_path / "IMG_1.png"
    Image.fromarray(np.hstack([one[:height], other[:height]])).save(file)
    read = run("read", file).document
    assert [sheet["number"] for sheet in read["sheets"]] == [1, 1]
    truth = {**read, "sheets": read["sheets"][::order]}
    (tmp_path / "IMG_1.json").write_text(json.dumps(truth))
    assert rows_of(run("read", "--check", tmp_path))["fields right"] == "100.00"


def test_a_folder_that_cannot_be_checked_says_why(run: Run, tmp_path: Path) -> None:
    assert "name photos, or one folder" in run("read").refusal
    assert "is no folder" in run("read", "--check", tmp_path / "none").refusal
    photo(tmp_path)
    assert "has no photo with a truth file" in run("read", "--check", tmp_path).refusal
    (tmp_path / "IMG_1.json").write_text('{"format": "dizzle-sheets/1"}')
    assert "IMG_1.json" in run("read", "--check", tmp_path).refusal


@pytest.mark.slow
def test_reads_the_empty_sheet_of_an_unknown_level(run: Run, tmp_path: Path) -> None:
    file, bad = tmp_path / "IMG_2.jpg", tmp_path / "notes.txt"
    file.write_bytes(take_empty_sheet(1).shot.jpeg)
    bad.write_text("no photo")
    ran = run("read", "--new", file, bad, "--pictures", tmp_path)
    first, second = map(json.loads, ran.out.splitlines())
    assert (ran.status, ran.err) == (1, "")
    assert (first["format"], first["photo"], first["refused"]) == ("dizzle-new/1", file.name, None)
    assert second["refused"] == "not-a-picture"
    digits = [token for row in first["grid"] for token in row if token in set("123456")]
    assert len(digits) > 0.9 * len(first["corners"])
    with Image.open(tmp_path / "IMG_2-1.png") as picture:
        assert picture.size[0] > 500
    for option in (
        ["--level", "level-1"],
        ["--sheets", "-"],
        ["--check", tmp_path],
        ["--blank", file],
    ):
        assert run("read", "--new", file, *option).status == 2


@pytest.mark.slow
def test_reads_a_sheet_of_a_pad_with_a_photo_of_its_empty_sheet(run: Run, tmp_path: Path) -> None:
    leaf = take_filled_sheet(32)
    file, blank, level = (tmp_path / name for name in ("IMG_3.jpg", "IMG_4.jpg", "own.json"))
    file.write_bytes(leaf.jpeg)
    blank.write_bytes(leaf.empty)
    level.write_text(json.dumps(format_level(leaf.pad.level)))
    sheets = tmp_path / "sheets.json"
    of_pad = ["--level", level, "--blank", blank, "--sheets", sheets, "--pictures", tmp_path]
    ran = run("read", file, *of_pad)
    assert (ran.status, ran.err) == (0, "")
    assert (ran.document["format"], ran.document["sheets"][0]["refused"]) == (
        "dizzle-reading/1", None,
    )  # fmt: skip
    assert (tmp_path / "IMG_3-1.png").exists()
    assert run("score", sheets).status == 0
    assert "one --level" in run("read", file, "--blank", blank).refusal
    assert "level-1" in run("read", file, "--level", "level-1", "--blank", blank).refusal
    assert "one --level" in run("read", "--check", tmp_path, "--blank", blank).refusal


def rows_of(ran: Ran) -> dict[str, str]:
    """Return the rows of a table of accuracies, without the intervals; of two with the same label,
    the first one."""
    lines = [(line[:LABEL].strip(), line[LABEL:].split()) for line in ran.out.splitlines()]
    return {label: cells[0] for label, cells in reversed(lines)}


@pytest.mark.slow
def test_checks_empty_sheets_of_pads(run: Run, tmp_path: Path) -> None:
    file, truth = tmp_path / "IMG_2.jpg", tmp_path / "IMG_2.json"
    file.write_bytes(take_empty_sheet(1).shot.jpeg)
    read = run("read", "--new", file).document
    photo(tmp_path)
    (tmp_path / "IMG_1.json").write_text('{"format": "dizzle-reading/1", "sheets": []}')
    digits = sum(token not in {".", "?"} for row in read["grid"] for token in row)
    fields = len(read["corners"])
    truth.write_text(json.dumps(read))
    rows = rows_of(run("read", "--check", tmp_path, "--new"))
    for label in ("fields found", "digits right", "like symbols together", "like, mean per sheet"):
        assert rows[label] == "100.00"
    for label in ("sheets refused", "sure and wrong", "unlike symbols together"):
        assert rows[label] == "0.00"
    assert (rows["sheets"], rows["fields"]) == ("1", str(fields))

    y, x = next(
        (y, x) for y, row in enumerate(read["grid"]) for x, one in enumerate(row) if one == "6"
    )
    read["grid"][y][x] = "9"
    first, second, *others = read["groups"]
    read["groups"] = [first + second, *others]
    read["grid"][-1].append("4")  # a field that the reading lacks
    truth.write_text(json.dumps(read))
    rows = rows_of(run("read", "--check", tmp_path, "--new"))
    assert rows["fields found"] == f"{100 * fields / (fields + 1):.2f}"
    assert rows["digits right"] == f"{100 * (digits - 1) / (digits + 1):.2f}"
    assert rows["sure and wrong"] == f"{100 / (digits + 1):.2f}"
    groups = [len(group) for group in read["groups"]]
    pairs = sum(count * (count - 1) // 2 for count in groups)
    together = pairs - len(first) * len(second)
    assert rows["like symbols together"] == f"{100 * together / pairs:.2f}"


@pytest.mark.slow
def test_checks_filled_sheets_of_a_pad(run: Run, tmp_path: Path) -> None:
    leaf = take_filled_sheet(32)
    blank, level = tmp_path / "IMG_4.jpg", tmp_path / "own.json"
    truth = tmp_path / "IMG_3.json"
    (tmp_path / "IMG_3.jpg").write_bytes(leaf.jpeg)
    blank.write_bytes(leaf.empty)
    level.write_text(json.dumps(format_level(leaf.pad.level)))
    of_pad = ["--level", level, "--blank", blank]
    read = run("read", tmp_path / "IMG_3.jpg", *of_pad).document
    (sheet,) = read["sheets"]
    sheet["flags"] = {"red": 3}  # numbers are not read on pads
    truth.write_text(json.dumps(read))
    rows = rows_of(run("read", "--check", tmp_path, *of_pad))
    assert (rows["fields right"], rows["sheets refused"]) == ("100.00", "0.00")
    assert (rows["asked what is up"], rows["numbers"]) == ("0", "0")
    right = int(rows["fields"])

    sheet["tracks"].popitem()
    truth.write_text(json.dumps(read))
    rows = rows_of(run("read", "--check", tmp_path, *of_pad))
    assert rows["fields right"] == f"{100 * (right - 1) / right:.2f}"

    for wrong, sentence in (
        ({**read, "sheets": [sheet, sheet]}, "has 2 sheets"),
        ({**read, "sheets": [{**sheet, "level": "level-1"}]}, "is of the level level-1"),
        ({**read, "sheets": [{**sheet, "lava": ["z99"]}]}, "z99 is no field"),
    ):
        truth.write_text(json.dumps(wrong))
        refusal = run("read", "--check", tmp_path, *of_pad).refusal
        assert "IMG_3.json: " in refusal
        assert sentence in refusal


WRONG_TRUTHS = {
    '{"format": "dizzle-new/1", "grid": []}': "the grid has no field",
    '{"format": "dizzle-new/1", "grid": [["1", "x"]]}': "grid",
    '{"format": "dizzle-new/1", "grid": [["1"]], "groups": [["b1"]]}': "b1 is no field",
    '{"format": "dizzle-new/1", "grid": [["1"]], "groups": [["a1", "a1"]]}': "a1 is there twice",
    json.dumps({"format": "dizzle-new/1", "grid": [["1"]] * 27}): "more than 26 rows",
    '{"format": "dizzle-new/1"': "is not one JSON document",
    '{"format": "dizzle-new/1", "grid": [["1"]]}\n{}': "is not one JSON document",
    '{"format": "dizzle-new/1", "more": ' + "[" * 100_000: "is not one JSON document",
    "[]": "Expected `object`",
    '{"format": "dizzle-reading/1", "sheets": []}': "no photo with a truth file in the format",
}
"""Contents of a truth file, and part of the sentence about it."""


def test_wrong_truth_files_get_one_sentence(run: Run, tmp_path: Path) -> None:
    photo(tmp_path)
    for content, sentence in WRONG_TRUTHS.items():
        (tmp_path / "IMG_1.json").write_text(content)
        assert sentence in run("read", "--check", tmp_path, "--new").refusal
    (tmp_path / "IMG_1.json").write_bytes(b'{"format": "dizzle-new/1", "grid": [["\xff"]]}')
    assert "IMG_1.json: " in run("read", "--check", tmp_path, "--new").refusal
    marks = '{"format": "dizzle-reading/1", "sheets": [{"level": "level-4", "crosses": ["z99"]}]}'
    (tmp_path / "IMG_1.json").write_text(marks)
    assert "z99 is no field of level-4" in run("read", "--check", tmp_path).refusal
