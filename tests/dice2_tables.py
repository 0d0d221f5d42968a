"""Tables of Dice² for tests: open one with players, and play random games."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from sheets.access.keys import new_token
from sheets.rules.dice2.sitting import Sitting
from sheets.tables import acts, seating
from sheets.tables.access import find_access
from tests.table_games import Party


class DiceParty(Party):
    """A table of Dice² with a device for each seat."""

    @property
    def game(self) -> Sitting:  # type: ignore[override]
        """The current sitting."""
        sitting: Sitting = self.loaded.state.game
        return sitting

    def play_on(self, *, games: int = 99, seed: int = 1) -> None:
        """Play random moves until ``games`` more games are finished, or the sitting is."""
        random = Random(seed)
        state = self.loaded.state
        end = state.game.passes_done + games
        while state.game.phase == "turn" and state.game.passes_done < end:
            sitting: Sitting = state.game
            assert sitting.game
            die = sitting.thrown or random.randint(1, 6)
            fields = sitting.game.legal()[die]
            more: dict[str, Any] = {} if sitting.thrown else {"die": die}
            more["moment"] = state.moment  # avoids loading the table again
            if fields:
                self.act("place", sitting.player or 0, random.choice(fields), **more)
            else:
                self.act("skip", sitting.player or 0, **more)
            state = self.loaded.state


def sit_down_for(
    game: str,
    names: Sequence[str] = (),
    *,
    dice: str = "typed",
    target: int = 0,
    has_handicap: bool = False,
    start: bool = True,
) -> DiceParty:
    """Open a table of Dice² and seat the players; the first one is the host.

    A seat with an empty name stays free. Without names there are two players, one for the square.
    """
    names = names or (("Ana",) if game == "square" else ("Ana", "Ben"))
    tokens = tuple(new_token() for _ in names)
    code = seating.open_dice2_table(
        game,
        players=len(names),
        dice=dice,
        name=names[0],
        token=tokens[0],
        target=target,
        has_handicap=has_handicap,
    )
    for number, name in enumerate(names[1:], start=1):
        if name:
            seating.take_seat(find_access(code), number, name, tokens[number])
    party = DiceParty(code, tokens)
    if start:
        acts.start(party.access())
    return party
