"""Presentation of Dizzle at a table: pages, texts and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Final

from django.utils.translation import gettext as _

from sheets.models import Table
from sheets.rules import Action, Game, RuleViolation
from sheets.rules.documents.game import Record, format_game
from sheets.tables import reading
from sheets.tables.access import TableAccess
from sheets.tables.family import Document, Explanation, Malformed, Page, Show, Wishes
from sheets.tables.forms import DizzleActForm
from sheets.tables.heard import announcements
from sheets.tables.log import LogState
from sheets.tables.playing import DIZZLE, MIRRORED, ROLLED, level_of
from sheets.tables.reading import Loaded
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
from sheets.tables.seating import begins_again_at_once, next_starter
from sheets.tables.taps import taps_of
from sheets.texts.players import join_names
from sheets.texts.refusals import explain
from sheets.texts.symbols import in_language

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
"""Templates of the fragments of the page of play, which change during the game."""

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
        "lately",
        "says",
        "shows_dice",
    ),
    "table/_hurry.html": attrgetter("going_on"),
    "table/_claim.html": attrgetter("going_on.claims"),
    "table/_pause.html": lambda _view: (),
    "table/_proposal.html": attrgetter("answered", "going_on", "proposal"),
    "table/_bar.html": attrgetter(
        "advice",
        "advised",
        "can_end_for_all",
        "can_undo",
        "forward_from",
        "game.dice_to_roll",
        "game.is_finished",
        "game.phase",
        "going_on",
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
"""Members of a `SeatView` that each fragment shows.

`_people` has none: its small sheets change with each tap.
"""


class Dizzle:
    """Dizzle at a table, see `Family`."""

    act_form = DizzleActForm

    def title(self, table: Table) -> str:
        """Return the level's name."""
        return in_language(level_of(table).name)

    def dice_words(self, table: Table) -> str:
        """Return whose dice are used, and whether hints are allowed."""
        if table.dice == MIRRORED:
            return _("dice on the table")
        dice = _("dice rolled by the app") if table.dice == ROLLED else _("dice typed in")
        return _("%(dice)s, hints allowed") % {"dice": dice} if table.has_advice else dice

    def who_starts(self, table: Table) -> str:
        """Return the question who starts; before the game it recalls the rule ``start-order``."""
        return _("Who starts?") if table.has_started else _("Who starts? The youngest?")

    def meant(self, table: Table, state: LogState[Game], sent: Action) -> Action | Show:
        """Return the act of a tap, as `taps_of` says; a track needs its piece first, see `Show`."""
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

    def view(self, access: TableAccess, wishes: Wishes = Wishes()) -> SeatView:  # noqa: B008  immutable
        """Return the view with one sheet large and the others small."""
        return view_seat(access, seat=wishes.seat, shown=wishes.shown, at=wishes.at)

    def page(self, access: TableAccess, wishes: Wishes) -> Page:
        """Return the page of play, or the results of a finished game."""
        is_finished = reading.load(access).state.game.is_finished
        return self._results_page(access) if is_finished else self.play_page(access, wishes)

    def play_page(self, access: TableAccess, wishes: Wishes) -> Page:
        """Return the page with the sheet and everything around it."""
        view = self.view(access, wishes)
        stage = "over" if view.game.is_finished else "play"
        context = {
            "view": view,
            "state": {**view.script_state, "heard": announcements(view)},
        }
        return Page("table/play.html", PLAY_FRAGMENTS, context, stage, CACHE_KEYS)

    def screen_page(self, access: TableAccess) -> Page:
        """Return the big screen with all sheets."""
        context: dict[str, object] = {"level": level_of(access.table)}
        if access.table.has_started:
            context |= {"view": self.view(access), "scoreboard": scoreboard_of(access)}
        return Page("table/screen.html", ("table/_screen.html",), context)

    def replay_page(self, access: TableAccess, at: int) -> Page:
        """Return the page with all sheets after an act."""
        return show_record(reading.record_of(access), at)

    def entry_sentence(self, replayed: Replayed[Game]) -> str:
        """Return an entry of the log as a sentence."""
        return sentence_of(replayed)

    def effect_sentences(self, replayed: Replayed[Game]) -> list[str]:
        """Return the effects of an entry as sentences."""
        game = replayed.after.game
        return [line.text for line in effect_lines(effects_of(replayed), game)]

    def document(self, access: TableAccess) -> Document:
        """Return the game as a ``dizzle-game/1``."""
        record = reading.record_of(access)
        return Document(format_game(record), "game", record.level)

    def sheets(self, access: TableAccess) -> Loaded[Game]:
        """Return the game with its sheets, which can be printed and scored."""
        return reading.load_game(access, DIZZLE)

    def _results_page(self, access: TableAccess) -> Page:
        """Return the results: who has won and why, and the sheets."""
        loaded = reading.load_game(access, DIZZLE)
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
            "begins_again_at_once": begins_again_at_once(access),
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
