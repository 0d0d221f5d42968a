"""The plain version of pages: in browsers whose scripts are blocked, too old for them, or gone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from sheets.tables import play
from tests.browser.test_score_page import begin as begin  # a fixture
from tests.browser.test_score_page import field, stored
from tests.browser.waiting import wait_until
from tests.table_games import Party, sit_down

Open = Callable[..., Page]
NewContext = Callable[..., BrowserContext]
Spoil = Callable[[BrowserContext], None]

NOTE = "This browser shows the plain version"


def block(context: BrowserContext) -> None:
    """Let no script load, while scripts are allowed: `<noscript>` stays hidden."""
    context.route("**/*.js", lambda route: route.abort())


def lose_module(context: BrowserContext) -> None:
    """Answer 404 for the page's own module, as after an update of the site."""
    own = re.compile(r"/sheets/(table|dice2|here|workshop)/\w+\.\w+\.js$")
    context.route(own, lambda route: route.fulfill(status=404, body=""))


def break_module(context: BrowserContext) -> None:
    """Let the page's own module be one that the engine cannot read."""
    own = re.compile(r"/sheets/(table|dice2|here|workshop)/\w+\.\w+\.js$")
    broken = "const one = ;"
    context.route(own, lambda route: route.fulfill(body=broken, content_type="text/javascript"))


def make_old(context: BrowserContext) -> None:
    """Take a feature away, as in an engine that is older than those that modules are for."""
    context.add_init_script("delete Array.prototype.findLast")


def lose_replacing(context: BrowserContext) -> None:
    """Take the feature away without which a tap on a sheet was lost."""
    context.add_init_script("delete Element.prototype.replaceChildren")


SPOILS = (block, lose_module, break_module, make_old)
by_spoil = pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__)


