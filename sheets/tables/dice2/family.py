"""Pages, words and files of Dice² at a table."""

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
"""The changing fragments of the page of play, in the order of the page."""


class Dice2:
    """A game of Dice² or a relay at a table, see `Family`."""

    act_form = Dice2ActForm

    def title(self, table: Table) -> str:
        """Return the name of the game, or of the relay with its target."""
        return dice2_words.title_of(table)

    def dice_words(self, table: Table) -> str:
        """Return whether the app or the players roll the dice, in words."""
        return _("dice rolled by the app") if table.dice == ROLLED else _("real dice")

    def who_starts(self, table: Table) -> str:
        """Return the question who starts the game: the rules leave it to the players."""
        return _("Who starts?")

    def meant(self, table: Table, state: LogState[Sitting], sent: Action) -> Action | Show:
        """Return the act as it was sent, or the page that it requests.

        Without script, a question about a field is sent as an act. Raises Malformed for a game
        that these players cannot begin, Incomplete if the number of a real die is missing.
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
        """Explain a violation; rules of the table itself link to the chapter of Dice²."""
        rule, facts = violation.rule, violation.facts
        anchor = rule if rule in RULES else "chapter-dice2"
        at, by = str(facts.get("at", "")), str(facts.get("by", ""))
        return Explanation(explain_dice2(violation, names), rule, anchor, at, by)

    def view(self, access: TableAccess, wishes: Wishes = Wishes()) -> BoardView:  # noqa: B008  immutable
        """Return the view model of the board for a device."""
        return view_board(access, asked=wishes.why)

    def page(self, access: TableAccess, wishes: Wishes) -> Page:
        """Return the page of play, which also shows the results."""
        return self.play_page(access, wishes)

    def play_page(self, access: TableAccess, wishes: Wishes) -> Page:
        """Return the page of play, with the state for its script."""
        view = self.view(access, wishes)
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
        """Return an entry of the log in words; empty for a throw, which its move mentions."""
        return moves.log_sentence(replayed)

    def effect_sentences(self, replayed: Replayed[Sitting]) -> list[str]:
        """Return the effects of an entry: lines that score, and the end of a game."""
        return moves.entry_effects(replayed)

    def document(self, access: TableAccess) -> Document:
        """Return the game as ``dice2-game/1``, or the relay as ``dice2-relay/1``."""
        return Document(format_played(access), f"dice2-{slugify(game_name(access.table.game))}")

    def sheets(self, access: TableAccess) -> None:
        """Return None: Dice² has no sheets."""
