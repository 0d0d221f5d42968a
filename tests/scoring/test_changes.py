"""Acts on paper sheets: number of queries, stored state, pruning and concurrency."""

import random
import re
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from sheets.access.keys import Access, NotAllowed, UnknownKey, delete_resource
from sheets.models import Change, Mark, Receipt, Scoring
from sheets.rules import parse_level
from sheets.scoring import changes, store
from sheets.scoring.acts import Act
from tests.concurrency import run_at_once
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin, tap
from tests.scoring.test_sheet import send

pytestmark = pytest.mark.django_db


def begun(*players: str) -> Access[Scoring]:
    key = store.create(parse_level(GARDEN), players or ("Ana", "Ben"))
    return store.find(key)


def reloaded(access: Access[Scoring]) -> Access[Scoring]:
    return store.find(access.key)


def mark(at: str, value: str = "cross", number: int = 1, id: str = "") -> Act:
    return Act(id, number, "mark", at, value)


UNDO = Act("", 1, "undo")
"""Undo on the first sheet, without an idempotency key."""

REDO = Act("", 1, "redo")
"""Redo on the first sheet, without an idempotency key."""


def marks(access: Access[Scoring], number: int = 1) -> dict[str, str]:
    return store.read_sheets(access.resource)[number].marks


def history(
    access: Access[Scoring], device: str, number: int = 1
) -> dict[str, list[list[list[str]]]]:
    row = store.read_sheets(access.resource)[number].row
    return changes.history(changes.changes_of(row, device))


# Queries ------------------------------------------------------------------------------------------
# All queries of one request count, from the key in the URL to the response. The transaction counts
# as two: within a test it begins and ends as a savepoint.

MAX_QUERIES_FOR_ONE = 10
"""Maximum number of queries for a request with one act."""

MAX_QUERIES_FOR_TWENTY = 60
"""Maximum number of queries for a request with twenty acts."""


def queries_of(client: Client, url: str, *acts: dict[str, object]) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        assert send(client, url, *acts).status_code == 200
    return [query["sql"] for query in asked.captured_queries]


@pytest.fixture
def url(client: Client) -> str:
    """Return a scoring with marks on its first sheet, whose level the process has cached."""
    url = begin(client, GARDEN, {"player": "Ana"}, {"player": "Ben"}, {"player": "Cem"})
    tap(client, url, "b1", "d1")
    return url


def test_a_mark_costs_few_statements(client: Client, url: str) -> None:
    act = {"at": "c2", "value": "cross", "id": "one-mark"}
    asked = queries_of(client, url, act)
    assert len(asked) <= MAX_QUERIES_FOR_ONE, asked
    assert any(sql.startswith("SAVEPOINT") for sql in asked)


def test_a_mark_taken_away_costs_few_statements(client: Client, url: str) -> None:
    assert len(queries_of(client, url, {"at": "b1", "value": ""})) <= MAX_QUERIES_FOR_ONE


def test_a_mark_after_an_undo_costs_few_statements(client: Client, url: str) -> None:
    client.post(f"{url}1/undo/", {"do": "undo"})
    assert len(queries_of(client, url, {"at": "c2", "value": "cross"})) <= MAX_QUERIES_FOR_ONE


def test_undo_and_redo_cost_few_statements(client: Client, url: str) -> None:
    assert len(queries_of(client, url, {"do": "undo", "id": "the-undo"})) <= MAX_QUERIES_FOR_ONE
    assert len(queries_of(client, url, {"do": "redo", "id": "the-redo"})) <= MAX_QUERIES_FOR_ONE


@pytest.mark.postgresql
def test_twenty_marks_at_once_cost_few_statements(client: Client, url: str) -> None:
    values = ("cross", "", "cross", "exploded", "")
    acts = [{"number": 1 + i % 3, "at": "c1", "value": values[i % 5]} for i in range(20)]
    asked = queries_of(client, url, *acts)
    assert len(asked) <= MAX_QUERIES_FOR_TWENTY
    # Hardly more than for one act.
    assert len(asked) <= MAX_QUERIES_FOR_ONE + 2, asked


