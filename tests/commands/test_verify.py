"""Output, exit status and refusals of ``manage.py verify``."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from sheets.dice_sequence import commitment, dice, label_of
from tests.commands.conftest import Run
from tests.documents.examples import GAME, PROOF, SHEETS, Document, encode
from tests.documents.test_structure_faults import DICE2, RELAY

SEED = bytes(32)
SENT = PROOF["contributions"]
GOOD = {"commitment": commitment(SEED), "keeps_commitment": True, "later": 0}
KEPT = {key: PROOF[key] for key in ("commitment", "seed", "contributions")}


def of_seed(count: int, player: int = -1) -> list[int]:
    return list(islice(dice(SEED, label_of(SENT, player)), count))


def dizzle(*throws: int, proof: Document = KEPT) -> bytes:
    """Return a game whose dice are thrown in two rolls, after one die for the volcano."""
    actions = [
        {"do": "erupt", "die": throws[0]},
        {"do": "roll", "dice": throws[1:4]},
        {"do": "drop", "player": 0},
        {"do": "reroll", "player": 1, "dice": throws[4:]},
    ]
    return encode(GAME | {"actions": actions, "dice_proof": proof})


def moves(*dice_of_players: int) -> list[Document]:
    """Return moves of two players in turn."""
    return [{"do": "skip", "player": at % 2, "die": die} for at, die in enumerate(dice_of_players)]


def in_turn(first: list[int], second: list[int]) -> list[int]:
    return [die for pair in zip(first, second, strict=True) for die in pair]


def test_dice_of_the_seed_agree(run: Run) -> None:
    ran = run("verify", "-", stdin=dizzle(*of_seed(40)))
    assert ran.status == 0
    assert ran.out.count("\n") == 1
    assert ran.document == {"ok": True, **GOOD, "agree": 40, "differ": 0, "error": None}


def test_first_die_that_differs_is_named(run: Run) -> None:
    thrown = of_seed(6)
    thrown[5], thrown[2] = thrown[5] % 6 + 1, thrown[2] % 6 + 1
    ran = run("verify", "-", stdin=dizzle(*thrown))
    assert ran.status == 1
    message = f"Die 3 is {thrown[2]}; the seed gives {of_seed(3)[2]}."
    error = {"action": 1, "message": message}
    assert ran.document == {"ok": False, **GOOD, "agree": 4, "differ": 2, "error": error}


def test_other_contribution_yields_other_dice(run: Run) -> None:
    changed = KEPT | {"contributions": ["0b" * 16, ""]}
    ran = run("verify", "-", stdin=dizzle(*of_seed(40), proof=changed))
    assert ran.status == 1
    assert ran.document["differ"] > 20


def test_commitment_to_another_seed_is_named(run: Run) -> None:
    ran = run("verify", "-", stdin=dizzle(*of_seed(6), proof=KEPT | {"commitment": "0" * 64}))
    assert ran.status == 1
    assert ran.document == {
        "ok": False,
        "commitment": "0" * 64,
        "keeps_commitment": False,
        "agree": 6,
        "differ": 0,
        "later": 0,
        "error": {"action": None, "message": "The commitment is not the SHA-256 of the seed."},
    }


def test_dice_after_the_seed_was_shown_are_not_checked(run: Run) -> None:
    thrown = [*of_seed(4), *(die % 6 + 1 for die in of_seed(6)[4:])]
    ran = run("verify", "-", stdin=dizzle(*thrown, proof=KEPT | {"fixed": [4]}))
    assert ran.status == 0
    assert ran.document | GOOD == ran.document | {"later": 0}
    assert (ran.document["agree"], ran.document["later"]) == (4, 2)


@pytest.mark.parametrize("is_relay", [False, True])
def test_each_player_of_dice2_has_a_sequence(run: Run, is_relay: bool) -> None:
    def written(thrown: list[int]) -> bytes:
        if not is_relay:
            return encode(DICE2 | {"actions": moves(*thrown), "dice_proof": KEPT})
        games: list[dict[str, Any]] = [
            RELAY["games"][0] | {"actions": moves(*thrown[:4])},
            RELAY["games"][0] | {"actions": moves(*thrown[4:])},
        ]
        return encode(RELAY | {"games": games, "dice_proof": KEPT})

    thrown = in_turn(of_seed(6, 0), of_seed(6, 1))
    ran = run("verify", "-", stdin=written(thrown))
    assert (ran.status, ran.document["agree"]) == (0, 12)
    right, thrown[7] = thrown[7], thrown[7] % 6 + 1
    ran = run("verify", "-", stdin=written(thrown))
    assert ran.status == 1
    assert ran.document["error"] == {
        **({"game": 1, "action": 3} if is_relay else {"action": 7}),
        "message": f"Die 4 of player 1 is {thrown[7]}; the seed gives {right}.",
    }


@pytest.mark.parametrize("document", [GAME, DICE2, RELAY], ids=["dizzle", "dice2", "relay"])
def test_game_without_a_proof_is_refused_with_one_sentence(run: Run, document: Document) -> None:
    assert run("verify", "-", stdin=encode(document)).refusal == (
        "-: contains no “dice_proof”: only the files of finished games whose dice the app rolled "
        "have one"
    )


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (dizzle(1, proof=KEPT | {"seed": "0" * 63}), "dice_proof seed: Digits from 0 to 9"),
        (dizzle(1, proof=KEPT | {"seed": "0" * 63 + "\n"}), "dice_proof seed: Digits from 0 to 9"),
        (dizzle(1, proof=KEPT | {"seed": "A" * 64}), "dice_proof seed: Digits from 0 to 9"),
        (dizzle(1, proof=KEPT | {"contributions": ["0"]}), "dice_proof contributions entry 1"),
        (dizzle(1, proof=KEPT | {"contributions": [""]}), "dice_proof contributions: There are 1"),
        (dizzle(1, proof=KEPT | {"fixed": [1, 2]}), "dice_proof fixed: There are 2 entries"),
        (dizzle(1, proof=KEPT | {"more": 1}), "dice_proof: “more” is unknown here."),
        (dizzle(1, proof={}), "dice_proof: “commitment” is missing."),
        (encode(RELAY | {"dice_proof": KEPT | {"fixed": [1]}}), "dice_proof fixed: There are 1"),
        (encode(SHEETS), "format: Files of the kind “dizzle-sheets/1” cannot be opened here."),
        (b"{", "This is not a file (JSON)"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value[:40],
)
def test_malformed_files_are_refused(run: Run, text: bytes, refusal: str) -> None:
    assert run("verify", "-", stdin=text).refusal.removeprefix("-: ").startswith(refusal)
