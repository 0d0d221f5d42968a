"""Analysis of a game: legible on a phone, in both themes, and accessible."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from sheets.analysis import analyser
from sheets.analysis.analyser import Analyser
from sheets.analysis.document import format_analysis
from sheets.models import Job
from sheets.rules import parse_level
from sheets.rules.documents.game import format_anonymous_game
from sheets.tables import game_files
from tests.analysis.tiny_games import play_tiny_game
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import OpenPage
from tests.browser.layout_checks import overflow_px
from tests.table_games import TINY

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def analysed_game(monkeypatch: pytest.MonkeyPatch) -> str:
    """Store an analysed game whose first decision was a mistake; return its key."""
    monkeypatch.setattr(analyser, "GAMES_PER_CHOICE", (12, 16))
    monkeypatch.setattr(analyser, "GAMES_PER_PASS", (0, 16))
    names = ("Hildegardemarie", "Ben", "Clara", "Dieter")
    record = play_tiny_game(parse_level(TINY), names, Random(2))
    key = game_files.store_game(record)
    report = format_analysis(next(Analyser(record).rounds()))
    decision = report["decisions"][0]
    worth = {"points": {"mean": 6.0, "within": 1.2}, "win": {"mean": 0.1, "within": 0.05}}
    other = 0 if decision["played"] else 1
    decision["best"] = {"choice": other, "more": worth, "times": 99, "clear": True}
    game_files.file_of(key).looks.create(
        document=format_anonymous_game(record), total=1, state=Job.DONE, report=report
    )
    return key


def test_an_analysis_is_legible_on_a_phone(open_page: OpenPage, analysed_game: str) -> None:
    page = open_page(f"/table/file/{analysed_game}/look/", "phone", "en")
    expect(page.get_by_role("heading", name="The biggest mistakes")).to_be_visible()
    expect(page.get_by_text("The file does not say who was a bot")).to_be_visible()
    assert axe_violations_in_both_themes(page) == ""
    assert overflow_px(page) == 0
    for kind in ("played", "better"):
        expect(page.locator(f".look-mistakes .pointer.{kind}[data-points]").first).to_be_visible()
    page.get_by_text("All numbers").click()
    assert axe_violations_in_both_themes(page) == ""
    assert overflow_px(page) == 0
    width = page.evaluate("innerWidth")
    for part in page.locator(".look-sources, .plot").all():
        box = part.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    beside = page.locator(".look-sources").evaluate(
        "({ parentElement: box }) => box.scrollWidth - box.clientWidth"
    )
    assert beside == 0
    page.get_by_role("link", name="Show this move").first.click()
    expect(page.get_by_role("heading", name="What could be done")).to_be_visible()
    expect(page.locator(".look-options .is-played")).to_have_count(1)
    assert axe_violations_in_both_themes(page) == ""
    assert overflow_px(page) == 0
    sheet = page.locator(".shown-sheet.is-pointed")
    expect(sheet).to_have_count(1)
    for kind in ("played", "better"):
        expect(sheet.locator(f".pointer.{kind}[data-points]")).to_be_visible()
        expect(sheet.locator(".pointer-key")).to_contain_text(f"{kind}: ")
    box = sheet.bounding_box()
    assert box
    assert box["width"] > width * 0.85
