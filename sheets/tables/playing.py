"""Rules interface of a table, with an implementation for Dizzle and one for Dice².

Log, seats, undo and proposals of a table are the same for both games. The start of a game, the
permissions of players, and automatic moves differ. `games` has their presentation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random, SystemRandom
from typing import Any, Final, Protocol, cast

from sheets.bots import deciding_players
from sheets.bots.expert_bot import ExpertBot
from sheets.models import Table
from sheets.models.levels import kept_level
from sheets.rules import Action, Game, Level, new_game
from sheets.rules.dice2 import KINDS
from sheets.rules.dice2.game import legal_fields
from sheets.rules.dice2.relay import PLAYER_COUNTS
from sheets.rules.dice2.sitting import Sitting, new_sitting
from sheets.tables.access import TableAccess
from sheets.tables.log import SHARED_DICE, G, LogState, Played
from sheets.tables.strengths import HARD, MEDIUM, dice2_bot, dizzle_bot, strength_of

ROLLED: Final = "rolled"
"""Dice setting of a table: the app rolls."""
MIRRORED: Final = "table"
"""Dice setting of a table: real dice lie on the table, and players tap where they place them."""
TYPED: Final = "typed"
"""Dice setting of a table: the players type in what real dice show."""
DICE: Final = (MIRRORED, TYPED, ROLLED)
"""All dice settings."""

RELAY: Final = "relay"
"""Name of a table's game for a relay, a series of games of Dice²."""

Throw = Callable[[], int]
"""Function that throws one die."""