def test_a_form_costs_few_statements(client: Client, url: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        tap(client, url, "c2")
    assert len(asked) <= MAX_QUERIES_FOR_ONE, asked.captured_queries


def test_nothing_writes_the_level_or_reads_it_again(client: Client, url: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        send(client, url, {"at": "c2", "value": "cross"}, {"do": "undo"})
        tap(client, url, "c2")
        client.get(f"{url}1/")
        client.post(f"{url}players/", {"name-1": "Anna", "add": "1"})
        client.post(f"{url}players/", {"remove": "4"})
        client.post(f"{url}solo/", {"solo": "yes"})
    sql = [query["sql"] for query in asked.captured_queries]
    assert len([one for one in sql if one.startswith('UPDATE "sheets_scoring"')]) == 7
    assert not [one for one in sql if re.search(r'"level"', one)]


# Stored state -------------------------------------------------------------------------------------


def random_acts(chance: random.Random, count: int) -> list[Act]:
    found = []
    for _ in range(count):
        do = chance.choices(("mark", "undo", "redo"), (5, 3, 2))[0]
        at = chance.choice(("b1", "c1", "d1", "d1", "flag red"))
        value = chance.choice(("", "10", "6") if at == "flag red" else ("", "cross"))
        found.append(Act("", chance.choice((1, 2)), do, at, value))
    return found


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.postgresql), *range(1, 12)])
def test_a_batch_stores_what_the_same_acts_do_one_by_one(seed: int) -> None:
    chance = random.Random(seed)
    one_by_one, at_once = begun(), begun()
    for _ in range(6):
        acts = random_acts(chance, chance.randint(1, 12))
        device = chance.choice(("phone", "tablet"))
        single = [changes.act(reloaded(one_by_one), [act], device) for act in acts]
        outcome = changes.act(reloaded(at_once), acts, device)
        expected = [stale.reason for one in single for stale in one.refusals]
        assert [stale.reason for stale in outcome.refusals] == expected
        for number in (1, 2):
            assert marks(at_once, number) == marks(one_by_one, number)
            assert outcome.sheets[number].marks == marks(at_once, number)
            for own in ("phone", "tablet"):
                assert history(at_once, own, number) == history(one_by_one, own, number)


@pytest.mark.postgresql
def test_the_outcome_is_what_is_stored() -> None:
    access = begun()
    changes.act(access, [mark("b1"), mark("d1"), UNDO], "phone")
    outcome = changes.act(reloaded(access), [mark("c1", number=2)], "phone", shown=1)
    assert outcome.scoring.revision == Scoring.objects.get().revision == 2
    assert changes.history(outcome.changes[1]) == history(access, "phone")
    assert changes.history(outcome.changes[2]) == history(access, "phone", 2)


def test_a_stale_act_does_not_stop_the_others() -> None:
    access = begun()
    acts = [UNDO, mark("b1"), mark("b1", number=7), REDO, mark("c2")]
    outcome = changes.act(access, acts, "phone")
    assert [stale.reason for stale in outcome.refusals] == ["nothing", "sheet", "nothing"]
    assert marks(access) == {"b1": "cross", "c2": "cross"}


def test_a_malformed_act_refuses_the_whole_batch() -> None:
    access = begun()
    with pytest.raises(store.Malformed):
        changes.act(access, [mark("b1"), mark("b1", "NS")], "phone")
    assert marks(access) == {}
    assert Scoring.objects.get().revision == 0


def test_acts_that_all_come_too_late_change_nothing() -> None:
    access = begun()
    changes.act(access, [mark("b1", id="seen-before")], "phone")
    late = [mark("b1", "", id="seen-before"), mark("b1", number=3, id="no-such-sheet")]
    outcome = changes.act(reloaded(access), late, "phone")
    assert [stale.reason for stale in outcome.refusals] == ["sheet"]
    assert outcome.scoring.revision == Scoring.objects.get().revision == 1
    assert set(Receipt.objects.values_list("request", flat=True)) == {
        "seen-before",
        "no-such-sheet",
    }


@pytest.mark.postgresql
def test_an_act_sent_again_within_a_batch_or_with_others_counts_once() -> None:
    access = begun()
    first = mark("c1", "cross", id="first-act")
    changes.act(access, [first, mark("c1", "exploded", id="second-act"), first], "phone")
    assert marks(access) == {"c1": "exploded"}
    changes.act(reloaded(access), [first, mark("b1", id="third-act")], "phone")
    assert marks(access) == {"c1": "exploded", "b1": "cross"}
    assert Receipt.objects.count() == 3


def test_an_undo_sent_again_is_no_second_one_and_refuses_nothing() -> None:
    access = begun()
    undo = Act("the-undo", 1, "undo")
    changes.act(access, [mark("b1")], "phone")
    for _ in range(2):
        assert changes.act(reloaded(access), [undo], "phone").refusals == []
    assert marks(access) == {}
    assert len(history(access, "phone")["redo"]) == 1


