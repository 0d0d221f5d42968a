"""Interface between a table and the game that it plays: rules, pages, texts and files.

Dizzle and Dice² implement it. `family_of` imports them by name, else imports would be circular:
they import the modules that load and write logs, and these call `family_of` for the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import islice
from random import SystemRandom
from typing import Any, Final, Generic, NamedTuple, Protocol

from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from sheets.dice_sequence import SHARED_DICE, ThrownDie, dice, label_of
from sheets.models import Table
from sheets.rules import Action, Game, Level, RuleViolation
from sheets.tables.access import TableAccess
from sheets.tables.bots import HARD, MEDIUM, bots_at
from sheets.tables.event_log import G, Loaded, LogState
from sheets.tables.forms import ActForm
from sheets.tables.replay import Replayed
from sheets.tables.table_settings import is_dice2

DIZZLE: Final = "sheets.tables.dizzle.Dizzle"
"""Path of the class of Dizzle."""
DICE2: Final = "sheets.tables.dice2.family.Dice2"
"""Path of the class of Dice²."""

Throw = Callable[[], int]
"""Function that throws one die."""


class PageQuery(NamedTuple):
    """Parameters in the query of a page's address; impossible values are ignored.

    Attributes:
        seat: the seat that acts.
        shown: the player whose sheet is large.
        at: the field for which a track is chosen.
        why: the field of a Dice² board about which the user asks what may go there.
    """

    seat: int | None = None
    shown: int | None = None
    at: str = ""
    why: str = ""


class Page(NamedTuple):
    """A page: its template, the templates of its changing fragments, and the context of all.

    The id of a fragment's root element is the stem of its template's file name.

    Attributes:
        stage: ``play`` or ``over``; a client with a page of another stage reloads it.
        cache_keys: by template of a fragment, a function that reads all that the fragment shows of
            the view; the fragment is rendered again when the result has changed. A fragment
            without one is rendered each time.
    """

    template: str
    fragments: Sequence[str]
    context: Mapping[str, Any]
    stage: str = "play"
    cache_keys: Mapping[str, Callable[[Any], object]] = {}


class Show(NamedTuple):
    """Redirect to the page with this query, for a request that only asks to see something."""

    query: Mapping[str, str]


class Incomplete(Exception):
    """A sent act lacks something, such as a number; ``reason`` as in `sentences.refusal`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Malformed(Exception):
    """A sent act does not exist in this game."""


class Explanation(NamedTuple):
    """Why a rule refused: a sentence, the rule's name, and its anchor on the page of the rules.

    ``at`` is the refused field. ``by`` are the fields of the dice in the way, separated by spaces.
    Both are empty for none.
    """

    sentence: str
    rule: str
    anchor: str
    at: str
    by: str = ""


class Document(NamedTuple):
    """A game as a document; its file is named after the ``level``, else ``name``."""

    content: Mapping[str, Any]
    name: str
    level: Level | None = None


class View(Protocol):
    """A running or finished game as a device sees it: the members that all games have in common."""

    @property
    def call(self) -> str:
        """Key of the current call to act; empty while no player on this device is awaited.

        When it changes, the page notifies the players.
        """
        ...

    @property
    def call_sentence(self) -> str:
        """What the call asks for, in a few words."""
        ...

    @property
    def rounds_sentence(self) -> str:
        """How far the game has advanced, as a sentence."""
        ...

    @property
    def result(self) -> str:
        """The result in a few words; only for a finished game."""
        ...


