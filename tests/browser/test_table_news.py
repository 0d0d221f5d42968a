"""Do phones show what their streams bring, without asking, whatever they show meanwhile?"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from sheets.live import hub
from tests.browser.table_phones import NewContext, expect_fresh, mark, phone, refresh, tap
from tests.browser.waiting import follow, wait_until
from tests.table_games import Party, sit_down


def expect_listening(page: Page, party: Party, number: int) -> None:
    """So many streams of the table are open, and have been told what there is."""
    revision = party.access().table.revision

    def are_open() -> bool:
        streams = [stream for stream in hub.at(party.code) if not stream.is_over]
        return len(streams) == number and all(s.revision >= revision for s in streams)

    wait_until(page, are_open)


def shown_at(party: Party) -> list[str]:
    """What the streams of the table say that their pages show."""
    return [one.looker.shows for one in hub.at(party.code) if one.looker and not one.is_over]


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
    ben.locator("#_seats > summary").click()
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
