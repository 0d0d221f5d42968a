"""Check of the dice in the browser, and contributions of phones in the lobby."""

from __future__ import annotations

import re
from itertools import islice
from random import Random
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page, expect

from sheets.dice_sequence import commitment, dice, label_of
from sheets.models import Seat, Table
from sheets.tables import acts
from sheets.tables.dice_seeds import new_seed, proof_of
from sheets.tables.event_loader import record_of
from sheets.tables.game_files import store_game
from tests.app_dice import play_rolled, rolled, seed_of
from tests.browser.conftest import NewContext, OpenPage
from tests.browser.polling import wait_until
from tests.browser.table_phones import phone
from tests.table_games import TINY, Party, sit_down

FIND: Final = """async (proof) =>
    (await import("/static/sheets/table/dice_check.js")).findDifference(proof)"""
"""Script that checks a proof."""


def random_proof(random: Random, players: tuple[int | None, ...]) -> dict[str, Any]:
    """Return a proof with up to 200 dice for each of its sequences."""
    seed = random.randbytes(32)
    sent = [random.choice(["", random.randbytes(16).hex()]) for _ in range(random.randint(1, 6))]
    sequences = [
        {
            "player": player,
            "name": "" if player is None else f"Player {player}",
            "dice": list(
                islice(
                    dice(seed, label_of(sent) if player is None else label_of(sent, player)),
                    random.randint(1, 200),
                )
            ),
            "fixed": None,
        }
        for player in players
    ]
    return {
        "commitment": commitment(seed),
        "seed": seed.hex(),
        "contributions": sent,
        "sequences": sequences,
    }


def test_script_computes_the_same_dice_as_the_server(open_page: OpenPage) -> None:
    page = open_page("/rules/")
    random = Random(7)
    for players in [(None,), (None,), (0, 1), (0, 1, 2)] * 5:
        proof = random_proof(random, players)
        assert page.evaluate(FIND, proof) is None, proof


def test_script_finds_each_changed_die(open_page: OpenPage) -> None:
    page = open_page("/rules/")
    random = Random(8)
    for players in [(None,), (0, 1)] * 5:
        proof = random_proof(random, players)
        number = random.randrange(len(players))
        changed = proof["sequences"][number]["dice"]
        at = random.randrange(len(changed))
        right = changed[at]
        changed[at] = right % 6 + 1
        found = page.evaluate(FIND, proof)
        assert found == {
            "what": "die" if players == (None,) else "dieOf",
            "name": proof["sequences"][number]["name"],
            "position": at + 1,
            "found": changed[at],
            "expected": right,
        }
        proof["sequences"][number]["fixed"] = at
        assert page.evaluate(FIND, proof) is None
    proof = random_proof(random, (None,))
    assert page.evaluate(FIND, proof | {"commitment": "0" * 64}) == {"what": "commitment"}


def finished() -> Party:
    party = rolled()
    acts.start(party.access())
    play_rolled(party)
    return party


def open_dice(page: Page, live_app: str, party: Party) -> None:
    page.goto(f"{live_app}/table/{party.code}/dice/")


def test_browser_confirms_the_dice_of_a_game(live_app: str, new_context: NewContext) -> None:
    party = finished()
    page = phone(live_app, new_context, party, 0)
    open_dice(page, live_app, party)
    expect(page.locator("#browser-check")).to_have_text(
        "This browser has computed the dice again, too, and found the same."
    )
    # A seed cannot be exchanged, and neither can a contribution.
    Table.objects.filter(code=party.code).update(contributions=",")
    page.reload()
    expect(page.locator("#browser-check")).to_have_text(
        re.compile(r"dice again: die \d+ is [1-6], and the seed gives [1-6]\.")
    )
    expect(page.locator("#browser-check")).to_have_class(re.compile("bad"))


def test_browser_confirms_the_dice_of_a_file(live_app: str, new_context: NewContext) -> None:
    party = finished()
    page = phone(live_app, new_context, party, 0)
    access = party.access()
    key = store_game(record_of(access)._replace(dice_proof=proof_of(access)))
    page.goto(f"{live_app}/table/file/{key}/")
    page.get_by_role("link", name="The dice of this game").click()
    expect(page.locator("#browser-check")).to_contain_text("found the same.")
    expect(page.locator("#same-commitment, #other-commitment")).to_have_count(2)
    expect(page.locator("#same-commitment:visible, #other-commitment:visible")).to_have_count(0)


def test_phones_contribute_in_the_lobby_and_note_the_commitment(
    live_app: str, new_context: NewContext, page_errors: list[str]
) -> None:
    party = sit_down(level=TINY, dice="rolled", start=False)

    def refused_at_first(*device: str, **more: Any) -> BrowserContext:
        context = new_context(*device, **more)
        context.route("**/contribute/", lambda route: route.fulfill(status=503), times=1)
        return context

    makes: tuple[NewContext, ...] = (refused_at_first, new_context)
    pages = [phone(live_app, make, party, number) for number, make in enumerate(makes)]
    for page in pages:
        page.get_by_text("Dice that nobody can change").click()
        expect(page.locator(".dice-values dt")).to_have_count(3)
    sent = list(Seat.objects.filter(table__code=party.code).values_list("contribution", flat=True))
    assert len(set(sent)) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", text) for text in sent)
    acts.start(party.access())
    assert party.access().table.contributions == ",".join(sent)
    play_rolled(party)
    # The lobby goes on to the game by itself, so the same device opens another page.
    page = pages[1].context.new_page()
    open_dice(page, live_app, party)
    expect(page.locator("#same-commitment")).to_be_visible()
    expect(page.locator("#other-commitment")).to_be_hidden()
    assert seed_of(party) in page.locator("main").inner_text()
    Table.objects.filter(code=party.code).update(dice_seed=new_seed())
    page.reload()
    expect(page.locator("#other-commitment")).to_be_visible()
    expect(page.locator("#same-commitment")).to_be_hidden()
    page_errors.clear()  # the answer 503


def test_phone_contributes_to_a_game_that_began_at_once(
    live_app: str, new_context: NewContext
) -> None:
    party = sit_down(("Ana",), TINY, "rolled")
    page = phone(live_app, new_context, party, 0)
    wait_until(page, lambda: bool(party.access().table.contributions))
    page.get_by_role("button", name="Roll the dice").click()
    wait_until(page, lambda: bool(party.loaded.entries))
    play_rolled(party)
    assert len(party.access().table.contributions) == 32
    open_dice(page, live_app, party)
    expect(page.locator("#browser-check")).to_contain_text("found the same")
    expect(page.locator("#same-commitment")).to_be_visible()
