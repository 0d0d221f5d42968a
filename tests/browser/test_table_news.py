"""Phones show what their streams bring without requests of their own."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from sheets.live import hub
from sheets.tables import play
from tests.browser.table_phones import (
    NewContext,
    expect_fresh,
    field,
    mark,
    phone,
    refresh,
    tap,
)
from tests.browser.waiting import follow, wait_until
from tests.dice2_tables import sit_down_for
from tests.table_games import TINY, Party, sit_down


def expect_listening(page: Page, party: Party, number: int) -> None:
    """So many streams of the table are open, and have been told what there is."""
    revision = party.access().table.revision

    def are_open() -> bool:
        streams = [stream for stream in hub.at(party.code) if not stream.is_over]
        return len(streams) == number and all(s.revision >= revision for s in streams)

    wait_until(page, are_open)


def shown_at(party: Party) -> list[str]:
    """What the streams of the table say that their pages show."""
    return [one.query for one in hub.at(party.code) if one.query is not None and not one.is_over]


def questions(page: Page) -> list[str]:
    """The addresses that a page asks from now on for what there is to show."""
    asked: list[str] = []
    page.on("request", lambda request: "/now/" in request.url and asked.append(request.url))
    return asked


def test_taps_are_seen_without_asking(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level="level-1")
    ana, ben = (phone(live_app, new_context, party, player, "phone") for player in (0, 1))
    expect_fresh(ana, party)
    expect_fresh(ben, party)
    expect_listening(ben, party, 2)
    asked = questions(ben)
    for number in range(3):
        tap(ana, party.game.legal()[0][0])
        wait_until(ben, lambda length=number + 1: party.loaded.state.length == length)
        expect_fresh(ben, party)
        expect(ben.locator("#_people .person").first.locator(".mini-die")).to_have_count(1)
    assert asked == []
    # The forms that came with the news are this page's own.
    ben.locator("#_links").get_by_role("link", name="Players and seats").click()
    follow(ben, ben.get_by_role("button", name="Link to move to another phone").first)
    expect(ben.get_by_role("main")).to_contain_text(f"{live_app}/table/{party.code}/seat/")


def test_a_phone_that_shows_another_sheet_is_told_of_that(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level="level-1")
    ana, ben = (phone(live_app, new_context, party, player, "phone") for player in (0, 1))
    expect_fresh(ana, party)
    expect_fresh(ben, party)
    expect_listening(ben, party, 2)
    ben.locator("#_people .person").first.click()
    expect(ben.locator("#_points")).to_contain_text("Ana")
    first = party.game.legal()[0][0]
    tap(ana, first)
    # Its stream knows only now what it shows.
    expect(mark(ben, first)).to_have_count(1)
    wait_until(ben, lambda: "?seat=1&show=0" in shown_at(party))
    expect_listening(ben, party, 2)
    asked = questions(ben)
    second = party.game.legal()[0][0]
    tap(ana, second)
    expect(mark(ben, second)).to_have_count(1)
    assert asked == []


def test_a_sheet_that_cannot_be_fetched_is_shown_as_soon_as_it_can(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down(level=TINY)
    ana = phone(live_app, new_context, party, 0, "phone")
    expect_fresh(ana, party)
    ana.route("**/now/**", lambda route: route.abort())
    ana.locator("#_people .person").nth(1).click()
    expect(ana.locator("#connection")).to_be_visible()
    ana.unroute("**/now/**")
    expect(ana.locator("#_points")).to_contain_text("Ben")
    page_errors.clear()  # Chromium calls the lost requests errors


HOLD = """
  window.held = null; // while a list, news wait there, as on a phone that is busy
  window.shown = 0;
  document.addEventListener("scored", () => shown++);
  const Stream = EventSource;
  window.EventSource = class extends Stream {
    addEventListener(name, listener) {
      super.addEventListener(name, (event) => {
        if (held && name === "state") held.push(() => listener(event));
        else listener(event);
      });
    }
  };
