"""What does everything around a table ask about the game it plays?

`Playing` is what is asked to play it; a `Family` shows it: pages, words, files. There is one for
Dizzle and one for Dice², and `games` knows which is whose.
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
    """What a page is asked to show by its address.

    ``seat`` is the one that acts, ``shown`` the player whose sheet is large, ``at`` the field a
    track is chosen for, ``why`` the field somebody asks about. What cannot be is not shown.
    """

    seat: int | None = None
    shown: int | None = None
    at: str = ""
    why: str = ""


class Page(NamedTuple):
    """A page: its template, those of the fragments that change, and what they are rendered with.

    A fragment's root has its file's stem as id. ``stage`` is ``play`` or ``over``; who has a page
    of another stage loads it anew. ``cache_keys`` has a function for some fragments: it reads all
    that the fragment shows of the view, and the fragment is rendered again when that has changed.
    """

    template: str
    fragments: Sequence[str]
    context: Mapping[str, Any]
    stage: str = "play"
    cache_keys: Mapping[str, Callable[[Any], object]] = {}


class Show(NamedTuple):
    """Somebody did not act but asked for something: it is shown at an address with this query."""

    query: Mapping[str, str]


class Incomplete(Exception):
    """Something has to be said before this act; ``reason`` as in `words.refusal`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Malformed(Exception):
    """The game has no such act."""


class Explanation(NamedTuple):
    """Why a rule refused: the sentence, the rule's name, and its place on the page of the rules.

    ``at`` is the field it is about, ``by`` are those of the dice in the way; empty for none.
    """

    sentence: str
    rule: str
    anchor: str
    at: str
    by: str = ""


class Document(NamedTuple):
    """A game as a document; the file is named after its ``level``, else it has a ``name``."""

    content: Mapping[str, Any]
    name: str
    level: Level | None = None


class View(Protocol):
    """A begun table through one device, as far as all games have it in common."""

    @property
    def call(self) -> str:
        """Tells one summons of this device from the next; empty while nobody here is awaited."""
        ...

    @property
    def rounds_sentence(self) -> str:
        """How far the game is."""
        ...

    @property
    def result(self) -> str:
        """How it has ended, short; of a game that goes on it is not asked."""
        ...


class Family(Protocol[G]):
    """How a game shows itself at a table."""

    @property
    def act_form(self) -> type[ActForm]:
        """The acts that its pages can send."""
        ...

    def title(self, table: Table) -> str:
        """What a table plays."""
        ...

    def dice_words(self, table: Table) -> str:
        """With which dice."""
        ...

    def who_starts(self, table: Table) -> str:
        """The question who starts the game."""
        ...

    def meant(self, table: Table, state: LogState[G], sent: Action) -> Action | Show:
        """What an act that a page has sent means at the moment.

        Raises:
            Malformed, Incomplete: it means nothing, or nothing yet.
        """
        ...

    def explain(self, violation: RuleViolation, names: tuple[str, ...]) -> Explanation:
        """Why a rule refused an act."""
        ...

    def view(self, access: TableAccess, wishes: Wishes = ...) -> View:
        """A begun table as a device sees it."""
        ...

    def page(self, access: TableAccess, wishes: Wishes) -> Page:
        """The page of a begun table: that of play, or another one when the game is over."""
        ...

    def play_page(self, access: TableAccess, wishes: Wishes) -> Page:
        """The page of play, which stays after the end until one goes on to the results.

        Its context has ``state``: what the page's script needs.
        """
        ...

    def screen_page(self, access: TableAccess) -> Page:
        """The big screen, before the game has begun, too."""
        ...

    def replay_page(self, access: TableAccess, at: int) -> Page:
        """The game after ``at`` of its acts, or as many as there are."""
        ...

    def entry_sentence(self, replayed: Replayed[G]) -> str:
        """An entry of the log in words, empty where another one tells it."""
        ...

    def effect_sentences(self, replayed: Replayed[G]) -> list[str]:
        """What followed from an entry, without what it says itself."""
        ...

    def document(self, access: TableAccess) -> Document:
        """What was played at a table."""
        ...

    def sheets(self, access: TableAccess) -> Loaded[Game] | None:
        """The game whose sheets can be taken along; None for games without sheets."""
        ...
