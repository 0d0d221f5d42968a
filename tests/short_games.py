"""Tables and whole games for tests, played by the rules and not by the level's details."""

from __future__ import annotations

import itertools
from typing import Any

from django.conf import settings
from django.test import Client

from sheets import play, seating
from sheets.bots import deciding_players
from sheets.keys import SEAT_COOKIE
from sheets.levels import find_level
from sheets.play import Door
from sheets.rules import Action, Level, parse_level
from tests.score_levels import GARDEN

SHORT: dict[str, Any] = {**GARDEN, "dice": {"2": 7}, "rounds": {"1": 2, "2": 2, "3": 1}}
"""A level whose games are over soon: with a bomb, a flag, a key, a rocket and a race."""

_numbers = itertools.count()


def token_for(name: str) -> str:
    """A device's secret, of the right length, told apart by the name."""
    return (name.lower() * 43)[:43]


def client_of(name: str) -> Client:
    """A browser with that secret."""
    client = Client()
    client.cookies[SEAT_COOKIE] = token_for(name)
    return client


def open_table(
    *names: str, level: Level | str | None = None, dice: str = "table", begin: bool = True
) -> str:
    """A table with a seat per name, each its own device, the first one the host's."""
    if isinstance(level, str):
        level = find_level(level)
    code = seating.open_table(
        level or parse_level(SHORT),
        "",
        players=len(names),
        dice=dice,
        name=names[0],
        token=token_for(names[0]),
    )
    for number, name in enumerate(names[1:], start=1):
        seating.take_seat(play.open_door(code), number, name, token_for(name))
    if begin:
        play.start(door_of(code, names[0]))
    return code


def door_of(code: str, name: str) -> Door:
    """The table as one device sees it."""
    return play.open_door(code, token_for(name))


def act(code: str, name: str, action: Action) -> None:
    """Somebody acts, now."""
    door = door_of(code, name)
    moment = play.load(door).state.moment
    play.act(door, action, moment=moment, request=f"request-{next(_numbers)}")


def place(code: str, name: str, at: str) -> None:
    """Somebody puts a die on a field."""
    door = door_of(code, name)
    act(code, name, Action("place", min(door.seats), at))


def end_pass(code: str, *names: str) -> None:
    """The host ends the pass, and all choose what they owe, the first there is."""
    act(code, names[0], Action("end_pass"))
    choose(code, *names)


def choose(code: str, *names: str) -> None:
    """All choices that are owed are taken."""
    while pending := play.load(door_of(code, names[0])).state.game.pending():
        owed = pending[0]
        shape = "NS" if owed.do == "track" else ""
        act(code, names[owed.player], Action(owed.do, owed.player, owed.at[0], shape=shape))


def play_on(code: str, *names: str, dice: int = 2, passes: int = 999) -> None:
    """Play a mirrored game on: so many dice for each in each pass, where the rules let them lie."""
    for _ in range(passes):
        game = play.load(door_of(code, names[0])).state.game
        if game.phase == "finished":
            return
        for _die in range(dice):
            for player, name in enumerate(names):
                game = play.load(door_of(code, names[0])).state.game
                if fields := game.legal()[player]:
                    place(code, name, fields[0])
        end_pass(code, *names)


def play_rolled(code: str, name: str) -> None:
    """Play a solo game with the app's dice to its end, always the first thing that is allowed."""
    while (game := play.load(door_of(code, name)).state.game).phase != "finished":
        if game.phase in ("roll", "erupt"):
            act(code, name, Action(game.phase))
        elif pending := game.pending():
            act(code, name, Action(pending[0].do, 0, pending[0].at[0], shape="NS"))
        elif game.phase == "return":
            at = game.level.names(game.sheets[0].dice)[0]
            act(code, name, Action("return", deciding_players(game)[0], at))
        else:
            fitting = [(d, at) for d, fields in game.legal().items() for at in fields]
            move = Action("drop", 0) if not fitting else Action("place", 0, fitting[0][1])
            act(code, name, move)


def language(client: Client, code: str) -> None:
    """Let a browser read German or English."""
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = code
