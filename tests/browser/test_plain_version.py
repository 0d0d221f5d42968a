"""Plain version of pages, for browsers whose scripts are blocked, missing or too new for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from sheets.tables import acts
from tests.browser.conftest import MakePath, NewContext, OpenPage, close_context
from tests.browser.polling import wait_until
from tests.browser.test_score_page import field, stored
from tests.browser.test_score_page import make_scoring as make_scoring  # a fixture
from tests.table_games import Party, sit_down

DisableScripts = Callable[[BrowserContext], None]

NOTE = "This browser shows the plain version"
"""Note on the plain version."""


def block(context: BrowserContext) -> None:
    """Block all scripts while scripting is enabled: `<noscript>` stays hidden."""
    context.route("**/*.js", lambda route: route.abort())


def lose_module(context: BrowserContext) -> None:
    """Answer 404 for the page's own module, as after an update of the site."""
    own = re.compile(r"/sheets/(table|dice2|offline_scoring|workshop)/\w+\.\w+\.js$")
    context.route(own, lambda route: route.fulfill(status=404, body=""))


def break_module(context: BrowserContext) -> None:
    """Replace the page's own module by one that the engine cannot parse."""
    own = re.compile(r"/sheets/(table|dice2|offline_scoring|workshop)/\w+\.\w+\.js$")
    broken = "const one = ;"
    context.route(own, lambda route: route.fulfill(body=broken, content_type="text/javascript"))


def make_old(context: BrowserContext) -> None:
    """Remove a feature, as in an engine without the features that the modules need."""
    context.add_init_script("delete Array.prototype.findLast")


def lose_replacing(context: BrowserContext) -> None:
    """Remove the feature without which taps on a sheet were lost."""
    context.add_init_script("delete Element.prototype.replaceChildren")


WAYS_TO_DISABLE_SCRIPTS = (block, lose_module, break_module, make_old)
"""Ways in which scripts fail in a browser."""

for_each_way = pytest.mark.parametrize(
    "disable", WAYS_TO_DISABLE_SCRIPTS, ids=lambda disable: disable.__name__
)


def reload_soon(route: Route) -> None:
    """Make a page reload after two seconds instead of eight."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('content="8;', 'content="2;'))


@pytest.fixture
def open_without_scripts(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> Iterator[OpenPage]:
    """Open a page in a browser whose scripts fail, optionally as a seated player."""
    contexts: list[BrowserContext] = []

    def open_it(
        path: str, disable: DisableScripts, party: Party | None = None, player: int = 0
    ) -> Page:
        context = new_context()
        contexts.append(context)
        if party:
            secret = {"name": "dizzle_seat", "value": party.tokens[player], "url": live_app}
            context.add_cookies([secret])
        disable(context)
        page = context.new_page()
        page.route(lambda url: "/table/" in url and not url.endswith(".js"), reload_soon)
        # On a busy machine the page may reload before it is loaded.
        page.goto(live_app + path, wait_until="domcontentloaded")
        return page

    yield open_it
    for context in contexts:
        close_context(context)
    page_errors.clear()  # Chromium logs blocked and missing scripts as errors


@for_each_way
def test_waiting_page_shows_the_moves_of_others(
    open_without_scripts: OpenPage, disable: DisableScripts
) -> None:
    waiting = sit_down(("Ana", "Ben"), start=False)
    party = sit_down(("Ana", "Ben"), "level-1", "rolled")
    here = f"/table/{party.code}/"
    lobby = open_without_scripts(f"/table/{waiting.code}/", disable, waiting, 1)
    seat = open_without_scripts(f"{here}?seat=1#sheet", disable, party, 1)
    tv = open_without_scripts(f"{here}screen/", disable)
    for page in (lobby, seat, tv):
        expect(page.get_by_text(NOTE)).to_have_count(1)
        expect(page.get_by_text(NOTE)).to_be_visible()
    acts.start(waiting.access())
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
    # Record every painted frame, also before the modules run.
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


def test_guest_can_type_a_name_while_the_lobby_waits(open_without_scripts: OpenPage) -> None:
    party = sit_down(("Ana", "Ben"), start=False)
    page = open_without_scripts(f"/table/{party.code}/", block, party, 1)
    page.get_by_role("link", name="Do not reload while I type").click()
    page.wait_for_url("**/?still")
    assert page.locator("meta[http-equiv=refresh]").count() == 0
    page.get_by_label("Your seat").fill("Benno")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_label("Your seat")).to_have_value("Benno")
    # The page reloads again.
    acts.start(party.access())
    expect(page.locator(".sheet-grid")).to_be_visible()


@for_each_way
def test_local_scoring_says_what_is_missing(
    open_without_scripts: OpenPage, disable: DisableScripts
) -> None:
    page = open_without_scripts("/score/here/level-1/", disable)
    expect(page.get_by_text("they do not run here")).to_be_visible()
    page.get_by_role("link", name="Score these sheets on the site instead").click()
    page.wait_for_url("**/score/new/level-1/")


@for_each_way
def test_workshop_says_what_is_missing(
    open_without_scripts: OpenPage, make_level: MakePath, disable: DisableScripts
) -> None:
    page = open_without_scripts(make_level(), disable)
    expect(page.get_by_text("The editor needs scripts")).to_be_visible()


def test_tools_that_cannot_be_loaded_are_reported(
    open_page: OpenPage, make_level: MakePath, page_errors: list[str]
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
    page.goto(page.url.rstrip("/") + make_level())
    page.get_by_role("button", name="Points", exact=True).click()
    missing = page.get_by_role("alert").filter(has_text="The tools could not be loaded.")
    expect(missing).to_be_visible()
    is_gone = False
    missing.get_by_role("link", name="Reload the page").click()
    page.wait_for_load_state()  # otherwise its scripts may not be loaded
    page.get_by_role("button", name="Points", exact=True).click()
    expect(page.locator("[data-panel=points]")).to_be_visible()
    expect(missing).to_be_hidden()
    page_errors.clear()


@pytest.mark.parametrize(
    "disable", [block, make_old, lose_replacing], ids=lambda disable: disable.__name__
)
def test_no_tap_on_a_scored_sheet_is_lost(
    open_without_scripts: OpenPage, make_scoring: MakePath, disable: DisableScripts
) -> None:
    path = make_scoring()
    page = open_without_scripts(f"{path}1/", disable)
    field(page, "b1").click()
    wait_until(page, lambda: "b1" in stored(path, 1))


def test_tap_that_the_page_cannot_show_counts_and_is_reported(
    open_page: OpenPage, make_scoring: MakePath, page_errors: list[str]
) -> None:
    path = make_scoring()
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


def test_failure_of_an_action_after_a_tap_is_reported(
    open_page: OpenPage, page_errors: list[str]
) -> None:
    page = open_page("/rules/")
    page.wait_for_load_state("load")
    # Aborted requests are not reported.
    page.evaluate("void Promise.reject(new DOMException('', 'AbortError'))")
    page.evaluate("void Promise.reject(new TypeError('gone'))")
    expect(page.locator("[role=alert].no-answer")).to_have_count(1)
    page_errors.clear()
