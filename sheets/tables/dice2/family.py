"""How does Dice² show itself at a table: its pages, its words, its files?"""

from __future__ import annotations

from typing import Final

from django.utils.text import slugify
from django.utils.translation import gettext as _

from sheets.models import Table
from sheets.rules import Action, RuleViolation
from sheets.rules.dice2.game import RULES
from sheets.rules.dice2.relay import kinds_for
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.access import TableAccess
from sheets.tables.dice2 import moves
from sheets.tables.dice2 import words as dice2_words
from sheets.tables.dice2.board_view import BoardView, view_board
from sheets.tables.dice2.files import format_played
from sheets.tables.dice2.replay import replay_to
from sheets.tables.family import Document, Explanation, Incomplete, Malformed, Page, Show, Wishes
from sheets.tables.forms import WHY, Dice2ActForm
from sheets.tables.log import LogState
from sheets.tables.playing import ROLLED
from sheets.tables.replay import Replayed
from sheets.texts.dice2.refusals import explain_dice2
from sheets.texts.rulebook.games import game_name

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


class Dice2:
    """A game of Dice² or a relay at a table, see `Family`."""

    act_form = Dice2ActForm

    def title(self, table: Table) -> str:
        """The game, or the relay and its target."""
        return dice2_words.title_of(table)

    def dice_words(self, table: Table) -> str:
        """Who throws."""
        return _("dice rolled by the app") if table.dice == ROLLED else _("real dice")

    def who_starts(self, table: Table) -> str:
        """The rules leave it open."""
        return _("Who starts?")

    def meant(self, table: Table, state: LogState[Sitting], sent: Action) -> Action | Show:
        """An act as it was sent; without script, asking about a field is a tap like any other."""
        if sent.do == WHY:
            return Show({WHY: sent.at})
        if sent.do == "begin":
            if sent.shape not in kinds_for(len(state.game.players)):
                raise Malformed("no such game")
        elif not sent.die and table.dice != ROLLED:
            raise Incomplete("no-number")
        return sent

    def explain(self, violation: RuleViolation, names: tuple[str, ...]) -> Explanation:
        """The rule that refused; those of the table itself stand in the chapter of Dice²."""
        rule, facts = violation.rule, violation.facts
        anchor = rule if rule in RULES else "chapter-dice2"
        at, by = str(facts.get("at", "")), str(facts.get("by", ""))
        return Explanation(explain_dice2(violation, names), rule, anchor, at, by)

    def view(self, access: TableAccess, wishes: Wishes = Wishes()) -> BoardView:  # noqa: B008  immutable
        """The board."""
        return view_board(access, asked=wishes.why)

    def page(self, access: TableAccess, wishes: Wishes) -> Page:
        """The board, which also says who has won."""
        return self.play_page(access, wishes)

    def play_page(self, access: TableAccess, wishes: Wishes) -> Page:
        """The board with everything around it."""
        view = self.view(access, wishes)
        return Page("dice2/play.html", PLAY_FRAGMENTS, {"view": view, "state": view.script_state})

    def screen_page(self, access: TableAccess) -> Page:
        """The board."""
        context = {"view": self.view(access)} if access.table.has_started else {}
        return Page("dice2/screen.html", ("dice2/_screen.html",), context)

    def replay_page(self, access: TableAccess, at: int) -> Page:
        """The board after a move."""
        return Page(
            "dice2/history.html", ("dice2/_history.html",), {"replay": replay_to(access, at)}
        )

    def entry_sentence(self, replayed: Replayed[Sitting]) -> str:
        """An entry of the log in words; a throw is told by its move."""
        return moves.log_sentence(replayed)

    def effect_sentences(self, replayed: Replayed[Sitting]) -> list[str]:
        """Lines that pay, and how a game ended."""
        return moves.told_effects(replayed)

    def document(self, access: TableAccess) -> Document:
        """A ``dice2-game/1`` or ``dice2-relay/1``."""
        return Document(format_played(access), f"dice2-{slugify(game_name(access.table.game))}")

    def sheets(self, access: TableAccess) -> None:
        """There are none."""