@pytest.mark.parametrize("refused", ["undo", "redo"])
def test_a_batch_with_a_refused_act_counts_once(refused: str) -> None:
    access = begun()
    acts = [Act("refused-act-1", 1, refused), mark("b1", id="mark-after-it")]
    first = changes.act(access, acts, "phone")
    assert [stale.reason for stale in first.refusals] == ["nothing"]
    for _ in range(2):
        assert changes.act(reloaded(access), acts, "phone").refusals == []
        alone = changes.act(reloaded(access), acts[:1], "phone")
        assert alone.sheets[1].marks == {"b1": "cross"}
    assert Scoring.objects.get().revision == 1


def test_an_undo_that_came_too_late_is_not_tried_again() -> None:
    access = begun()
    changes.act(access, [mark("c1")], "phone")
    changes.act(reloaded(access), [mark("c1", "exploded")], "tablet")
    undo = Act("the-undo", 1, "undo")
    assert [s.reason for s in changes.act(reloaded(access), [undo], "phone").refusals] == ["place"]
    assert changes.act(reloaded(access), [undo], "phone").refusals == []
    assert history(access, "phone") == {"undo": [], "redo": []}
    assert marks(access) == {"c1": "exploded"}


def test_acts_based_on_an_older_revision_apply_to_the_newest() -> None:
    access = begun()
    changes.act(reloaded(access), [mark("b1")], "tablet")
    store.set_solo(reloaded(access), True)
    outcome = changes.act(access, [mark("c1")], "phone")
    assert outcome.scoring.is_solo
    assert outcome.scoring.revision == Scoring.objects.get().revision == 3
    assert outcome.sheets[1].marks == marks(access) == {"b1": "cross", "c1": "cross"}


def test_a_scoring_deleted_meanwhile_is_unknown() -> None:
    access = begun()
    delete_resource(reloaded(access))
    with pytest.raises(UnknownKey):
        changes.act(access, [mark("b1")], "phone")


def test_a_read_only_link_marks_nothing() -> None:
    access = store.find(begun().share_key)
    with pytest.raises(NotAllowed):
        changes.act(access, [mark("b1")], "phone")
    assert not Mark.objects.exists()


# Pruning ------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_old_changes_are_pruned_but_not_with_every_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "MAX_DEVICE_CHANGES", 6)
    monkeypatch.setattr(changes, "MAX_ACTS", 4)
    access = begun()
    kept = []
    for i in range(20):
        changes.act(reloaded(access), [mark("b1", "" if i % 2 else "cross")], "phone")
        kept.append(Change.objects.count())
    assert kept == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, *(6, 7, 8, 9, 10) * 2]
    changes.act(reloaded(access), [mark("b1", number=2)], "phone")
    changes.act(reloaded(access), [mark("b1")], "tablet")
    assert Change.objects.count() == 12


def test_an_act_is_pruned_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MAX_DEVICE_CHANGES", 2)
    monkeypatch.setattr(changes, "MAX_ACTS", 1)
    access = begun()
    row = access.resource.sheets.get(number=1)
    for at, act in (("b1", "one"), ("flag red", "one"), ("c1", "two")):
        Change.objects.create(sheet=row, device="phone", act=act, at=at, before="", after="cross")
    changes.act(reloaded(access), [mark("d1")], "phone")
    assert [change.act for change in changes.changes_of(row, "phone")][:-1] == ["two"]


def test_changes_of_clients_without_a_cookie_are_bounded_together(
    client: Client, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "MAX_SHEET_CHANGES", 20)
    for request in range(12):
        acts = [
            {"at": "c1", "value": ("cross", "exploded")[i % 2], "id": f"{request:04}-{i:04}"}
            for i in range(10)
        ]
        assert send(Client(), url, *acts).status_code == 200
    assert Change.objects.filter(sheet__number=1).count() == 20 + 10


def test_single_acts_of_many_devices_delay_pruning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MAX_SHEET_CHANGES", 6)
    monkeypatch.setattr(changes, "MAX_ACTS", 4)
    access = begun()
    kept = []
    for i in range(20):
        changes.act(reloaded(access), [mark("b1", "" if i % 2 else "cross")], f"device-{i}")
        kept.append(Change.objects.count())
    assert max(kept) == 6 + 4
    changes.act(reloaded(access), [mark("b1", number=2)], "phone")
    assert Change.objects.filter(sheet__number=2).count() == 1


@pytest.mark.postgresql
def test_an_act_of_another_device_is_pruned_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MAX_SHEET_CHANGES", 2)
    access = begun()
    row = access.resource.sheets.get(number=1)
    for at, act in (("b1", "one"), ("flag red", "one"), ("c1", "two")):
        Change.objects.create(sheet=row, device="tablet", act=act, at=at, before="", after="cross")
    changes.replace(reloaded(access), {1: {"d1": "cross"}}, "phone")
    assert [change.act for change in changes.changes_of(row, "tablet")] == ["two"]


