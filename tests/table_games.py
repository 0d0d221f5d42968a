"""What tests of tables do again and again: sit people down, and let them play by the engine's word.

Nothing here knows a level's layout: which moves there are, the engine is asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from sheets.access.keys import new_token
from sheets.levels import find_level
from sheets.rules import Action, Game, Level, parse_level, targets
from sheets.rules.level import SHAPES, bits
from sheets.rules.placement import free_fields
from sheets.tables import play, reading, seating
from sheets.tables.access import TableAccess, find_access

requests = itertools.count()

TINY: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "tiny",
    "name": "Tiny",
    "grid": ["1x 2  3B 4Fr 6 ", "5  6Kr 1Lr 2  3Fr", "3  2  1  5  4 "],
    "points": {"flag": {"red": [10, 6, 3]}, "bomb": -2},
    "rounds": {"1": 3, "2": 2, "3": 1, "4": 1},
}
"""A key beside its lock, two flags of one colour, a bomb, a printed cross; few rounds."""

SPACE: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "space",
    "name": "Space",
    "grid": ["1x 2R 3P 4  -P ", "5  6  1  2R 3P "],
    "rounds": {"1": 3, "2": 2},
}

VOLCANO: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "volcano",
    "name": "Volcano",
    "grid": ["1x 2  3  4 ", "5  6  -V 1 ", "3  4  2  5 "],
    "rounds": {"1": 3, "2": 2},
}

RAILS: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "rails",
    "name": "Rails",
    "marks": "tracks",
    "tracks": {"a1": "EW"},
    "grid": ["1  2  3S", "4  5  6 ", "1  2  3 "],
    "points": {"stop": 4},
    "rounds": {"1": 3, "2": 2},
}


class Party(NamedTuple):
    """A table with a device for each seat; ``tokens`` are the devices' secrets."""

    code: str
    tokens: tuple[str, ...]

    def access(self, player: int = 0) -> TableAccess:
        """The table as the device of a player finds it now."""
        return find_access(self.code, self.tokens[player])

    @property
    def typed_code(self) -> str:
        """What people type to get there."""
        return self.access().table.typed_code or ""

    @property
    def loaded(self) -> reading.Loaded[Any]:
        """The log with the state it leads to."""
        return reading.load(find_access(self.code))

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.loaded.state.game

    def act(
        self, do: str, player: int = -1, at: str = "", by: int | None = None, **more: Any
    ) -> str:
        """Let a player do something now; gives the request's id."""
        if do == "end_pass":
            return self.end_pass()
        request = more.pop("request", f"request-{next(requests)}")
        moment = more.pop("moment") if "moment" in more else self.loaded.state.moment
        device = by if by is not None else max(player, 0)
        action = Action(do, player, at, **more)
        play.act(self.access(device), action, moment=moment, request=request)
        return str(request)

    def end_pass(self) -> str:
        """Let all say that they are done who are not."""
        game, done = self.game, self.loaded.state.done
        sheets = enumerate(game.sheets)
        self.done(*(player for player, sheet in sheets if not (sheet.is_out or player in done)))
        return ""

    def done(self, *players: int) -> None:
        """Let players say that they are done."""
        for player in players:
            moment = self.loaded.state.moment
            request = f"request-{next(requests)}"
            play.set_done(self.access(player), player, True, moment=moment, request=request)


def level_of(level: str | dict[str, Any]) -> tuple[Level, str]:
    """A shipped level by its id, or one of a document, with the id where it is shipped."""
    return (find_level(level), level) if isinstance(level, str) else (parse_level(level), "")


def sit_down(
    names: Sequence[str] = ("Ana", "Ben"),
    level: str | dict[str, Any] = "level-2",
    dice: str = "table",
    start: bool = True,
) -> Party:
    """Open a table and seat everybody, each with a device of their own; the first is the host."""
    found, level_id = level_of(level)
    tokens = tuple(new_token() for _ in names)
    code = seating.open_table(
        found, level_id, players=len(names), dice=dice, name=names[0], token=tokens[0]
    )
    for number, name in enumerate(names[1:], start=1):
        seating.take_seat(find_access(code), number, name, tokens[number])
    party = Party(code, tokens)
    if start:
        play.start(party.access())
    return party


Choose = Callable[[Game, int, Sequence[str]], str]


def by_chance(random: Random) -> Choose:
    """A player who puts dice anywhere."""
    return lambda _game, _player, fields: random.choice(list(fields))


def moves_of_pass(game: Game, random: Random, choose: Choose, most: int = 6) -> Iterator[Action]:
    """Actions that take a game to the end of its pass, each legal after the ones before it."""
    number = game.passes_done
    placed = 0
    while game.phase != "finished" and game.passes_done == number:
        action = next_move(game, random, choose, placed < most)
        placed += action.do == "place"
        game = game.apply(action)
        yield action


def next_move(game: Game, random: Random, choose: Choose, may_place: bool = True) -> Action:
    """One legal action of whoever is asked."""

    def throw(count: int) -> tuple[int, ...]:
        return tuple(random.randint(1, 6) for _ in range(count))

    if game.phase in ("roll", "extra"):
        return Action(game.phase, dice=throw(game.dice_to_roll))
    if game.phase == "erupt":
        return Action("erupt", die=random.randint(1, 6))
    if game.pending():
        owed = game.pending()[0]
        shape = random.choice(SHAPES) if owed.do == "track" else ""
        return Action(owed.do, owed.player, choose(game, owed.player, owed.at), shape=shape)
    if game.phase == "open":
        able = [player for player, fields in game.legal().items() if fields and may_place]
        if not able:
            return Action("end_pass")
        player = random.choice(able)
        return Action("place", player, choose(game, player, game.legal()[player]))
    assert game.player is not None
    if game.phase == "return":
        lying = game.level.names(game.sheets[game.player].dice)
        return Action("return", game.player, choose(game, game.player, lying))
    if "drop" in game.may():
        return Action("drop", game.player)
    fields = [at for places in game.legal().values() for at in places]
    return Action("place", game.player, choose(game, game.player, fields))


def play_pass(party: Party, random: Random, choose: Choose | None = None, most: int = 6) -> None:
    """Play one pass of a table through the use cases."""
    for action in list(moves_of_pass(party.game, random, choose or by_chance(random), most)):
        by = 0 if action.player < 0 and action.do == "end_pass" else None
        if action.player < 0 and by is None:
            by = party.game.start_player
        party.act(
            action.do,
            action.player,
            action.at,
            by=by,
            die=action.die,
            dice=action.dice,
            shape=action.shape,
        )


def play_on(party: Party, random: Random, passes: int) -> None:
    """Play passes until so many are done, or the game is over."""
    while party.game.passes_done < passes and party.game.phase != "finished":
        play_pass(party, random)


def way_to(game: Game, player: int, goal: int) -> list[str]:
    """The shortest row of fields a player can place dice on, one after the other, up to a goal.

    Args:
        game: the game, its pass open.
        player: whose sheet.
        goal: the fields to reach, as a mask.

    Returns:
        Their names in order; empty where no goal can be reached in this pass.
    """
    sheet, level = game.sheets[player], game.level
    waiting: list[tuple[int, ...]] = [(field,) for field in bits(targets(sheet))]
    seen = targets(sheet)
    for way in waiting:
        if goal >> way[-1] & 1:
            return [level.fields[field].name for field in way]
        fresh = level.neighbours[way[-1]] & free_fields(sheet) & ~seen
        seen |= fresh
        waiting += [(*way, field) for field in bits(fresh)]
    return []
