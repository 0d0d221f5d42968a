"""Photo of a player's paper sheet at a mirrored table, which adds the missing crosses."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import small_targets
from tests.browser.polling import wait_until
from tests.browser.table_phones import expect_replayed_totals, expect_up_to_date, mark, phone, tap
from tests.browser.test_photos import READ_TIMEOUT_MS, answer_all
from tests.table_games import Party, shortest_way, sit_down
from tests.vision.shots import take

pytestmark = pytest.mark.usefixtures("photos_read_once")


def dice_fields(party: Party) -> set[str]:
    """Return the fields with dice of the first player."""
    return set(party.game.level.names(party.game.sheets[0].dice))


def test_crosses_that_are_missing_here_are_taken_over_from_a_photo(
    live_app: str, new_context: NewContext, tmp_path: Path
) -> None:
    party = sit_down(level="level-3")
    way = shortest_way(party.game, 0, party.game.level.by_symbol["flag"])
    here, missing = way[:-2], way[-2:]
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(take("level-3", seed=11, crosses=tuple(way)).jpeg)
    ana = phone(live_app, new_context, party, 0, "phone", "de")
    ben = phone(live_app, new_context, party, 1)
    tap(ana, *here)
    wait_until(ana, lambda: dice_fields(party) == set(here))

    ana.clock.install()
    ana.locator("main a[href*='/photos/']").first.click()
    ana.set_input_files("#photo", str(photo))
    expect(ana.locator(".seen-sheet")).to_have_count(1, timeout=READ_TIMEOUT_MS)
    answer_all(ana, [dict.fromkeys(way, "cross")])
    ana.locator("#take-over").tap()
    compared = ana.locator(".compared")
    expect(compared).to_be_focused()
    items = compared.locator("form li")
    expect(items).to_have_count(2)
    for at, item in zip(sorted(missing), sorted(items.all_inner_texts()), strict=True):
        assert item.startswith(at)
    expect(ana.locator(".flat .is-apart")).to_have_count(2)
    assert axe_violations_in_both_themes(ana) == ""
    assert not small_targets(ana)

    compared.locator("form button").tap()
    expect(compared.locator("form")).to_have_count(0)
    assert dice_fields(party) == set(way)
    compared.locator("a.button").tap()
    for at in way:
        expect(mark(ana, at)).to_have_count(1)
    expect_up_to_date(ben, party)
    expect_replayed_totals(party, ana, ben)
