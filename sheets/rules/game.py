"""Game: the state of all sheets, legal moves, and the transition by one action."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from sheets.rules import corrections, effects, turns, volcano
from sheets.rules.level import Level
from sheets.rules.placement import is_boxed_in, targets
from sheets.rules.scoring import Score, find_winners, rate, score_sheet
from sheets.rules.sheet import blank_sheet
from sheets.rules.state import Action, State


class PendingDecision(NamedTuple):
    """Choices that a player still has to make: ``times`` actions ``do``, each on a field of ``at``.

    ``do`` is ``lava``, ``rocket`` or ``track``.
    """

    player: int
    do: str
    times: int
    at: tuple[str, ...]


class Outcome(NamedTuple):
    """Result of a finished game.

    ``winners`` are player indexes; ``tie_rule`` is the criterion that decided: ``points``,
    ``crosses`` (equal points, fewer crosses) or ``shared``. ``rating`` is 0 to 6 for a solo game,
    else None.
    """

    winners: tuple[int, ...]
    tie_rule: str
    rating: int | None


class Game(State):
    """A game: its state (see `State` for the attributes) with queries and `apply`."""

    __slots__ = ()

    def apply(self, action: Action) -> Game:
        """Return the game after the action; this one is unchanged.

        Raises:
            RuleViolation: the first rule the action breaks, in the order of `REFUSALS`.
        """
        return ACTS[action.do](self, action)

    def may(self) -> list[str]:
        """Return which of ``place``, ``reroll`` and ``drop`` the player to move may do.

        Empty in all phases but ``turn``.
        """
        if self.phase != "turn":
            return []
        return ["place"] if turns.can_place(self) else ["reroll", "drop"]

    def legal(self) -> dict[int, list[str]]:
        """Return the fields that take a die.

        In phase ``turn``, the fields for the player to move, by number in the pool; in phase
        ``open``, the fields for each player, by index; an empty dict in all other phases.
        """
        level = self.level
        if self.phase == "open":
            return {
                i: [] if sheet.is_out else level.names(targets(sheet))
                for i, sheet in enumerate(self.sheets)
            }
        if self.phase != "turn" or self.player is None:
            return {}
        fields = targets(self.sheets[self.player])
        return {die: level.names(fields & level.with_number[die]) for die in sorted(set(self.pool))}

    def is_boxed_in(self) -> bool:
        """Return whether the player to move has dice and can only jump."""
        return (
            self.phase == "turn"
            and self.player is not None
            and is_boxed_in(self.sheets[self.player])
        )

    def pending(self) -> list[PendingDecision]:
        """Return the choices of lava, tracks or planets that players still have to make."""
        result = []
        for player, owed in enumerate(self.owed):
            if not owed:
                continue
            if self.phase == "lava":
                do, times, fields = "lava", 1, owed
            elif self.level.rails:
                do, times, fields = "track", owed.bit_count(), owed
            else:
                do, times, fields = "rocket", owed, self.sheets[player].planets_left
            names = tuple(self.level.names(fields))
            result.append(PendingDecision(player, do, times, names))
        return result

    def scores(self) -> list[Score]:
        """Return the score each sheet would have if the game ended now."""
        return [score_sheet(sheet, solo=self.is_solo) for sheet in self.sheets]

    def outcome(self) -> Outcome | None:
        """Return the winners and the deciding criterion, or None while the game runs."""
        if not self.is_finished:
            return None
        return decide(self.scores(), self.level.ratings, is_solo=self.is_solo)


def new_game(level: Level, players: Sequence[str], *, tracked: bool) -> Game:
    """Return a new game: blank sheets, the first pass begun.

    Args:
        level: the level.
        players: their names in seating order; the first starts. Their number must be one of
            ``level.player_counts``.
        tracked: whether the game records all rolls and the pool; otherwise the players use real
            dice, and the game records only the dice on the sheets.
    """
    sheets = (blank_sheet(level),) * len(players)
    game = Game(level, tuple(players), tracked, "roll", sheets)
    return effects.begin_pass(game)


def decide(scores: Sequence[Score], ratings: Sequence[int], *, is_solo: bool) -> Outcome:
    """Return the winners by final score (`winner`), and the grade of a solo game (`rating`)."""
    winners = tuple(find_winners(scores))
    best = [score for score in scores if score.total == scores[winners[0]].total]
    tie_rule = "points" if len(best) == 1 else "shared" if len(winners) > 1 else "crosses"
    rating = rate(scores[0].total, ratings) if is_solo else None
    return Outcome(winners, tie_rule, rating)


ACTS: Final[Mapping[str, Callable[[Game, Action], Game]]] = {
    "roll": turns.roll,
    "place": turns.place,
    "reroll": turns.reroll,
    "return": turns.return_die,
    "drop": turns.drop_out,
    "extra": turns.roll_extra,
    "end_pass": turns.end_pass,
    "erupt": volcano.erupt,
    "lava": volcano.choose_lava,
    "rocket": effects.choose_planet,
    "track": effects.draw_track,
    "correct": corrections.correct,
}
"""The function that executes each kind of action, by its ``do``."""
