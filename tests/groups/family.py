"""Simulated history of a family of twenty evenings: bots play, the use cases store the games.

Next to the stored group there is a plain list of its games with the real player of each typed name,
the points and the crosses. It comes from the rules at the end of each game, never from the stored
group, so that tests can compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from django.utils import timezone

from sheets.access.keys import Access
from sheets.groups import entering, keeping, players, store
from sheets.groups.pasted import read_table
from sheets.models import Group
from sheets.rules import Game
from sheets.rules.paper import Paper
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.simulation.games import play_game
from sheets.tables import play, seating
from tests.dice2_tables import sit_down_for
from tests.stored_once import stored_once
from tests.table_games import TINY, Party, level_of, sit_down
from tests.tables.table_clients import SHORT, finished_party

FIRST: Final = date(2024, 11, 6)
EVENINGS: Final = 20
BETWEEN: Final = timedelta(days=35)
"""So they lie in three years, and the thirteenth is New Year's Eve."""

LONG: Final = "Maximiliane-Theodora von Hohenstein-Gries"[:40]
JAPANESE: Final = "美咲"

FIVE: Final = (("Ana", "Ana"), ("Ben", "Ben"), ("Ida", "Ida Maria"), ("Tom", "Tom"), ("Opa", "Opa"))
"""The five as they are typed, and who they are in the end."""

EDITED: Final[dict[str, Any]] = {**SHORT, "rounds": {"1": 3, "2": 2, "3": 2, "4": 2}}
UNEDITED: Final[dict[str, Any]] = {**SHORT, "rounds": {"1": 2, "2": 2, "3": 2, "4": 2}}


class Seat(NamedTuple):
    """Who sat there in truth, called so in the end (empty: someone), and what they came to.

    ``points`` is None in a game without; ``leads`` says of Dice² whether they have won, and is
    None where points and crosses decide. ``is_bot``: ``who`` is then no player of the group.
    ``parts`` are the points by category, ``crossed`` the fields, where there was a sheet.
    """

    who: str
    points: int | None
    crosses: int = 0
    leads: bool | None = None
    is_bot: bool = False
    parts: tuple[tuple[str, int], ...] = ()
    crossed: tuple[str, ...] = ()


class Happened(NamedTuple):
    """A game: its kind, what is said of it, and which data its level has (empty: of no level)."""

    when: datetime
    evening: date
    kind: str
    title: str
    data: str
    seats: tuple[Seat, ...]
    is_over: bool = True
    grade: int | None = None


class Family(NamedTuple):
    """The group, all games that count in the order in which they came, and who plays no more."""

    access: Access[Group]
    games: list[Happened]
    retired: frozenset[str]


