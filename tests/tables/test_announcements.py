"""Tests of the sentences and announcements of a table: who starts, latest acts, special cases."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from sheets.tables.announcements import announcements
from sheets.tables.seat_view import SeatView, view_seat
from tests.page_text import unmarked
from tests.table_games import Party, sit_down
from tests.tables.table_clients import client_of

pytestmark = pytest.mark.django_db

NARROW: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "narrow",
    "name": "Narrow",
    "grid": ["2  1x 3 "],
    "rounds": {"1": 2, "2": 2},
}
"""Level with a cross between two fields: a player with a die on one of them is boxed in."""


def view(party: Party, player: int) -> SeatView:
    return view_seat(party.access(player), seat=player)


def watching(party: Party) -> SeatView:
    return view_seat(party.access()._replace(seats=frozenset()))


def said(view: SeatView) -> list[str]:
    return [sentence for _key, sentence in announcements(view)]


def fresh(before: SeatView, after: SeatView) -> list[str]:
    """Return what a phone announces when it sees one view after the other."""
    known = {key for key, _sentence in announcements(before)}
    return [sentence for key, sentence in announcements(after) if key not in known]


@pytest.mark.parametrize(("count", "dice"), [(1, 8), (2, 7), (3, 10), (4, 13)])
def test_a_mirrored_pass_says_who_starts_with_how_many_dice(count: int, dice: int) -> None:
    names = ("Ana", "Ben", "Cem", "Dora")[:count]
    party = sit_down(names, "level-1")
    if count == 1:
        assert view(party, 0).task == "8 dice in this pass. Tap where your dice lie."
        return
    assert view(party, 0).task.startswith(f"You start with {dice} dice.")
    assert view(party, 1).task.startswith(f"Ana starts with {dice} dice.")
    party.act("end_pass", by=0)
    assert view(party, 0).task.startswith(f"Ben starts with {dice} dice.")
    assert view(party, 1).task.startswith(f"You start with {dice} dice.")
    screen = unmarked(client_of(party).get(f"/table/{party.code}/screen/"))
    assert f"Ben starts with {dice} dice." in screen
    assert f"Ben starts with {dice} dice." in watching(party).status


@pytest.mark.parametrize("dice", ["rolled", "typed"])
def test_a_pass_in_turns_says_who_starts_with_how_many_dice(dice: str) -> None:
    party = sit_down(("Ana", "Ben"), "level-1", dice)
    assert view(party, 0).status.startswith("You start this pass: roll 7 dice")
    assert view(party, 1).status == "Ana starts this pass and rolls 7 dice"
    screen = unmarked(client_of(party).get(f"/table/{party.code}/screen/"))
    assert "Ana starts this pass and rolls 7 dice" in screen


def narrow_pass() -> Party:
    """Return a table where Ana and Ben have a die each on the same field; it is Ana's turn."""
    party = sit_down(("Ana", "Ben"), NARROW, "typed")
    party.act("roll", by=0, dice=(2, 2, 2, 2, 2, 2, 3))
    party.act("place", 0, "a1")
    party.act("place", 1, "a1")
    return party


def test_all_players_read_boxed_in_stuck_and_last_turn() -> None:
    party = narrow_pass()
    assert view(party, 0).status == "Your turn: place a die. Boxed in: your next die jumps."
    assert view(party, 1).status == "It is Ana’s turn: boxed in, jumps"
    party.act("place", 0, "c1")
    assert view(party, 0).status == "It is Ben’s turn: nothing fits"
    party.act("reroll", 1, dice=(2, 2, 2, 2))
    before = [view(party, player) for player in (0, 1)]
    party.act("return", 1, "a1")
    ana, ben = view(party, 0), view(party, 1)
    assert ana.status == "You are out of this pass. Last turn of this pass: Ben"
    assert ben.status == "Your last turn in this pass: place a die."
    stuck = "Ana is stuck and out: no field takes a die any more."
    assert [act.stuck for act in ana.recent_acts] == ["", stuck]
    for old, new in zip(before, (ana, ben), strict=True):
        assert stuck in fresh(old, new)
    assert stuck in unmarked(client_of(party).get(f"/table/{party.code}/screen/"))
    assert stuck in unmarked(client_of(party).get(f"/table/{party.code}/log/"))


def test_a_mirrored_sheet_says_when_it_is_boxed_in() -> None:
    party = sit_down(("Ana", "Ben"), NARROW)
    party.act("place", 0, "a1")
    assert view(party, 0).status.endswith("Boxed in: your next die jumps.")
    assert "jump" not in view(party, 1).status


def test_the_end_of_a_pass_names_stuck_players() -> None:
    party = sit_down(("Ana",), NARROW, "typed")
    party.act("roll", by=0, dice=(2, 2, 2, 2, 2, 2, 3, 3))
    for at in ("a1", "c1"):
        party.act("place", 0, at)
        party.act("extra", by=0, dice=(1, 1))
    story = view(party, 0).story
    assert story
    assert story.lines[0].text == "Ana is stuck and out: no field takes a die any more."