"""


def busy_phone(live_app: str, new_context: NewContext, party: Party) -> Page:
    """The phone in seat 1, on which news wait from now on."""
    ben = phone(live_app, new_context, party, 1, "phone")
    ben.add_init_script(HOLD)
    ben.reload()
    expect_fresh(ben, party)
    expect_listening(ben, party, 1)
    ben.evaluate("() => { window.held = []; }")
    return ben


def test_a_slow_phone_shows_only_the_newest_of_many_news(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level="level-1")
    ben = busy_phone(live_app, new_context, party)
    for number in range(3):
        party.act("place", 0, party.game.legal()[0][0])
        wait_until(ben, lambda most=number: ben.evaluate("() => held.length") > most)  # type: ignore[misc]
    ben.evaluate("""() => {
      const late = held;
      window.held = null;
      window.shown = 0;
      for (const one of late) one();
    }""")
    expect_fresh(ben, party)
    assert ben.evaluate("() => shown") <= 1


def test_news_that_were_overtaken_change_nothing(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level="level-1")
    ben = busy_phone(live_app, new_context, party)
    party.act("place", 0, party.game.legal()[0][0])
    wait_until(ben, lambda: ben.evaluate("() => held.length"))
    party.act("place", 0, party.game.legal()[0][0])
    refresh(ben)
    expect_fresh(ben, party)
    # The older news come only now, and are looked at before anything else.
    late = """() => {
      held[0]();
      const { dataset } = document.getElementById("table");
      return new Promise((go) => setTimeout(() => go(dataset.revision)));
    }"""
    assert ben.evaluate(late) == str(party.access().table.revision)


# What comes of one's own acts --------------------------------------------------------------------


def deaf_phone(live_app: str, new_context: NewContext, party: Party) -> Page:
    """The phone in seat 0, whose stream lives and brings nothing from now on."""
    ana = phone(live_app, new_context, party, 0)
    ana.add_init_script(HOLD.replace('name === "state"', 'name !== "error"'))
    ana.reload()
    expect_fresh(ana, party)
    expect_listening(ana, party, 1)
    ana.evaluate("() => { window.held = []; }")
    return ana


def test_an_act_is_answered_with_what_comes_of_it(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level=TINY)
    ana = deaf_phone(live_app, new_context, party)
    asked = questions(ana)
    for length, at in enumerate(("b1", "c1"), start=1):
        tap(ana, at)
        wait_until(ana, lambda length=length: party.loaded.state.length == length)  # type: ignore[misc]
        expect_fresh(ana, party)
        expect(ana.locator("[data-unsent]")).to_have_count(0)
        expect(ana.locator("#_people .person").first.locator(".mini-die")).to_have_count(1)
    # Forms of a part that came with an answer are this page's own.
    ana.get_by_role("button", name="Undo").click()
    wait_until(ana, lambda: party.loaded.state.applied == (1,))
    expect_fresh(ana, party)
    expect(mark(ana, "c1")).to_have_count(0)
    assert asked == []


def test_why_nothing_comes_of_an_act_is_said_at_once(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level=TINY)
    ana = deaf_phone(live_app, new_context, party)
    ana.clock.install()
    ana.clock.pause_at(ana.evaluate("() => Date.now()") + 10)
    before = party.access().table.revision
    far = next(at for at in reversed(party.game.level.index) if at not in party.game.legal()[0])
    field(ana, far).click()
    expect(ana.locator("#refusal")).to_be_visible()
    assert party.access().table.revision == before


def test_a_form_of_a_swapped_part_that_scripts_do_not_send_is_sent(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level=TINY)
    ana, ben = (phone(live_app, new_context, party, player, "phone") for player in (0, 1))
    for page in (ana, ben):
        expect_fresh(page, party)
    expect_listening(ben, party, 2)
    play.pause(party.access(0), 0, True)
    follow(ben, ben.get_by_role("button", name="Go on now"))
    assert not party.access().table.is_paused


def test_what_comes_of_a_die_of_dice2_is_answered(live_app: str, new_context: NewContext) -> None:
    party = sit_down_for("square")
    ana = phone(live_app, new_context, party, 0)
    expect_fresh(ana, party)
    expect_listening(ana, party, 1)
    asked = questions(ana)
    ana.locator("label:has(#die-3)").click()
    field(ana, "e5").click()
    wait_until(ana, lambda: party.loaded.state.length == 1)
    expect_fresh(ana, party)
    expect(ana.locator("#table.is-sending")).to_have_count(0)
    assert asked == []
