"""Filled sheets of a pad: photographed on its owner's phone, read and scored."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import expect

from sheets.access.keys import new_token
from sheets.models import EmptySheet
from sheets.tables import acts, seating
from sheets.workshop import store
from tests.browser.axe import axe_violations
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.layout_checks import small_targets
from tests.browser.table_phones import phone
from tests.browser.test_photos import READ_TIMEOUT_MS, RESULTS, answer_all, stored
from tests.photos.alike_pad import take_alike_pad
from tests.photos.photo_forms import true_marks
from tests.photos.test_pads import OTHER_SEED, SEED, level_to_play, own_level, seen_empty
from tests.table_games import Party
from tests.vision.filled_sheet_shots import take_filled_sheet

pytestmark = pytest.mark.usefixtures("photos_read_once")

MAX_TAPS = 9
"""Maximum number of taps from the photo to the result."""


@pytest.mark.parametrize(("language", "theme"), [("de", "dark")])
def test_filled_sheet_is_scored_from_the_page_of_its_level(
    open_page: OpenPage, tmp_path: Path, language: str, theme: str
) -> None:
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(take_filled_sheet(SEED).jpeg)
    page = open_page(
        f"/workshop/{own_level().key}/score/", "phone", language, theme, has_clock=True
    )
    page.locator("main a[href$='/photos/']").tap()
    page.set_input_files("#photo", str(photo))
    expect(page.locator(".seen-sheet")).to_have_count(1, timeout=READ_TIMEOUT_MS)
    true = true_marks(take_filled_sheet(SEED).truth)
    # Five more: the way here, the camera, its shutter, its confirmation, and taking over.
    taps = 5 + answer_all(page, [true])
    expect(page.locator("#total-1")).not_to_have_text("–")
    assert axe_violations(page) == ""
    assert not small_targets(page)
    page.locator("#take-over").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page) == [true]
    assert taps <= MAX_TAPS, taps


@pytest.mark.slow
def test_filled_sheet_among_printed_sheets_is_sent_to_its_pad(
    open_page: OpenPage, tmp_path: Path
) -> None:
    wrong = own_level(dict(take_filled_sheet(OTHER_SEED).pad.level.document), has_photo=False)
    seen = seen_empty(OTHER_SEED)
    EmptySheet.objects.create(
        level=wrong.resource,
        picture=seen.picture,
        layout=json.loads(seen.layout),
        seen=json.loads(seen.seen),
    )
    owner = own_level()
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(take_filled_sheet(SEED).jpeg)
    page = open_page(f"/workshop/{wrong.key}/", "phone", has_clock=True)
    for way in f"/workshop/{owner.key}/", "/score/photos/":
        page.goto(urljoin(page.url, way))
    page.set_input_files("#photo", str(photo))
    refused = page.locator("#sending .is-wrong")
    ways = refused.locator("[data-hand-on]")
    expect(ways).to_have_count(2, timeout=READ_TIMEOUT_MS)
    assert axe_violations(page) == ""
    assert not small_targets(page)
    # It does not fit the other pad either, which links on; the page stays until then.
    refused.locator(f"[href*='{wrong.key}']").tap()
    expect(refused).to_contain_text("your pad’s empty sheet", timeout=READ_TIMEOUT_MS)
    expect(ways).to_have_count(1)
    assert page.url.endswith("/score/photos/")
    ways.dblclick()
    expect(page.locator(".seen-sheet")).to_have_count(1, timeout=READ_TIMEOUT_MS)
    expect(page.locator("#sending li")).to_have_count(0)
    assert page.url.endswith(f"/workshop/{owner.key}/photos/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Photograph sheets of “Pad”")
    expect(page).to_have_title(re.compile("Photograph sheets of “Pad”"))
    expect(page.locator(".of-pads")).to_have_count(0)
    true = true_marks(take_filled_sheet(SEED).truth)
    answer_all(page, [true])
    expect(page.locator("#total-1")).not_to_have_text("–")
    page.locator("#take-over").tap()
    page.wait_for_url(RESULTS, timeout=READ_TIMEOUT_MS)
    assert stored(page) == [true]


def test_queued_photos_move_to_the_page_of_the_pad(open_page: OpenPage, tmp_path: Path) -> None:
    owner = own_level()
    photo, blurred = tmp_path / "IMG_1.jpg", tmp_path / "IMG_2.jpg"
    photo.write_bytes(take_filled_sheet(SEED).jpeg)
    leaf = Image.open(photo)
    leaf.filter(ImageFilter.GaussianBlur(max(leaf.size) / 300)).save(blurred)
    page = open_page(f"/workshop/{owner.key}/", "phone")
    page.goto(urljoin(page.url, "/score/photos/"))
    page.set_input_files("#photo", [str(photo), str(blurred)])
    lines = page.locator("#sending li")
    expect(lines.nth(1)).to_have_class(re.compile("has-fault"), timeout=READ_TIMEOUT_MS)
    lines.locator("[data-hand-on]").tap(timeout=READ_TIMEOUT_MS)
    expect(page.locator(".seen-sheet")).to_have_count(1, timeout=READ_TIMEOUT_MS)
    page.reload()
    assert page.url.endswith(f"/workshop/{owner.key}/photos/")
    expect(page.locator(".seen-sheet")).to_have_count(1)
    expect(lines).to_have_class(re.compile("has-fault"), timeout=READ_TIMEOUT_MS)


@pytest.mark.slow
def test_sheet_that_fits_no_pad_of_its_owner_is_refused(
    open_page: OpenPage, tmp_path: Path
) -> None:
    owner = own_level()
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(take_filled_sheet(OTHER_SEED).jpeg)
    page = open_page(f"/workshop/{owner.key}/", "phone")
    page.goto(urljoin(page.url, "/score/photos/"))
    page.set_input_files("#photo", str(photo))
    refused = page.locator("#sending .is-wrong")
    refused.locator("[data-hand-on]").tap(timeout=READ_TIMEOUT_MS)
    expect(refused).to_contain_text("This sheet fits none of your pads.", timeout=READ_TIMEOUT_MS)
    expect(refused.locator("[data-hand-on]")).to_have_count(0)
    expect(refused.get_by_role("link", name="Another pad?")).to_have_attribute(
        "href", "/workshop/own/"
    )


@pytest.mark.slow
def test_user_chooses_the_upright_picture(open_page: OpenPage, tmp_path: Path) -> None:
    pad = take_alike_pad()
    owner = store.find(store.create(dict(pad.level.document), is_bought=True))
    EmptySheet.objects.create(level=owner.resource, picture=pad.picture, layout=pad.layout, seen={})
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(pad.jpeg)
    page = open_page(f"/workshop/{owner.key}/photos/", "phone")
    page.set_input_files("#photo", str(photo))
    ways = page.locator("#sending .upright button")
    expect(ways).to_have_count(2, timeout=READ_TIMEOUT_MS)
    expect(page.locator("#sending [role=status]")).to_have_text("Which way is up?")
    assert axe_violations(page) == ""
    assert not small_targets(page)
    marks = set()
    for way in range(2):
        if way:
            page.set_input_files("#photo", str(photo))
        expect(ways).to_have_count(2, timeout=READ_TIMEOUT_MS)
        ways.nth(way).tap()
        expect(page.locator(".seen-sheet")).to_have_count(way + 1, timeout=READ_TIMEOUT_MS)
        marks.add(page.locator(f"[name=marks-{way + 1}]").input_value())
    assert marks == {'{"b1": "cross"}', '{"e6": "cross"}'}


@pytest.mark.slow
@pytest.mark.parametrize(("language", "theme"), [("en", "light")])
def test_filled_sheet_is_compared_at_a_mirrored_table(
    live_app: str, new_context: NewContext, tmp_path: Path, language: str, theme: str
) -> None:
    owner = level_to_play()
    token = new_token()
    code = seating.open_table(
        store.level_of(owner), "", players=1, dice="table", name="Ana", token=token,
        bought=owner.resource,
    )  # fmt: skip
    party = Party(code, (token,))
    acts.start(party.access())
    photo = tmp_path / "IMG_1.jpg"
    photo.write_bytes(take_filled_sheet(SEED).jpeg)
    ana = phone(live_app, new_context, party, 0, "phone", language, theme)
    expect(ana.locator("main a[href*='/photos/']")).to_be_hidden()
    ana.goto(f"{live_app}/workshop/{owner.key}/")  # this device becomes its owner's
    for place in ("/my/", "/score/photos/"):
        ana.goto(live_app + place)
        expect(ana.locator(f"a[href='/workshop/{owner.key}/photos/']")).to_have_count(1)
        assert not small_targets(ana)
    ana.goto(f"{live_app}/table/{code}/")
    ana.clock.install()
    ana.locator("main a[href*='/photos/']").click()
    assert axe_violations(ana) == ""
    ana.set_input_files("#photo", str(photo))
    expect(ana.locator(".seen-sheet")).to_have_count(1, timeout=READ_TIMEOUT_MS)
    answer_all(ana, [true_marks(take_filled_sheet(SEED).truth)])
    ana.locator("#take-over").tap()
    compared = ana.locator(".compared")
    expect(compared).to_be_focused()
    assert axe_violations(ana) == ""
    assert not small_targets(ana)
    compared.locator("form button").tap()
    expect(compared.locator("form")).to_have_count(0)
    assert {"b1", "c1"} <= set(party.game.level.names(party.game.sheets[0].dice))
