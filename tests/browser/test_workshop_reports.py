"""Suggest, balance, send round and drop levels, in a real browser."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db import connections
from playwright.sync_api import Page, expect

from sheets import jobs, workshop
from sheets.balance import Setting
from sheets.level_codes import format_code
from tests.score_levels import GARDEN, sheets_document

OpenPage = Callable[..., Page]

DROP = """([text, name]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name, { type: "application/json" }));
  for (const type of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(
      new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(autouse=True)
def quick_worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make reports in this process, from few games, one after the other."""
    threads: list[threading.Thread] = []

    def measure_here() -> None:
        time.sleep(1.5)
        jobs.work()
        connections.close_all()

    def start() -> None:
        if not any(thread.is_alive() for thread in threads):
            threads.append(threading.Thread(target=measure_here))
            threads[-1].start()

    measure = jobs.measure
    monkeypatch.setattr(jobs, "measure", lambda *a, **more: measure(*a, processes=1, **more))
    monkeypatch.setattr(jobs, "start_worker", start)
    monkeypatch.setattr(jobs, "plan", lambda level: [Setting(n, 10) for n in (1, 2, 3, 4)])
    yield
    for thread in threads:
        thread.join(30)


def assert_accessible(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert not found, [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found]


def assert_fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_suggestion_follows_the_wish_and_becomes_a_report(open_page: OpenPage) -> None:
    page = open_page("/workshop/suggest/", "desktop")
    before = page.locator("#wish-sheet .art-sheet").inner_html()
    page.get_by_label("Bombs").fill("6")
    page.get_by_label("Bombs").blur()
    expect(page).to_have_url(re.compile("bombs=6"))
    assert page.locator("#wish-sheet .art-sheet").inner_html() != before
    page.get_by_role("button", name="Another one").click()
    page.get_by_role("button", name="Take it into the editor").click()
    page.wait_for_url("**/workshop/*/")
    page.goto(page.url + "balance/")
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_text("of 40 games are played.")).to_be_visible()
    expect(page.get_by_role("heading", name="In three sentences")).to_be_visible(timeout=30_000)
    expect(page.locator("svg.plot")).to_have_count(7)
    page.locator("#figure-scores summary").click()
    expect(page.locator("#figure-scores table")).to_be_visible()


@pytest.mark.parametrize("device", ["phone", "desktop"])
@pytest.mark.parametrize(("language", "theme"), [("de", "dark"), ("en", "light")])
def test_pages_are_accessible_and_fit(
    open_page: OpenPage, device: str, language: str, theme: str
) -> None:
    key = workshop.create(GARDEN)
    jobs.ask(workshop.open_door(key).level, workshop.level_of(workshop.open_door(key)))
    jobs.work()
    page = open_page(f"/workshop/{key}/balance/", device, language, theme)
    for summary in page.locator(".figure summary").all():
        summary.click()
    assert_accessible(page)
    assert_fits(page)
    for path in ("/workshop/suggest/?seed=5", "/open/", f"/workshop/{key}/code/",
                 f"/open/level/?code={format_code(GARDEN)}"):  # fmt: skip
        page.goto(page.url.partition("/workshop/")[0].partition("/open/")[0] + path)
        assert_accessible(page)
        assert_fits(page)


@pytest.mark.parametrize("path", ["/", "/rules/", "/levels/level-1/", "/workshop/"])
def test_level_dropped_on_any_page_is_opened(open_page: OpenPage, path: str) -> None:
    page = open_page(path, "desktop")
    page.evaluate(DROP, [json.dumps(GARDEN), "garden.json"])
    page.wait_for_url("**/open/level/?code=*")
    expect(page.get_by_role("heading", name="Garden", level=1)).to_be_visible()
    page.get_by_role("button", name="Edit a copy").click()
    page.wait_for_url("**/workshop/*/")


def test_dropped_sheets_are_scored(open_page: OpenPage) -> None:
    page = open_page("/", "desktop")
    document = sheets_document(GARDEN, {"player": "Ana", "crosses": ["b1"]})
    page.evaluate(DROP, [json.dumps(document), "sheets.json"])
    page.get_by_role("button", name="Show the scores").click()
    page.wait_for_url("**/score/*/")
    expect(page.get_by_text("Ana").first).to_be_visible()


def test_file_held_over_the_page_is_invited(open_page: OpenPage) -> None:
    page = open_page("/", "desktop")
    page.evaluate(
        """() => {
          const files = new DataTransfer();
          files.items.add(new File(["{}"], "a.json"));
          document.body.dispatchEvent(
            new DragEvent("dragenter", { dataTransfer: files, bubbles: true }));
        }"""
    )
    said = page.evaluate("getComputedStyle(document.body, '::after').content")
    assert said == '"Drop the file to open it"'


def test_report_can_be_followed_without_script(open_page: OpenPage) -> None:
    key = workshop.create(GARDEN)
    page = open_page(f"/workshop/{key}/balance/", "phone", java_script_enabled=False)
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_text("of 40 games are played.")).to_be_visible()
    expect(page.get_by_role("heading", name="In three sentences")).to_be_visible(timeout=30_000)
