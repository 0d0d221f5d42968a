"""Proof of a game's dice in a document: commitment, seed and contributions.

`sheets.dice_sequence` computes the dice from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sheets.rules.violations import DocumentError


class DiceProof(NamedTuple):
    """What anybody needs to compute the dice of a finished game again.

    Attributes:
        commitment: SHA-256 of the seed, 64 hexadecimal digits; shown before the game.
        seed: the secret of the server, 64 hexadecimal digits; shown after the game.
        contributions: one random text of each player's device, 32 hexadecimal digits or empty.
        fixed: how many dice of each sequence were thrown before the seed was shown; empty if all
            were. There is one sequence for the whole game or, in Dice², one for each player.
    """

    commitment: str
    seed: str
    contributions: tuple[str, ...]
    fixed: tuple[int, ...] = ()


def parse_dice_proof(document: Mapping[str, Any], players: int, sequences: int) -> DiceProof | None:
    """Return the proof that the document of a game contains, None without one.

    Args:
        document: the document of the game.
        players: its number of players.
        sequences: its number of dice sequences.

    Raises:
        DocumentError: the proof has another number of contributions or sequences.
    """
    written = document.get("dice_proof")
    if written is None:
        return None
    for key, expected in (("contributions", players), ("fixed", sequences)):
        if key in written and len(written[key]) != expected:
            facts = {"count": len(written[key]), "expected": expected}
            raise DocumentError("other-count", ("dice_proof", key), **facts)
    return DiceProof(
        written["commitment"],
        written["seed"],
        tuple(written["contributions"]),
        tuple(written.get("fixed", ())),
    )


def format_dice_proof(proof: DiceProof | None) -> dict[str, Any]:
    """Return the key of a proof in the document of a game; nothing without a proof."""
    if proof is None:
        return {}
    written: dict[str, Any] = proof._asdict() | {"contributions": list(proof.contributions)}
    del written["fixed"]
    fixed = {"fixed": list(proof.fixed)} if proof.fixed else {}
    return {"dice_proof": {**written, **fixed}}
