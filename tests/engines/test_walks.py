"""The main tasks in every engine: scoring, a table, printing, a level, a photo (`make engines`)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.engines.conftest import ENGINES, OpenDriver, Site
from tests.engines.driver import Driver
from tests.vision.shots import take

LEVEL = "level-2"
"""Level of the tests."""

CLOSED_LOCK = "a2"
"""Field of a lock that is closed at the beginning."""

PLACED = ["d4", "e4"]
"""Fields of the level next to its printed cross at d5, each with a yellow gem of 2 points."""

READ_S = 0.5
"""Pause between two taps on one spot, which `lib/double_taps.js` would otherwise take for one."""

each_engine = pytest.mark.parametrize("engine", ENGINES)
engine_pairs = pytest.mark.parametrize(
    ("host", "guest"), [("firefox", "webkit"), ("webkit", "chromium"), ("chromium", "firefox")]
)


def tap_fields(driver: Driver, *fields: str) -> None:
    """Tap fields of a sheet and wait for the mark on each."""
    for at in fields:
        driver.tap(f".sheet-grid [data-at={at}]")
        driver.wait_for_count(f"[data-field={at}] :is(.under, .over, .top) > use", 1)


@each_engine
def test_two_paper_sheets_get_their_score_and_a_winner(
    open_driver: OpenDriver, engine: str
) -> None:
    phone = open_driver(engine)
    phone.open()
    phone.tap("main a[href='/score/']")
    phone.tap(f"a[href='/score/new/{LEVEL}/']")
    phone.tap("label:has([name=count][value='2'])")
    phone.fill("[data-name='1'] input", "Ana")
    phone.fill("[data-name='2'] input", "Ben")
    phone.tap("#who button.primary")
    phone.wait_for_path("/1/")
    tap_fields(phone, "d4", "e4", "d6")
    phone.wait_for("#total", "4")
    phone.tap("#_next a", "Next: Ben")
    phone.wait_for_path("/2/")
    tap_fields(phone, "d4")
    phone.wait_for("#total", "2")
    phone.tap("#_next a", "Results")
    assert "Ana" in phone.wait_for(".verdict")


@engine_pairs
def test_two_engines_at_a_table_see_each_others_moves(
    open_driver: OpenDriver, host: str, guest: str
) -> None:
    ana, ben = open_driver(host), open_driver(guest)
    ana.open(f"/table/new/?level={LEVEL}")
    ana.tap("label:has([name=players][value='2'])")
    ana.fill("[name=name]", "Ana")
    ana.tap("form.start button.primary")
    code = ana.wait_for(".lobby .code")
    ben.open("/table/")
    ben.fill("[name=code]", code.lower())
    ben.tap("form.join button")
    ben.fill(".seat-form [name=name]", "Ben")
    ben.tap("button", "Sit here")
    ana.wait_for("#_lobby", "Ben")
    ana.tap("button", "Begin the game")
    for phone in (ana, ben):
        phone.wait_for(".sheet-grid")
        phone.run("() => { window.isStill = true; }")

    for mover, looker, number in ((ana, ben, 0), (ben, ana, 1)):
        for placed, at in enumerate(PLACED, start=1):
            tap_fields(mover, at)
            looker.until(lambda: dice_of(looker, number) == placed, f"{placed} dice of {number}")  # noqa: B023
        expect_refusal(mover)

    end_pass(ana, ben)
    for phone in (ana, ben):
        assert phone.run("() => window.isStill"), "the page was loaded anew"


def dice_of(phone: Driver, player: int) -> int:
    """Return the number of dice on the small sheet of a player: each is one square of its path."""
    found: int = phone.run(
        """(player) => document.querySelector(`[data-person='${player}'] .mini-die`)
          ?.getAttribute("d").match(/m/gi).length ?? 0""",
        player,
    )
    return found


def expect_refusal(phone: Driver) -> None:
    """Tap a closed lock and expect a refusal with its reason, and no mark."""
    phone.tap(f".sheet-grid [data-at={CLOSED_LOCK}]")
    assert CLOSED_LOCK in phone.wait_for("#refusal", "Why?")
    assert phone.count(f"[data-field={CLOSED_LOCK}] :is(.over, .top) > use") == 0


def end_pass(*phones: Driver) -> None:
    """End the pass on each phone and wait for the story of its end."""
    for phone in phones:
        phone.tap("#_bar button", "Done")
    for phone in phones:
        phone.wait_for("#_story", "How pass 1 ended")
        # Each player crossed the fields of their dice, with two gems.
        phone.until(lambda phone=phone: phone.texts("#_people b") == ["4", "4"], "the totals")  # type: ignore[misc]


@each_engine
def test_sheets_are_printed(open_driver: OpenDriver, engine: str) -> None:
    phone = open_driver(engine)
    phone.open("/print/")
    phone.tap("label:has([value=level-2])")
    phone.wait_for_count(".print-pages img", 1)
    for selector in (".more-settings summary", "label:has([name=rules])"):
        time.sleep(READ_S)
        phone.tap(selector)
    phone.wait_for_count(".print-pages img", 2)
    drawn = """() => { const image = document.querySelector(".print-pages img");
      image.scrollIntoView(); return image.complete && image.naturalWidth; }"""
    phone.until(lambda: phone.run(drawn), "the first page")
    kind, begins = phone.run(
        """async () => {
          const answer = await fetch(document.querySelector("a[download]").href);
          return [answer.headers.get("content-type"), (await answer.text()).slice(0, 5)];
        }"""
    )
    assert (kind, begins) == ("application/pdf", "%PDF-")
    phone.tap("a[download]")
    file = phone.downloaded()
    assert file.suffix == ".pdf"
    assert file.read_bytes().startswith(b"%PDF-")


@each_engine
def test_a_level_is_made_with_taps(open_driver: OpenDriver, engine: str) -> None:
    phone = open_driver(engine)
    phone.open("/workshop/invent/")
    phone.fill("[name=name]", "Fir")
    phone.fill("[name=columns]", "3")
    phone.fill("[name=rows]", "2")
    phone.tap("main button.primary")
    phone.wait_for_count("#drawing [data-field=a1]", 1)
    for number in "5362":
        phone.tap(f"[data-number='{number}']")
    phone.tap("#grid [data-at=c2]")
    phone.tap("[data-number='4']")
    expect_fields(phone, {"a1": "5", "b1": "3", "c1": "6", "a2": "2", "c2": "4"})
    phone.tap("#undo")
    expect_fields(phone, {"a2": "2", "c2": "not entered"})
    phone.until(lambda: not phone.count("#saving.waiting"), "what is saved")
    phone.reload()
    expect_fields(phone, {"a1": "5", "b1": "3", "c1": "6", "a2": "2", "c2": "not entered"})


def expect_fields(phone: Driver, fields: dict[str, str]) -> None:
    """Wait until fields of the grid have these labels."""
    named = "(at) => document.querySelector(`#grid [data-at=${at}]`).getAttribute('aria-label')"
    for at, words in fields.items():
        phone.until(lambda at=at, words=words: words in phone.run(named, at), f"{at}: {words}")  # type: ignore[misc]


@each_engine
def test_a_photo_is_chosen_and_read(open_driver: OpenDriver, engine: str, tmp_path: Path) -> None:
    photo = tmp_path / "IMG_4.jpg"
    photo.write_bytes(take("level-3", "level-3", seed=4).jpeg)
    phone = open_driver(engine)
    phone.open("/score/photos/")
    phone.choose_file("#photo", photo)
    phone.wait_for_count(".seen-sheet", 2)


@each_engine
def test_links_at_the_head_of_a_wide_page_have_no_scroll_bar(
    open_driver: OpenDriver, engine: str
) -> None:
    phone = open_driver(engine)
    phone.resize(1280, 800)
    phone.open()
    # Of these engines only Firefox has scroll bars that take space, like browsers on Windows.
    bars = phone.run(
        """() => [...document.querySelectorAll(".site-head, .site-head *")]
          .filter((one) => one instanceof HTMLElement && one.checkVisibility())
          .filter((one) => one.scrollWidth > one.clientWidth)
          .filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX))
          .map((one) => one.className)"""
    )
    phone.resize(390, 844)
    assert bars == []


@each_engine
def test_errors_in_a_page_are_reported(open_driver: OpenDriver, site: Site, engine: str) -> None:
    phone = open_driver(engine)
    phone.open()
    phone.run(
        """() => {
          const { head } = document;
          head.append(Object.assign(document.createElement("script"), { text: "let evil;" }));
          head.append(Object.assign(document.createElement("script"), { src: "/static/none.js" }));
          console.error("told");
          Promise.reject(new Error("let down"));
        }"""
    )
    heard = ("policy: script-src", "not loaded: ", "console: told", "rejected: Error: let down")

    def all_heard() -> bool:
        said = site.error_log.read_text("utf-8") if site.error_log.exists() else ""
        return all(words in said for words in heard)

    phone.until(all_heard, "what the page tells")
    phone.open()  # the left page reports nothing more
    site.error_log.unlink()