class GameFamily(ABC, Generic[G]):
    """A game family at a table: its rules, as far as a table needs them, and its pages and texts.

    Log, seats, undo and proposals of a table are the same for all families.
    """

    act_form: type[ActForm]
    """The form of the acts that the game's pages can send."""

    keeps_dice_of_one = False
    """Whether a lone player may not go back before a roll of the app, which would come again."""

    # Rules --------------------------------------------------------------------------------------

    @abstractmethod
    def start(self, table: Table, names: Sequence[str]) -> G:
        """Return the game before its first action."""

    def chooses_starter(self, table: Table) -> bool:
        """Return whether the players choose before the game which seat starts it."""
        return True

    @abstractmethod
    def may_act(self, game: G, action: Action, access: TableAccess) -> bool:
        """Return whether a device may do an action, which names the player who acts."""

    @abstractmethod
    def awaited(self, state: LogState[G]) -> Sequence[int]:
        """Return the players whose act the game waits for, including those who have left."""

    @abstractmethod
    def decided_for(self, state: LogState[G], action: Action) -> Collection[int]:
        """Return the players who may decide on an action; others may only if these are absent."""

    @abstractmethod
    def actor_of(self, game: G, action: Action) -> int | None:
        """Return the player to whom an action belongs, None if it belongs to no player."""

    def is_chosen(self, action: Action) -> bool:
        """Return whether a player chose the action; False if it happened automatically."""
        return True

    @abstractmethod
    def is_throw(self, action: Action) -> bool:
        """Return whether the action throws dice; no undo once players have seen them."""

    @abstractmethod
    def undo_limit(self, state: LogState[G]) -> int:
        """Return the number of the last entry that undo cannot take back."""

    def next_thrower(self, game: G) -> int:
        """Return the player whose dice are thrown next; `SHARED_DICE` if all use the same dice."""
        return SHARED_DICE

    def throws(self, table: Table, state: LogState[G]) -> Throw:
        """Return a function that throws a die; it first repeats the dice that were taken back.

        The dice are those of the table's seed, until a finished game has shown the seed.
        """
        thrower = self.next_thrower(state.game)
        if not table.dice_seed or state.revealed is not None:
            taken_back = iter(state.taken_back_dice(thrower))
            return lambda: next(taken_back, 0) or _throw()
        sequence = dice(bytes.fromhex(table.dice_seed), self.dice_label(table, thrower))
        further = islice(sequence, state.throws.get(thrower, 0), None)
        return lambda: next(further)

    def dice_label(self, table: Table, thrower: int) -> str:
        """Return the label of the dice sequence of a seat, or of `SHARED_DICE`."""
        contributions = table.contributions.split(",")
        if thrower == SHARED_DICE:
            return label_of(contributions)
        return label_of(contributions, (thrower - self.first_seat(table)) % len(contributions))

    def first_seat(self, table: Table) -> int:
        """Return the seat of the first player in the document of a game that has begun."""
        return table.starter if self.chooses_starter(table) else 0

    @abstractmethod
    def dice_of(self, table: Table, action: Action) -> tuple[int, ...]:
        """Return the dice that an action throws, or that a player typed in with it."""

    @abstractmethod
    def thrown(self, access: TableAccess) -> Mapping[int, Sequence[ThrownDie]]:
        """Return all dice in the game's document, by its players or for `SHARED_DICE`."""

    @abstractmethod
    def with_dice(self, table: Table, game: G, action: Action, throw: Throw) -> Action:
        """Return the action; with the app's dice if it needs dice and the app rolls."""

    def with_dice_for_bot(self, table: Table, game: G, action: Action, throw: Throw) -> Action:
        """Return a bot's action with the app's dice; with real dice it must not be a reroll."""
        return self.with_dice(table, game, action, throw)

    @abstractmethod
    def deciding_players(self, game: G) -> Sequence[int]:
        """Return the players with a decision that a bot could take for them."""

    @staticmethod
    @abstractmethod
    def choose(game: G, player: int, strength: str, /) -> Action:
        """Return the action of a bot of a strength for a player, without the app's dice."""

    @staticmethod
    @abstractmethod
    def think(game: G, player: int, /) -> Sequence[Action]:
        """Return the actions of a hard bot for a player, in order, without the app's dice.

        Workers of the process pool run it: it must be a function of a module with few imports.
        """

    def stand_in(self, game: G, player: int) -> Action:
        """Return the action for an absent player; by default a medium bot chooses it."""
        return self.choose(game, player, MEDIUM)

    @abstractmethod
    def next_with_real_dice(
        self, game: G, done: Collection[int], bots: Mapping[int, str]
    ) -> Action | None:
        """Return the next automatic action at a table whose players roll real dice, or None.

        ``done`` are the players who are done with the pass or absent. ``bots`` are the strengths,
        by seat, of the bots that play on for players who have left.
        """

    @abstractmethod
    def next_with_app_dice(
        self, table: Table, game: G, bots: Mapping[int, str], throw: Throw
    ) -> Action | None:
        """Return the next automatic action at a table whose dice the app rolls, or None.

        ``bots`` are the strengths by seat. Hard bots decide in the background, not here.
        """

    @abstractmethod
    def thinker(self, game: G, bots: Mapping[int, str]) -> int | None:
        """Return the player whose hard bot has to decide next, None for none."""

    # Pages and texts ----------------------------------------------------------------------------

    @abstractmethod
    def title(self, table: Table) -> str:
        """Return the name of the level or game that the table plays."""

    @abstractmethod
    def dice_words(self, table: Table) -> str:
        """Return whose dice are used."""

    def who_starts(self, table: Table) -> str:
        """Return the question “Who starts?”."""
        return _("Who starts?")

    @abstractmethod
    def interpret(self, table: Table, state: LogState[G], sent: Action) -> Action | Show:
        """Return the action that an act sent by a page means in this state.

        Raises:
            Malformed, Incomplete: the act has no meaning, or lacks something.
        """

    @abstractmethod
    def explain(self, violation: RuleViolation, names: tuple[str, ...]) -> Explanation:
        """Return why a rule refused an act."""

    @abstractmethod
    def view(self, access: TableAccess, query: PageQuery = ...) -> View:
        """Return a game that has begun as a device sees it."""

    def page(self, access: TableAccess, query: PageQuery) -> Page:
        """Return the page of a game that has begun: of play, or another one after its end."""
        return self.play_page(access, query)

    @abstractmethod
    def play_page(self, access: TableAccess, query: PageQuery) -> Page:
        """Return the page of play, which stays after the end until the user opens the results.

        Its context has ``view``, and ``state``: the data for the page's script.
        """

    @abstractmethod
    def screen_page(self, access: TableAccess) -> Page:
        """Return the page for the big screen, also before the game has begun."""

    @abstractmethod
    def replay_page(self, access: TableAccess, at: int) -> Page:
        """Return the page of the game after ``at`` of its acts, or after all if it has fewer."""

    @abstractmethod
    def entry_sentence(self, replayed: Replayed[G]) -> str:
        """Return an entry of the log as a sentence; empty if another entry's sentence covers it."""

    @abstractmethod
    def effect_sentences(self, replayed: Replayed[G]) -> list[str]:
        """Return the effects of an entry as sentences, without what its own sentence states."""

    @abstractmethod
    def document(self, access: TableAccess) -> Document:
        """Return the game of a table as a document."""

    def load_sheets(self, access: TableAccess) -> Loaded[Game] | None:
        """Return the game whose sheets can be exported; None for games without sheets."""
        return None


def family_of(table: Table) -> GameFamily[Any]:
    """Return the game family of a table.

    The log of a table contains only games of its own family; types cannot express that.
    """
    return _family(DICE2 if is_dice2(table) else DIZZLE)


@cache
def _family(path: str) -> GameFamily[Any]:
    family: GameFamily[Any] = import_string(path)()
    return family


def thinker_at(access: TableAccess, state: LogState[Any]) -> int | None:
    """Return the seat whose hard bot has to decide next, None for none."""
    if not access.table.has_started:
        return None
    bots = bots_at(access)
    if HARD not in bots.values():
        return None
    return family_of(access.table).thinker(state.game, bots)


def _throw() -> int:
    """Return one throw of a die."""
    return SystemRandom().randint(1, 6)
