"""House rules: named changes of the rules that players agree on; all are off by default."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

STARTERS: Final = ("next-player", "fewest-points", "same-player")
"""Values of `HouseRules.starter`; the first is the rule ``start-order``."""

DICE_PER_EXTRA_PLAYER: Final = 3
"""`more-players`: number of dice added for the fifth, and again for the sixth player."""

ROUNDS_OF_MANY: Final = 2
"""`more-players`: number of rounds for five and six players."""


class HouseRules(NamedTuple):
    """The house rules of a level or game; each attribute is a key of ``house_rules``.

    Attributes:
        keep_dice: a reroll without a fitting die returns no die.
        play_on: the last player who is still in goes on, instead of having one more turn.
        starter: which player starts the next pass, one of `STARTERS`; with ``fewest-points``, the
            next player of those who have equally few.
        no_bombs: bombs are fields without a symbol.
        more_players: five or six players can play any level, and the last number of each number
            track is never struck.
        dice: number of dice, for any number of players; 0 for the level's own.
        rounds: number of rounds, for any number of players; 0 for the level's own.
    """

    keep_dice: bool = False
    play_on: bool = False
    starter: str = STARTERS[0]
    no_bombs: bool = False
    more_players: bool = False
    dice: int = 0
    rounds: int = 0

    @property
    def changed(self) -> dict[str, Any]:
        """The house rules that differ from the rules, by key; empty if there are none."""
        return {
            key: value
            for key, value in self._asdict().items()
            if value != self._field_defaults[key]
        }


NO_HOUSE_RULES: Final = HouseRules()
"""The rules as they are printed."""

HOUSE_RULES: Final = tuple(key.replace("_", "-") for key in HouseRules._fields)
"""The names of the house rules, in their order in lists; those of the keys with a hyphen."""