class Playing(Protocol[G]):
    """Rules of a game, as far as a table needs them."""

    def start(self, table: Table, names: Sequence[str]) -> G:
        """Return the game before its first action."""
        ...

    def may_act(self, game: G, action: Action, access: TableAccess) -> bool:
        """Return whether the holder of an access may do an action for the player that it names."""
        ...

    def awaited(self, state: LogState[G]) -> Sequence[int]:
        """Return the players whose act the game waits for, including those who have left."""
        ...

    def decided_for(self, state: LogState[G], action: Action) -> Collection[int]:
        """Return the players whose decision an action is; only they may take it while present."""
        ...

    def actor_of(self, game: G, action: Action) -> int | None:
        """Return the player who acts, None if the action belongs to no player."""
        ...

    def is_chosen(self, action: Action) -> bool:
        """Return whether a player chose the action; otherwise it followed from earlier ones."""
        ...

    def stays_thrown(self, action: Action) -> bool:
        """Return whether the action throws dice that stay thrown once they have been seen."""
        ...

    @property
    def keeps_dice_of_one(self) -> bool:
        """Whether dice of the app stay thrown for a lone player, too."""
        ...

    def thrower(self, game: G) -> int:
        """Return the player whose dice are thrown next, `SHARED_DICE` if all use the same."""
        ...

    def undo_reaches_back_to(self, state: LogState[G]) -> int:
        """Return the number of the last entry that undo cannot take back."""
        ...

    def with_dice(self, table: Table, game: G, action: Action, throw: Throw) -> Action:
        """Return the action with the app's dice in it, if the app rolls."""
        ...

    def of_bot(self, table: Table, game: G, action: Action, throw: Throw) -> Action:
        """Return the choice of a bot with the app's dice in it; without these it never rerolls."""
        ...

    def chooses_starter(self, table: Table) -> bool:
        """Return whether the players choose before the game which seat starts it."""
        ...

    def deciding(self, table: Table, game: G) -> Sequence[int]:
        """Return the players with a decision that a bot could take for them."""
        ...

    def choose(self, game: G, player: int, strength: str) -> Action:
        """Return the decision of a bot of a strength for a player, without the app's dice."""
        ...

    def think(self, game: G, player: int) -> Sequence[Action]:
        """Return the actions of an expert for a player, in order, without the app's dice."""
        ...

    def stand_in(self, game: G, player: int) -> Action:
        """Return the action that is done for an absent player."""
        ...

    def next_with_real_dice(
        self, game: G, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """Return the next automatic action if the players throw, None for none.

        ``done`` are the players who said so. ``bots`` are the strengths by seat, of bots that play
        on for players who have left.
        """
        ...

    def next_with_own_dice(
        self, table: Table, game: G, bots: Mapping[int, str], throw: Throw
    ) -> Action | None:
        """Return the next automatic action if the app throws, None for none.

        ``bots`` are the strengths by seat. Hard bots decide in the background, not here.
        """
        ...

    def thinker(self, game: G, bots: Mapping[int, str]) -> int | None:
        """Return the player whose hard bot has to decide next, None for none."""
        ...


class PlayingDizzle:
    """A game of Dizzle on a level."""

    def start(self, table: Table, names: Sequence[str]) -> Game:
        """Return the game before its first action."""
        return new_game(level_of(table), tuple(names), tracked=table.dice != MIRRORED)

    def may_act(self, game: Game, action: Action, access: TableAccess) -> bool:
        """Allow players their own seats; the host may also end a pass and roll for a player."""
        if action.do == "end_pass":
            return access.is_host
        if action.player >= 0:
            return action.player in access.seats
        # The start player may have left, so the host may roll, too.
        return game.start_player in access.seats or access.is_host

    def awaited(self, state: LogState[Game]) -> Sequence[int]:
        """Return the players who are still placing, who start a pass, or who owe a decision."""
        game = state.game
        if game.phase == "open":
            sheets = enumerate(game.sheets)
            return [n for n, sheet in sheets if not (sheet.is_out or n in state.done)]
        return [game.start_player] if game.phase in ("roll", "erupt") else deciding_players(game)

    def decided_for(self, state: LogState[Game], action: Action) -> Collection[int]:
        """Return one player; for the end of a pass all players who are still placing."""
        if action.do == "end_pass":
            return self.awaited(state)
        return [action.player if action.player >= 0 else state.game.start_player]

    def actor_of(self, game: Game, action: Action) -> int | None:
        """Return the player; the start player for rolls.

        Corrections and the end of a pass belong to no player.
        """
        if action.do == "correct":
            return None
        if action.player >= 0:
            return action.player
        return None if action.do == "end_pass" else game.start_player

    def is_chosen(self, action: Action) -> bool:
        """Return True: every action is a choice."""
        return True

    def stays_thrown(self, action: Action) -> bool:
        """Return whether the action is a roll of any kind."""
        return bool(action.dice) or action.do == "erupt"

    @property
    def keeps_dice_of_one(self) -> bool:
        """False: a lone player may replay a pass with the same dice."""
        return False

    def thrower(self, game: Game) -> int:
        """Return `SHARED_DICE`: all players use the same dice."""
        return SHARED_DICE

    def undo_reaches_back_to(self, state: LogState[Game]) -> int:
        """Return the last entry before this pass: the end of a pass changes all sheets."""
        return state.pass_began_after

    def with_dice(self, table: Table, game: Game, action: Action, throw: Throw) -> Action:
        """Return the action with the app's dice in it, if the app rolls."""
        if table.dice != ROLLED or action.do not in ("roll", "reroll", "extra", "erupt"):
            return action
        thrown = tuple(throw() for _ in range(game.dice_to_roll))
        if action.do == "erupt":
            return action._replace(die=thrown[0] if thrown else 1)
        return action._replace(dice=thrown)

    def of_bot(self, table: Table, game: Game, action: Action, throw: Throw) -> Action:
        """Return the action; with real dice a drop-out for a reroll, as no player throws for it."""
        if table.dice == ROLLED:
            return self.with_dice(table, game, action, throw)
        return _without_reroll(action)

    def chooses_starter(self, table: Table) -> bool:
        """Return True: the youngest starts, or the player whom the players choose."""
        return True

    def deciding(self, table: Table, game: Game) -> Sequence[int]:
        """Return all players with a decision to take."""
        return deciding_players(game)

    def choose(self, game: Game, player: int, strength: str) -> Action:
        """Return one act of a turn or of an effect."""
        return dizzle_bot(strength)(_new_random()).choose(game, player)

    def think(self, game: Game, player: int) -> Sequence[Action]:
        """Return one act, or all pieces of track that the player owes."""
        return ExpertBot(_new_random()).think(game, player)

    def stand_in(self, game: Game, player: int) -> Action:
        """Drop out of the pass if possible, else act like a medium bot."""
        if "drop" in game.may():
            return Action("drop", player)
        return self.choose(game, player, MEDIUM)

    def next_with_real_dice(
        self, game: Game, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """Return a move of a bot, or the end of a pass with which all players are done."""
        for player in deciding_players(game):
            if bots.get(player, HARD) != HARD:
                return _without_reroll(self.choose(game, player, bots[player]))
        if game.phase != "open":
            return None
        waiting = any(
            not sheet.is_out and player not in done for player, sheet in enumerate(game.sheets)
        )
        return None if waiting else Action("end_pass")

    def next_with_own_dice(
        self, table: Table, game: Game, bots: Mapping[int, str], throw: Throw
    ) -> Action | None:
        """Return the extra dice, or a roll or move of a bot."""
        if game.phase == "extra" or (game.phase in ("roll", "erupt") and game.start_player in bots):
            return self.with_dice(table, game, Action(game.phase), throw)
        for player in deciding_players(game):
            if bots.get(player, HARD) != HARD:
                action = self.choose(game, player, bots[player])
                return self.with_dice(table, game, action, throw)
        return None

    def thinker(self, game: Game, bots: Mapping[int, str]) -> int | None:
        """Return the first of the players who decide; at the end of a pass there can be several."""
        thinking = (player for player in deciding_players(game) if bots.get(player) == HARD)
        return next(thinking, None)


class PlayingDice2:
    """One game of Dice², or a relay."""

    def start(self, table: Table, names: Sequence[str]) -> Sitting:
        """Return the sitting before its first action."""
        return new_sitting(
            names,
            game="" if table.game == RELAY else table.game,
            target=table.target,
            has_handicap=table.has_handicap,
            app_throws=table.dice == ROLLED,
            starter=table.starter,
        )

    def may_act(self, game: Sitting, action: Action, access: TableAccess) -> bool:
        """Allow players their own seats; the host may act for others and begin the next game."""
        if action.do == "begin":
            return access.is_host or action.player in access.seats
        return action.do != "throw" and (action.player in access.seats or access.is_host)

    def awaited(self, state: LogState[Sitting]) -> Sequence[int]:
        """Return the player to move."""
        return [state.game.player or 0] if state.game.phase == "turn" else []

    def decided_for(self, state: LogState[Sitting], action: Action) -> Collection[int]:
        """Return the player; none for the choice of the next game, which all share."""
        return [] if action.do == "begin" else [action.player]

    def actor_of(self, game: Sitting, action: Action) -> int | None:
        """Return the player of the action; every action has one."""
        return action.player

    def is_chosen(self, action: Action) -> bool:
        """Return whether the action is neither a throw of the app nor a skip that it forces."""
        return action.do != "throw" and (action.do != "skip" or bool(action.die))

    def stays_thrown(self, action: Action) -> bool:
        """Return whether it is a throw of the app: the next player's die is visible at once."""
        return action.do == "throw"

    @property
    def keeps_dice_of_one(self) -> bool:
        """True: otherwise the dice of a whole game would be known from its first move on."""
        return True

    def thrower(self, game: Sitting) -> int:
        """Return the player to move: each player's throws stay their own."""
        return SHARED_DICE if game.player is None else game.player

    def undo_reaches_back_to(self, state: LogState[Sitting]) -> int:
        """Return the last entry before this game of a relay, or before the one just over."""
        if state.game.phase in ("begin", "finished") and len(state.pass_ends) > 1:
            return state.pass_ends[-2].until
        return state.pass_began_after if state.game.phase in ("throw", "turn") else 0

    def with_dice(self, table: Table, game: Sitting, action: Action, throw: Throw) -> Action:
        """Put the thrown die into a placement; throws happen automatically."""
        is_thrown = table.dice == ROLLED and action.do == "place"
        return action._replace(die=game.thrown) if is_thrown else action

    def of_bot(self, table: Table, game: Sitting, action: Action, throw: Throw) -> Action:
        """Return the action with the app's die; bots play only with the app's dice."""
        return self.with_dice(table, game, action, throw)

    def chooses_starter(self, table: Table) -> bool:
        """Return True for a single game; a relay asks when its first game begins."""
        return table.game != RELAY

    def deciding(self, table: Table, game: Sitting) -> Sequence[int]:
        """Return the player to move, if the app has thrown their die."""
        return [game.player or 0] if game.thrown and game.phase == "turn" else []

    def choose(self, game: Sitting, player: int, strength: str) -> Action:
        """Return where the die goes."""
        assert game.game  # noqa: S101  # every turn belongs to a game
        choice = dice2_bot(strength)(_new_random()).choose(game.game, game.thrown)
        return Action(choice.do, choice.player, choice.at, game.thrown if choice.at else 0)

    def think(self, game: Sitting, player: int) -> Sequence[Action]:
        """Return where the die goes."""
        return [self.choose(game, player, HARD)]

    def stand_in(self, game: Sitting, player: int) -> Action:
        """Return what a medium bot does with the die."""
        return self.choose(game, player, MEDIUM)

    def next_with_real_dice(
        self, game: Sitting, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """Return the skip of a player who could place no number; they need not throw."""
        if game.phase != "turn" or game.game is None or any(game.game.legal().values()):
            return None
        return Action("skip", game.player or 0)

    def next_with_own_dice(
        self, table: Table, game: Sitting, bots: Mapping[int, str], throw: Throw
    ) -> Action | None:
        """Return the throw for the player to move, the skip if it fits nowhere, or a bot's move."""
        if game.phase == "throw":
            return Action("throw", game.player or 0, die=throw())
        if game.phase == "turn" and game.game and not legal_fields(game.game, game.thrown):
            return Action("skip", game.player or 0)
        if game.phase != "turn" or game.player is None:
            return None
        bot = bots.get(game.player, HARD)
        return None if bot == HARD else self.choose(game, game.player, bot)

    def thinker(self, game: Sitting, bots: Mapping[int, str]) -> int | None:
        """Return the player to move, if their bot is a hard one."""
        if game.phase != "turn" or game.player is None or bots.get(game.player) != HARD:
            return None
        return game.player


DIZZLE: Final = PlayingDizzle()
"""Rules of Dizzle at a table."""
DICE2: Final = PlayingDice2()
"""Rules of Dice² at a table."""


def player_counts(dice2_game: str) -> tuple[int, ...]:
    """Return the possible numbers of players for a game of Dice², or a relay."""
    return PLAYER_COUNTS if dice2_game == RELAY else KINDS[dice2_game].player_counts


def is_dice2(table: Table) -> bool:
    """Return whether a table plays Dice² and not Dizzle."""
    return bool(table.game)


def playing_of(table: Table) -> Playing[Played]:
    """Return the rules of the game that a table plays."""
    # The log of a table leads only to its own kind of game; types cannot express that.
    return cast("Playing[Played]", DICE2 if is_dice2(table) else DIZZLE)


def level_of(table: Table) -> Level:
    """Return the level as it was when the table was opened."""
    return kept_level(Table, pk=table.pk, code=table.code)


def bots_at(access: TableAccess) -> dict[int, str]:
    """Return the strengths of the bots at a table, by seat."""
    return {seat.number: strength_of(seat.bot) for seat in access.everybody if seat.bot}


def thinker_at(access: TableAccess, state: LogState[Any]) -> int | None:
    """Return the seat whose hard bot has to decide next, None for none."""
    if not access.table.has_started:
        return None
    bots = bots_at(access)
    if HARD not in bots.values():
        return None
    return playing_of(access.table).thinker(state.game, bots)


def throw_after(to_come: Sequence[int]) -> Throw:
    """Return a function that throws these numbers first, and random ones after them."""
    struck = iter(to_come)
    return lambda: next(struck, 0) or _throw()


def _without_reroll(action: Action) -> Action:
    """Return the drop-out that replaces a reroll of a bot, as no player throws for it."""
    return Action("drop", action.player) if action.do == "reroll" else action


def _throw() -> int:
    """Return one throw of a die."""
    return SystemRandom().randint(1, 6)


def _new_random() -> Random:
    """Return a random number generator for a bot, with an unpredictable seed."""
    return Random(SystemRandom().getrandbits(64))  # noqa: S311
