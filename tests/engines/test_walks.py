"""Do the ways that people go work in every engine?  `make engines`"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scanning.shots import take

from .conftest import ENGINES, Drive, Site
from .driver import Driver

LEVEL = "level-2"
CLOSED_LOCK = "a2"
PLACED = ["d4", "e4"]
"""Fields of the level beside its printed cross at d5, each with a yellow gem of 2 points."""

each = pytest.mark.parametrize("engine", ENGINES)
pairs = pytest.mark.parametrize(
    ("host", "guest"), [("firefox", "webkit"), ("webkit", "chromium"), ("chromium", "firefox")]
)


def tap_fields(driver: Driver, *fields: str) -> None:
    """Tap fields of a sheet, each with its mark to be seen on it afterwards."""
    for at in fields:
        driver.tap(f".sheet-grid [data-at={at}]")
        driver.wait_for_count(f"[data-field={at}] :is(.under, .over, .top) > use", 1)


@each
def test_two_paper_sheets_get_their_score_and_a_winner(drive: Drive, engine: str) -> None:
    phone = drive(engine)
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


@pairs
def test_two_engines_at_a_table_see_each_other_at_once(drive: Drive, host: str, guest: str) -> None:
    ana, ben = drive(host), drive(guest)
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
        refused(mover)

    end_pass(ana, ben)
    for phone in (ana, ben):
        assert phone.run("() => window.isStill"), "the page was loaded anew"


def dice_of(phone: Driver, player: int) -> int:
    """How many dice lie on the small sheet of a player: each is one square of its path."""
    found: int = phone.run(
        """(player) => document.querySelector(`[data-person='${player}'] .mini-die`)
          ?.getAttribute("d").match(/m/gi).length ?? 0""",
        player,
    )
    return found


def refused(phone: Driver) -> None:
    """A tap that the rules forbid is refused, with its reason, and leaves nothing."""
    phone.tap(f".sheet-grid [data-at={CLOSED_LOCK}]")
    assert CLOSED_LOCK in phone.wait_for("#refusal", "Why?")
    assert phone.count(f"[data-field={CLOSED_LOCK}] :is(.over, .top) > use") == 0


def end_pass(*phones: Driver) -> None:
    """All say that they are done; each phone tells how the pass ended."""
    for phone in phones:
        phone.tap("#_bar button", "Done")
    for phone in phones:
        phone.wait_for("#_story", "How pass 1 ended")
        # Everybody crossed the fields of their dice, with two gems.
        phone.until(lambda phone=phone: phone.texts("#_people b") == ["4", "4"], "the totals")  # type: ignore[misc]


@each
def test_sheets_are_printed(drive: Drive, engine: str) -> None:
    phone = drive(engine)
    phone.open("/print/")
    phone.tap("label:has([value=level-2])")
    phone.wait_for_count(".print-pages img", 1)
    phone.tap("label:has([name=rules])")
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


@each
def test_a_level_is_made_with_taps(drive: Drive, engine: str) -> None:
    phone = drive(engine)
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
    shows(phone, {"a1": "5", "b1": "3", "c1": "6", "a2": "2", "c2": "4"})
    phone.tap("#undo")
    shows(phone, {"a2": "2", "c2": "not entered"})
    phone.until(lambda: not phone.count("#saving.waiting"), "what is saved")
    phone.reload()
    shows(phone, {"a1": "5", "b1": "3", "c1": "6", "a2": "2", "c2": "not entered"})


def shows(phone: Driver, fields: dict[str, str]) -> None:
    """The places of the grid are called so."""
    named = "(at) => document.querySelector(`#grid [data-at=${at}]`).getAttribute('aria-label')"
    for at, words in fields.items():
        phone.until(lambda at=at, words=words: words in phone.run(named, at), f"{at}: {words}")  # type: ignore[misc]


@each
def test_a_photo_is_chosen_and_read(drive: Drive, engine: str, tmp_path: Path) -> None:
    photo = tmp_path / "IMG_4.jpg"
    photo.write_bytes(take("level-3", "level-3", seed=4).jpeg)
    phone = drive(engine)
    phone.open("/score/photos/")
    phone.choose_file("#photo", photo)
    phone.wait_for_count(".seen-sheet", 2)


@each
def test_links_at_the_head_of_a_wide_page_have_no_scroll_bar(drive: Drive, engine: str) -> None:
    phone = drive(engine)
    phone.resize(1280, 800)
    phone.open()
    # Only Firefox has bars here that take room; so have other browsers on Windows.
    bars = phone.run(
        """() => [...document.querySelectorAll(".site-head, .site-head *")]
          .filter((one) => one instanceof HTMLElement && one.checkVisibility())
          .filter((one) => one.scrollWidth > one.clientWidth)
          .filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX))
          .map((one) => one.className)"""
    )
    phone.resize(390, 844)
    assert bars == []


@each
def test_what_goes_wrong_in_a_page_is_heard(drive: Drive, site: Site, engine: str) -> None:
    phone = drive(engine)
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
        said = site.said.read_text("utf-8") if site.said.exists() else ""
        return all(words in said for words in heard)

    phone.until(all_heard, "what the page tells")
    phone.open()  # the other page says nothing more
    site.said.unlink()
