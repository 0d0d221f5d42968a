"""Dizzle at a table: rules, pages, texts and files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from operator import attrgetter
from typing import Final

from django.utils.translation import gettext as _

from sheets.bots import deciding_players
from sheets.dice_sequence import ThrownDie, dice_of, thrown_dice
from sheets.models import Table
from sheets.rules import Action, Game, RuleViolation, new_game
from sheets.rules.documents.game import Record, format_game
from sheets.tables import event_loader
from sheets.tables.access import TableAccess
from sheets.tables.announcements import announcements
from sheets.tables.bots import HARD, choose_dizzle, think_dizzle
from sheets.tables.dice_seeds import proof_of
from sheets.tables.event_log import Loaded, LogState
from sheets.tables.family import (
    Document,
    Explanation,
    GameFamily,
    Malformed,
    Page,
    PageQuery,
    Show,
    Throw,
)
from sheets.tables.forms import DizzleActForm
from sheets.tables.replay import (
    Replayed,
    effect_lines,
    effects_of,
    replay_to,
    sentence_of,
    story_of,
)
from sheets.tables.scoreboard import Scoreboard, scoreboard_of
from sheets.tables.seat_view import SeatView, view_seat
from sheets.tables.seating import next_starter, rematch_begins_at_once
from sheets.tables.table_settings import MIRRORED, ROLLED, level_of
from sheets.tables.taps import taps_of
from sheets.text.house_rules import level_title
from sheets.text.player_names import join_names
from sheets.text.refusals import explain

PLAY_FRAGMENTS: Final = (
    "table/_rounds.html",
    "table/_people.html",
    "table/_notice.html",
    "table/_hurry.html",
    "table/_claim.html",
    "table/_pause.html",
    "table/_proposal.html",
    "table/_bar.html",
    "table/_story.html",
    "table/_points.html",
)
"""Templates of the page of play's fragments, which change during the game."""

CACHE_KEYS: Final[Mapping[str, Callable[[SeatView], object]]] = {
    "table/_rounds.html": attrgetter("rounds", "rounds_sentence"),
    "table/_notice.html": attrgetter(
        "awaits_bot",
        "dice_too_many",
        "eruption",
        "extra_dice",
        "game.is_finished",
        "game.pool",
        "is_asked",
        "recent_acts",
        "status",
        "shows_dice",
    ),
    "table/_hurry.html": attrgetter("presence"),
    "table/_claim.html": attrgetter("presence.claims"),
    "table/_pause.html": lambda _view: (),
    "table/_proposal.html": attrgetter("answered", "presence", "proposal"),
    "table/_bar.html": attrgetter(
        "can_end_for_all",
        "can_undo",
        "forward_from",
        "game.dice_to_roll",
        "game.is_finished",
        "game.phase",
        "hint",
        "hinted_act",
        "presence",
        "is_done",
        "is_out",
        "is_own",
        "just_ended",
        "names",
        "others_here",
        "proposal",
        "proposes_from",
        "seat",
        "shapes",
        "state.moment",
        "throws_pairs",
        "track_at",
        "undo_entry",
        "what",
    ),
    "table/_story.html": attrgetter("story"),
    "table/_points.html": attrgetter("has_paper", "score", "seat", "shown_name"),
}
"""Functions that read what a fragment shows of a `SeatView`, by template (`Page.cache_keys`).

The fragment ``_people`` has none, so it is always rendered: its small sheets change with each tap.
"""