class _Teller:
    """Plays and keeps, and writes down what happened."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.access = store.find(store.create("Familie Würfel & Söhne"))
        self.games: list[Happened] = []
        self.when = datetime.combine(FIRST, time(19, 30), UTC)
        self.evening = FIRST

    def begin(self, evening: int) -> None:
        """Let it be the beginning of an evening, from 0."""
        self.evening = FIRST + evening * BETWEEN
        self.when = datetime.combine(self.evening, time(19, 30), UTC)

    @contextmanager
    def later(self, minutes: int = 50) -> Iterator[None]:
        """Let it be so much later, and whatever is stored meanwhile be stored then."""
        self.when += timedelta(minutes=minutes)
        with patch.object(timezone, "now", lambda: self.when):
            yield

    def note(
        self, kind: str, title: str, data: str, seats: Sequence[Seat], **more: Any
    ) -> Happened:
        """Write down what happened now."""
        game = Happened(self.when, self.evening, kind, title, data, tuple(seats), **more)
        self.games.append(game)
        return game

    def paper(
        self,
        level: str | dict[str, Any],
        people: Sequence[tuple[str, str]],
        data: str = "",
        bot: str = "greedy",
    ) -> int:
        """Bots play, and their sheets are scored and kept; ``people`` are typed and true names."""
        found, level_id = level_of(level)
        game = play_game(found, len(people), bot, self.random)
        typed = tuple(name for name, _who in people)
        paper = Paper(found, level_id, typed, game.sheets, game.is_solo, ())
        with self.later():
            scoring = scoring_store.find(scoring_store.create_from_paper(paper)).thing
            kept = keeping.keep(self.access, scoring)
        outcome = game.outcome()
        self.note(
            "sheets",
            str(dict(found.name)["en"]),
            data or level_id,
            _seats(game, [who for _name, who in people]),
            grade=outcome.rating if outcome else None,
        )
        return kept.number

    def table(self, *people: str) -> None:
        """A game at a table of which every move is stored."""
        with self.later():
            party = finished_party(*people, seed=self.random.randrange(999))
            keeping.keep(self.access, party.access().table)
        self.note("table", "Garden", "short", _seats(party.game, people))

    def table_with_a_bot(self, person: str) -> None:
        """A game of somebody against a bot; the app throws, and never the same."""
        with self.later():
            party = sit_down((person, "x"), TINY, dice="rolled", start=False)
            seating.free_seat(party.access(1), 1)
            seating.seat_bot(party.access(), 1, "random")
            play.start(party.access())
            while party.game.phase != "finished":
                _answer(party)
            keeping.keep(self.access, party.access().table)
        seats = _seats(party.game, (person, "Bot 2"))
        self.note("table", "Tiny", "tiny", [seats[0], seats[1]._replace(is_bot=True)])

    def dice2(self, game: str, *people: str, target: int = 0) -> None:
        """A game of Dice², or with a target a relay."""
        with self.later():
            party = sit_down_for(game, people, target=target)
            while not party.game.is_finished:
                if party.game.phase == "begin":
                    starter = party.game.relay.next_starter or 0  # type: ignore[union-attr]
                    party.act("begin", starter, by=0, shape="four-wins")
                party.play_on(games=1, seed=self.random.randrange(999))
            keeping.keep(self.access, party.access().table)
        sitting = party.game
        over: Any = sitting.relay or sitting.game
        has_points = bool(sitting.relay) or sitting.game.kind.collects  # type: ignore[union-attr]
        titles = {"four-wins": "4 Dice Wins", "square": "Square Dice", "relay": "Relay"}
        self.note(
            "dice2",
            f"Dice²: {titles[game]}",
            "",
            [
                Seat(who, over.points[i] if has_points else None, leads=i in over.winners)
                for i, who in enumerate(people)
            ],
        )

    def tally(self, counted: Sequence[tuple[str, int, int]]) -> None:
        """A tally of gems that bring two points each: names, gems, crosses."""
        typed = {"players": str(len(counted)), "gem_yellow": "2"}
        for i, (name, gems, crosses) in enumerate(counted):
            typed |= {f"p{i}-name": name, f"p{i}-gem_yellow": str(gems)}
            typed |= {f"p{i}-crosses": str(crosses)}
        with self.later():
            tally = tally_store.find(tally_store.create(typed))
            keeping.keep(self.access, tally.thing)
        seats = [
            Seat(name, 2 * gems, crosses, parts=(("gems", 2 * gems),) if gems else ())
            for name, gems, crosses in counted
        ]
        self.note("tally", "Tally", "", seats)

    def old_paper(
        self, *lines: str, games: Sequence[tuple[date, str, str, dict[str, int]]]
    ) -> None:
        """Games of before are typed in; ``games`` has what they mean: day, title, data, who."""
        text = "\n".join(("Day;Level;Ana;Ben;Opa", *lines))
        with self.later(1):
            entering.enter(self.access, read_table(text, self.access.thing).games)
        for day, title, data, totals in games:
            seats = tuple(Seat(who, total) for who, total in totals.items())
            when = datetime.combine(day, time(20), UTC)
            self.games.append(Happened(when, day, "typed", title, data, seats))

    def number(self, name: str) -> int:
        """The number of the player who is called so now."""
        return self.access.thing.players.get(name=name).number


def _answer(party: Party) -> None:
    """Do for the first seat what it is asked."""
    game = party.game
    if game.phase == "roll":
        party.act("roll", by=0)
    elif game.phase == "return":
        party.act("return", 0, game.level.names(game.sheets[0].dice)[0])
    elif "drop" in game.may():
        party.act("drop", 0)
    else:
        die, fields = next((die, fields) for die, fields in game.legal().items() if fields)
        party.act("place", 0, fields[0], die=die)


def _seats(game: Game, people: Sequence[str]) -> list[Seat]:
    return [
        Seat(
            who,
            score.total,
            score.marks,
            parts=tuple((part, points) for part, points in score.by.items() if points),
            crossed=tuple(game.level.names(sheet.crosses)),
        )
        for who, sheet, score in zip(people, game.sheets, game.scores(), strict=True)
    ]


def twenty_evenings() -> Family:
    """The family's group, in a database that was empty before."""
    key, *told = stored_once("twenty-evenings", _play_all)
    return Family(store.find(key), *told)


