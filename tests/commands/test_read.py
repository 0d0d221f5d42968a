"""`manage.py read`: one document in a line for each photo."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sheets.rules.documents.level import format_level
from sheets.scanning.photos import open_photo
from tests.commands.conftest import Run
from tests.scanning.leaf_shots import take_leaf
from tests.scanning.shots import take
from tests.scanning.unknown_shots import take_unknown


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
    rows = dict(line.rsplit(maxsplit=1) for line in ran.out.replace(" %", "").splitlines()[:5])
    assert "1 photos" in ran.out.splitlines()[0]
    assert rows["fields right"] == "100.00"
    assert rows["sheets refused"] == "0.00"

    sheet = read["sheets"][0]
    missed = sheet["crosses"].pop()
    truth.write_text(json.dumps(read))
    ran = run("read", "--check", tmp_path)
    assert "fields right" in ran.out
    assert "100.00" not in ran.out.splitlines()[1], missed

    truth.write_text(json.dumps({**read, "sheets": [{"level": "level-1"}]}))
    assert "sheets refused      100.00 %" in run("read", "--check", tmp_path).out


@pytest.mark.slow
def test_compares_the_time_for_large_photos_with_the_minimum(run: Run, tmp_path: Path) -> None:
    small = photo(tmp_path)
    read = run("read", small).document
    (tmp_path / "IMG_1.json").write_text(json.dumps(read))
    ran = run("read", "--check", tmp_path)
    rows = {line[:16].strip(): line[16:].strip() for line in ran.out.splitlines()}
    assert (rows["photos timed"], rows["time / floor"], rows["its median"]) == ("0", "-", "-")

    with Image.open(small) as picture:
        picture.resize((picture.width * 2, picture.height * 2)).save(tmp_path / "IMG_2.jpg")
    (tmp_path / "IMG_2.json").write_text(json.dumps(read))
    (tmp_path / "IMG_3.json").write_text(json.dumps({**read, "sheets": [{"level": "level-4"}]}))
    (tmp_path / "IMG_3.jpg").write_text("no photo")
    ran = run("read", "--check", tmp_path)
    rows = {line[:16].strip(): line[16:].strip() for line in ran.out.splitlines()}
    assert (rows["photos timed"], rows["sheets"]) == ("1", "3")
    assert float(rows["time / floor"]) == float(rows["its median"]) > 0


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, -1], ids=["as they lie", "the other way round"])
def test_marks_distinguish_sheets_of_one_level_and_number(
    run: Run, tmp_path: Path, order: int
) -> None:
    """Several prints of one page have the same numbers."""
    one, other = (open_photo(take("level-4", paper="a5", seed=seed).jpeg) for seed in (3, 7))
    height = min(len(one), len(other))
    file = tmp_path / "IMG_1.png"
    Image.fromarray(np.hstack([one[:height], other[:height]])).save(file)
    read = run("read", file).document
    assert [sheet["number"] for sheet in read["sheets"]] == [1, 1]
    truth = {**read, "sheets": read["sheets"][::order]}
    (tmp_path / "IMG_1.json").write_text(json.dumps(truth))
    assert "fields right        100.00 %" in run("read", "--check", tmp_path).out


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
    file.write_bytes(take_unknown(1).shot.jpeg)
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
    leaf = take_leaf(32)
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
    assert "does not go" in run("read", "--check", tmp_path, "--blank", blank).refusal
