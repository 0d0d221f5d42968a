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
from sheets.groups import game_store, paper_games_import, players, store
from sheets.groups.pasted_table import read_table
from sheets.models import Group
from sheets.rules import Game
from sheets.rules.paper_scoring import Paper
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.simulation.games import play_game
from sheets.tables import acts, seating
from tests.dice2_tables import sit_down_for
from tests.shared_rows import fill_once
from tests.table_games import TINY, Party, level_of, sit_down
from tests.tables.table_clients import SHORT, finished_party

FIRST: Final = date(2024, 11, 6)
EVENINGS: Final = 20
BETWEEN: Final = timedelta(days=35)
"""Interval between evenings: they lie in three years, and the thirteenth is New Year's Eve."""

LONG: Final = "Maximiliane-Theodora von Hohenstein-Gries"[:40]
JAPANESE: Final = "美咲"

FIVE: Final = (("Ana", "Ana"), ("Ben", "Ben"), ("Ida", "Ida Maria"), ("Tom", "Tom"), ("Opa", "Opa"))
"""Typed names of the five main players, and their final names."""

EDITED: Final[dict[str, Any]] = {**SHORT, "rounds": {"1": 3, "2": 2, "3": 2, "4": 2}}
UNEDITED: Final[dict[str, Any]] = {**SHORT, "rounds": {"1": 2, "2": 2, "3": 2, "4": 2}}


class Seat(NamedTuple):
    """A player's real, final name (empty for an anonymous player) and result.

    ``points`` is None in a game without points. ``leads`` is whether the player has won a game of
    Dice², None if points and crosses decide. A bot is no player of the group. ``parts`` are the
    points by category and ``crossed`` the crossed fields, if there was a sheet.
    """

    who: str
    points: int | None
    crosses: int = 0
    leads: bool | None = None
    is_bot: bool = False
    parts: tuple[tuple[str, int], ...] = ()
    crossed: tuple[str, ...] = ()


class FamilyGame(NamedTuple):
    """A game: its kind, title, and the data of its level (empty without a level)."""

    when: datetime
    evening: date
    kind: str
    title: str
    data: str
    seats: tuple[Seat, ...]
    is_over: bool = True
    grade: int | None = None


class Family(NamedTuple):
    """The group, all counted games in the order of their addition, and the retired players."""

    access: Access[Group]
    games: list[FamilyGame]
    retired: frozenset[str]


class _Simulation:
    """Plays games, adds them to the group, and records them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.access = store.find(store.create("Familie Würfel & Söhne"))
        self.games: list[FamilyGame] = []
        self.when = datetime.combine(FIRST, time(19, 30), UTC)
        self.evening = FIRST

    def begin(self, evening: int) -> None:
        """Set the time to the beginning of an evening, numbered from 0."""
        self.evening = FIRST + evening * BETWEEN
        self.when = datetime.combine(self.evening, time(19, 30), UTC)

    @contextmanager
    def later(self, minutes: int = 50) -> Iterator[None]:
        """Advance the time, which is also the time of all rows stored in the block."""
        self.when += timedelta(minutes=minutes)
        with patch.object(timezone, "now", lambda: self.when):
            yield

    def record(
        self, kind: str, title: str, data: str, seats: Sequence[Seat], **more: Any
    ) -> FamilyGame:
        """Record a game of the current time."""
        game = FamilyGame(self.when, self.evening, kind, title, data, tuple(seats), **more)
        self.games.append(game)
        return game

    def paper(
        self,
        level: str | dict[str, Any],
        people: Sequence[tuple[str, str]],
        data: str = "",
        bot: str = "greedy",
    ) -> int:
        """Let bots play, score their sheets and add the game; return its number.

        ``people`` are pairs of typed and real names.
        """
        found, level_id = level_of(level)
        game = play_game(found, len(people), bot, self.random)
        typed = tuple(name for name, _who in people)
        paper = Paper(found, level_id, typed, game.sheets, game.is_solo, ())
        with self.later():
            scoring = scoring_store.find(scoring_store.create_from_paper(paper)).resource
            kept = game_store.add_game(self.access, scoring)
        outcome = game.outcome()
        self.record(
            "sheets",
            str(dict(found.name)["en"]),
            data or level_id,
            _seats(game, [who for _name, who in people]),
            grade=outcome.rating if outcome else None,
        )
        return kept.number

    def table(self, *people: str) -> None:
        """Play a game at a table with a log of all moves."""
        with self.later():
            party = finished_party(*people, seed=self.random.randrange(999))
            game_store.add_game(self.access, party.access().table)
        self.record("table", "Garden", "short", _seats(party.game, people))

    def table_with_a_bot(self, person: str) -> None:
        """Play a game against a bot with the app's dice, which are not reproducible."""
        with self.later():
            party = sit_down((person, "x"), TINY, dice="rolled", start=False)
            seating.free_seat(party.access(1), 1)
            seating.seat_bot(party.access(), 1, "random")
            acts.start(party.access())
            while party.game.phase != "finished":
                _answer(party)
            game_store.add_game(self.access, party.access().table)
        seats = _seats(party.game, (person, "Bot 2"))
        self.record("table", "Tiny", "tiny", [seats[0], seats[1]._replace(is_bot=True)])

    def dice2(self, game: str, *people: str, target: int = 0) -> None:
        """Play a game of Dice², or a relay with a target."""
        with self.later():
            party = sit_down_for(game, people, target=target)
            while not party.game.is_finished:
                if party.game.phase == "begin":
                    starter = party.game.relay.next_starter or 0  # type: ignore[union-attr]
                    party.act("begin", starter, by=0, shape="four-wins")
                party.play_on(games=1, seed=self.random.randrange(999))
            game_store.add_game(self.access, party.access().table)
        sitting = party.game
        over: Any = sitting.relay or sitting.game
        has_points = bool(sitting.relay) or sitting.game.kind.collects  # type: ignore[union-attr]
        titles = {"four-wins": "4 Dice Wins", "square": "Square Dice", "relay": "Relay"}
        self.record(
            "dice2",
            f"Dice²: {titles[game]}",
            "",
            [
                Seat(who, over.points[i] if has_points else None, leads=i in over.winners)
                for i, who in enumerate(people)
            ],
        )

    def tally(self, counted: Sequence[tuple[str, int, int]]) -> None:
        """Add a tally of names, gems worth two points each, and crosses."""
        typed = {"players": str(len(counted)), "gem_yellow": "2"}
        for i, (name, gems, crosses) in enumerate(counted):
            typed |= {f"p{i}-name": name, f"p{i}-gem_yellow": str(gems)}
            typed |= {f"p{i}-crosses": str(crosses)}
        with self.later():
            tally = tally_store.find(tally_store.create(typed))
            game_store.add_game(self.access, tally.resource)
        seats = [
            Seat(name, 2 * gems, crosses, parts=(("gems", 2 * gems),) if gems else ())
            for name, gems, crosses in counted
        ]
        self.record("tally", "Tally", "", seats)

    def enter_old_games(
        self, *lines: str, games: Sequence[tuple[date, str, str, dict[str, int]]]
    ) -> None:
        """Enter old games as a table; ``games`` are their days, titles, level data and totals."""
        text = "\n".join(("Day;Level;Ana;Ben;Opa", *lines))
        with self.later(1):
            paper_games_import.enter(self.access, read_table(text, self.access.resource).games)
        for day, title, data, totals in games:
            seats = tuple(Seat(who, total) for who, total in totals.items())
            when = datetime.combine(day, time(20), UTC)
            self.games.append(FamilyGame(when, day, "typed", title, data, seats))

    def number(self, name: str) -> int:
        """Return the number of the player with this current name."""
        return self.access.resource.players.get(name=name).number


def _answer(party: Party) -> None:
    """Act for the first seat."""
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
            parts=tuple((part, points) for part, points in score.by_category.items() if points),
            crossed=tuple(game.level.names(sheet.crosses)),
        )
        for who, sheet, score in zip(people, game.sheets, game.scores(), strict=True)
    ]


def twenty_evenings() -> Family:
    """Return the family's group, stored in an empty database."""
    key, *told = fill_once("twenty-evenings", _play_all)
    return Family(store.find(key), *told)


def _play_all(seed: int = 23) -> tuple[str, list[FamilyGame], frozenset[str]]:
    """Play all evenings in a new group; return its key and the other attributes of `Family`."""
    simulation = _Simulation(seed)
    random = simulation.random
    for evening in range(EVENINGS):
        simulation.begin(evening)
        if evening < 16:
            simulation.paper("level-5", FIVE if evening % 2 else FIVE[:4])
        is_edited = evening >= 10
        simulation.paper(
            EDITED if is_edited else UNEDITED,
            _guests(random, evening),
            "edited" if is_edited else "own",
            random.choice(("random", "greedy")),
        )
        if evening % 2:
            simulation.paper("level-1", FIVE[:1], bot=random.choice(("random", "greedy")))
        _special_events(simulation, evening)
    return simulation.access.key, simulation.games, frozenset({"Opa"})


def _guests(random: Random, evening: int) -> list[tuple[str, str]]:
    """Return typed and real names: two or three of the five, and occasional guests."""
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


def _special_events(simulation: _Simulation, evening: int) -> None:
    """Carry out the special events of an evening."""
    happens: dict[int, tuple[Callable[[_Simulation], None], ...]] = {
        1: (lambda simulation: simulation.tally([("Ana", 9, 7), ("Ben", 9, 5), ("Opa", 4, 2)]),),
        2: (
            lambda simulation: simulation.dice2("four-wins", "Ana", "Ben"),
            lambda simulation: simulation.dice2("square", "Ben"),
        ),
        3: (lambda simulation: simulation.dice2("relay", "Ben", "Tom", target=5),),
        5: (lambda simulation: simulation.table("Ana", "Ben"),),
        6: (lambda simulation: simulation.table_with_a_bot("Ben"),),
        7: (_enter_old_games, *[lambda simulation: simulation.dice2("four-wins", LONG, "Tom")] * 3),
        8: (
            lambda simulation: players.rename(
                simulation.access, simulation.number("Ida"), "Ida Maria"
            ),
        ),
        9: (
            lambda simulation: simulation.tally([("Ana", 6, 5), ("Ben", 6, 5)]),
            _merged_and_forgotten,
        ),
        11: (_deleted,),
        12: (_after_midnight,),
        16: (lambda simulation: players.retire(simulation.access, simulation.number("Opa"), True),),
        17: (_never_finished,),
        19: (_enter_forgotten_game,),
    }
    for happen in happens.get(evening, ()):
        happen(simulation)


def _enter_old_games(simulation: _Simulation) -> None:
    """Enter old games with a tie, an own level, and a duplicate line."""
    simulation.enter_old_games(
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


def _enter_forgotten_game(simulation: _Simulation) -> None:
    """Enter a game of the evening before, on the last evening; it was the first game there."""
    day = simulation.evening - BETWEEN
    simulation.enter_old_games(f"{day};;40;39;", games=[(day, "Game", "", {"Ana": 40, "Ben": 39})])


def _merged_and_forgotten(simulation: _Simulation) -> None:
    players.merge(simulation.access, simulation.number("Thomas"), simulation.number("Tom"))
    players.delete(simulation.access, simulation.number("Kim"))


def _deleted(simulation: _Simulation) -> None:
    store.delete_game(
        simulation.access, simulation.paper("level-2", [("Ana", "Ana"), ("Ben", "Ben")])
    )
    simulation.games.pop()


def _after_midnight(simulation: _Simulation) -> None:
    """Play a game after midnight, which belongs to the evening before."""
    simulation.when += timedelta(hours=5)
    simulation.paper("level-2", [("Ben", "Ben"), ("Ana", "Ana")], bot="random")


def _never_finished(simulation: _Simulation) -> None:
    with simulation.later():
        scoring = scoring_store.create(level_of("level-2")[0], ["Ana", "Ben"])
        game_store.add_game(simulation.access, scoring_store.find(scoring).resource)
    simulation.record("sheets", "Castle", "", [], is_over=False)
