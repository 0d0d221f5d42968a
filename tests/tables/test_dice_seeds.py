"""Dice of a table with a seed: the documented sequence, kept secret until the end."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest

from sheets.access.keys import new_token
from sheets.dice_sequence import check_dice, commitment, dice, label_of, thrown_dice
from sheets.documents.dice2 import read_dice2, read_relay
from sheets.documents.structure import read_game
from sheets.levels import find_level
from sheets.models import Seat, Table
from sheets.rules import parse_level
from sheets.tables import acts, dice_seeds, seating
from sheets.tables.access import find_access
from sheets.tables.dice_seeds import contribute, proof_of
from sheets.tables.family import family_of
from tests.app_dice import ANA, BEN, play_rolled, rolled, seed_of
from tests.dice2_tables import sit_down_for
from tests.table_games import RAILS, TINY, VOLCANO, Party, sit_down

pytestmark = pytest.mark.django_db


def thrown_at(party: Party) -> list[int]:
    """Return the shared dice that hold."""
    state = party.loaded.state
    return list(state.thrown.get(-1, ())[: state.throws.get(-1, 0)])


def expected(party: Party, count: int, label: str) -> list[int]:
    """Return the first dice of a sequence of a table."""
    seed = bytes.fromhex(seed_of(party))
    return list(islice(dice(seed, label), count))


def document_of(party: Party) -> dict[str, Any]:
    """Return the document of the game at a table."""
    access = party.access()
    document: dict[str, Any] = json.loads(json.dumps(family_of(access.table).document(access)[0]))
    return document


@pytest.mark.parametrize("level", [TINY, VOLCANO, RAILS], ids=["tiny", "volcano", "rails"])
@pytest.mark.parametrize("names", [("Ana",), ("Ana", "Ben")], ids=["alone", "two"])
def test_dice_of_a_played_game_are_the_sequence(
    level: dict[str, Any], names: tuple[str, ...]
) -> None:
    party = rolled(level, names)
    acts.start(party.access())
    play_rolled(party, 3)
    assert party.game.is_finished
    found = thrown_at(party)
    label = ",".join([ANA, BEN][: len(names)])
    assert len(found) > 5
    assert found == expected(party, len(found), label)
    record = read_game(json.dumps(document_of(party)).encode(), find_level)
    assert record.dice_proof
    check = check_dice(record.dice_proof, thrown_dice(record))
    assert (check.is_good, check.agreeing, check.thrown_after_reveal) == (True, len(found), 0)


def test_dice_of_bots_are_the_same_sequence() -> None:
    token = new_token()
    level = parse_level(TINY)
    code = seating.open_table(
        level, "", players=3, dice="rolled", name="Ana", token=token, bots="player"
    )
    party = Party(code, (token,))
    acts.start(party.access())
    play_rolled(party)
    found = thrown_at(party)
    assert len(found) > 15
    assert found == expected(party, len(found), ",,")


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("game", ["four-wins", "square", "relay"])
def test_each_player_of_dice2_has_a_sequence(game: str, starter: int) -> None:
    alone = game == "square"
    party = sit_down_for(game, dice="rolled", start=False, target=5 if game == "relay" else 0)
    for number, text in enumerate([ANA] if alone else [ANA, BEN]):
        contribute(party.access(number), text)
    acts.start(party.access(), starter)
    while not party.game.is_finished:
        if party.game.phase == "begin":
            assert party.game.relay
            next_starter = party.game.relay.next_starter
            by = starter if next_starter is None else next_starter
            party.act("begin", by, shape="four-wins")
        party.play_on(games=1)
    text = json.dumps(document_of(party)).encode()
    record = read_relay(text) if game == "relay" else read_dice2(text)
    assert record.dice_proof
    first = 1 if starter and game == "four-wins" else 0
    sent = [ANA] if alone else [ANA, BEN]
    assert list(record.dice_proof.contributions) == sent[first:] + sent[:first]
    found = thrown_dice(record)
    for player, thrown in found.items():
        label = label_of(record.dice_proof.contributions, player)
        assert [one.number for one in thrown] == expected(party, len(thrown), label)
    assert check_dice(record.dice_proof, found).is_good


def test_going_back_yields_the_same_dice() -> None:
    party = rolled()
    acts.start(party.access())
    play_rolled(party, 1, 1)
    before = thrown_at(party)
    acts.propose(party.access(), 0, 1, request="back-1234")
    acts.answer(
        party.access(1), True, proposal=party.loaded.state.proposal.number, request="yes-12345"
    )
    assert thrown_at(party) == []
    play_rolled(party, 2, 2)
    found = thrown_at(party)
    assert found[: len(before)] == before[: len(found)]
    assert found == expected(party, len(found), f"{ANA},{BEN}")


def finished_and_taken_back() -> Party:
    """Return a finished game for one that has gone back to its first roll."""
    party = rolled(names=("Ana",))
    acts.start(party.access())
    play_rolled(party, 1)
    assert party.game.is_finished
    acts.propose(party.access(), 0, 1, request="back-1234")
    assert not party.game.is_finished
    return party


def test_dice_are_rolled_anew_after_the_seed_was_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    party = finished_and_taken_back()
    shown = sum(party.loaded.state.revealed.values())
    monkeypatch.setattr("sheets.tables.family._throw", lambda: 6)
    # More dice than before: Ana rerolls as often as she can.
    while len(thrown_at(party)) <= shown + 3 and not party.game.is_finished:
        game = party.game
        may = game.may()
        if game.phase in ("roll", "extra"):
            party.act(game.phase, by=0)
        elif "reroll" in may:
            party.act("reroll", 0)
        elif game.phase == "return":
            party.act("return", 0, game.level.names(game.sheets[0].dice)[0])
        elif "drop" in may:
            party.act("drop", 0)
        else:
            party.act("place", 0, next(at for fields in game.legal().values() for at in fields))
    play_rolled(party, 5)
    found = thrown_at(party)
    assert found[:shown] == expected(party, shown, ANA)
    assert set(found[shown:]) == {6}
    assert len(found) > shown
    proof = proof_of(party.access())
    assert proof
    assert proof.fixed == (shown,)
    record = read_game(json.dumps(document_of(party)).encode(), find_level)
    check = check_dice(proof, thrown_dice(record))
    assert (check.is_good, check.agreeing, check.thrown_after_reveal) == (
        True,
        shown,
        len(found) - shown,
    )


def test_table_without_a_seed_plays_on_as_before() -> None:
    party = rolled()
    Table.objects.filter(code=party.code).update(dice_seed="")
    acts.start(party.access())
    play_rolled(party, 1, 1)
    before = thrown_at(party)
    acts.propose(party.access(), 0, 1, request="back-1234")
    acts.answer(
        party.access(1), True, proposal=party.loaded.state.proposal.number, request="yes-12345"
    )
    play_rolled(party, 1)
    assert thrown_at(party)[: len(before)] == before
    assert party.game.is_finished
    assert "dice_proof" not in document_of(party)


@pytest.mark.parametrize("dice", ["table", "typed"])
def test_only_tables_whose_app_rolls_have_a_seed(dice: str) -> None:
    assert not Table.objects.get(code=sit_down(dice=dice).code).dice_seed
    assert dice_seeds.commitment_of(rolled().access().table)


def test_two_tables_have_different_seeds_and_a_rematch_has_a_new_one() -> None:
    party = rolled()
    acts.start(party.access())
    again = find_access(seating.open_rematch(party.access()))
    seeds = {Table.objects.get(pk=pk).dice_seed for pk in (party.access().table.pk, again.table.pk)}
    assert len(seeds) == 2
    assert all(len(seed) == 64 for seed in seeds)
    assert again.table.contributions == ","


def test_document_of_a_running_game_has_no_proof() -> None:
    party = rolled()
    acts.start(party.access())
    play_rolled(party, 1, 1)
    assert not party.game.is_finished
    assert proof_of(party.access()) is None
    assert "dice_proof" not in document_of(party)


def test_contributions_have_the_order_of_play() -> None:
    party = sit_down(dice="rolled", level=TINY, start=False)
    contribute(party.access(1), BEN)
    contribute(party.access(1), ANA)  # a device contributes once
    acts.start(party.access(), 1)  # Ben starts, so his seat becomes the first
    assert Table.objects.get(code=party.code).contributions == f"{BEN},"
    contribute(party.access(0), ANA)
    assert Table.objects.get(code=party.code).contributions == f"{BEN},{ANA}"
    party.act("roll", by=1)
    seating.free_seat(party.access(1), 0)
    assert Table.objects.get(code=party.code).contributions == f"{BEN},{ANA}"


def test_contribution_leaves_with_its_device() -> None:
    party = rolled()
    seating.free_seat(party.access(1), 1)
    assert (
        list(Seat.objects.filter(table__code=party.code).values_list("contribution", flat=True))[1]
        == ""
    )


def test_device_without_a_seat_contributes_nothing() -> None:
    party = sit_down(dice="rolled", start=False)
    contribute(find_access(party.code, "stranger"), ANA)
    assert not Seat.objects.filter(table__code=party.code).exclude(contribution="").exists()


def test_check_names_the_first_die_that_differs() -> None:
    party = rolled()
    acts.start(party.access())
    play_rolled(party, 3)
    document = document_of(party)
    rolls = [at for at, action in enumerate(document["actions"]) if action["do"] == "roll"]
    changed = document["actions"][rolls[-1]]["dice"]
    right = changed[2]
    changed[2] = right % 6 + 1
    record = read_game(json.dumps(document).encode(), find_level)
    assert record.dice_proof
    check = check_dice(record.dice_proof, thrown_dice(record))
    assert (check.is_good, check.differing) == (False, 1)
    assert check.first_mismatch
    assert check.first_mismatch.thrown == (changed[2], rolls[-1], None)
    assert check.first_mismatch.expected == right
    other_seed = record.dice_proof._replace(seed="00" * 32)
    assert not check_dice(other_seed, thrown_dice(record)).keeps_commitment


def test_commitment_is_the_sha_256_of_the_seed() -> None:
    # Computed with: printf '00%.0s' {1..32} | xxd -r -p | openssl dgst -sha256
    assert (
        commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )
