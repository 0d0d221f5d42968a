"""Double font size on narrow phones: a small header, and legible names."""

from __future__ import annotations

from os.path import normpath

import pytest
from django.test import Client
from playwright.sync_api import Page

from sheets.groups import game_store
from sheets.groups import store as group_store
from tests.browser.conftest import NewContext
from tests.browser.layout_checks import broken_names, open_folds, overflow_px, set_font_size
from tests.groups.played_games import create_scoring
from tests.table_games import Party, sit_down
from tests.tables.table_clients import finished_party

SIZES = ((320, 640), (360, 740))
"""Width and height of the screens."""

NAMES = ("Player 1", "Maximilian", "Anna-Lena")
"""Names of the players."""

pytestmark = pytest.mark.django_db(transaction=True)


def enlarge(page: Page) -> None:
    set_font_size(page, "200%")
    open_folds(page)


def test_the_header_takes_a_quarter_of_the_screen_at_most(
    live_app: str, new_context: NewContext
) -> None:
    page = new_context("phone", "de").new_page()
    page.goto(live_app)
    enlarge(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator(".site-head").bounding_box()
        assert box
        assert box["height"] <= height / 4, (width, box)
        buttons = page.locator(".site-head :is(button, a)").evaluate_all(
            "all => all.filter((one) => one.checkVisibility())"
            ".map((one) => one.getBoundingClientRect().height)"
        )
        assert min(buttons) >= 44, (width, buttons)


def test_names_break_between_words(live_app: str, client: Client, new_context: NewContext) -> None:
    page = new_context("phone").new_page()
    seats: dict[str, Party] = {
        "results": finished_party(*NAMES),
        "lobby": sit_down(NAMES, "level-1", start=False),
        "play": sit_down(NAMES, "level-3", "rolled"),
    }
    below = {"results": ("", "log/", "screen/", "history/"), "lobby": ("", "screen/")}
    paths = [
        (f"/table/{party.code}/{path}", party.tokens[0])
        for name, party in seats.items()
        for path in below.get(name, ("",))
    ]
    family = group_store.create("Family")
    kept = game_store.add_game(
        group_store.find(family), create_scoring({name: 9 + i for i, name in enumerate(NAMES)})[1]
    )
    group = ("", "enter/", "players/", f"year/{kept.evening.year}/")
    paths += [(f"/groups/{family}/{path}", "") for path in group]
    scoring = client.post("/score/new/level-2/", {"count": 3}).headers["Location"]
    paths += [(f"{normpath(scoring + path)}/", "") for path in ("", "../", "../players/")]
    faults: dict[tuple[str, int], list[str]] = {}
    for path, token in paths:
        if token:
            table = live_app + "/".join(path.split("/")[:3]) + "/"
            seat = {"name": "dizzle_seat", "value": token, "url": table}
            page.context.add_cookies([seat])  # type: ignore[list-item]
        page.goto(live_app + path)
        enlarge(page)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found = broken_names(page, *NAMES, "Player 2", "Player 3")
            if wide := overflow_px(page):
                found.append(f"{wide} px too wide")
            if found:
                faults[path, width] = found
    assert faults == {}
