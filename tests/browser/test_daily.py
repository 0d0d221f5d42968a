"""Sheet of the day in the browser: a game, its storage, its result, and comparison in a group."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from sheets.daily.record import replay
from sheets.groups import daily_results, store
from sheets.models import DailyResult
from tests.browser.axe import axe_violations_in_both_themes
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.layout_checks import overflow_px, small_targets
from tests.browser.polling import wait_until
from tests.daily.played_days import played_day

pytestmark = pytest.mark.django_db(transaction=True)

DAY = date(2026, 9, 24)
"""A day with the level Castle."""

LEVEL_DAYS = {
    "volcano": date(2026, 9, 23),
    "rockets": date(2026, 9, 22),
    "rails": date(2026, 9, 25),
}
"""Days whose levels have special acts."""

FIRST = next(at for fields in replay(DAY, "*").game.legal().values() for at in fields)
"""A field that takes a die of the first throw."""

STORE = """([day, record]) =>
  localStorage.setItem(`dizzle.day.${day}`, JSON.stringify({ record }))"""
"""Script that stores a game of a day, as the page does."""


def stored(page: Page, day: date = DAY) -> str:
    """Return the record that the device has stored."""
    text = page.evaluate("(day) => localStorage.getItem(`dizzle.day.${day}`)", str(day))
    return str(json.loads(text or '{"record": ""}')["record"])


def continue_at(page: Page, words: list[str], day: date = DAY) -> None:
    """Store a begun game on the device, and show it."""
    page.evaluate(STORE, [str(day), " ".join(words)])
    page.reload()


def play_word(page: Page, word: str) -> None:
    """Do what a word of a record says, with the buttons of the page."""
    if word == "*":
        page.locator("#throw").click()
    elif word == "out":
        page.locator("#drop").click()
    else:
        at = word.rstrip("NESW")
        page.locator(f".sheet-grid [data-at={at}]").click()
        if shape := word.removeprefix(at):
            page.locator(f"#bar [data-shape={shape}]").click()


def marks(page: Page) -> int:
    return page.locator("[data-field] > :is(.under, .over, .top) > use").count()


def test_a_round_is_played_stored_and_continued(open_page: OpenPage) -> None:
    page = open_page(f"/day/{DAY}/", "phone")
    expect(page.locator("#task")).to_have_text("Roll 8 dice.")
    expect(page.locator("#undo")).to_be_disabled()
    page.locator("#throw").click()
    game = replay(DAY, "*").game
    expect(page.locator("#pool .for-ears")).to_have_text(f"Pool: {', '.join(map(str, game.pool))}.")
    # A field that takes no die says why.
    page.locator(".sheet-grid [data-at=h11]").click()
    expect(page.locator("#refusal")).to_have_text(
        "h11 is too far away: it touches none of your crosses."
    )
    assert stored(page) == "*"
    before = marks(page)
    field = page.locator(f".sheet-grid [data-at={FIRST}]")
    field.click()
    assert marks(page) == before + 1
    expect(field).to_have_accessible_name(re.compile(f"^{FIRST}, .*your die$"))
    # Nothing new was seen, so the die can be taken back.
    page.locator("#undo").click()
    assert (marks(page), stored(page)) == (before, "*")
    page.wait_for_timeout(350)  # a second tap on this field within 0.3 s is none
    field.click()
    page.locator("#throw").click()
    expect(page.locator("#pool")).to_contain_text("Extra dice:")
    expect(page.locator("#undo")).to_be_disabled()
    page.reload()
    assert stored(page) == f"* {FIRST} *"
    assert marks(page) == before + 1
    expect(page.locator("#pool")).to_contain_text("Extra dice:")


@pytest.mark.parametrize("kind", LEVEL_DAYS)
def test_special_acts_of_levels(open_page: OpenPage, kind: str) -> None:
    day = LEVEL_DAYS[kind]
    record, _ = played_day(day, 1)
    words = record.split(" ")
    page = open_page(f"/day/{day}/", "phone")
    ways = {"volcano": "lava", "rockets": "marking", "rails": "marking"}
    first = next(
        n for n in range(len(words)) if replay(day, " ".join(words[:n])).game.phase == ways[kind]
    )
    continue_at(page, words[: first - 1], day)
    for word in words[first - 1 : first + 2]:
        page.wait_for_timeout(350)
        play_word(page, word)
    wait_until(page, lambda: stored(page, day) == " ".join(words[: first + 2]))
    game = replay(day, " ".join(words[: first + 2])).game
    total = game.scores()[0].total
    expect(page.locator("#points")).to_have_text(
        f"{total} point{'' if abs(total) == 1 else 's'}".replace("-", "−")
    )


def test_result_is_compared_and_stays(open_page: OpenPage) -> None:
    record, played = played_day(DAY, 3)
    words = record.split(" ")
    page = open_page(f"/day/{DAY}/", "desktop")
    continue_at(page, words[:-1])
    expect(page.locator("#result")).to_be_hidden()
    play_word(page, words[-1])
    total = played.totals[-1]
    result = page.locator("#result")
    expect(result.locator("#result-points")).to_have_text(f"{total} points")
    expect(result.locator("#better")).to_have_text(
        "Better than 0% of 2,000 games of the medium bot on this level."
    )
    expect(result.locator(".square")).to_have_count(10)
    expect(page.locator(".points tfoot td")).to_have_text(str(total))
    page.reload()
    expect(result.locator("#result-points")).to_have_text(f"{total} points")
    tomorrow = DAY + timedelta(days=1)
    page.goto(page.url.replace(str(DAY), str(tomorrow)))
    expect(page.locator(f"[data-played='{DAY}'] + span")).to_have_text(f"{total} points")


def test_comparison_counts_ties_apart(open_page: OpenPage) -> None:
    page = open_page(f"/day/{DAY}/", "desktop")
    found = page.evaluate(
        """async () => {
            const { compare } = await import("/static/sheets/daily/results.js");
            const bots = { games: 200, least: 10, counts: [20, 0, 100, 79, 1] };
            return [9, 10, 11, 12, 13, 14, 15].map((total) => Object.values(compare(bots, total)));
        }"""
    )
    assert found == [[0, 0], [0, 10], [10, 0], [10, 50], [60, 39], [99, 0], [100, 0]]


TEXTS = {
    "en": "Dizzle 2026-09-24 · Castle · {total} · better than 0%",
    "de": "Dizzle 2026-09-24 · Burg · {total} · besser als 0 %",
    "fr": "Dizzle 2026-09-24 · Château fort · {total} · mieux que 0 %",
}
"""Shared text of a bad game, by language; with no-break spaces replaced by spaces."""


@pytest.mark.parametrize("language", TEXTS)
def test_result_is_shared_as_text(new_context: NewContext, live_app: str, language: str) -> None:
    record, played = played_day(DAY, 3)
    context = new_context("desktop", language, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.add_init_script("delete Navigator.prototype.share")
    page.goto(f"{live_app}/day/{DAY}/")
    continue_at(page, record.split(" "))
    page.locator("#share").click()
    expect(page.locator("#share-status")).not_to_be_empty()
    text = page.evaluate("navigator.clipboard.readText()")
    expect(page.locator("#shared-text")).to_have_value(text)
    head, squares = text.split("\n")
    spaced = " ".join(head.split())
    assert spaced == TEXTS[language].format(total=played.totals[-1])
    gains = [b - a for a, b in zip([0, *played.totals], played.totals, strict=False)]
    kinds = ["⬛" if g <= 0 else "🟨" if g <= 5 else "🟩" if g <= 10 else "🟦" for g in gains]
    assert squares == "".join(kinds)


def test_result_can_be_copied_without_a_secure_origin(
    new_context: NewContext, live_app: str
) -> None:
    record, _ = played_day(DAY, 3)
    page = new_context("phone").new_page()
    page.add_init_script(
        "delete Navigator.prototype.share; delete Navigator.prototype.clipboard;"
        "addEventListener('copy', () => { window.copied = String(getSelection()); });"
    )
    page.goto(f"{live_app}/day/{DAY}/")
    continue_at(page, record.split(" "))
    page.locator("#share").click()
    expect(page.locator("#share-status")).to_have_text("Copied")
    text = page.locator("#shared-text").input_value()
    assert text.startswith("Dizzle 2026-09-24")
    assert page.evaluate("window.copied") == text
    # If even that is impossible, the text can be copied by hand.
    page.evaluate("document.execCommand = () => false")
    page.locator("#share").click()
    expect(page.locator("#share-status")).to_contain_text("Not copied")
    assert page.evaluate("String(getSelection())") == text


def test_zero_points_in_french(new_context: NewContext, live_app: str) -> None:
    page = new_context("phone", "fr").new_page()
    page.goto(f"{live_app}/day/{DAY}/")
    expect(page.locator("#points")).to_have_text("0 point")


def test_two_tabs_do_not_overwrite_each_other(new_context: NewContext, live_app: str) -> None:
    context = new_context("phone")
    one, other = context.new_page(), context.new_page()
    for page in (one, other):
        page.goto(f"{live_app}/day/{DAY}/")
    play_word(one, "*")
    play_word(one, FIRST)
    # The second tab follows.
    expect(other.locator("#throw")).to_have_text("Roll the extra dice")
    play_word(other, "*")
    assert stored(other) == f"* {FIRST} *"
    # The first tab follows.
    expect(one.locator("#pool")).to_contain_text("Extra dice:")
    assert stored(one) == f"* {FIRST} *"


def test_tab_that_missed_a_change_takes_it_over(new_context: NewContext, live_app: str) -> None:
    page = new_context("phone").new_page()
    page.goto(f"{live_app}/day/{DAY}/")
    page.evaluate(STORE, [str(DAY), f"* {FIRST} *"])  # no event reaches the same tab
    play_word(page, "*")
    expect(page.locator("#refusal")).to_have_text(
        "This sheet was played on in another tab. This is its state."
    )
    assert stored(page) == f"* {FIRST} *"
    expect(page.locator("#pool")).to_contain_text("Extra dice:")


_FITS = next(at for fits in replay(DAY, f"* {FIRST} *").game.legal().values() for at in fits)


@pytest.mark.parametrize("rest", ["z9", "c4 c4 c4", "* * *", "%", f"{_FITS}NS"])
def test_broken_record_ends_before_the_fault(open_page: OpenPage, rest: str) -> None:
    page = open_page(f"/day/{DAY}/", "phone")
    continue_at(page, ["*", FIRST, "*", *rest.split(" ")])
    assert stored(page) == f"* {FIRST} *"
    expect(page.locator("#pool")).to_contain_text("Extra dice:")


MOMENT = datetime(2026, 9, 24, 23, 0, tzinfo=ZoneInfo("UTC"))
"""A moment at which it is 25 September in Auckland, and 24 September in Honolulu."""


@pytest.mark.parametrize(
    ("zone", "day"), [("Pacific/Auckland", "2026-09-25"), ("Pacific/Honolulu", "2026-09-24")]
)
def test_today_is_the_day_of_the_device(
    new_context: NewContext, live_app: str, zone: str, day: str
) -> None:
    page = new_context("phone", timezone_id=zone).new_page()
    page.clock.set_fixed_time(MOMENT)
    # The first visit: the server does not know the time zone yet.
    page.goto(f"{live_app}/day/2026-09-24/#today")
    page.wait_for_url(f"**/day/{day}/#today")
    expect(page.locator("#throw")).to_be_visible()
    expect(page.locator("#to-today")).to_be_hidden()


def test_device_whose_clock_is_ahead_reaches_the_sheet_of_the_site(
    new_context: NewContext, live_app: str, page_errors: list[str]
) -> None:
    page = new_context("phone", timezone_id="UTC").new_page()
    page.clock.set_fixed_time(datetime(2999, 1, 1, tzinfo=ZoneInfo("UTC")))
    page.goto(f"{live_app}/day/#today")
    page.wait_for_url("**/day/2999-01-01/#today")
    expect(page.get_by_text("has not begun yet")).to_be_visible()
    page.locator("main").get_by_role("link", name="To today’s sheet").click()
    play_word(page, "*")
    expect(page.locator("#pool .for-ears").first).to_contain_text("Pool:")
    page_errors.clear()  # the page of a day in the future is not found


def test_day_that_has_not_begun_on_the_device(new_context: NewContext, live_app: str) -> None:
    page = new_context("phone", timezone_id="Pacific/Honolulu").new_page()
    page.clock.set_fixed_time(datetime(2026, 9, 23, 20, 0, tzinfo=ZoneInfo("UTC")))
    page.goto(f"{live_app}/day/{DAY}/")
    expect(page.locator("#not-yet")).to_be_visible()
    expect(page.locator("#throw")).to_be_hidden()
    expect(page.locator("#tap")).to_be_hidden()


def test_game_goes_on_after_midnight(new_context: NewContext, live_app: str) -> None:
    page = new_context("phone", timezone_id="UTC").new_page()
    page.clock.set_fixed_time(datetime(2026, 9, 24, 23, 50, tzinfo=ZoneInfo("UTC")))
    page.goto(f"{live_app}/day/{DAY}/#today")
    play_word(page, "*")
    page.clock.set_fixed_time(datetime(2026, 9, 25, 0, 10, tzinfo=ZoneInfo("UTC")))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#to-today")).to_be_visible()
    play_word(page, FIRST)
    assert stored(page) == f"* {FIRST}"
    page.locator("#to-today").click()
    page.wait_for_url("**/day/2026-09-25/")


def finished_game(new_context: NewContext, live_app: str, key: str, seed: int) -> Page:
    """Open a finished game on a new device that knows a group."""
    record, _ = played_day(DAY, seed)
    page = new_context("phone").new_page()
    page.goto(f"{live_app}/groups/{key}/")
    page.goto(f"{live_app}/day/{DAY}/")
    continue_at(page, record.split(" "))
    return page


def test_group_compares_two_devices(new_context: NewContext, live_app: str) -> None:
    key = store.create("Family")
    pages = []
    for seed, name in ((3, "Ana"), (4, "Ben")):
        page = finished_game(new_context, live_app, key, seed)
        page.get_by_role("button", name="Add to Family").click()
        expect(page.locator("#day-refusal")).to_have_text("Enter your name: at most 40 letters.")
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Add to Family").click()
        expect(page.locator(".day-group ol")).to_contain_text(name)
        expect(page.locator(".day-group button")).to_be_hidden()
        expect(page.locator("#undo")).to_be_disabled()
        pages.append(page)
    totals = {name: played_day(DAY, seed)[1].totals[-1] for seed, name in ((3, "Ana"), (4, "Ben"))}
    ranked = sorted(totals.items(), key=lambda one: -one[1])
    expect(pages[1].locator(".day-group li")).to_have_text([f"{n} {t}" for n, t in ranked])
    assert DailyResult.objects.count() == 2
    # Another result of the same player is refused.
    again = finished_game(new_context, live_app, key, 5)
    again.get_by_label("Your name").fill("ana")
    again.get_by_role("button", name="Add to Family").click()
    expect(again.locator("#day-refusal")).to_have_text(
        f"Ana already has a result on this day: {totals['Ana']} points."
    )
    again.goto(f"{live_app}/groups/{key}/")
    expect(again.locator(".daily-results li li")).to_have_text([f"{n} {t}" for n, t in ranked])


def test_result_without_network_is_sent_later(new_context: NewContext, live_app: str) -> None:
    page = finished_game(new_context, live_app, store.create("Family"), 3)
    page.context.set_offline(True)
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Add to Family").click()
    expect(page.locator("[data-waits]")).to_be_visible()
    assert not DailyResult.objects.exists()
    page.context.set_offline(False)
    expect(page.locator(".day-group ol")).to_contain_text("Ana")
    expect(page.locator("[data-waits]")).to_be_hidden()
    assert DailyResult.objects.get().player.name == "Ana"


def page_with_refused_name(new_context: NewContext, live_app: str) -> Page:
    """Open a finished game on a device of a group in which Ana has another result of the day."""
    key = store.create("Family")
    daily_results.add(store.find(key), "Ana", DAY, [1, 2])
    page = finished_game(new_context, live_app, key, 3)
    page.get_by_label("Your name").fill("Ana")
    return page


def test_refused_result_of_another_day_is_told(new_context: NewContext, live_app: str) -> None:
    page = page_with_refused_name(new_context, live_app)
    page.context.set_offline(True)
    page.get_by_role("button", name="Add to Family").click()
    expect(page.locator("#undo")).to_be_disabled()
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(f"{live_app}/day/{DAY + timedelta(days=1)}/")
    expect(page.locator("#other-day-refusal")).to_have_text(
        "September 24, 2026: Ana already has a result on this day: 2 points."
    )


def test_undo_is_possible_after_a_refused_result(new_context: NewContext, live_app: str) -> None:
    page = page_with_refused_name(new_context, live_app)
    page.get_by_role("button", name="Add to Family").click()
    expect(page.locator("#day-refusal")).to_contain_text("Ana already has a result")
    expect(page.locator("#undo")).to_be_enabled()


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_page_is_accessible_and_fits(new_context: NewContext, live_app: str, device: str) -> None:
    key = store.create("Family")
    page = new_context(device).new_page()
    page.goto(f"{live_app}/groups/{key}/")
    for day in (DAY, *LEVEL_DAYS.values()):
        record, _ = played_day(day, 3)
        words = record.split(" ")
        page.goto(f"{live_app}/day/{day}/")
        for begun in (words[:1], words[: len(words) // 2], words):
            continue_at(page, begun, day)
            assert (axe_violations_in_both_themes(page), overflow_px(page)) == ("", 0)
            assert not small_targets(page)
            if device == "phone" and begun is not words:
                seen = page.evaluate(
                    """() => document.querySelector(".dock").getBoundingClientRect().top
                        - document.querySelector(".sheet").getBoundingClientRect().bottom"""
                )
                assert seen > -30, (day, seen)  # margin of the drawing


def test_keys_play_a_round(open_page: OpenPage) -> None:
    page = open_page(f"/day/{DAY}/", "desktop")
    page.locator("#throw").focus()
    page.keyboard.press("Enter")
    # The focus moves to a field that takes a die.
    expect(page.locator(".sheet-grid button:focus")).to_have_attribute("data-hint", "strong")
    page.keyboard.press("Enter")
    expect(page.locator("#throw")).to_be_focused()
    page.keyboard.press("Enter")
    assert stored(page).split(" ")[2] == "*"


def test_keys_take_back_and_drop_out(open_page: OpenPage) -> None:
    page = open_page(f"/day/{DAY}/", "desktop")
    continue_at(page, ["*", FIRST])
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    # Nothing else can be taken back, so the focus goes on to a field.
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator(".sheet-grid button:focus")).to_have_attribute("data-hint", "strong")
    record, _ = played_day(DAY, 3)
    words = record.split(" ")
    continue_at(page, words[: words.index("out")])
    page.locator("#drop").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#throw")).to_be_focused()
