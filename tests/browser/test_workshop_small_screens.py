"""The workshop in little space: menus, large fonts, quick taps."""

from __future__ import annotations

from playwright.sync_api import expect

from sheets.access.keys import renew_key
from sheets.workshop import store
from tests.browser.axe import axe_violations
from tests.browser.conftest import PHONE_WIDTH, MakePath, OpenPage
from tests.browser.touch import touch
from tests.browser.workshop_page import (
    choose_tool,
    key_of,
    place,
    rows,
    tap,
    type_numbers,
    wait_for_frame,
    wait_until_saved,
)


def test_menu_of_uses_stays_on_the_screen(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level(), "phone", "de")
    page.locator(".more summary").click()
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        box = page.locator(".more ul").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_axe_finds_nothing_after_a_look_at_the_paper(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5 1", "2 4 6"))
    for view in ("paper", "phone", "draft"):
        page.locator(f"button[data-view={view}]").click()
        assert axe_violations(page) == ""


def test_quick_redo_loses_no_press(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level("? ?", "? ?"), "desktop")
    type_numbers(page, "1234")
    for _ in range(4):
        page.locator("#undo").press("Enter")
    assert rows(page) == ["? ?", "? ?"]
    page.evaluate(
        "() => { for (let i = 0; i < 3; i += 1) document.getElementById('redo').click(); }"
    )
    wait_until_saved(page)
    assert rows(page) == ["1 2", "3 ?"]


def test_new_level_opens_with_its_numbers(
    open_page: OpenPage, live_app: str, make_level: MakePath
) -> None:
    page = open_page(make_level(), "desktop")
    choose_tool(page, "areas")
    page.goto(live_app + make_level())
    expect(page.locator("[data-tool=numbers]")).to_have_attribute("aria-pressed", "true")
    place(page, "a1").click()
    page.keyboard.type("6")
    wait_until_saved(page)
    choose_tool(page, "areas")
    page.reload()
    expect(page.locator("[data-tool=areas]")).to_have_attribute("aria-pressed", "true")
    # Another edited level opens with its own last tool.
    page.goto(live_app + make_level("3 5"))
    place(page, "a1").click()
    page.keyboard.type("6")
    wait_until_saved(page)
    page.reload()
    expect(page.locator("[data-tool=numbers]")).to_have_attribute("aria-pressed", "true")


def test_undo_message_does_not_cover_the_tools(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level(), "phone")
    page.clock.install()
    touch(place(page, "a1"))
    touch(page.locator("[data-number='4']"))
    wait_until_saved(page)
    touch(page.locator("#undo"))
    expect(page.locator("#told")).to_be_in_viewport(ratio=1)
    touch(page.locator("[data-tool=symbols]"))
    expect(page.locator("[data-tool=symbols]")).to_have_attribute("aria-pressed", "true")
    page.clock.fast_forward(9500)
    expect(page.locator("#told")).to_be_hidden()


def test_edits_refused_for_a_withdrawn_link_stay_visible(
    open_page: OpenPage, make_level: MakePath, page_errors: list[str]
) -> None:
    page = open_page(make_level("? 5"), "phone")
    renew_key(store.find(key_of(page)))
    place(page, "a1").click()
    page.locator("[data-number='6']").click()
    expect(page.locator("#saving")).to_contain_text("Not saved: this level is gone")
    expect(page.locator("#saving")).to_be_in_viewport(ratio=1)
    expect(place(page, "a1")).to_have_accessible_name("a1, 6")
    place(page, "b1").click()
    page.locator("[data-number='3']").click()
    expect(place(page, "b1")).to_have_accessible_name("b1, 3")
    expect(page.locator("#saving")).to_contain_text("Not saved: this level is gone")
    page_errors.clear()  # Chromium logs the refused request as an error, as intended


def test_rows_say_how_far_they_are_moved(open_page: OpenPage, make_level: MakePath) -> None:
    page = open_page(make_level("3 5", "2 4"), "desktop")
    choose_tool(page, "grid")
    place(page, "a2").click()
    at = page.locator("#shift-at")
    expect(at).to_have_text("Row 2 is straight.")
    place(page, "a2").press("Shift+ArrowLeft")
    expect(at).to_have_text("Row 2 lies ¼ field to the left.")
    for _ in range(4):
        place(page, "a2").press("Shift+ArrowRight")
    expect(at).to_have_text("Row 2 lies ¾ field to the right.")


def test_uneven_pasted_rows_say_where_holes_were_put(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level(), "desktop")
    choose_tool(page, "grid")
    page.get_by_text("Paste rows of text").click()
    # Fill it only then: the rows of the sheet are inserted shortly after it opens.
    expect(page.locator("#paste")).to_have_value("3x 5 1Gy\n2 4 6Fr\n? 1 -P")
    page.locator("#paste").fill("3x 5 1\n2 4\n6")
    page.get_by_role("button", name="Use these rows").click()
    expect(page.locator("#told")).to_contain_text("holes were put at the end: row 2, 3.")
    assert rows(page) == ["3x 5 1", "2 4 .", "6 . ."]


def test_too_large_a_number_is_refused_and_changes_nothing(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5 1", "2 4 6"), "phone")
    choose_tool(page, "lines")
    touch(page.locator("[data-edge='row 1']"))
    for key in "100":
        touch(page.locator(f".pad:visible [data-pad='{key}']"))
    expect(page.locator(".wrong")).to_contain_text("A number from −99 to 99")
    assert wait_until_saved(page)["lines"] == [{"row": 1, "points": 5}]
    # The message is also shown when the user continues without reading it.
    touch(page.locator("[data-edge='row 2']"))
    expect(page.locator("#refusal")).to_contain_text("A number from −99 to 99")
    assert wait_until_saved(page)["lines"] == [{"row": 1, "points": 5}, {"row": 2, "points": 5}]
    choose_tool(page, "areas")
    touch(page.get_by_role("button", name="New area"))
    touch(place(page, "a1"))
    box = page.locator("#area-points")
    box.fill("8 4")
    box.press_sequentially(" 200")
    assert wait_until_saved(page)["areas"] == [{"fields": ["a1"], "points": 5}]
    box.fill("")
    box.blur()
    touch(page.locator("#area-list button"))
    expect(page.locator("#refusal")).to_contain_text("Numbers from −99 to 99")


def test_level_without_a_name_can_be_opened_again(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5 1"), "desktop")
    choose_tool(page, "names")
    for box in page.locator("[data-text=name]").all():
        box.fill("")
    assert not wait_until_saved(page).get("name")
    page.reload()
    expect(page.locator("#check-list")).to_contain_text("The level has no name yet.")
    for path in ("?whole", "guide/numbers/", "print/", "play/", "score/", "links/"):
        assert page.request.get(f"{page.url}{path}").status < 500, path


def test_switching_to_rails_says_next_to_undo_what_is_dropped(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level("3x 5 1Gy", "2x 4 -P"), "desktop")
    choose_tool(page, "grid")
    told = page.locator("#told")
    expect(told).to_be_hidden()
    page.locator("#rails").check()
    expect(told).to_contain_text("printed crosses (2), rockets and planets (1)")
    page.locator("#undo").click()
    expect(told).to_have_text("Undone: a1, a2, c2, tracks or crosses.")
    assert rows(page) == ["3x 5 1Gy", "2x 4 -P"]


def test_symbols_can_be_corrected_while_comparing(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(f"{make_level('3x 5 1Gy')}guide/check/")
    choice = page.get_by_label("Symbol")
    expect(choice).to_have_value("")
    choice.select_option("Kr")
    tap(page, "c1")
    expect(choice).to_have_value("Gy")
    choice.select_option("")
    assert rows(page) == ["3xKr 5 1"]
    assert axe_violations(page) == ""


def test_bought_sheet_continues_at_its_last_step(
    open_page: OpenPage, live_app: str, transactional_db: None
) -> None:
    path = f"/workshop/{store.create_blank({'en': 'Fir'}, 3, 2, is_bought=True)}/"
    page = open_page(f"{path}guide/numbers/", "desktop")
    type_numbers(page, "12")
    wait_until_saved(page)
    page.goto(live_app + path)
    assert page.url.endswith("/guide/numbers/")
    page.keyboard.type("6")
    assert rows(page) == ["1 2 6", "? ? ?"]
    page.goto(f"{live_app}{path}?whole")
    expect(page.locator("[data-tool=areas]")).to_be_visible()


def test_points_of_an_area_leave_the_sheet_in_sight(
    open_page: OpenPage, make_level: MakePath
) -> None:
    areas = [{"fields": [f"a{row}", f"b{row}"], "race": [8, 4, 2]} for row in range(1, 6)]
    page = open_page(
        make_level(*(["1 2 3 4 5 6"] * 8), areas=areas) + "guide/races/", "phone", "de"
    )
    touch(place(page, "a4"))
    wait_for_frame(page)
    panel = page.locator("#panels").bounding_box()
    fifth = place(page, "a5").bounding_box()
    assert panel
    assert fifth
    assert fifth["y"] + fifth["height"] / 2 < panel["y"], "fewer than five rows are in sight"
    foot = page.locator(".guide-foot").bounding_box()
    chosen = page.locator("#area-list [aria-pressed=true]").bounding_box()
    assert foot
    assert chosen
    assert chosen["y"] + chosen["height"] <= foot["y"]
    assert 0 <= chosen["x"] < PHONE_WIDTH * 0.6, "the list does not begin with what is chosen"


def test_names_of_steps_do_not_overlap_the_heading(
    open_page: OpenPage, make_level: MakePath
) -> None:
    page = open_page(make_level() + "guide/numbers/", "desktop", "de")
    head = page.locator(".guide-head").bounding_box()
    assert head
    for name in page.locator(".guide-steps li:visible span").all():
        box = name.bounding_box()
        assert box
        assert box["y"] + box["height"] <= head["y"], name.inner_text()


def test_page_has_one_frame(open_page: OpenPage, live_app: str, make_level: MakePath) -> None:
    level = make_level()
    page = open_page(level, "desktop")
    for path in ("", "guide/numbers/"):
        page.goto(f"{live_app}{level}{path}")
        edges = page.evaluate(
            """() => ["main", ".site-foot"].map((one) => {
                const { left, right } = document.querySelector(one).getBoundingClientRect();
                return `${left} ${right}`;
            })"""
        )
        assert len({*edges}) == 1, path


def test_keyboard_shortcuts_are_shown_only_with_a_keyboard(
    open_page: OpenPage, make_level: MakePath
) -> None:
    path = make_level()
    for device, is_shown in (("phone", False), ("desktop", True)):
        page = open_page(path, device)
        choose_tool(page, "symbols")
        expect(page.locator("[data-panel=symbols] .by-keys")).to_be_visible(visible=is_shown)
        drawn = "one => getComputedStyle(one, '::after').display !== 'none'"
        assert page.locator("#symbol-palette [data-key]").first.evaluate(drawn) == is_shown
