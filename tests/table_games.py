"""Tables for tests: open one with players, and play random legal moves.

All moves come from the rules engine, so they work on any level.
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
from sheets.tables import acts, event_loader, seating
from sheets.tables.access import TableAccess, find_access
from sheets.tables.event_log import Loaded

request_numbers = itertools.count()

TINY: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "tiny",
    "name": "Tiny",
    "grid": ["1x 2  3B 4Fr 6 ", "5  6Kr 1Lr 2  3Fr", "3  2  1  5  4 "],
    "points": {"flag": {"red": [10, 6, 3]}, "bomb": -2},
    "rounds": {"1": 3, "2": 2, "3": 1, "4": 1},
}
"""Level for short games with a key next to its lock, two flags of one colour, and a bomb."""

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
        """Return the access of a player's device to the table, as it is now."""
        return find_access(self.code, self.tokens[player])

    @property
    def typed_code(self) -> str:
        """Short code for typing."""
        return self.access().table.typed_code or ""

    @property
    def loaded(self) -> Loaded[Any]:
        """The log and the current state."""
        return event_loader.load(find_access(self.code))

    @property
    def game(self) -> Game:
        """The current game."""
        return self.loaded.state.game

    def act(
        self, do: str, player: int = -1, at: str = "", by: int | None = None, **more: Any
    ) -> str:
        """Send a player's action to the table, and return the id of the request.

        Args:
            do: name of the action.
            player: the player, or -1 for an action of no player.
            at: field of the action, or "".
            by: seat of the device that sends it; None for the device of the player.
            more: other parts of the action, and its ``moment`` or ``request``.
        """
        if do == "end_pass":
            return self.end_pass()
        request = more.pop("request", f"request-{next(request_numbers)}")
        moment = more.pop("moment") if "moment" in more else self.loaded.state.moment
        device = by if by is not None else max(player, 0)
        action = Action(do, player, at, **more)
        acts.act(self.access(device), action, moment=moment, request=request)
        return str(request)

    def end_pass(self) -> str:
        """Mark all remaining players as done."""
        game, done = self.game, self.loaded.state.done
        sheets = enumerate(game.sheets)
        self.done(*(player for player, sheet in sheets if not (sheet.is_out or player in done)))
        return ""

    def done(self, *players: int) -> None:
        """Mark players as done."""
        for player in players:
            moment = self.loaded.state.moment
            request = f"request-{next(request_numbers)}"
            acts.set_done(self.access(player), player, True, moment=moment, request=request)


def level_of(level: str | dict[str, Any]) -> tuple[Level, str]:
    """Return a shipped level and its id, or the level of a document and an empty id."""
    return (find_level(level), level) if isinstance(level, str) else (parse_level(level), "")


def sit_down(
    names: Sequence[str] = ("Ana", "Ben"),
    level: str | dict[str, Any] = "level-2",
    dice: str = "table",
    start: bool = True,
) -> Party:
    """Open a table and seat all players, each with an own device; the first one is the host."""
    found, level_id = level_of(level)
    tokens = tuple(new_token() for _ in names)
    code = seating.open_table(
        found, level_id, players=len(names), dice=dice, name=names[0], token=tokens[0]
    )
    for number, name in enumerate(names[1:], start=1):
        seating.take_seat(find_access(code), number, name, tokens[number])
    party = Party(code, tokens)
    if start:
        acts.start(party.access())
    return party


Choose = Callable[[Game, int, Sequence[str]], str]
"""Function that chooses one of several fields for a player."""


def random_choice(random: Random) -> Choose:
    """Return a function that chooses a random field."""
    return lambda _game, _player, fields: random.choice(list(fields))


def random_moves_of_pass(
    game: Game, random: Random, choose: Choose, most: int = 6
) -> Iterator[Action]:
    """Yield legal actions up to the end of the current pass, with at most ``most`` placed dice."""
    number = game.passes_done
    placed = 0
    while game.phase != "finished" and game.passes_done == number:
        action = random_move(game, random, choose, placed < most)
        placed += action.do == "place"
        game = game.apply(action)
        yield action


def random_move(game: Game, random: Random, choose: Choose, may_place: bool = True) -> Action:
    """Return a legal action that may come next.

    While all players may place dice (phase ``open``), it ends the pass unless ``may_place`` is on.
    """

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
    """Play one pass at a table with random actions, sent by the devices of the players."""
    for action in list(
        random_moves_of_pass(party.game, random, choose or random_choice(random), most)
    ):
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
    """Play until this number of passes is done, or the game is over."""
    while party.game.passes_done < passes and party.game.phase != "finished":
        play_pass(party, random)


def shortest_way(game: Game, player: int, goal: int) -> list[str]:
    """Return the shortest sequence of fields on which a player can place dice up to a goal.

    Args:
        game: the game, its pass open.
        player: the owner of the sheet.
        goal: the fields to reach, as a mask.

    Returns:
        The names of the fields in order; empty if no goal can be reached in this pass.
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
