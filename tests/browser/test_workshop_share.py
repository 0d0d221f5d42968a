"""Links to a user's own level: copied, shared, scanned, and opened by another user."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from sheets.access.keys import delete_resource
from sheets.http import phone_address
from sheets.levels import find_level
from sheets.rules import format_level
from sheets.workshop import store
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.table_phones import code_of, expect_begun, expect_replayed_totals, tap
from tests.browser.test_table_play import end_pass
from tests.device_secrets import secret_of_page
from tests.score_levels import GARDEN
from tests.table_games import Party, shortest_way


@pytest.fixture(autouse=True)
def reachable_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give this machine an address that phones can reach."""
    monkeypatch.setattr(phone_address, "own_address", lambda: "127.0.0.1")


@pytest.fixture
def key(transactional_db: None) -> str:
    return store.create(GARDEN)


def scan(code: Locator) -> str:
    """Decode a QR code on the screen, at several sizes."""
    picture = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
        for nearness in (1, 2, 3, 1.5, 4):
            seen = cv2.resize(picture, None, fx=nearness, fy=nearness)
            if text := detector.detectAndDecode(seen)[0]:
                return str(text)
    return ""


def test_code_leads_a_phone_to_the_link(open_page: OpenPage, live_app: str, key: str) -> None:
    page = open_page("/", "phone", "de", "dark")
    for part in ("links/", "code/"):
        page.goto(f"{live_app}/workshop/{key}/{part}")
        shared = page.locator("[data-share-link]").last
        assert scan(shared.locator(".qr")) == shared.locator("textarea").input_value(), part


def test_code_of_a_large_level_can_be_scanned(open_page: OpenPage, transactional_db: None) -> None:
    made = store.create(format_level(find_level("level-8")))
    page = open_page(f"/workshop/{made}/code/", "desktop")
    assert scan(page.locator(".qr")) == page.locator("textarea").input_value()


def test_link_is_copied(open_page: OpenPage, key: str) -> None:
    page = open_page(f"/workshop/{key}/links/", "phone")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = page.locator("[data-share-link]").last
    shown.get_by_role("button", name="Copy the link").click()
    expect(shown.get_by_role("status")).to_have_text("Copied")
    assert (
        page.evaluate("navigator.clipboard.readText()")
        == page.get_by_label("Link to show").input_value()
    )


def test_link_is_copied_without_https(new_context: NewContext, live_app: str, key: str) -> None:
    """Without HTTPS scripts have no clipboard and no sharing."""
    context = new_context("desktop")
    context.add_init_script(
        "delete Navigator.prototype.clipboard; delete Navigator.prototype.share"
    )
    page = context.new_page()
    page.goto(f"{live_app}/workshop/{key}/code/")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("status")).to_have_text("Copied")
    expect(page.get_by_role("button", name="Send it")).to_be_hidden()
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("status")).to_contain_text("the link is selected now")
    field = page.locator("textarea")
    expect(field).to_be_focused()
    assert field.evaluate("(field) => field.selectionEnd - field.selectionStart") > 100


def test_link_is_handed_to_the_apps_of_the_phone(
    new_context: NewContext, live_app: str, key: str
) -> None:
    context = new_context("phone")
    context.add_init_script("Navigator.prototype.share = async (sent) => { window.sent = sent; }")
    page = context.new_page()
    page.goto(f"{live_app}/workshop/{key}/code/")
    page.get_by_role("button", name="Send it").click()
    assert page.evaluate("window.sent.url") == page.locator("textarea").input_value()


def test_link_can_be_marked_without_script(open_page: OpenPage, key: str) -> None:
    page = open_page(f"/workshop/{key}/links/", "phone", java_script_enabled=False)
    expect(page.get_by_label("Link to show")).to_be_visible()
    expect(page.get_by_role("button", name="Copy the link")).to_have_count(0)


def test_friend_opens_a_copy_and_plays_it_with_a_second_phone(
    open_page: OpenPage, live_app: str, new_context: NewContext, key: str
) -> None:
    page = open_page(f"/workshop/{key}/", "desktop")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="A link for a friend").click()
    link = scan(page.locator(".qr"))

    ana, ben = new_context("phone").new_page(), new_context("phone").new_page()
    ana.goto(link)
    expect(ana.get_by_role("heading", name="Garden", level=1)).to_be_visible()
    ana.get_by_role("button", name="Edit a copy").click()
    ana.wait_for_url("**/workshop/*/")
    copy = ana.url.split("/workshop/")[1].split("/")[0]
    assert copy != key
    ana.get_by_text("More", exact=True).click()
    ana.get_by_role("main").get_by_role("link", name="Play", exact=True).click()
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Start a table").click()
    code = ana.locator(".code").inner_text()
    ben.goto(f"{live_app}/table/{code}/")
    ben.get_by_label("Free seat: your name").first.fill("Ben")
    ben.get_by_role("button", name="Sit here").first.click()
    expect(ana.locator("#_lobby")).to_contain_text("Ben")
    # The game needs neither the owner's level nor the copy any more.
    for gone in (key, copy):
        delete_resource(store.find(gone))
    ana.get_by_role("button", name="Begin the game").click()
    tokens = (secret_of_page(ana), secret_of_page(ben))
    party = Party(code_of(ana), tokens)
    expect_begun(ana, ben)
    for player, phone in ((0, ana), (1, ben)):
        tap(
            phone,
            shortest_way(party.game, player, party.game.level.numbered & ~printed_crosses(party))[
                0
            ],
        )
    end_pass(party, ana, ben)
    expect_replayed_totals(party, ana, ben)
    assert party.game.passes_done == 1
    document = ana.request.get(f"{live_app}/table/{code}/game.json").json()
    assert document["level"] | {"id": "garden", "name": GARDEN["name"]} == GARDEN
    assert document["level"]["name"]["en"] == "Copy of Garden"


def printed_crosses(party: Party) -> int:
    return party.game.level.printed


def test_withdrawn_link_shows_nothing_any_more(
    open_page: OpenPage, new_context: NewContext, key: str, page_errors: list[str]
) -> None:
    page = open_page(f"/workshop/{key}/links/", "desktop")
    shown = page.get_by_label("Link to show").input_value()
    friend = new_context("phone").new_page()
    friend.goto(shown)
    expect(friend.get_by_role("heading", name="Garden", level=1)).to_be_visible()
    # One accidental tap does not withdraw it.
    withdraw = page.get_by_role("button", name=re.compile("^Withdraw it$"))
    expect(withdraw).to_be_hidden()
    page.locator("section:has(h2:text('To show')) summary").click()
    withdraw.click()
    expect(page.get_by_text("There is no link to show it.")).to_be_visible()
    friend.reload()
    expect(friend.get_by_role("heading", name="Garden", level=1)).to_have_count(0)
    page_errors.clear()  # Chromium logs the 404 as an error, as intended
