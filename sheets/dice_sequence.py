"""Dice that a seed determines (HMAC-SHA256 in counter mode), and the check of a game's dice.

Block *i* of a sequence is HMAC-SHA256 of the text ``LABEL:i`` (UTF-8, *i* decimal from 0), with
the seed as the key. Each byte of the blocks, in order, is one die: its remainder modulo 6, plus 1.
Bytes of 252 and more are skipped, else 1 to 4 would be more frequent than 5 and 6. Never change
this: people verify old games with it, and two sites must have the same sheet of the day.

A game with a commit-reveal scheme shows the `commitment` to its seed before the first roll, and the
seed after the game. `docs/security.md` says what that proves.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Final, NamedTuple

from sheets.rules.dice2.record import Dice2Record, RelayRecord
from sheets.rules.documents.dice_proof import DiceProof
from sheets.rules.documents.game import Record
from sheets.rules.state import Action

SEED_BYTES: Final = 32
"""Length of a seed in bytes, the size of a SHA-256 digest."""

FACES: Final = 6
"""Number of faces of a die."""

_LIMIT: Final = 256 - 256 % FACES
"""Smallest byte that is skipped: 252."""

SHARED_DICE: Final = -1
"""Key for the dice that all players share, where other dice have the number of a player."""


def dice(seed: bytes, label: str) -> Iterator[int]:
    """Yield the dice of the sequence with this label, without end.

    >>> from itertools import islice
    >>> list(islice(dice(b"seed", "label"), 8))
    [2, 3, 1, 5, 1, 5, 5, 1]
    """
    for number in count():
        block = hmac.digest(seed, f"{label}:{number}".encode(), "sha256")
        yield from (byte % FACES + 1 for byte in block if byte < _LIMIT)


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed: its SHA-256 in hexadecimal digits."""
    return sha256(seed).hexdigest()


def label_of(contributions: Sequence[str], player: int = SHARED_DICE) -> str:
    """Return the label of a game's sequence, or of the sequence of a player with own dice.

    ``contributions`` are those of the players in the order of the game's document, in which
    ``player`` is counted, too.

    >>> label_of(["0f", ""]), label_of(["0f", ""], 1)
    ('0f,', '0f,:1')
    """
    joined = ",".join(contributions)
    return joined if player == SHARED_DICE else f"{joined}:{player}"


class ThrownDie(NamedTuple):
    """A die of a recorded game; ``action`` is the index of its action.

    ``game`` is the index of its game in a relay, else None.
    """

    number: int
    action: int
    game: int | None = None


class DieMismatch(NamedTuple):
    """A die that differs from its sequence.

    ``player`` is the one whose dice they are, or `SHARED_DICE`. ``position`` is its place in the
    sequence, from 1.
    """

    player: int
    position: int
    thrown: ThrownDie
    expected: int


class DiceCheck(NamedTuple):
    """Result of the comparison of a game's dice with its proof.

    Attributes:
        keeps_commitment: whether the commitment is the one to the seed.
        agreeing: number of dice that agree with their sequence.
        differing: number of dice that do not.
        thrown_after_reveal: number of dice thrown after the seed had been shown, which nobody can
            check.
        first_mismatch: the first die that differs, in the order of the actions.
    """

    keeps_commitment: bool
    agreeing: int
    differing: int
    thrown_after_reveal: int
    first_mismatch: DieMismatch | None

    @property
    def is_good(self) -> bool:
        """Whether nothing differs."""
        return self.keeps_commitment and not self.differing


def dice_of(action: Action) -> tuple[int, ...]:
    """Return the dice that an action of Dizzle throws."""
    return (action.die,) if action.do == "erupt" else action.dice


def thrown_dice(record: Record | Dice2Record | RelayRecord) -> dict[int, list[ThrownDie]]:
    """Return all dice of a recorded game in their order, by player or for `SHARED_DICE`."""
    if isinstance(record, Record):
        actions = enumerate(record.actions)
        shared = [ThrownDie(die, at) for at, action in actions for die in dice_of(action)]
        return {SHARED_DICE: shared}
    is_relay = isinstance(record, RelayRecord)
    found: dict[int, list[ThrownDie]] = {player: [] for player in range(len(record.players))}
    for number, game in enumerate(record.games if isinstance(record, RelayRecord) else [record]):
        for at, move in enumerate(game.actions):
            found[move.player].append(ThrownDie(move.die, at, number if is_relay else None))
    return found


def check_dice(proof: DiceProof, thrown: Mapping[int, Sequence[ThrownDie]]) -> DiceCheck:
    """Compare the dice of a game with its proof; ``thrown`` is the result of `thrown_dice`."""
    seed = bytes.fromhex(proof.seed)
    # The proof lists the counts in the order of the players.
    before_reveal = dict(zip(thrown, proof.fixed, strict=True)) if proof.fixed else {}
    checked = {player: dice[: before_reveal.get(player)] for player, dice in thrown.items()}
    mismatches = [
        mismatch
        for player, some in checked.items()
        for mismatch in _mismatches(player, some, seed, label_of(proof.contributions, player))
    ]
    mismatches.sort(key=lambda one: (one.thrown.game or 0, one.thrown.action, one.position))
    count = sum(map(len, checked.values()))
    return DiceCheck(
        commitment(seed) == proof.commitment,
        count - len(mismatches),
        len(mismatches),
        sum(map(len, thrown.values())) - count,
        next(iter(mismatches), None),
    )


def _mismatches(
    player: int, thrown: Iterable[ThrownDie], seed: bytes, label: str
) -> Iterator[DieMismatch]:
    for position, (one, expected) in enumerate(zip(thrown, dice(seed, label), strict=False), 1):
        if one.number != expected:
            yield DieMismatch(player, position, one, expected)