class Dizzle(GameFamily[Game]):
    """Dizzle on a level."""

    act_form = DizzleActForm
    choose = staticmethod(choose_dizzle)
    think = staticmethod(think_dizzle)

    def start(self, table: Table, names: Sequence[str]) -> Game:
        """Return the game before its first action."""
        return new_game(level_of(table), tuple(names), tracked=table.dice != MIRRORED)

    def may_act(self, game: Game, action: Action, access: TableAccess) -> bool:
        """Return whether a device may do an action.

        It may act for its own seats. Only the host ends a pass; the host may also roll.
        """
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
        """Return the player who acts or rolls; for a pass end, all who are still placing."""
        if action.do == "end_pass":
            return self.awaited(state)
        return [action.player if action.player >= 0 else state.game.start_player]

    def actor_of(self, game: Game, action: Action) -> int | None:
        """Return the player who acts; for rolls the start player.

        None for a correction and for the end of a pass.
        """
        if action.do == "correct":
            return None
        if action.player >= 0:
            return action.player
        return None if action.do == "end_pass" else game.start_player

    def is_throw(self, action: Action) -> bool:
        """Return whether the action is a roll of any kind."""
        return bool(action.dice) or action.do == "erupt"

    def undo_limit(self, state: LogState[Game]) -> int:
        """Return the last entry before this pass: a pass end changes all sheets."""
        return state.pass_began_after

    def dice_of(self, table: Table, action: Action) -> tuple[int, ...]:
        """Return the dice of a roll of any kind."""
        return dice_of(action)

    def thrown(self, access: TableAccess) -> Mapping[int, Sequence[ThrownDie]]:
        """Return the shared dice."""
        return thrown_dice(event_loader.record_of(access))

    def with_dice(self, table: Table, game: Game, action: Action, throw: Throw) -> Action:
        """Return the action; if it is a roll and the app rolls, with dice from ``throw``."""
        if table.dice != ROLLED or action.do not in ("roll", "reroll", "extra", "erupt"):
            return action
        thrown = tuple(throw() for _ in range(game.dice_to_roll))
        if action.do == "erupt":
            return action._replace(die=thrown[0] if thrown else 1)
        return action._replace(dice=thrown)

    def with_dice_for_bot(self, table: Table, game: Game, action: Action, throw: Throw) -> Action:
        """Return a bot's action, with the app's dice in a reroll.

        With real dice a drop-out replaces the reroll, as no player rolls dice for a bot.
        """
        if table.dice == ROLLED:
            return self.with_dice(table, game, action, throw)
        return _without_reroll(action)

    def deciding_players(self, game: Game) -> Sequence[int]:
        """Return all players with a decision to take."""
        return deciding_players(game)

    def stand_in(self, game: Game, player: int) -> Action:
        """Drop out of the pass if possible, else act like a medium bot."""
        if "drop" in game.may():
            return Action("drop", player)
        return super().stand_in(game, player)

    def next_with_real_dice(
        self, game: Game, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """Return the move of an easy or medium bot, or the pass end once all players are done."""
        for player in deciding_players(game):
            if bots.get(player, HARD) != HARD:
                return _without_reroll(self.choose(game, player, bots[player]))
        if game.phase != "open":
            return None
        waiting = any(
            not sheet.is_out and player not in done for player, sheet in enumerate(game.sheets)
        )
        return None if waiting else Action("end_pass")

    def next_with_app_dice(
        self, table: Table, game: Game, bots: Mapping[int, str], throw: Throw
    ) -> Action | None:
        """Return the roll of the extra dice, a bot's roll, or the move of an easy or medium bot."""
        if game.phase == "extra" or (game.phase in ("roll", "erupt") and game.start_player in bots):
            return self.with_dice(table, game, Action(game.phase), throw)
        for player in deciding_players(game):
            if bots.get(player, HARD) != HARD:
                action = self.choose(game, player, bots[player])
                return self.with_dice(table, game, action, throw)
        return None

    def thinker(self, game: Game, bots: Mapping[int, str]) -> int | None:
        """Return the first player with a hard bot and a decision; a pass end can have several."""
        thinking = (player for player in deciding_players(game) if bots.get(player) == HARD)
        return next(thinking, None)

    def title(self, table: Table) -> str:
        """Return the level's name and the house rules."""
        return level_title(level_of(table))

    def dice_words(self, table: Table) -> str:
        """Return whose dice are used, and whether hints are allowed."""
        if table.dice == MIRRORED:
            return _("dice on the table")
        dice = _("dice rolled by the app") if table.dice == ROLLED else _("dice typed in")
        return _("%(dice)s, hints allowed") % {"dice": dice} if table.has_advice else dice

    def who_starts(self, table: Table) -> str:
        """Return the question “Who starts?”; before the game with the rule ``start-order``."""
        return _("Who starts?") if table.has_started else _("Who starts? The youngest?")

    def interpret(self, table: Table, state: LogState[Game], sent: Action) -> Action | Show:
        """Return the action that a tap means (`taps_of`); other acts stay as they are.

        For a track it is a `Show`: the page shows the pieces to choose from. Raises Malformed for
        an eruption with real dice and no number.
        """
        if sent.do == "erupt" and not sent.die and table.dice != ROLLED:
            raise Malformed("no die")
        if sent.do != "tap":
            return sent
        do = taps_of(state, sent.player).on(sent.at)
        if do == "track":
            return Show({"seat": str(sent.player), "at": sent.at})
        return sent._replace(do=do)

    def explain(self, violation: RuleViolation, names: tuple[str, ...]) -> Explanation:
        """Return the explanation of the rule that refused."""
        at = str(violation.facts.get("at", ""))
        return Explanation(explain(violation, names), violation.rule, violation.rule, at)

    def view(self, access: TableAccess, query: PageQuery = PageQuery()) -> SeatView:  # noqa: B008  immutable
        """Return the view with one sheet large and the others small."""
        return view_seat(access, seat=query.seat, shown=query.shown, at=query.at)

    def page(self, access: TableAccess, query: PageQuery) -> Page:
        """Return the page of play, or the results of a finished game."""
        is_finished = event_loader.load(access).state.game.is_finished
        return self._results_page(access) if is_finished else self.play_page(access, query)

    def play_page(self, access: TableAccess, query: PageQuery) -> Page:
        """Return the page with the sheet and everything around it."""
        view = self.view(access, query)
        stage = "over" if view.game.is_finished else "play"
        context = {
            "view": view,
            "state": {**view.script_state, "heard": announcements(view)},
        }
        return Page("table/play.html", PLAY_FRAGMENTS, context, stage, CACHE_KEYS)

    def screen_page(self, access: TableAccess) -> Page:
        """Return the page for the big screen, with all sheets."""
        context: dict[str, object] = {"level": level_of(access.table)}
        if access.table.has_started:
            context |= {"view": self.view(access), "scoreboard": scoreboard_of(access)}
        return Page("table/screen.html", ("table/_screen.html",), context)

    def replay_page(self, access: TableAccess, at: int) -> Page:
        """Return the page with all sheets after ``at`` acts."""
        return show_record(event_loader.record_of(access), at)

    def entry_sentence(self, replayed: Replayed[Game]) -> str:
        """Return an entry of the log as a sentence."""
        return sentence_of(replayed)

    def effect_sentences(self, replayed: Replayed[Game]) -> list[str]:
        """Return the effects of an entry as sentences."""
        game = replayed.after.game
        return [line.text for line in effect_lines(effects_of(replayed), game)]

    def document(self, access: TableAccess) -> Document:
        """Return the game as a ``dizzle-game/1``."""
        record = event_loader.record_of(access)._replace(dice_proof=proof_of(access))
        return Document(format_game(record), "game", record.level)

    def load_sheets(self, access: TableAccess) -> Loaded[Game]:
        """Return the game with its sheets, which can be printed and scored."""
        return event_loader.load_game(access, Game)

    def _results_page(self, access: TableAccess) -> Page:
        """Return the results: who has won and why, and the sheets."""
        loaded = event_loader.load_game(access, Game)
        state, entries = loaded.state, loaded.entries
        acts = [entries[number - 1] for number in state.applied]
        corrected = sorted({act["player"] for act in acts if act["do"] == "correct"})
        story = story_of(state.pass_ends[-1]) if state.pass_ends else []
        context = {
            "level": state.game.level,
            "view": self.view(access),
            "scoreboard": scoreboard_of(access),
            "story": effect_lines(story, state.game),
            "seat": min(access.seats, default=None),
            "corrected": join_names([state.game.players[player] for player in corrected]),
            "next_starter": next_starter(access),
            "rematch_begins_at_once": rematch_begins_at_once(access),
        }
        return Page("table/results.html", ("table/_results.html",), context, "over")


def show_record(record: Record, at: int) -> Page:
    """Return the page of a recorded game of Dizzle after ``at`` of its acts."""
    replay = replay_to(record, at)
    game = replay.game
    lit = [replay.lit(player) for player in range(len(game.players))]
    context = {
        "replay": replay,
        "scoreboard": Scoreboard(game, replay.reached, lit),
        "story": effect_lines(replay.story, game),
    }
    return Page("table/history.html", ("table/_history.html",), context)


def _without_reroll(action: Action) -> Action:
    """Return a bot's action, with a drop-out for a reroll, as no player rolls dice for a bot."""
    return Action("drop", action.player) if action.do == "reroll" else action
