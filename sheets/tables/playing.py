"""How is each game played at a table, Dizzle and Dice²?

A table's log, seats, undo and proposals are the same for both; the start of a game, who may do
what, and what happens by itself are asked here. How they show themselves is asked of `games`.
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
from sheets.tables.log import EVERYBODY, G, LogState, Played
from sheets.tables.strengths import THINK, USUAL, dice2_bot, dizzle_bot, strength_of

ROLLED: Final = "rolled"
MIRRORED: Final = "table"
TYPED: Final = "typed"
DICE: Final = (MIRRORED, TYPED, ROLLED)

RELAY: Final = "relay"

Throw = Callable[[], int]
"""Throws one die."""


class Playing(Protocol[G]):
    """What a table asks about the game it plays."""

    def start(self, table: Table, names: Sequence[str]) -> G:
        """The game before its first action."""
        ...

    def may_act(self, game: G, action: Action, access: TableAccess) -> bool:
        """Whether somebody may do an action for the player it names."""
        ...

    def awaited(self, state: LogState[G]) -> Sequence[int]:
        """The players whose act the game waits for, those who have left, too."""
        ...

    def decided_for(self, state: LogState[G], action: Action) -> Collection[int]:
        """The players whose decision an action is: only they take it while they are there."""
        ...

    def actor_of(self, game: G, action: Action) -> int | None:
        """Whose act it is, None for nobody's."""
        ...

    def is_chosen(self, action: Action) -> bool:
        """Whether somebody has chosen to do it: else it followed from what was done before."""
        ...

    def stays_thrown(self, action: Action) -> bool:
        """Whether it throws dice that nobody may have seen and then choose anew before them."""
        ...

    @property
    def keeps_dice_of_one(self) -> bool:
        """Whether somebody alone stays with what the app has thrown, too."""
        ...

    def thrower(self, game: G) -> int:
        """Whose dice are thrown next, `EVERYBODY` where nobody has their own."""
        ...

    def undo_reaches_back_to(self, state: LogState[G]) -> int:
        """The number of the last entry that no undo takes back."""
        ...

    def with_dice(self, table: Table, game: G, action: Action, throw: Throw) -> Action:
        """The action with the app's dice in it, where the app rolls."""
        ...

    def of_bot(self, table: Table, game: G, action: Action, throw: Throw) -> Action:
        """What a bot has chosen, with the app's dice in it; without these it never rerolls."""
        ...

    def chooses_starter(self, table: Table) -> bool:
        """Whether it is asked before the game which of several seats starts it."""
        ...

    def deciding(self, table: Table, game: G) -> Sequence[int]:
        """The players who have something to decide that a bot could decide for them."""
        ...

    def choose(self, game: G, player: int, strength: str) -> Action:
        """What a bot of a strength decides for one of them, without the app's dice in it."""
        ...

    def think(self, game: G, player: int) -> Sequence[Action]:
        """What an expert decides for one of them, one after the other; likewise without dice."""
        ...

    def stand_in(self, game: G, player: int) -> Action:
        """What is done for one of them who is away."""
        ...

    def next_with_real_dice(
        self, game: G, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """What happens by itself when the players throw; ``done`` are those who said so.

        ``bots`` are the strengths by seat, of bots that play on for players who have left.
        """
        ...

    def next_with_own_dice(
        self, table: Table, game: G, bots: Mapping[int, str], throw: Throw
    ) -> Action | None:
        """What happens by itself when the app throws; ``bots`` are the strengths by seat.

        For those that think nothing is decided here.
        """
        ...

    def thinker(self, game: G, bots: Mapping[int, str]) -> int | None:
        """The player whose decision the game waits for and whose bot has to think about it."""
        ...


class PlayingDizzle:
    """A game of Dizzle on a level."""

    def start(self, table: Table, names: Sequence[str]) -> Game:
        """The game before its first action."""
        return new_game(level_of(table), tuple(names), tracked=table.dice != MIRRORED)

    def may_act(self, game: Game, action: Action, access: TableAccess) -> bool:
        """Nobody acts for another seat; the host may end a pass and roll for who is away."""
        if action.do == "end_pass":
            return access.is_host
        if action.player >= 0:
            return action.player in access.seats
        # The start player may have left: somebody has to roll.
        return game.start_player in access.seats or access.is_host

    def awaited(self, state: LogState[Game]) -> Sequence[int]:
        """Who still places, who starts a pass, or who has a decision to take."""
        game = state.game
        if game.phase == "open":
            sheets = enumerate(game.sheets)
            return [n for n, sheet in sheets if not (sheet.is_out or n in state.done)]
        return [game.start_player] if game.phase in ("roll", "erupt") else deciding_players(game)

    def decided_for(self, state: LogState[Game], action: Action) -> Collection[int]:
        """The end of a pass is decided for all who are still placing."""
        if action.do == "end_pass":
            return self.awaited(state)
        return [action.player if action.player >= 0 else state.game.start_player]

    def actor_of(self, game: Game, action: Action) -> int | None:
        """Rolls are the start player's (in a solo game everything is), corrections nobody's."""
        if action.do == "correct":
            return None
        if action.player >= 0:
            return action.player
        return None if action.do == "end_pass" else game.start_player

    def is_chosen(self, action: Action) -> bool:
        """Everything."""
        return True

    def stays_thrown(self, action: Action) -> bool:
        """Rolls of any kind."""
        return bool(action.dice) or action.do == "erupt"

    @property
    def keeps_dice_of_one(self) -> bool:
        """A pass may be thought again, with the same dice."""
        return False

    def thrower(self, game: Game) -> int:
        """All throw the same dice."""
        return EVERYBODY

    def undo_reaches_back_to(self, state: LogState[Game]) -> int:
        """What belongs to this pass: the end of one has changed all sheets."""
        return state.pass_began_after

    def with_dice(self, table: Table, game: Game, action: Action, throw: Throw) -> Action:
        """The action with the app's dice in it, where the app rolls."""
        if table.dice != ROLLED or action.do not in ("roll", "reroll", "extra", "erupt"):
            return action
        thrown = tuple(throw() for _ in range(game.dice_to_roll))
        if action.do == "erupt":
            return action._replace(die=thrown[0] if thrown else 1)
        return action._replace(dice=thrown)

    def of_bot(self, table: Table, game: Game, action: Action, throw: Throw) -> Action:
        """With real dice it drops out where it would reroll: nobody has to throw for it."""
        if table.dice == ROLLED:
            return self.with_dice(table, game, action, throw)
        return _without_reroll(action)

    def chooses_starter(self, table: Table) -> bool:
        """The youngest starts, or whoever the players choose."""
        return True

    def deciding(self, table: Table, game: Game) -> Sequence[int]:
        """Everybody the game waits for."""
        return deciding_players(game)

    def choose(self, game: Game, player: int, strength: str) -> Action:
        """One act of a turn, or of an effect's."""
        return dizzle_bot(strength)(_chance()).choose(game, player)

    def think(self, game: Game, player: int) -> Sequence[Action]:
        """One act, or all the track that is owed."""
        return ExpertBot(_chance()).think(game, player)

    def stand_in(self, game: Game, player: int) -> Action:
        """Out of the pass where that is possible."""
        if "drop" in game.may():
            return Action("drop", player)
        return self.choose(game, player, USUAL)

    def next_with_real_dice(
        self, game: Game, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """Bots' moves, and the end of a pass everybody is done with."""
        for player in deciding_players(game):
            if bots.get(player, THINK) != THINK:
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
        """The extra dice and bots' rolls and moves."""
        if game.phase == "extra" or (game.phase in ("roll", "erupt") and game.start_player in bots):
            return self.with_dice(table, game, Action(game.phase), throw)
        for player in deciding_players(game):
            if bots.get(player, THINK) != THINK:
                action = self.choose(game, player, bots[player])
                return self.with_dice(table, game, action, throw)
        return None

    def thinker(self, game: Game, bots: Mapping[int, str]) -> int | None:
        """At the end of a pass several may have to decide: the first of them."""
        thinking = (player for player in deciding_players(game) if bots.get(player) == THINK)
        return next(thinking, None)


class PlayingDice2:
    """One game of Dice², or a relay."""

    def start(self, table: Table, names: Sequence[str]) -> Sitting:
        """The table before its first action."""
        return new_sitting(
            names,
            game="" if table.game == RELAY else table.game,
            target=table.target,
            has_handicap=table.has_handicap,
            app_throws=table.dice == ROLLED,
            starter=table.starter,
        )

    def may_act(self, game: Sitting, action: Action, access: TableAccess) -> bool:
        """One's own seats; the host also for who is away, and to begin the next game."""
        if action.do == "begin":
            return access.is_host or action.player in access.seats
        return action.do != "throw" and (action.player in access.seats or access.is_host)

    def awaited(self, state: LogState[Sitting]) -> Sequence[int]:
        """The player to move."""
        return [state.game.player or 0] if state.game.phase == "turn" else []

    def decided_for(self, state: LogState[Sitting], action: Action) -> Collection[int]:
        """Nobody's decision is which game comes next."""
        return [] if action.do == "begin" else [action.player]

    def actor_of(self, game: Sitting, action: Action) -> int | None:
        """Everything has its player."""
        return action.player

    def is_chosen(self, action: Action) -> bool:
        """All but the app's throws and the skips that it sees are forced."""
        return action.do != "throw" and (action.do != "skip" or bool(action.die))

    def stays_thrown(self, action: Action) -> bool:
        """Every throw of the app: the die of who is next lies open at once."""
        return action.do == "throw"

    @property
    def keeps_dice_of_one(self) -> bool:
        """The dice of a whole game would be known from its first move on."""
        return True

    def thrower(self, game: Sitting) -> int:
        """The player to move: what somebody has thrown stays theirs."""
        return EVERYBODY if game.player is None else game.player

    def undo_reaches_back_to(self, state: LogState[Sitting]) -> int:
        """What belongs to this game of a relay, or to the one just over."""
        if state.game.phase in ("begin", "finished") and len(state.pass_ends) > 1:
            return state.pass_ends[-2].until
        return state.pass_began_after if state.game.phase in ("throw", "turn") else 0

    def with_dice(self, table: Table, game: Sitting, action: Action, throw: Throw) -> Action:
        """Throws happen by themselves; who places puts down what they have thrown."""
        is_thrown = table.dice == ROLLED and action.do == "place"
        return action._replace(die=game.thrown) if is_thrown else action

    def of_bot(self, table: Table, game: Sitting, action: Action, throw: Throw) -> Action:
        """Bots play with the app's dice alone."""
        return self.with_dice(table, game, action, throw)

    def chooses_starter(self, table: Table) -> bool:
        """The one game has a start player; a relay asks when its first game begins."""
        return table.game != RELAY

    def deciding(self, table: Table, game: Sitting) -> Sequence[int]:
        """The player to move, where the app has thrown their die."""
        return [game.player or 0] if game.thrown and game.phase == "turn" else []

    def choose(self, game: Sitting, player: int, strength: str) -> Action:
        """Where the die goes."""
        assert game.game  # noqa: S101  # a turn is always a game's
        choice = dice2_bot(strength)(_chance()).choose(game.game, game.thrown)
        return Action(choice.do, choice.player, choice.at, game.thrown if choice.at else 0)

    def think(self, game: Sitting, player: int) -> Sequence[Action]:
        """Where the die goes."""
        return [self.choose(game, player, THINK)]

    def stand_in(self, game: Sitting, player: int) -> Action:
        """What a bot would do with the die."""
        return self.choose(game, player, USUAL)

    def next_with_real_dice(
        self, game: Sitting, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """Who could place no number at all need not throw: they skip, without a die."""
        if game.phase != "turn" or game.game is None or any(game.game.legal().values()):
            return None
        return Action("skip", game.player or 0)

    def next_with_own_dice(
        self, table: Table, game: Sitting, bots: Mapping[int, str], throw: Throw
    ) -> Action | None:
        """The die of the player to move, the skip where it fits nowhere, and bots' moves."""
        if game.phase == "throw":
            return Action("throw", game.player or 0, die=throw())
        if game.phase == "turn" and game.game and not legal_fields(game.game, game.thrown):
            return Action("skip", game.player or 0)
        if game.phase != "turn" or game.player is None:
            return None
        bot = bots.get(game.player, THINK)
        return None if bot == THINK else self.choose(game, game.player, bot)

    def thinker(self, game: Sitting, bots: Mapping[int, str]) -> int | None:
        """The player to move, if their die fits anywhere."""
        if game.phase != "turn" or game.player is None or bots.get(game.player) != THINK:
            return None
        return game.player


DIZZLE: Final = PlayingDizzle()
DICE2: Final = PlayingDice2()


def player_counts(dice2_game: str) -> tuple[int, ...]:
    """How many may play a game of Dice², or a relay."""
    return PLAYER_COUNTS if dice2_game == RELAY else KINDS[dice2_game].player_counts


def is_dice2(table: Table) -> bool:
    """Whether a table plays Dice² and not Dizzle."""
    return bool(table.game)


def playing_of(table: Table) -> Playing[Played]:
    """How the game of a table is played."""
    # A table's log leads to a game of its own kind only, which types cannot say.
    return cast("Playing[Played]", DICE2 if is_dice2(table) else DIZZLE)


def level_of(table: Table) -> Level:
    """The level as it was when the table began."""
    return kept_level(Table, pk=table.pk, code=table.code)


def bots_at(access: TableAccess) -> dict[int, str]:
    """How strong the bots at a table are, by seat."""
    return {seat.number: strength_of(seat.bot) for seat in access.everybody if seat.bot}


def thinker_at(access: TableAccess, state: LogState[Any]) -> int | None:
    """The seat whose bot has to think before the game goes on, None for none."""
    if not access.table.has_started:
        return None
    bots = bots_at(access)
    if THINK not in bots.values():
        return None
    return playing_of(access.table).thinker(state.game, bots)


def throw_after(to_come: Sequence[int]) -> Throw:
    """Dice that show these numbers first, and then chance's."""
    known = iter(to_come)
    return lambda: next(known, 0) or _throw()


def _without_reroll(action: Action) -> Action:
    """What a bot does instead of a reroll that nobody throws for it: it drops out."""
    return Action("drop", action.player) if action.do == "reroll" else action


def _throw() -> int:
    return SystemRandom().randint(1, 6)


def _chance() -> Random:
    return Random(SystemRandom().getrandbits(64))  # noqa: S311
