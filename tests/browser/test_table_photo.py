"""Somebody at a mirrored table photographs their paper sheet, and takes over what was missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import barriers_in_both_themes
from tests.browser.room import too_small
from tests.browser.table_phones import NewContext, expect_fresh, expect_truth, mark, phone, tap
from tests.browser.test_photos import READ_MS, answer_all
from tests.browser.waiting import wait_until
from tests.scanning.shots import take
from tests.table_games import Party, sit_down, way_to

pytestmark = pytest.mark.usefixtures("photos_read_once")


def lying(party: Party) -> set[str]:
    """Where the dice of the first player lie."""
    return set(party.game.level.names(party.game.sheets[0].dice))


def test_crosses_that_are_missing_here_are_taken_over_from_a_photo(
    live_app: str, new_context: NewContext, tmp_path: Path
) -> None:
    party = sit_down(level="level-3")
    way = way_to(party.game, 0, party.game.level.by_symbol["flag"])
    here, missing = way[:-2], way[-2:]
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(take("level-3", seed=11, crosses=tuple(way)).jpeg)
    ana = phone(live_app, new_context, party, 0, "phone", "de")
    ben = phone(live_app, new_context, party, 1)
    tap(ana, *here)
    wait_until(ana, lambda: lying(party) == set(here))

    ana.clock.install()
    ana.locator("a[href*='/photos/']").first.click()
    ana.set_input_files("#photo", str(photo))
    expect(ana.locator(".seen-sheet")).to_have_count(1, timeout=READ_MS)
    answer_all(ana, [dict.fromkeys(way, "cross")])
    ana.locator("#take-over").tap()
    compared = ana.locator(".compared")
    expect(compared).to_be_focused()
    items = compared.locator("form li")
    expect(items).to_have_count(2)
    for at, item in zip(sorted(missing), sorted(items.all_inner_texts()), strict=True):
        assert item.startswith(at)
    expect(ana.locator(".flat .is-apart")).to_have_count(2)
    assert barriers_in_both_themes(ana) == ""
    assert not too_small(ana)

    compared.locator("form button").tap()
    expect(compared.locator("form")).to_have_count(0)
    assert lying(party) == set(way)
    compared.locator("a.button").tap()
    for at in way:
        expect(mark(ana, at)).to_have_count(1)
    expect_fresh(ben, party)
    expect_truth(party, ana, ben)
