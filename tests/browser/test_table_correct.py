"""Correction of a sheet: tapped on one phone, accepted on the other."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewContext
from tests.browser.table_phones import field, mark, phone
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_wrong_cross_is_tapped_and_the_other_phone_agrees(
    live_app: str, new_context: NewContext
) -> None:
    party = finished_party()
    ana, ben = (phone(live_app, new_context, party, player) for player in range(2))
    before = party.game.scores()[1].total
    ana.get_by_role("link", name="Correct a sheet").click()
    ana.get_by_role("link", name="Ben").click()
    field(ana, "b1").click()
    # The field is redrawn in place, and the page describes the change.
    expect(mark(ana, "b1")).to_have_count(0)
    expect(ana.locator(".changes")).to_have_text("b1: open")
    expect(field(ana, "b1")).to_be_focused()
    ana.get_by_role("button", name="Propose the correction").click()
    expect(ana.get_by_text("Still to answer: Ben")).to_be_visible()
    ben.get_by_role("button", name="Agree").click()
    for page in (ana, ben):
        expect(page.get_by_text("the sheet of Ben is corrected")).to_be_visible()
    after = party.game.scores()[1].total
    assert after != before
    expect(ana.locator("tfoot td").nth(1)).to_have_text(str(after))


def test_without_scripts_every_tap_is_a_form(live_app: str, new_context: NewContext) -> None:
    party = finished_party()
    context = new_context("phone", java_script_enabled=False)
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[0], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/correct/1/")
    field(page, "b1").click()
    expect(page.locator(".changes")).to_have_text("b1: open")
    page.get_by_role("button", name="Propose the correction").click()
    expect(page.get_by_text("Ana proposes to correct the sheet of Ben:")).to_be_visible()
