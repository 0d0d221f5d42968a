"""Interface between a table and the presentation of the game it plays.

`Playing` is the interface to the rules of a game; a `Family` presents it: pages, texts, files.
Dizzle and Dice² have one each, and `games` returns the one of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from sheets.models import Table
from sheets.rules import Action, Game, Level, RuleViolation
from sheets.tables.access import TableAccess
from sheets.tables.forms import ActForm
from sheets.tables.log import G, LogState
from sheets.tables.reading import Loaded
from sheets.tables.replay import Replayed


class Wishes(NamedTuple):
    """What the query of a page's address asks for; values that cannot be are ignored.

    Attributes:
        seat: the seat that acts.
        shown: the player whose sheet is large.
        at: the field for which a track is chosen.
        why: the field that the user asks about.
    """

    seat: int | None = None
    shown: int | None = None
    at: str = ""
    why: str = ""


class Page(NamedTuple):
    """A page: its template, those of the fragments that change, and their context.

    The id of a fragment's root element is the stem of its file name.

    Attributes:
        stage: ``play`` or ``over``; a client with a page of another stage reloads it.
        cache_keys: for some fragments a function that reads all that the fragment shows of the
            view; the fragment is rendered again when the result has changed.
    """

    template: str
    fragments: Sequence[str]
    context: Mapping[str, Any]
    stage: str = "play"
    cache_keys: Mapping[str, Callable[[Any], object]] = {}


class Show(NamedTuple):
    """Redirect to an address with this query, for a request that only asks to see something."""

    query: Mapping[str, str]


class Incomplete(Exception):
    """An act that lacks something; ``reason`` as in `words.refusal`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Malformed(Exception):
    """An act that the game does not have."""


class Explanation(NamedTuple):
    """Why a rule refused: a sentence, the rule's name, and its anchor on the page of the rules.

    ``at`` is the field it is about, ``by`` are the fields of the dice in the way; empty for none.
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
        """Identifies one call of this device to act; empty while no player here is awaited."""
        ...

    @property
    def rounds_sentence(self) -> str:
        """How far the game has advanced, as a sentence."""
        ...

    @property
    def result(self) -> str:
        """The result in a few words; only for a finished game."""
        ...


class Family(Protocol[G]):
    """Presentation of a game at a table."""

    @property
    def act_form(self) -> type[ActForm]:
        """The form of the acts that the game's pages can send."""
        ...

    def title(self, table: Table) -> str:
        """Return what the table plays."""
        ...

    def dice_words(self, table: Table) -> str:
        """Return whose dice are used."""
        ...

    def who_starts(self, table: Table) -> str:
        """Return the question who starts the game."""
        ...

    def meant(self, table: Table, state: LogState[G], sent: Action) -> Action | Show:
        """Return the action that an act sent by a page means in this state.

        Raises:
            Malformed, Incomplete: the act has no meaning, or lacks something.
        """
        ...

    def explain(self, violation: RuleViolation, names: tuple[str, ...]) -> Explanation:
        """Return why a rule refused an act."""
        ...

    def view(self, access: TableAccess, wishes: Wishes = ...) -> View:
        """Return the view of a device on a game that has begun."""
        ...

    def page(self, access: TableAccess, wishes: Wishes) -> Page:
        """Return the page of a game that has begun: of play, or another one after its end."""
        ...

    def play_page(self, access: TableAccess, wishes: Wishes) -> Page:
        """Return the page of play, which stays after the end until the user opens the results.

        Its context has ``state``: what the page's script needs.
        """
        ...

    def screen_page(self, access: TableAccess) -> Page:
        """Return the big screen, also before the game has begun."""
        ...

    def replay_page(self, access: TableAccess, at: int) -> Page:
        """Return the page of the game after ``at`` of its acts, or after all if it has fewer."""
        ...

    def entry_sentence(self, replayed: Replayed[G]) -> str:
        """Return an entry of the log as a sentence; empty if another entry's sentence covers it."""
        ...

    def effect_sentences(self, replayed: Replayed[G]) -> list[str]:
        """Return the effects of an entry as sentences, without what its own sentence states."""
        ...

    def document(self, access: TableAccess) -> Document:
        """Return the game of a table as a document."""
        ...

    def sheets(self, access: TableAccess) -> Loaded[Game] | None:
        """Return the game whose sheets can be exported; None for games without sheets."""
        ...
