"""Marks on fields drawn by the scripts, compared with the server's drawings."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from sheets.art.marks import LAYERS, mark_id
from sheets.documents import structure
from sheets.levels import find_level
from sheets.rules import Level, parse_level
from sheets.rules.marks import DICE, format_marks, possible_stacks
from sheets.scoring import store
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.table_phones import phone
from tests.score_levels import GARDEN, RAILS, VOLCANO, sheets_document
from tests.table_games import SPACE, sit_down

DRAW = """async ([at, words]) => {
  const { drawMarks } = await import('/static/sheets/lib/marks.js');
  const button = document.querySelector(`.sheet-grid [data-at="${at}"]`);
  const field = document.querySelector(`[data-field="${at}"]`);
  return words.map((word) => {
    drawMarks(button, word);
    const drawn = {};
    for (const use of field.querySelectorAll(":is(.under, .over, .top) > use")) {
      const id = use.getAttribute("href");
      if (!document.querySelector(id)) throw new Error(`no drawing ${id}`);
      (drawn[use.parentNode.classList.value] ??= []).push(id.replace("#art-", ""));
    }
    return drawn;
  });
}"""
"""Script that draws marks on a field."""


def check_fields(page: Page, level: Level, *more: str) -> None:
    """Compare all marks of each field, one by one, with the server's drawings."""
    for field in level.fields:
        stacks = [*possible_stacks(level, field.name), *((mark,) for mark in more), ()]
        drawn = page.evaluate(DRAW, [field.name, [format_marks(stack) for stack in stacks]])
        assert drawn == [
            {LAYERS[mark]: [mark_id(field.name, mark)] for mark in stack} for stack in stacks
        ]


@pytest.mark.parametrize("document", [GARDEN, VOLCANO, RAILS], ids=["garden", "volcano", "rails"])
def test_scored_sheet_draws_every_mark(
    transactional_db: None, open_page: OpenPage, document: dict[str, Any]
) -> None:
    text = json.dumps(sheets_document(document, {"player": "Ana"}, {"player": "Ben"}))
    paper = structure.read_sheets(text.encode(), find_level)
    page = open_page(f"/score/{store.create_from_paper(paper)}/1/")
    check_fields(page, paper.level)


@pytest.mark.parametrize("document", [SPACE, VOLCANO, RAILS], ids=["space", "volcano", "rails"])
def test_sheet_at_a_table_draws_every_mark(
    live_app: str, new_context: NewContext, document: dict[str, Any]
) -> None:
    page = phone(live_app, new_context, sit_down(level=document), 0)
    check_fields(page, parse_level(document), "rocket", *DICE)
