"""Page about the dice of a table: commitment, contributions, check of all dice, counts of faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.dice_sequence import SHARED_DICE, DiceCheck, ThrownDie, check_dice, thrown_dice
from sheets.rules.documents.dice_proof import DiceProof
from sheets.rules.documents.game import Record, parse_action
from sheets.tables import event_loader
from sheets.tables.access import TableAccess
from sheets.tables.dice_seeds import commitment_of, proof_of
from sheets.tables.face_counts import FaceCounts, count_faces
from sheets.tables.family import family_of
from sheets.tables.seat_order import starting_with
from sheets.tables.table_settings import MIRRORED


class Contribution(NamedTuple):
    """A player's contribution to the dice."""

    name: str
    text: str


class DicePage(NamedTuple):
    """Content of the page.

    Attributes:
        names: the players' names in the order of the game's document.
        commitment: the commitment to the seed; empty without a seed.
        contributions: those that are not empty.
        faces: how often each face came up; None if the app knows no dice.
        was_over: whether the game goes on after its seed was shown.
        proof: the proof of a finished game.
        check: the result of the server's own check, in sentences.
        script_data: the proof and all dice, for the check in the browser.
    """

    names: Sequence[str]
    commitment: str
    contributions: list[Contribution]
    faces: FaceCounts | None
    was_over: bool = False
    proof: DiceProof | None = None
    check: Sequence[str] = ()
    script_data: dict[str, Any] | None = None


def dice_page(access: TableAccess) -> DicePage:
    """Return the content of the page for a table in its lobby, a game or its results."""
    table = access.table
    names = _names_in_document(access)
    page = DicePage(names, commitment_of(table), contributions_of(access), _faces_of(access))
    if not table.has_started:
        return page
    state = event_loader.load(access).state
    was_over = state.revealed is not None and not state.game.is_finished
    page = page._replace(was_over=was_over and bool(table.dice_seed))
    proof = proof_of(access)
    return _with_proof(page, proof, family_of(table).thrown(access)) if proof else page


def dice_page_of_file(record: Record) -> DicePage:
    """Return the content of the page for a game from a file."""
    proof, thrown = record.dice_proof, thrown_dice(record)
    dice = [die.number for die in thrown[SHARED_DICE]]
    faces = count_faces(dice) if record.is_tracked else None
    if proof is None:
        return DicePage(record.players, "", [], faces)
    contributions = _named(record.players, proof.contributions)
    page = DicePage(record.players, proof.commitment, contributions, faces)
    return _with_proof(page, proof, thrown)


def _with_proof(
    page: DicePage, proof: DiceProof, thrown: Mapping[int, Sequence[ThrownDie]]
) -> DicePage:
    """Add the proof of a finished game, the check of its dice and the data of the script."""
    sequences = [
        {
            "player": None if player == SHARED_DICE else player,
            "name": "" if player == SHARED_DICE else page.names[player],
            "dice": [die.number for die in dice],
            "fixed": fixed,
        }
        for (player, dice), fixed in zip(
            thrown.items(), proof.fixed or [None] * len(thrown), strict=True
        )
    ]
    return page._replace(
        proof=proof,
        check=_sentences_of(check_dice(proof, thrown), page.names),
        script_data={**proof._asdict(), "sequences": sequences},
    )


def contributions_of(access: TableAccess) -> list[Contribution]:
    """Return the contributions of the players' devices so far, without empty ones."""
    if not access.table.has_started:
        seats = access.all_seats
        return _named([str(seat) for seat in seats], [seat.contribution for seat in seats])
    return _named(_names_in_document(access), access.table.contributions.split(","))


def _named(names: Sequence[str], texts: Sequence[str]) -> list[Contribution]:
    """Return the contributions that are not empty."""
    sent = zip(names, texts, strict=False)
    return [Contribution(name, text) for name, text in sent if text]


def _names_in_document(access: TableAccess) -> list[str]:
    """Return the players' names in the order of the game's document."""
    first = family_of(access.table).first_seat(access.table)
    order = starting_with(first, len(access.all_seats))
    return [str(access.all_seats[number]) for number in order]


def _faces_of(access: TableAccess) -> FaceCounts | None:
    """Return the counts of all dice of the game so far; None if the app does not know them."""
    table = access.table
    if table.dice == MIRRORED or not table.has_started:
        return None
    family, loaded = family_of(table), event_loader.load(access)
    actions = (parse_action(loaded.entries[number - 1]) for number in loaded.state.applied)
    return count_faces(die for action in actions for die in family.dice_of(table, action))


def _sentences_of(check: DiceCheck, names: Sequence[str]) -> list[str]:
    """Return the result of a check in sentences."""
    if not check.keeps_commitment:
        return [_("The commitment does not belong to the seed.")]
    if other := check.first_mismatch:
        facts = {
            "position": other.position,
            "found": other.thrown.number,
            "expected": other.expected,
        }
        if other.player == SHARED_DICE:
            sentence = _("Die %(position)d of the game is %(found)d; the seed gives %(expected)d.")
            return [sentence % facts]
        sentence = _("Die %(position)d of %(name)s is %(found)d; the seed gives %(expected)d.")
        return [sentence % {**facts, "name": names[other.player]}]
    count = check.agreeing
    agree = ngettext(
        "%(count)d die was thrown before the seed was shown. It agrees with the seed.",
        "%(count)d dice were thrown before the seed was shown. They all agree with the seed.",
        count,
    ) % {"count": count}
    later = ngettext(
        "%(count)d die was rolled after the seed had been shown. Nobody can check it.",
        "%(count)d dice were rolled after the seed had been shown. Nobody can check them.",
        check.thrown_after_reveal,
    ) % {"count": check.thrown_after_reveal}
    return [agree, later] if check.thrown_after_reveal else [agree]
