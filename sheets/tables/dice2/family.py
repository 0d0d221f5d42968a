"""Dice² at a table: rules, pages, texts and files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from django.utils.text import slugify
from django.utils.translation import gettext as _

from sheets.dice_sequence import SHARED_DICE, ThrownDie, thrown_dice
from sheets.models import Table
from sheets.rules import Action, RuleViolation
from sheets.rules.dice2.game import RULES, legal_fields
from sheets.rules.dice2.relay import kinds_for
from sheets.rules.dice2.sitting import Sitting, new_sitting
from sheets.tables.access import TableAccess
from sheets.tables.bots import HARD, choose_dice2, think_dice2
from sheets.tables.dice2 import moves
from sheets.tables.dice2 import sentences as dice2_words
from sheets.tables.dice2.board_view import BoardView, view_board
from sheets.tables.dice2.files import format_played, played_record
from sheets.tables.dice2.replay import replay_to
from sheets.tables.dice_seeds import proof_of
from sheets.tables.event_log import LogState
from sheets.tables.family import (
    Document,
    Explanation,
    GameFamily,
    Incomplete,
    Malformed,
    Page,
    PageQuery,
    Show,
    Throw,
)
from sheets.tables.forms import WHY, Dice2ActForm
from sheets.tables.replay import Replayed
from sheets.tables.table_settings import RELAY, ROLLED
from sheets.text.dice2.refusals import explain_dice2
from sheets.text.rulebook.games import game_name

PLAY_FRAGMENTS: Final = (
    "dice2/_top.html",
    "dice2/_players.html",
    "dice2/_verdict.html",
    "table/_hurry.html",
    "table/_claim.html",
    "table/_pause.html",
    "table/_proposal.html",
    "dice2/_board.html",
    "dice2/_task.html",
    "dice2/_undo.html",
    "dice2/_keys.html",
    "dice2/_acts.html",
    "dice2/_relay.html",
    "dice2/_lines.html",
)
"""The changing fragments of the page of play, in the order of the page."""


class Dice2(GameFamily[Sitting]):
    """Game family Dice²: single games and relays."""

    act_form = Dice2ActForm
    keeps_dice_of_one = True  # else the dice of a whole game would be known from its first move on
    choose = staticmethod(choose_dice2)
    think = staticmethod(think_dice2)

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
        """Return whether a device may act: for its own seats, or as the host for all seats.

        No device may throw: the app does it automatically.
        """
        return action.do != "throw" and (action.player in access.seats or access.is_host)

    def awaited(self, state: LogState[Sitting]) -> Sequence[int]:
        """Return the player to move; nobody between games and before a throw of the app."""
        return [state.game.player or 0] if state.game.phase == "turn" else []

    def decided_for(self, state: LogState[Sitting], action: Action) -> Collection[int]:
        """Return the player of the action; nobody for the next game, which all players choose."""
        return [] if action.do == "begin" else [action.player]

    def actor_of(self, game: Sitting, action: Action) -> int | None:
        """Return the player of the action; every action has one."""
        return action.player

    def is_chosen(self, action: Action) -> bool:
        """Return whether the action is neither a throw of the app nor a skip that it forces."""
        return moves.is_chosen(action)

    def is_throw(self, action: Action) -> bool:
        """Return whether the action is a throw of the app; all players see its die at once."""
        return action.do == "throw"

    def next_thrower(self, game: Sitting) -> int:
        """Return the player to move, who has dice of their own; `SHARED_DICE` if there is none."""
        return SHARED_DICE if game.player is None else game.player

    def undo_limit(self, state: LogState[Sitting]) -> int:
        """Return the number of the last entry that undo cannot take back.

        It is the last one before the current game or, after a game, before the finished game.
        """
        if state.game.phase in ("begin", "finished") and len(state.pass_ends) > 1:
            return state.pass_ends[-2].until
        return state.pass_began_after if state.game.phase in ("throw", "turn") else 0

    def dice_of(self, table: Table, action: Action) -> tuple[int, ...]:
        """Return the die of a throw of the app or, with real dice, of a move."""
        has_die = action.die and (table.dice != ROLLED or action.do == "throw")
        return (action.die,) if has_die else ()

    def thrown(self, access: TableAccess) -> Mapping[int, Sequence[ThrownDie]]:
        """Return the dice of each player."""
        return thrown_dice(played_record(access))

    def with_dice(self, table: Table, game: Sitting, action: Action, throw: Throw) -> Action:
        """Return the action; a placement gets the die that the app has already thrown."""
        is_thrown = table.dice == ROLLED and action.do == "place"
        return action._replace(die=game.thrown) if is_thrown else action

    def chooses_starter(self, table: Table) -> bool:
        """Return True for a single game; a relay lets the players choose at its first game."""
        return table.game != RELAY

    def deciding_players(self, game: Sitting) -> Sequence[int]:
        """Return the player to move, if the app has thrown their die."""
        return [game.player or 0] if game.thrown and game.phase == "turn" else []

    def next_with_real_dice(
        self, game: Sitting, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """Return the skip of a player who can place no number and so need not throw; else None."""
        if game.phase != "turn" or game.game is None or any(game.game.legal().values()):
            return None
        return Action("skip", game.player or 0)

    def next_with_app_dice(
        self, table: Table, game: Sitting, bots: Mapping[int, str], throw: Throw
    ) -> Action | None:
        """Return the next automatic action; None if a person or a hard bot has to decide.

        It is the throw for the player to move, the skip if the die fits nowhere, or the move of an
        easy or medium bot.
        """
        if game.phase == "throw":
            return Action("throw", game.player or 0, die=throw())
        if game.phase == "turn" and game.game and not legal_fields(game.game, game.thrown):
            return Action("skip", game.player or 0)
        if game.phase != "turn" or game.player is None:
            return None
        bot = bots.get(game.player, HARD)
        return None if bot == HARD else self.choose(game, game.player, bot)

    def thinker(self, game: Sitting, bots: Mapping[int, str]) -> int | None:
        """Return the player to move if it is a hard bot, else None."""
        if game.phase != "turn" or game.player is None or bots.get(game.player) != HARD:
            return None
        return game.player

    def title(self, table: Table) -> str:
        """Return the name of the game, or of the relay with its target."""
        return dice2_words.title_of(table)

    def dice_words(self, table: Table) -> str:
        """Return whether the app or the players roll the dice, in words."""
        return _("dice rolled by the app") if table.dice == ROLLED else _("real dice")

    def interpret(self, table: Table, state: LogState[Sitting], sent: Action) -> Action | Show:
        """Return the act as it was sent; for a question about a field, the page that answers it.

        Browsers without script send such a question as an act.

        Raises:
            Malformed: the act begins a game that this number of players cannot play.
            Incomplete: the number of a real die is missing.
        """
        if sent.do == WHY:
            return Show({WHY: sent.at})
        if sent.do == "begin":
            if sent.shape not in kinds_for(len(state.game.players)):
                raise Malformed("no such game")
        elif not sent.die and table.dice != ROLLED:
            raise Incomplete("no-number")
        return sent

    def explain(self, violation: RuleViolation, names: tuple[str, ...]) -> Explanation:
        """Explain a violation; rules that are not special to Dice² link to the chapter of Dice²."""
        rule, facts = violation.rule, violation.facts
        anchor = rule if rule in RULES else "chapter-dice2"
        at, by = str(facts.get("at", "")), str(facts.get("by", ""))
        return Explanation(explain_dice2(violation, names), rule, anchor, at, by)

    def view(self, access: TableAccess, query: PageQuery = PageQuery()) -> BoardView:  # noqa: B008  immutable
        """Return the view model of the board for a device."""
        return view_board(access, asked=query.why)

    def play_page(self, access: TableAccess, query: PageQuery) -> Page:
        """Return the page of play, with the state for its script."""
        view = self.view(access, query)
        return Page("dice2/play.html", PLAY_FRAGMENTS, {"view": view, "state": view.script_state})

    def screen_page(self, access: TableAccess) -> Page:
        """Return the page of the screen."""
        context = {"view": self.view(access)} if access.table.has_started else {}
        return Page("dice2/screen.html", ("dice2/_screen.html",), context)

    def replay_page(self, access: TableAccess, at: int) -> Page:
        """Return the page of the replay after ``at`` moves."""
        return Page(
            "dice2/history.html", ("dice2/_history.html",), {"replay": replay_to(access, at)}
        )

    def entry_sentence(self, replayed: Replayed[Sitting]) -> str:
        """Return an entry of the log in words; empty for a throw, which the next one includes."""
        return moves.log_sentence(replayed)

    def effect_sentences(self, replayed: Replayed[Sitting]) -> list[str]:
        """Return the effects of an entry: lines that score, and the end of a game."""
        return moves.entry_effects(replayed)

    def document(self, access: TableAccess) -> Document:
        """Return the game as ``dice2-game/1``, or the relay as ``dice2-relay/1``."""
        played = format_played(access, proof_of(access))
        return Document(played, f"dice2-{slugify(game_name(access.table.game))}")
