"""Updates by event streams, which phones show without requests of their own."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from sheets.live import hub
from sheets.tables import acts
from tests.browser.conftest import NewContext
from tests.browser.polling import follow_link, wait_until
from tests.browser.table_phones import FETCH, expect_up_to_date, field, mark, phone, refresh, tap
from tests.dice2_tables import sit_down_for
from tests.table_games import TINY, Party, sit_down


def expect_listening(page: Page, party: Party, number: int) -> None:
    """Wait until this number of streams of the table is open and up to date."""
    revision = party.access().table.revision

    def are_open() -> bool:
        streams = [stream for stream in hub.streams_at(party.code) if not stream.is_over]
        return len(streams) == number and all(s.revision >= revision for s in streams)

    wait_until(page, are_open)


def shown_at(party: Party) -> list[str]:
    """Return which sheets the pages of the table's streams show, as stored by the server."""
    return [
        one.query for one in hub.streams_at(party.code) if one.query is not None and not one.is_over
    ]


def record_requests(page: Page) -> list[str]:
    """Return a list that records the page's further requests for updates."""
    asked: list[str] = []
    page.on("request", lambda request: FETCH.search(request.url) and asked.append(request.url))
    return asked


def test_taps_reach_other_phones_without_requests(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level="level-1")
    ana, ben = (phone(live_app, new_context, party, player, "phone") for player in (0, 1))
    expect_up_to_date(ana, party)
    expect_up_to_date(ben, party)
    expect_listening(ben, party, 2)
    asked = record_requests(ben)
    for number in range(3):
        tap(ana, party.game.legal()[0][0])
        wait_until(ben, lambda length=number + 1: party.loaded.state.length == length)
        expect_up_to_date(ben, party)
        expect(ben.locator("#_people .person").first.locator(".mini-die")).to_have_count(1)
    assert asked == []
    # The forms in an update belong to this page.
    ben.locator("#_links").get_by_role("link", name="Players and seats").click()
    follow_link(ben, ben.get_by_role("button", name="Link to move to another phone").first)
    expect(ben.get_by_role("main")).to_contain_text(f"{live_app}/table/{party.code}/seat/")


def test_phone_that_shows_another_sheet_receives_its_changes(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(level="level-1")
    ana, ben = (phone(live_app, new_context, party, player, "phone") for player in (0, 1))
    expect_up_to_date(ana, party)
    expect_up_to_date(ben, party)
    expect_listening(ben, party, 2)
    ben.locator("#_people .person").first.click()
    expect(ben.locator("#_points")).to_contain_text("Ana")
    first = party.game.legal()[0][0]
    tap(ana, first)
    # Only now its stream knows which sheet it shows.
    expect(mark(ben, first)).to_have_count(1)
    wait_until(ben, lambda: "?seat=1&show=0" in shown_at(party))
    expect_listening(ben, party, 2)
    asked = record_requests(ben)
    second = party.game.legal()[0][0]
    tap(ana, second)
    expect(mark(ben, second)).to_have_count(1)
    assert asked == []


def test_a_sheet_that_cannot_be_fetched_is_shown_as_soon_as_it_can(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down(level=TINY)
    ana = phone(live_app, new_context, party, 0, "phone")
    expect_up_to_date(ana, party)
    ana.route(FETCH, lambda route: route.abort())
    ana.locator("#_people .person").nth(1).click()
    expect(ana.locator("#connection")).to_be_visible()
    ana.unroute(FETCH)
    expect(ana.locator("#_points")).to_contain_text("Ben")
    page_errors.clear()  # Chromium logs the lost requests as errors


HOLD_NEWS = """
  window.held = null; // while a list, news wait there, as on a phone that is busy
  window.shown = 0;
  document.addEventListener("scored", () => shown++);
  const Stream = EventSource;
  window.EventSource = class extends Stream {
    addEventListener(name, listener) {
      super.addEventListener(name, (event) => {
        if (held && name === "fragments") held.push(() => listener(event));
        else listener(event);
      });
    }
  };
"""
"""Script that holds updates back, as a busy phone does, and counts the shown ones."""


def busy_phone(live_app: str, new_context: NewContext, party: Party) -> Page:
    """Open the page of seat 1, which holds updates back from now on."""
    ben = phone(live_app, new_context, party, 1, "phone")
    ben.add_init_script(HOLD_NEWS)
    ben.reload()
    expect_up_to_date(ben, party)
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
    expect_up_to_date(ben, party)
    assert ben.evaluate("() => shown") <= 1


def test_outdated_news_change_nothing(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level="level-1")
    ben = busy_phone(live_app, new_context, party)
    party.act("place", 0, party.game.legal()[0][0])
    wait_until(ben, lambda: ben.evaluate("() => held.length"))
    party.act("place", 0, party.game.legal()[0][0])
    refresh(ben)
    expect_up_to_date(ben, party)
    # The older update arrives only now, and is processed first.
    late = """() => {
      held[0]();
      const { dataset } = document.getElementById("table");
      return new Promise((go) => setTimeout(() => go(dataset.revision)));
    }"""
    assert ben.evaluate(late) == str(party.access().table.revision)


# Results of own acts ----------------------------------------------------------------------------


def deaf_phone(live_app: str, new_context: NewContext, party: Party) -> Page:
    """Open the page of seat 0, whose open stream delivers nothing from now on."""
    ana = phone(live_app, new_context, party, 0)
    ana.add_init_script(HOLD_NEWS.replace('name === "fragments"', 'name !== "error"'))
    ana.reload()
    expect_up_to_date(ana, party)
    expect_listening(ana, party, 1)
    ana.evaluate("() => { window.held = []; }")
    return ana


def test_answer_to_an_act_contains_its_result(live_app: str, new_context: NewContext) -> None:
    party = sit_down(level=TINY)
    ana = deaf_phone(live_app, new_context, party)
    asked = record_requests(ana)
    for length, at in enumerate(("b1", "c1"), start=1):
        tap(ana, at)
        wait_until(ana, lambda length=length: party.loaded.state.length == length)  # type: ignore[misc]
        expect_up_to_date(ana, party)
        expect(ana.locator("[data-unsent]")).to_have_count(0)
        expect(ana.locator("#_people .person").first.locator(".mini-die")).to_have_count(1)
    # The forms in an answer belong to this page.
    ana.get_by_role("button", name="Undo").click()
    wait_until(ana, lambda: party.loaded.state.applied == (1,))
    expect_up_to_date(ana, party)
    expect(mark(ana, "c1")).to_have_count(0)
    assert asked == []


def test_reason_of_a_refused_act_is_shown_at_once(live_app: str, new_context: NewContext) -> None:
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
        expect_up_to_date(page, party)
    expect_listening(ben, party, 2)
    acts.pause(party.access(0), 0, True)
    follow_link(ben, ben.get_by_role("button", name="Go on now"))
    assert not party.access().table.is_paused


def test_answer_to_a_die_of_dice2_contains_its_result(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down_for("square")
    ana = phone(live_app, new_context, party, 0)
    expect_up_to_date(ana, party)
    expect_listening(ana, party, 1)
    asked = record_requests(ana)
    ana.locator("label:has(#die-3)").click()
    field(ana, "e5").click()
    wait_until(ana, lambda: party.loaded.state.length == 1)
    expect_up_to_date(ana, party)
    expect(ana.locator("#table.is-sending")).to_have_count(0)
    assert asked == []