def in_a_second(route: Route) -> None:
    """Let a page reload after one second instead of eight."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('content="8;', 'content="1;'))


@pytest.fixture
def open_spoilt(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> Iterator[Callable[..., Page]]:
    """Open a page in a browser in which scripts do not work, at a seat if one is named."""
    contexts: list[BrowserContext] = []

    def open_it(path: str, spoil: Spoil, party: Party | None = None, player: int = 0) -> Page:
        context = new_context()
        contexts.append(context)
        if party:
            secret = {"name": "dizzle_seat", "value": party.tokens[player], "url": live_app}
            context.add_cookies([secret])
        spoil(context)
        page = context.new_page()
        page.route(lambda url: "/table/" in url and not url.endswith(".js"), in_a_second)
        page.goto(live_app + path)
        return page

    yield open_it
    for context in contexts:
        context.close()
    page_errors.clear()  # blocked and missing scripts are errors for Chromium


@by_spoil
def test_whoever_waits_sees_what_others_do(open_spoilt: Open, spoil: Spoil) -> None:
    waiting = sit_down(("Ana", "Ben"), start=False)
    party = sit_down(("Ana", "Ben"), "level-1", "rolled")
    here = f"/table/{party.code}/"
    lobby = open_spoilt(f"/table/{waiting.code}/", spoil, waiting, 1)
    seat = open_spoilt(f"{here}?seat=1#sheet", spoil, party, 1)
    tv = open_spoilt(f"{here}screen/", spoil)
    for page in (lobby, seat, tv):
        expect(page.get_by_text(NOTE)).to_have_count(1)
        expect(page.get_by_text(NOTE)).to_be_visible()
    play.start(waiting.access())
    party.act("roll", by=0)
    expect(lobby.locator(".sheet-grid")).to_be_visible()
    expect(seat.locator(".pool .pic").first).to_be_visible()
    expect(tv.locator(".screen-pool .pic")).to_have_count(len(party.game.pool))
    assert "?seat=1" in seat.url


def test_page_with_scripts_does_not_reload_and_says_nothing(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana", "Ben"), "level-1", "rolled")
    context = new_context()
    # In each frame that is painted, also before the modules run.
    context.add_init_script(
        """const look = () => {
          const notes = [...document.querySelectorAll(".plain-only")];
          if (notes.some((note) => note.offsetHeight)) window.wasSeen = true;
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);"""
    )
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[1], "url": live_app}])
    page = context.new_page()
    for path in ("", "screen/"):
        page.goto(f"{live_app}/table/{party.code}/{path}")
        expect(page.get_by_text(NOTE)).to_be_hidden()
        assert page.evaluate("window.wasSeen") is None
        assert page.locator("meta[http-equiv=refresh]").count() == 0


def test_guest_can_type_a_name_while_the_lobby_waits(open_spoilt: Open) -> None:
    party = sit_down(("Ana", "Ben"), start=False)
    page = open_spoilt(f"/table/{party.code}/", block, party, 1)
    page.get_by_role("link", name="Do not reload while I type").click()
    page.wait_for_url("**/?still")
    assert page.locator("meta[http-equiv=refresh]").count() == 0
    page.get_by_label("Your seat").fill("Benno")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_label("Your seat")).to_have_value("Benno")
    # It waits again.
    play.start(party.access())
    expect(page.locator(".sheet-grid")).to_be_visible()


@by_spoil
def test_local_scoring_says_what_is_missing(open_spoilt: Open, spoil: Spoil) -> None:
    page = open_spoilt("/score/here/level-1/", spoil)
    expect(page.get_by_text("they do not run here")).to_be_visible()
    page.get_by_role("link", name="Score these sheets on the site instead").click()
    page.wait_for_url("**/score/new/level-1/")


@by_spoil
def test_workshop_says_what_is_missing(
    open_spoilt: Open, made: Callable[..., str], spoil: Spoil
) -> None:
    page = open_spoilt(made(), spoil)
    expect(page.get_by_text("The editor needs scripts")).to_be_visible()


def test_tools_that_cannot_be_loaded_are_missed(
    open_page: Open, made: Callable[..., str], page_errors: list[str]
) -> None:
    page = open_page("/")
    is_gone = True
    late = re.compile(r"/workshop/(forms|names|gather)\.\w+\.js$")

    def answer(route: Route) -> None:
        if is_gone:
            route.fulfill(status=404, body="")
        else:
            route.continue_()

    page.route(late, answer)
    page.goto(page.url.rstrip("/") + made())
    page.get_by_role("button", name="Points", exact=True).click()
    missing = page.get_by_role("alert").filter(has_text="The tools could not be loaded.")
    expect(missing).to_be_visible()
    is_gone = False
    missing.get_by_role("link", name="Reload the page").click()
    page.wait_for_load_state()  # before, its scripts may not be there
    page.get_by_role("button", name="Points", exact=True).click()
    expect(page.locator("[data-panel=points]")).to_be_visible()
    expect(missing).to_be_hidden()
    page_errors.clear()


@pytest.mark.parametrize(
    "spoil", [block, make_old, lose_replacing], ids=lambda spoil: spoil.__name__
)
def test_no_tap_on_a_scored_sheet_is_lost(
    open_spoilt: Open, begin: Callable[..., str], spoil: Spoil
) -> None:
    path = begin()
    page = open_spoilt(f"{path}1/", spoil)
    field(page, "b1").click()
    wait_until(page, lambda: "b1" in stored(path, 1))


def test_tap_that_the_page_cannot_show_counts_and_is_mentioned(
    open_page: Open, begin: Callable[..., str], page_errors: list[str]
) -> None:
    path = begin()
    page = open_page(f"{path}1/")
    page.wait_for_load_state("load")
    expect(page.locator("[role=alert].no-answer")).to_have_count(0)
    page.evaluate(
        "() => { Element.prototype.replaceChildren = () => { throw new TypeError('gone'); }; }"
    )
    field(page, "b1").click()
    said = page.get_by_role("alert").filter(has_text="your last tap may not have counted")
    expect(said).to_be_in_viewport()
    wait_until(page, lambda: "b1" in stored(path, 1))
    page.reload()
    expect(said).to_have_count(0)
    expect(page.locator("[data-field=b1] > :is(.over, .top) > use")).to_have_count(1)
    page_errors.clear()


def test_failure_of_what_a_tap_begins_is_mentioned(open_page: Open, page_errors: list[str]) -> None:
    page = open_page("/rules/")
    page.wait_for_load_state("load")
    # What nobody has to know: a request that was given up.
    page.evaluate("void Promise.reject(new DOMException('', 'AbortError'))")
    page.evaluate("void Promise.reject(new TypeError('gone'))")
    expect(page.locator("[role=alert].no-answer")).to_have_count(1)
    page_errors.clear()
