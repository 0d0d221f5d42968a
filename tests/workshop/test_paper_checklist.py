"""Checklist for the comparison with the paper, and its stored ticks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from sheets.models import DraftChange
from sheets.workshop.paper_checklist import find_checklist_items
from tests.workshop.test_pages import begin, ready, send, stored

DOCUMENT: dict[str, Any] = {
    "grid": ["3x 5 1Gy", "2 . 4Fr", "6 1B -V"],
    "shifts": [0, 0.5, -0.25],
    "links": [["a1", "c3"]],
    "walls": [["a1", "b1"]],
    "lines": [
        {"row": 2, "points": 5},
        {"column": "c", "points": 1},
        {"fields": ["a1", "b1"], "points": -3},
    ],
    "areas": [{"fields": ["b3", "a3"], "points": 6}, {"fields": ["c1"], "race": [8, 4]}],
    "points": {"gem": {"yellow": 2}, "flag": {"red": [10, 6, 3, 1]}},
    "dice": {"5": 16},
    "rounds": {"5": 3},
}
SENTENCES = [
    "Row 2: moved to the right by ½ of a field",
    "Row 3: moved to the left by ¼ of a field",
    "Bridge between a1 and c3",
    "Wall between a1 and b1",
    "Row 2: 5 points",
    "Column c: 1 point",
    "Chain a1, b1: −3 points",
    "3 arrows in all, and no other on the paper",
    "Area b3, a3: 6 points",
    "Race for c1: 8 · 4",
    "2 borders in all, and no other on the paper",
    "Yellow gem: 2 points",
    "Red flag: 10 · 6 · 3 · 1",
    "The last number of a flag or race is struck off like all others",
    "1 player: 8 dice, 10 rounds",
    "2 players: 7 dice, 6 rounds",
    "3 players: 10 dice, 4 rounds",
    "4 players: 13 dice, 3 rounds",
    "5 players: 16 dice, 3 rounds",
    "Grades from these points: 41, 51, 61, 71, 81, 91",
]


def test_every_part_except_the_fields_is_on_the_checklist() -> None:
    things = find_checklist_items(DOCUMENT)
    assert [thing.sentence for thing in things] == SENTENCES
    assert len({thing.key for thing in things}) == len(things)


@pytest.mark.parametrize(
    ("sentence", "step", "opens", "fields"),
    [
        ("Row 3: moved", "shifts", "field a3", ("a3", "b3", "c3")),
        ("Row 2: 5", "arrows", "edge row 2", ("a2", "c2")),
        ("Column c", "arrows", "edge column c", ("c1", "c2", "c3")),
        ("Chain", "arrows", "chain 0", ("a1", "b1")),
        ("Area", "areas", "area 0", ("a3", "b3")),
        ("Race", "races", "area 1", ("c1",)),
        ("Red flag", "points", "#points-Fr", ("c2",)),
        ("5 players", "counts", "[data-count=dice][data-players='5']", ()),
        ("Wall", "pairs", "", ("a1", "b1")),
    ],
)
def test_item_has_its_fields_and_the_step_to_correct_it(
    sentence: str, step: str, opens: str, fields: tuple[str, ...]
) -> None:
    found = next(
        thing for thing in find_checklist_items(DOCUMENT) if thing.sentence.startswith(sentence)
    )
    assert (found.step, found.opens, found.fields) == (step, opens, fields)


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ({"lines": [{"row": 2, "points": 6}, *DOCUMENT["lines"][1:]]}, 1),
        ({"lines": DOCUMENT["lines"][1:]}, 2),
        ({"areas": [DOCUMENT["areas"][0]]}, 2),
        ({"points": {"gem": {"yellow": 3}, "flag": {"red": [10, 6, 3, 1]}}}, 1),
        ({"repeat_last": True}, 1),
        ({"dice": {"5": 17}}, 1),
        ({"ratings": [1, 2, 3, 4, 5, 6]}, 1),
        ({"shifts": [0, 0.5, 0.25]}, 1),
        ({"name": "Other"}, 0),
    ],
)
def test_changed_items_have_to_be_compared_again(change: dict[str, Any], count: int) -> None:
    before = {thing.key for thing in find_checklist_items(DOCUMENT)}
    after = {thing.key for thing in find_checklist_items(DOCUMENT | change)}
    assert len(before - after) == count


def compare(thing: str, on: bool = True) -> dict[str, Any]:
    return {"do": "compare", "thing": thing, "on": on}


@pytest.mark.django_db
def test_ticks_are_stored_outside_the_undo_history(client: Client) -> None:
    url = ready(client)
    changes = DraftChange.objects.count()
    revision = stored(url).revision
    send(client, url, compare("row 1 3x 5 1Gy"), compare("0123456789abcdef"))
    state = client.get(f"{url}state/?step=check&revision={revision}").json()
    assert state["compared"] == ["row 1 3x 5 1Gy", "0123456789abcdef"]
    assert (
        state["things"]
        .partition("checkbox")[2]
        .partition("</label>")[0]
        .endswith(">0 arrows in all, and no other on the paper")
    )
    send(client, url, compare("row 1 3x 5 1Gy", on=False))
    assert stored(url).compared == ["0123456789abcdef"]
    assert DraftChange.objects.count() == changes
    assert "things" not in client.get(f"{url}state/?revision=0").json()


@pytest.mark.django_db
@pytest.mark.parametrize("thing", ["", "row", "row 1 " + "x" * 6, "0123", "row 1" + " 3" * 27, 5])
def test_unknown_items_are_refused(client: Client, thing: Any) -> None:
    url = begin(client)
    assert send(client, url, compare(thing)).status_code == 400
    assert stored(url).compared == []


@pytest.mark.django_db
def test_number_of_stored_ticks_is_bounded(client: Client) -> None:
    url = begin(client)
    for start in range(0, 500, 100):
        send(client, url, *(compare(f"{start + i:016x}") for i in range(100)))
    assert len(stored(url).compared) == 400
    assert stored(url).compared[-1] == f"{499:016x}"


@pytest.mark.django_db
def test_link_to_correct_opens_the_part_and_leads_back(client: Client) -> None:
    url = ready(client)
    send(client, url, {"do": "row-line", "row": 1, "points": 5})
    thing = find_checklist_items(stored(url).document)[0]
    page = client.get(f"{url}guide/arrows/?mend={thing.key}").content.decode()
    assert 'data-opens="edge row 1" data-lit="a1 b1 c1"' in page
    assert "Back to comparing" in page
    assert 'id="next-step"' not in page
    page = client.get(f"{url}guide/arrows/?mend=gone").content.decode()
    assert "data-opens" not in page
    assert "Back to comparing" in page


@pytest.mark.django_db
def test_link_of_the_last_step_leads_back_to_it(client: Client) -> None:
    url = begin(client)
    page = client.get(f"{url}guide/done/").content.decode()
    assert f'href="{url}guide/numbers/?missing"' in page
    page = client.get(f"{url}guide/numbers/?missing").content.decode()
    foot = page.partition('class="guide-foot"')[2].partition("</nav>")[0]
    assert "Back to the last step" in foot
    assert f'href="{url}guide/done/"' in foot
    assert "Back to comparing" not in page
