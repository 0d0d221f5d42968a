"""Fragments that htmx exchanges: no concurrent input of the user is reverted or lost."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, Route, expect

from sheets.models import Table, Tally
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.polling import wait_until
from tests.browser.test_print_page import EVERY_LEVEL
from tests.browser.test_table_history import shown_act_count
from tests.browser.touch import DOUBLE_TAP_MS
from tests.table_games import Party
from tests.tables.table_clients import finished_party

RETRY_MS = 5000
"""Time after which a tally has tried again to reach the site."""


class HeldRequests:
    """Requests of scripts for matching addresses, which a test releases one by one."""

    def __init__(self, page: Page, pattern: str | re.Pattern[str]) -> None:
        self.page = page
        self.waiting: list[Route] = []
        self.is_released = False
        page.route(pattern, self.hold)

    def hold(self, route: Route) -> None:
        if self.is_released or route.request.is_navigation_request():
            route.continue_()
        else:
            self.waiting.append(route)

    def expect(self, number: int) -> None:
        wait_until(self.page, lambda: len(self.waiting) >= number)

    def release(self) -> str:
        """Release the oldest request and return its address."""
        self.expect(1)
        route = self.waiting.pop(0)
        route.continue_()
        return route.request.url

    def release_all(self) -> None:
        """Release all requests, also future ones."""
        self.is_released = True
        for route in self.waiting:
            route.continue_()


def open_replay(live_app: str, new_context: NewContext, party: Party, query: str = "") -> Page:
    page = new_context("phone").new_page()
    page.goto(f"{live_app}/table/{party.code}/history/{query}")
    return page


# A board of Dice² -------------------------------------------------------------------------------


def test_taps_before_an_answer_use_the_die_chosen_at_their_time(open_page: OpenPage) -> None:
    page = open_page("/dice2/score/", "phone")
    held = HeldRequests(page, "**/dice2/score/?*")
    for die, at in ((3, "e5"), (4, "f5"), (5, "g5")):
        page.locator(f".die-key:has([value='{die}'])").click()
        page.locator(f".sheet-grid [data-at={at}]").click()
    page.locator(".die-key:has([value='6'])").click()
    asked = [parse_qs(urlparse(held.release()).query) for _ in range(3)]
    assert [(query["die"], query["at"]) for query in asked] == [
        (["3"], ["e5"]),
        (["4"], ["f5"]),
        (["5"], ["g5"]),
    ]
    expect(page.locator("[data-die]")).to_have_count(3)
    expect(page.locator("[data-at=e5]")).to_have_accessible_name("e5, 3")
    expect(page.locator("[data-at=g5]")).to_have_accessible_name("g5, 5")
    held.release_all()
    # The later choice stays, and a reload repeats no tap.
    expect(page.locator("[name=die][value='6']")).to_be_checked()
    page.reload()
    expect(page.locator("[data-die]")).to_have_count(3)


def test_board_keeps_its_one_tab_stop_and_the_focus(open_page: OpenPage) -> None:
    page = open_page("/dice2/score/", "desktop")
    page.locator("[data-at=f5]").focus()
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(page.locator("[data-die=f5]")).to_have_count(1)
    expect(page.locator("[data-at=f5]")).to_be_focused()
    assert page.locator(".sheet-grid button[tabindex='0']").count() == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-die=g5]")).to_have_count(1)


def test_board_stays_without_an_answer(open_page: OpenPage, page_errors: list[str]) -> None:
    page = open_page("/dice2/score/", "phone")
    page.locator("[data-at=e5]").click()
    expect(page.locator("[data-die=e5]")).to_have_count(1)
    page.context.set_offline(True)
    page.locator("[data-at=f5]").click()
    expect(page.get_by_text("No answer at the moment.")).to_be_in_viewport()
    expect(page.locator("[data-die=e5]")).to_have_count(1)
    page.context.set_offline(False)
    page.wait_for_timeout(DOUBLE_TAP_MS)
    page.locator("[data-at=f5]").click()
    expect(page.locator("[data-die]")).to_have_count(2)
    expect(page.get_by_text("No answer at the moment.")).to_be_hidden()
    page_errors.clear()  # the requests without an answer


# A tally ----------------------------------------------------------------------------------------


def test_late_answer_undoes_nothing_in_a_tally(open_page: OpenPage) -> None:
    page = open_page("/tally/", "phone")
    held = HeldRequests(page, "**/tally/")
    gems = page.locator("#player-1").get_by_role("spinbutton", name="yellow gem")
    gems.fill("3")
    held.expect(1)
    late = held.waiting.pop()
    answer = late.fetch()
    # Enough time for it to arrive before the next request is sent.
    page.evaluate(
        "() => { const wait = setTimeout; window.setTimeout = (act, ms) => wait(act, ms && 1000) }"
    )
    gems.fill("")
    late.fulfill(response=answer)
    held.expect(1)
    held.release_all()
    expect(page.locator("#total-1")).to_have_text("0")
    expect(page.locator("#tally")).not_to_have_class(re.compile("htmx-request"))
    expect(gems).to_have_value("")


def test_tally_update_keeps_open_folds_focus_and_live_region(open_page: OpenPage) -> None:
    page = open_page("/tally/", "phone")
    page.locator("#player-1 summary").click()
    page.locator("#player-2 summary").click()
    page.evaluate("window.verdict = document.getElementById('tally-verdict')")
    more = page.locator("#player-2").get_by_role("button", name="One more: orange gem")
    more.click()
    expect(page.locator("#tally-verdict")).to_have_text("Player 1 is still to come")
    assert page.evaluate("window.verdict.isConnected")
    expect(more).to_be_focused()
    expect(page.locator("#player-1")).not_to_have_attribute("open", "")
    expect(page.locator("#player-2")).to_have_attribute("open", "")


def test_two_phones_count_in_a_stored_tally(open_page: OpenPage) -> None:
    page = open_page("/tally/", "phone")
    page.locator("#player-2 summary").click()
    gems = [page.locator(f"[name=p{i}-gem_orange]") for i in (0, 1)]
    for field, count in zip(gems, ("2", "1"), strict=True):
        field.fill(count)
    page.get_by_role("button", name="To the result").click()
    page.wait_for_url(re.compile("/tally/[^/]{32}/$"))
    expect(page.locator(".verdict")).to_have_text("Player 1 wins.")
    result = page.url
    other = page.context.new_page()
    other.goto(f"{result}count/?player=2#player-2")
    page.get_by_role("link", name="Back to counting").click()
    other.locator("[name=p1-gem_orange]").fill("4")
    expect(other.locator("#total-2")).to_have_text("12")
    page.locator("#player-1 summary").click()
    gems[0].fill("3")
    # This phone shows both changes, and neither reverts the other.
    expect(page.locator("#total-1")).to_have_text("9")
    expect(page.locator("#total-2")).to_have_text("12")
    expect(gems[1]).to_have_value("4")
    # It polls once when it becomes visible again, so the change must be stored by then.
    wait_until(page, lambda: Tally.objects.get().typed.get("p0-gem_orange") == "3")
    other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(other.locator("#total-1")).to_have_text("9")
    other.close()
    page.get_by_role("button", name="To the result").click()
    expect(page).to_have_url(result)
    expect(page.locator(".verdict")).to_have_text("Player 2 wins.")
    # A stored tally is no draft of this device any more, and the home page lists it.
    names = page.evaluate("Object.keys(localStorage)")
    assert [name for name in names if name.startswith("dizzle.tally.")] == []
    page.goto("/".join(result.split("/")[:3]))
    expect(page.locator("#recent .game")).to_have_attribute("href", "/" + result.split("/", 3)[3])
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Tally").click()
    expect(page.locator("#total-1")).to_have_text("0")


def test_input_during_the_restoration_of_a_tally_is_kept(open_page: OpenPage) -> None:
    page = open_page("/tally/", "phone")
    page.locator("[name=p0-gem_orange]").fill("2")
    expect(page.locator("#total-1")).to_have_text("6")
    expect(page.locator("#tally-verdict")).to_have_text("Player 2 is still to come")
    held = HeldRequests(page, "**/tally/")
    page.reload()
    # The form opens player 1, until the server has answered with the stored counts.
    held.expect(1)
    page.locator("#player-2 summary").click()
    page.locator("[name=p1-gem_orange]").fill("1")
    held.expect(2)
    held.release_all()
    expect(page.locator("#total-1")).to_have_text("6")
    expect(page.locator("#total-2")).to_have_text("3")
    expect(page.locator("#player-2")).to_have_attribute("open", "")
    expect(page.locator("#tally-verdict")).to_have_text("Player 1 wins.")
    page.reload()
    expect(page.locator("#total-1")).to_have_text("6")
    expect(page.locator("#total-2")).to_have_text("3")


def test_tally_of_this_device_is_not_lost_with_the_first_request(
    open_page: OpenPage, page_errors: list[str]
) -> None:
    page = open_page("/tally/", "phone")
    page.clock.install()
    page.get_by_role("radio", name="3").check()
    more = page.locator("#player-3").get_by_role("button", name="One more: orange gem")
    expect(page.locator("#player-3")).to_be_visible()
    page.locator("#player-3 summary").click()
    more.click()
    expect(page.locator("#total-3")).to_have_text("3")

    def cut(route: Route) -> None:
        if route.request.method == "POST":
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/tally/", cut)
    page.reload()
    expect(page.locator("#tally-offline")).to_be_visible()
    page.unroute("**/tally/", cut)
    page.clock.run_for(RETRY_MS)
    expect(page.locator("#total-3")).to_have_text("3")
    page_errors.clear()  # the requests that were cut


@pytest.mark.parametrize("trouble", ["another page", "no answer", "too old"])
def test_tally_retries_after_a_foreign_answer(
    open_page: OpenPage, page_errors: list[str], trouble: str
) -> None:
    """A captive portal asks for its password; a stalled request never fails by itself."""
    page = open_page("/tally/", "phone")
    page.clock.install()
    sent: list[Route] = []

    def answer(route: Route) -> None:
        sent.append(route)
        if trouble == "another page":
            route.fulfill(body="<h1>Log in first</h1>", content_type="text/html")
        elif trouble == "too old":
            route.fulfill(status=403, body="<h1>Please try that again</h1>")

    page.evaluate("() => { htmx.config.timeout = 500 }")
    page.route("**/tally/", answer)
    gems = page.locator("#player-1").get_by_role("spinbutton", name="yellow gem")
    gems.fill("3")
    said = "#tally-too-old" if trouble == "too old" else "#tally-offline"
    expect(page.locator(said)).to_be_visible()
    if trouble == "too old":
        page.clock.run_for(RETRY_MS)
        page.wait_for_timeout(500)
        assert len(sent) == 1  # endless retries would not help
    page.unroute("**/tally/", answer)
    if trouble == "too old":
        page.reload()
    else:
        page.evaluate("() => { htmx.config.timeout = 20000 }")
        page.clock.run_for(RETRY_MS)
    expect(page.locator("#total-1")).to_have_text("6")
    expect(page.locator(said)).to_be_hidden()
    page_errors.clear()  # the refused requests


# A replay ---------------------------------------------------------------------------------------


def test_replay_shows_a_foreign_page_that_answers(live_app: str, new_context: NewContext) -> None:
    page = open_replay(live_app, new_context, finished_party())
    before = page.url
    portal = {"body": "<h1>Log in first</h1>", "content_type": "text/html"}
    page.route("**/history/?at=*", lambda route: route.fulfill(**portal))
    page.locator("[data-step=on]").click()
    expect(page.locator("h1")).to_have_text("Log in first")
    page.unroute("**/history/?at=*")
    page.go_back()
    assert page.url == before


def test_replay_update_keeps_open_folds_focus_and_live_region(
    live_app: str, new_context: NewContext
) -> None:
    page = open_replay(live_app, new_context, finished_party())
    page.locator("#history-points summary").click()
    page.evaluate("window.story = document.querySelector('.step-story')")
    step = page.locator("[data-step=on]")
    step.click()
    wait_until(page, lambda: shown_act_count(page) == 1)
    expect(step).to_be_focused()
    expect(page.locator("#history-points")).to_have_attribute("open", "")
    page.locator("#history-points summary").click()
    step.click()
    wait_until(page, lambda: shown_act_count(page) == 2)
    expect(page.locator("#history-points")).not_to_have_attribute("open", "")
    assert page.evaluate("window.story.isConnected")


def test_only_the_last_of_several_history_steps_counts(
    live_app: str, new_context: NewContext
) -> None:
    page = open_replay(live_app, new_context, finished_party())
    page.locator("[data-step=on]").focus()
    for at in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        wait_until(page, lambda at=at: shown_act_count(page) == at)  # type: ignore[misc]
    held = HeldRequests(page, "**/history/**")
    page.evaluate("history.back()")
    held.expect(1)
    page.evaluate("history.back()")
    held.expect(2)
    held.waiting.reverse()
    held.release_all()
    wait_until(page, lambda: shown_act_count(page) == 1)
    page.wait_for_timeout(200)
    assert shown_act_count(page) == 1
    page.go_forward()
    wait_until(page, lambda: shown_act_count(page) == 2)
    expect(page.locator("[data-step=on]")).to_be_focused()


def test_replay_stays_without_an_answer(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    page = open_replay(live_app, new_context, finished_party())
    said = page.get_by_text("No answer at the moment.")
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: shown_act_count(page) == 1)
    page.context.set_offline(True)
    page.keyboard.press("ArrowRight")
    expect(said).to_be_in_viewport()
    assert shown_act_count(page) == 1
    page.context.set_offline(False)
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: shown_act_count(page) == 2)
    expect(said).to_be_hidden()
    page.context.set_offline(True)
    page.evaluate("history.back()")
    expect(said).to_be_in_viewport()
    page_errors.clear()  # the requests without an answer


@pytest.mark.parametrize("status", [500, 503])
def test_replay_stays_after_a_server_error(
    live_app: str, new_context: NewContext, page_errors: list[str], status: int
) -> None:
    page = new_context("phone").new_page()
    # Route first: a busy page may send its request before Chromium intercepts it.
    page.route("**/history/?*", lambda route: route.fulfill(status=status, body="<p>no</p>"))
    page.goto(f"{live_app}/table/{finished_party().code}/history/")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("No answer at the moment.")).to_be_in_viewport()
    assert shown_act_count(page) == 0
    page_errors.clear()


def test_replay_of_a_table_that_is_gone_says_so(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    page = open_replay(live_app, new_context, finished_party())
    Table.objects.all().delete()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
    page_errors.clear()


# Printed pages ---------------------------------------------------------------------------------


def test_invalid_print_request_shows_the_reason(
    open_page: OpenPage, page_errors: list[str]
) -> None:
    """The error page replaces the whole page and leaves no gap in place of a fragment."""
    page = open_page(EVERY_LEVEL, "phone")
    nothing = page.url.replace("/print/", "/nothing/")
    page.route("**/print/?*", lambda route: route.continue_(url=nothing))
    page.locator("select[name=paper]").select_option("a5")
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
    page_errors.clear()


def test_going_back_shows_the_print_of_that_address(open_page: OpenPage) -> None:
    page = open_page(EVERY_LEVEL, "phone")
    page.locator("select[name=paper]").select_option("a5")
    expect(page.locator(".print-pages img")).to_have_count(8)
    page.go_back()
    expect(page.locator(".print-pages img")).to_have_count(4)
    expect(page.locator("select[name=paper]")).to_have_value("a4")
    page.locator("select[name=paper]").select_option("a5")
    expect(page.locator(".print-pages img")).to_have_count(8)


def test_only_the_last_of_several_history_steps_loads_its_print(open_page: OpenPage) -> None:
    page = open_page(EVERY_LEVEL, "phone")
    pages = page.locator(".print-pages img")
    page.locator("select[name=paper]").select_option("a5")
    expect(pages).to_have_count(8)
    page.locator(".more-settings > summary").click()
    page.locator("input[name=rules]").check()
    expect(pages).to_have_count(10)  # the rules of all levels take two pages of A5
    held = HeldRequests(page, re.compile(r"/print/(\?|$)"))
    page.evaluate("history.back()")
    held.expect(1)
    page.evaluate("history.back()")
    held.expect(2)
    held.waiting.reverse()
    held.release_all()
    expect(pages).to_have_count(4)
    page.wait_for_timeout(300)
    expect(pages).to_have_count(4)