def test_an_undo_of_a_pruned_change_is_refused_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "MAX_SHEET_CHANGES", 2)
    access = begun()
    changes.act(reloaded(access), [mark("b1")], "phone")
    changes.act(reloaded(access), [mark("c1"), mark("d1")], "tablet")
    outcome = changes.act(reloaded(access), [UNDO, mark("c2")], "phone")
    assert [stale.reason for stale in outcome.refusals] == ["nothing"]
    assert marks(access) == dict.fromkeys(("b1", "c1", "d1", "c2"), "cross")
    assert changes.history(outcome.changes[1]) == history(access, "phone")


@pytest.mark.postgresql
def test_old_receipts_are_pruned_but_not_with_every_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "MAX_RECEIPTS", 6)
    monkeypatch.setattr(changes, "MAX_ACTS", 4)
    access, other = begun(), begun()
    changes.act(other, [mark("b1", id="of-another")], "phone")
    kept = []
    for i in range(20):
        changes.act(reloaded(access), [mark("b1", id=f"single-{i:03}")], "phone")
        kept.append(Receipt.objects.filter(scoring=access.resource).count())
    assert max(kept) == 6 + 4 - 1
    assert kept[-1] == 6
    batch = [mark("b1", id=f"batch-{i:03}") for i in range(4)]
    changes.act(reloaded(access), batch, "phone")
    names = Receipt.objects.filter(scoring=access.resource).order_by("pk")
    assert list(names.values_list("request", flat=True)) == [
        "single-018",
        "single-019",
        *(act.id for act in batch),
    ]
    assert Receipt.objects.filter(scoring=other.resource).count() == 1


def test_replacing_sheets_prunes_receipts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MAX_RECEIPTS", 6)
    access = begun()
    for i in range(10):
        Receipt.objects.create(scoring=access.resource, request=f"photo-{i:04}")
    changes.replace(reloaded(access), {1: {"d1": "cross"}}, "phone")
    kept = Receipt.objects.order_by("pk").values_list("request", flat=True)
    assert list(kept) == [f"photo-{i:04}" for i in range(4, 10)]


# Concurrency --------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_concurrent_devices_keep_each_others_marks() -> None:
    access = begun()
    fields = {"phone": ("b1", "c1", "d1"), "tablet": ("a2", "b2", "c2"), "laptop": ("a3", "b4")}

    def run(device: str) -> None:
        for number in (1, 2):
            for at in fields[device]:
                outcome = changes.act(reloaded(access), [mark(at, number=number)], device)
                assert not outcome.refusals
                assert outcome.sheets[number].marks[at] == "cross"

    assert run_at_once(*(partial(run, device) for device in fields)) == []
    for number in (1, 2):
        assert marks(access, number) == dict.fromkeys(sum(fields.values(), ()), "cross")
    assert Scoring.objects.get().revision == 16


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_one_batch_sent_by_several_connections_at_once_is_applied_once() -> None:
    access = begun()
    batch = [mark("b1", id="mark-act"), mark("c1", id="next-act"), Act("undo-act", 1, "undo")]
    refusals: list[object] = []

    def run() -> None:
        refusals.extend(changes.act(access, batch, "phone").refusals)

    assert run_at_once(run, run, run, run) == []
    assert refusals == []
    assert marks(access) == {"b1": "cross"}
    assert Change.objects.count() == 2
    assert Receipt.objects.count() == 3
    assert Scoring.objects.get().revision == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_players_are_added_and_removed_while_others_mark() -> None:
    access = begun("Ana", "Ben", "Cem")

    def mark_all() -> None:
        for at in ("b1", "c1", "d1", "a2", "b2"):
            changes.act(reloaded(access), [mark(at), mark(at, number=3)], "phone")

    def come_and_go() -> None:
        store.rename(reloaded(access), {1: "Anna"})
        store.remove_sheet(reloaded(access), 3, is_sure=True)
        store.add_sheet(reloaded(access), "Dan")

    assert run_at_once(mark_all, come_and_go) == []
    sheets = store.read_sheets(access.resource)
    assert [(n, sheet.row.player) for n, sheet in sheets.items()] == [
        (1, "Anna"),
        (2, "Ben"),
        (4, "Dan"),
    ]
    assert sorted(sheets[1].marks) == ["a2", "b1", "b2", "c1", "d1"]
    assert sheets[4].marks == {}