def test_the_page_shows_the_others_acts_since_my_turn() -> None:
    party = narrow_pass()
    assert [act.shown for act in view(party, 0).recent_acts] == ["Ben: 2 on a1"]
    assert view(party, 1).recent_acts == []
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert "Ben: 2 on a1" in page
    assert page.count('class="mini-fresh"') == 1
    assert [act.shown for act in watching(party).recent_acts] == ["Ana: 2 on a1", "Ben: 2 on a1"]
    screen = client_of(party).get(f"/table/{party.code}/screen/").content.decode()
    assert screen.count("art-field lit") == 2
    party.act("place", 0, "c1")
    party.act("reroll", 1, dice=(2, 2, 2, 2))
    party.act("return", 1, "a1")
    assert [act.shown for act in view(party, 0).recent_acts] == [
        "Ben rerolls",
        "Ben: die from a1 back",
    ]


def test_rolls_and_moves_of_others_are_announced_in_order() -> None:
    party = sit_down(("Ana", "Ben"), NARROW, "typed")
    before = view(party, 0)
    party.act("roll", by=0, dice=(2, 2, 2, 2, 2, 2, 3))
    rolled = view(party, 0)
    assert fresh(before, rolled) == [
        "Ana: rolls 2, 2, 2, 2, 2, 2, 3",
        "Your turn: place a die.",
        "2 fields take a die: a1, c1.",
    ]
    party.act("place", 0, "a1")
    party.act("place", 1, "a1")
    assert fresh(rolled, view(party, 0)) == [
        "Ben: 2 on a1",
        "Pool: 2, 2, 2, 2, 3.",
        "Your turn: place a die. Boxed in: your next die jumps.",
        "1 field takes a die: c1.",
    ]
    seen = view(party, 1)
    assert "Ana: 2 on a1" in said(seen)
    party.act("place", 0, "c1")
    ben = view(party, 1)
    assert fresh(seen, ben)[0] == "Ana: 3 on c1"


def test_the_same_dice_twice_in_a_row_are_announced_twice() -> None:
    level = {**NARROW, "grid": ["2  1x 3  4  5  6  1  2 "]}
    party = sit_down(("Ana",), level, "typed")
    party.act("roll", by=0, dice=(2, 3, 3, 3, 4, 4, 5, 6))
    views = [view(party, 0)]
    for at in ("c1", "d1", "e1"):
        party.act("place", 0, at)
        party.act("extra", by=0, dice=(1, 1))
        views.append(view(party, 0))
    for before, after in itertools.pairwise(views):
        told = fresh(before, after)
        assert told[0] == "Ana: rolls the extra dice 1, 1"
        assert told[-2] == "Your turn: place a die."


def test_undo_of_another_player_is_announced() -> None:
    party = narrow_pass()
    before = view(party, 0)
    ben = client_of(party, 1)
    ben.post(f"/table/{party.code}/undo/", {"player": 1, "moment": "", "request": "undone-by-ben"})
    assert fresh(before, view(party, 0))[0] == "Ben takes back: 2 on a1"


def test_the_end_of_a_mirrored_pass_without_effects_is_announced() -> None:
    party = sit_down(("Ana", "Ben"), NARROW)
    before = view(party, 1)
    party.done(0, 1)
    assert fresh(before, view(party, 1)) == [
        "Round 1 of 2, pass 2 of 4",
        "You start with 7 dice. Tap where your dice lie.",
        "2 fields take a die: a1, c1.",
    ]


def test_fields_for_a_die_are_announced_once_a_turn_and_six_by_name() -> None:
    level = {**NARROW, "grid": ["2x 1x 3x 4x 5x 6x 1x 2x", "1  2  3  4  5  6  1  2 "]}
    party = sit_down(("Ana", "Ben"), level)
    before, fields = view(party, 0), "8 fields take a die: a2, b2, c2, d2, e2, f2 and 2 more."
    assert said(before)[-1] == fields
    party.act("place", 1, "a2")
    party.act("place", 0, "a2")
    assert not [one for one in fresh(before, view(party, 0)) if "take a die" in one]
    assert not [one for one in said(watching(party)) if "take a die" in one]
    party.done(0)
    assert not [one for one in said(view(party, 0)) if "take a die" in one]


def test_fields_to_choose_from_are_announced_as_choices() -> None:
    party = narrow_pass()
    party.act("place", 0, "c1")
    party.act("reroll", 1, dice=(2, 2, 2, 2))
    assert party.game.phase == "return"
    assert said(view(party, 1))[-1] == "1 field can be chosen: a1."
    page = client_of(party, 1).get(f"/table/{party.code}/").content.decode()
    assert re.search(r'aria-label="a1, [^"]*, can be chosen"', page)


def test_a_link_to_a_sheet_names_points_and_player_to_move() -> None:
    party = sit_down(("Ana", "Ben"), NARROW, "rolled")
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert "Ana</bdi>, 0 points, to move</span>" in page
    assert "Ben</bdi>, 0 points</span>" in page
    page = client_of(party, language="de").get(f"/table/{party.code}/").content.decode()
    assert "0 Punkte, am Zug" in page


def test_titles_describe_the_state_of_the_game() -> None:
    party = sit_down(("Ana", "Ben"), NARROW)
    assert view(party, 0).title == "Still placing: you and Ben"
    party.done(0)
    assert view(party, 0).title == "Still placing: Ben"
    assert view(party, 1).title == "Still placing: you"
    while party.game.phase != "finished":
        party.act("end_pass", by=0)
    assert view(party, 0).title == "The game is over"
    assert said(view(party, 0))[-1] == "The game is over."