def _play_all(seed: int = 23) -> tuple[str, list[Happened], frozenset[str]]:
    """Play all of it, and keep it in a new group; gives its key and what `Family` says of it."""
    tell = _Teller(seed)
    random = tell.random
    for evening in range(EVENINGS):
        tell.begin(evening)
        if evening < 16:
            tell.paper("level-5", FIVE if evening % 2 else FIVE[:4])
        is_edited = evening >= 10
        tell.paper(
            EDITED if is_edited else UNEDITED,
            _guests(random, evening),
            "edited" if is_edited else "own",
            random.choice(("random", "greedy")),
        )
        if evening % 2:
            tell.paper("level-1", FIVE[:1], bot=random.choice(("random", "greedy")))
        _extra(tell, evening)
    return tell.access.key, tell.games, frozenset({"Opa"})


def _guests(random: Random, evening: int) -> list[tuple[str, str]]:
    """Two or three of the five, and who comes along now and then: typed and true names."""
    few = random.sample(FIVE[: 4 if evening > 16 else 5], random.randint(2, 3))
    if evening == 2:
        few = [*few, ("", "")]
    if evening in (3, 8, 12):
        few = [*few[:2], ("Kim", "Kim" if evening == 12 else "")]
    if evening in (4, 9, 15):
        few = [("Thomas", "Tom"), *(one for one in few if one[0] != "Tom")]
    if evening in (5, 7):
        few = [*few, (LONG, LONG)]
    if evening in (6, 14):
        few = [*few[:2], (JAPANESE, JAPANESE)]
    return few


def _extra(tell: _Teller, evening: int) -> None:
    """What happens on one evening only."""
    happens: dict[int, tuple[Callable[[_Teller], None], ...]] = {
        1: (lambda tell: tell.tally([("Ana", 9, 7), ("Ben", 9, 5), ("Opa", 4, 2)]),),
        2: (
            lambda tell: tell.dice2("four-wins", "Ana", "Ben"),
            lambda tell: tell.dice2("square", "Ben"),
        ),
        3: (lambda tell: tell.dice2("relay", "Ben", "Tom", target=5),),
        5: (lambda tell: tell.table("Ana", "Ben"),),
        6: (lambda tell: tell.table_with_a_bot("Ben"),),
        7: (_years_ago, *[lambda tell: tell.dice2("four-wins", LONG, "Tom")] * 3),
        8: (lambda tell: players.rename(tell.access, tell.number("Ida"), "Ida Maria"),),
        9: (lambda tell: tell.tally([("Ana", 6, 5), ("Ben", 6, 5)]), _merged_and_forgotten),
        11: (_deleted,),
        12: (_after_midnight,),
        16: (lambda tell: players.retire(tell.access, tell.number("Opa"), True),),
        17: (_never_finished,),
        19: (_remembered,),
    }
    for happen in happens.get(evening, ()):
        happen(tell)


def _years_ago(tell: _Teller) -> None:
    """With a tie, a level of their own, and a line that stands there twice."""
    tell.old_paper(
        "2022-12-26;Castle;44;44;31",
        "27.12.2022;Attic;38;;-2",
        "12/26/2023;;;51;",
        "12/27/2023;;33;;",
        "2022-12-26;Castle;44;44;31",
        games=(
            (date(2022, 12, 26), "Castle", "level-2", {"Ana": 44, "Ben": 44, "Opa": 31}),
            (date(2022, 12, 27), "Attic", "attic", {"Ana": 38, "Opa": -2}),
            (date(2023, 12, 26), "Game", "", {"Ben": 51}),
            (date(2023, 12, 27), "Game", "", {"Ana": 33}),
        ),
    )


def _remembered(tell: _Teller) -> None:
    """On the last evening somebody remembers a game of the one before, which came first there."""
    day = tell.evening - BETWEEN
    tell.old_paper(f"{day};;40;39;", games=[(day, "Game", "", {"Ana": 40, "Ben": 39})])


def _merged_and_forgotten(tell: _Teller) -> None:
    players.merge(tell.access, tell.number("Thomas"), tell.number("Tom"))
    players.delete(tell.access, tell.number("Kim"))


def _deleted(tell: _Teller) -> None:
    store.delete_game(tell.access, tell.paper("level-2", [("Ana", "Ana"), ("Ben", "Ben")]))
    tell.games.pop()


def _after_midnight(tell: _Teller) -> None:
    """It is still the evening before."""
    tell.when += timedelta(hours=5)
    tell.paper("level-2", [("Ben", "Ben"), ("Ana", "Ana")], bot="random")


def _never_finished(tell: _Teller) -> None:
    with tell.later():
        scoring = scoring_store.create(level_of("level-2")[0], ["Ana", "Ben"])
        keeping.keep(tell.access, scoring_store.find(scoring).thing)
    tell.note("sheets", "Castle", "", [], is_over=False)
