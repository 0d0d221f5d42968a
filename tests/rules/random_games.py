"""Generators of random levels with every feature of the format, and of random games on them.

The `random.Random` argument is the only source of randomness, so a seed determines a level or game.
The second implementation (`tests.rules.naive`) decides what is legal, never the engine.
"""

from __future__ import annotations

from random import Random
from string import ascii_lowercase
from typing import Any, NamedTuple

from tests.rules.naive import NaiveGame, NaiveLevel, Refused, start
from tests.rules.naive.game import PHASES, Action
from tests.rules.naive.placement import touching
from tests.rules.naive.scoring import joined_to

Document = dict[str, Any]
"""A level or game document, or a part of one."""

COLOURS = {"y": "yellow", "p": "purple", "g": "green", "r": "red"}
"""The colours of random symbols by their letters in a grid."""

SHAPES = ["NS", "EW", "NE", "ES", "SW", "NW"]
"""The shapes of a piece of track."""

KINDS = ("plain", "rockets", "volcano", "rails")
"""The kinds of random levels."""


class RandomSymbol(NamedTuple):
    """Use of a symbol in random levels.

    Attributes:
        weights: its weight among the symbols of each of `KINDS`.
        is_coloured: whether each one has a colour.
        name: its key in ``points`` of a level; empty if it pays nothing.
        points: the minimum and maximum points; None for number tracks.
    """

    weights: tuple[int, int, int, int]
    is_coloured: bool = False
    name: str = ""
    points: tuple[int, int] | None = None


BY_LETTER = {
    "K": RandomSymbol((2, 1, 1, 1), is_coloured=True),
    "L": RandomSymbol((2, 1, 1, 1), is_coloured=True),
    "F": RandomSymbol((2, 2, 1, 1), is_coloured=True, name="flag"),
    "G": RandomSymbol((1, 1, 1, 1), is_coloured=True, name="gem", points=(-1, 12)),
    "J": RandomSymbol((1, 1, 1, 1), is_coloured=True, name="puzzle", points=(-1, 12)),
    "B": RandomSymbol((1, 1, 3, 1), name="bomb", points=(-4, 0)),
    "H": RandomSymbol((1, 1, 1, 1), name="heap", points=(-4, 0)),
    "R": RandomSymbol((0, 3, 2, 0)),
    "P": RandomSymbol((0, 3, 2, 0)),
    "O": RandomSymbol((0, 2, 1, 0)),
    "V": RandomSymbol((0, 0, 1, 0)),
    "S": RandomSymbol((0, 0, 0, 3), name="stop", points=(1, 6)),
}
"""The symbols by their letters; a new one needs a row here, and no other change in this file."""

SYMBOLS = {
    kind: "".join(letter * symbol.weights[index] for letter, symbol in BY_LETTER.items())
    for index, kind in enumerate(KINDS)
}
"""The letters to choose from, by kind of level; repeated according to their weights."""

TRACKS = [[10, 6, 3, 1], [8, 4], [7], [5, 5, 0], [3, -2]]
"""The number tracks to choose from for flags and races."""


def random_level(random: Random, size: tuple[int, int] | None = None) -> Document:
    """Return a random level.

    Args:
        random: the source of randomness.
        size: the numbers of columns and rows, at least two of each; random and usually small by
            default.
    """
    kind = random.choice(KINDS)
    grid = _random_grid(random, kind, *(size or _random_size(random)))
    level: Document = {"format": "dizzle-level/1", "id": f"random-{kind}", "name": "Random"}
    if kind == "rails":
        level["marks"] = "tracks"
    elif random.random() < 0.3:
        level["shifts"] = [random.randint(-3, 3) / 4 for _ in grid]
    level["grid"] = [" ".join(row) for row in grid]
    level["dice"] = {str(count): random.randint(2, 9) for count in range(1, 7)}
    level["rounds"] = {str(count): random.randint(1, 3) for count in range(1, 7)}
    if random.random() < 0.2:  # the default dice and rounds
        for count in "1234":
            del level["dice"][count], level["rounds"][count]
    if random.random() < 0.5:
        level["ratings"] = sorted(random.sample(range(-10, 60), 6))
    level["repeat_last"] = random.random() < 0.4
    naive = NaiveLevel(level)
    fields = sorted(naive.fields - naive.volcanoes)
    if kind == "rails":
        printed = set(random.sample(fields, min(len(fields), random.randint(1, 3))))
        level["tracks"] = {field: random.choice(SHAPES) for field in sorted(printed)}
    level["lines"] = _random_lines(random, naive, fields)
    level["areas"] = _random_areas(random, naive, fields)
    level["points"] = _random_points(random, naive)
    if random.random() < 0.5:
        level |= _random_links_and_walls(random, naive, fields)
    return level


def _random_size(random: Random) -> tuple[int, int]:
    max_side = random.choice([2, 4, 6])
    columns, rows = random.randint(2, max_side), random.randint(2, max_side)
    if random.random() < 0.05:
        return random.randint(7, 10), random.randint(9, 12)
    return columns, rows


def _random_grid(random: Random, kind: str, columns: int, rows: int) -> list[list[str]]:
    symbol_share, hole_share = random.choice([0.2, 0.5, 0.8]), random.choice([0, 0.1, 0.3])
    grid = [
        [
            "." if random.random() < hole_share else _random_square(random, kind, symbol_share)
            for _ in range(columns)
        ]
        for _ in range(rows)
    ]
    # Every level has a start: a cross with a free field next to it.
    grid[0][:2] = ["3" if kind == "rails" else "3x", "4"]
    if kind == "volcano":
        grid[-1][0] = "-V"
    return grid


def _random_square(random: Random, kind: str, symbol_share: float) -> str:
    number = "-" if random.random() < 0.04 else str(random.randint(1, 6))
    printed = "x" if kind != "rails" and random.random() < 0.08 else ""
    if random.random() >= symbol_share:
        return number + printed
    symbol = random.choice(SYMBOLS[kind])
    if symbol == "V":
        return "-V"
    if symbol in "PO" and random.random() < 0.3:
        number = "-"
    colour = random.choice(list(COLOURS)) if BY_LETTER[symbol].is_coloured else ""
    return number + printed + symbol + colour


def _random_lines(random: Random, level: NaiveLevel, fields: list[str]) -> list[Document]:
    rows = sorted({int(field[1:]) for field in fields})
    columns = sorted({field[0] for field in fields})
    lines: list[Document] = [{"row": row} for row in rows if random.random() < 0.4]
    lines += [{"column": column} for column in columns if random.random() < 0.4]
    lines += [{"fields": _random_patch(random, level, fields)} for _ in range(random.randint(0, 2))]
    return [line | {"points": random.randint(-2, 12)} for line in lines]


def _random_areas(random: Random, level: NaiveLevel, fields: list[str]) -> list[Document]:
    """Return ordinary and race areas; some consist of printed crosses only."""
    areas: list[Document] = []
    for _ in range(random.choice([0, 2, 4])):
        patch = _random_patch(random, level, fields)
        if random.random() < 0.5:
            areas.append({"fields": patch, "points": random.randint(1, 9)})
        else:
            areas.append({"fields": patch, "race": random.choice(TRACKS)})
    return areas


def _random_patch(random: Random, level: NaiveLevel, fields: list[str]) -> list[str]:
    """Return a field and up to three more, usually neighbours."""
    patch = {random.choice(fields)}
    for _ in range(random.randint(0, 3)):
        near = {at for field in patch for at in level.neighbours[field]} & set(fields)
        patch.add(random.choice(sorted(near) if near and random.random() < 0.9 else fields))
    return sorted(patch)


def _random_points(random: Random, level: NaiveLevel) -> Document:
    points: Document = {}
    # The order is part of the meaning of a seed: another one yields other levels.
    for letter, symbol in sorted(BY_LETTER.items(), key=_order_of_points):
        fields = level.with_symbol(letter)
        if not symbol.name or not fields:
            continue
        if symbol.is_coloured:
            colours = sorted({level.colours[field] for field in fields})
            points[symbol.name] = {colour: _random_amount(random, symbol) for colour in colours}
        else:
            points[symbol.name] = _random_amount(random, symbol)
    return points


def _order_of_points(row: tuple[str, RandomSymbol]) -> tuple[bool, bool]:
    """Return the sort key: coloured symbols first, number tracks last among them."""
    _letter, symbol = row
    return not symbol.is_coloured, symbol.points is None


def _random_amount(random: Random, symbol: RandomSymbol) -> int | list[int]:
    return random.randint(*symbol.points) if symbol.points else random.choice(TRACKS)


def _random_links_and_walls(random: Random, level: NaiveLevel, fields: list[str]) -> Document:
    pairs = [(a, b, b in level.neighbours[a]) for a in fields for b in fields if a < b]
    touching = [(a, b) for a, b, is_near in pairs if is_near]
    apart = [(a, b) for a, b, is_near in pairs if not is_near]
    links = random.sample(apart, min(len(apart), random.randint(0, 3)))
    walls = random.sample(touching, min(len(touching), random.randint(0, 4)))
    return {"links": [list(pair) for pair in links], "walls": [list(pair) for pair in walls]}


def random_house_rules(random: Random) -> Document:
    """Return one or more random house rules."""
    possible = {
        "keep_dice": True,
        "play_on": True,
        "starter": random.choice(["fewest-points", "same-player"]),
        "no_bombs": True,
        "more_players": True,
        "dice": random.randint(2, 9),
        "rounds": random.randint(1, 3),
    }
    chosen = random.sample(sorted(possible), random.randint(1, len(possible)))
    return {key: possible[key] for key in chosen}


def random_game(random: Random, level: Document | None = None) -> Document:
    """Return a game document; about half break a rule, most others reach their end."""
    level = level or random_level(random)
    house_rules = random_house_rules(random) if random.random() < 0.5 else {}
    naive = NaiveLevel(level | {"house_rules": house_rules})
    counts = [n for n in (1, 1, 2, 2, 3, 4, 5, 6) if n in naive.dice and n in naive.rounds]
    count = random.choice(counts)
    document: Document = {
        "format": "dizzle-game/1",
        "level": level,
        "dice": random.choice(["tracked", "tracked", "untracked"]),
        "players": ["Ana", "Ben", "Cem", "Dora", "Emil", "Fay"][:count],
        "actions": [],
    }
    if house_rules:
        document["house_rules"] = house_rules
    game = start(document)
    max_actions = 5000 if random.random() < 0.8 else random.randint(0, 120)
    mistake_rate = random.choice([0, 0.08])
    placing_rate = random.choice([0.3, 0.95])
    while game.phase != "finished" and len(document["actions"]) < max_actions:
        if random.random() < mistake_rate:
            break
        action = legal_action(random, game, placing_rate)
        game.apply(action)
        document["actions"].append(action)
    if mistake_rate:
        document["actions"] += [illegal_action(random, game), {"do": "drop", "player": 0}]
    return document


def legal_action(random: Random, game: NaiveGame, placing_rate: float = 0.8) -> Action:
    """Return a random legal action.

    Args:
        random: the source of randomness.
        game: the game, not finished.
        placing_rate: the probability of placing a die in an untracked pass, if possible.
    """
    if game.phase in ("lava", "marking"):
        return _random_decision(random, game)
    if game.phase == "erupt":
        sources = {at for sheet in game.sheets for at in sheet.lava} | game.level.volcanoes
        near = {game.level.numbers[at] for at in touching(game.level, sources)} - {0}
        any_number = random.random() < 0.2 or not near
        return {
            "do": "erupt",
            "die": random.randint(1, 6) if any_number else random.choice(sorted(near)),
        }
    if game.phase in ("roll", "extra"):
        return {"do": game.phase, "dice": _throw(random, game.dice_expected())}
    if game.phase == "open":
        return _random_open_action(random, game, placing_rate)
    player, sheet = game.player, game.sheets[game.player]
    if game.phase == "return":
        return {"do": "return", "player": player, "at": random.choice(sorted(sheet.dice))}
    if game.may() == ["place"]:
        choices = [(int(die), at) for die, fields in game.legal().items() for at in fields]
        die, at = random.choice(choices)
        return _placement(random, player, at, die)
    if random.random() < 0.6:
        return {"do": "reroll", "player": player, "dice": _throw(random, len(game.pool))}
    return {"do": "drop", "player": player}


def _random_decision(random: Random, game: NaiveGame) -> Action:
    owed = random.choice(game.pending())
    at = random.choice(owed["at"])
    action = {"do": owed["do"], "player": owed["player"], "at": at}
    if owed["do"] == "track":
        tracks = game.sheets[owed["player"]].tracks
        shapes = random.sample(SHAPES, 6)
        if random.random() < 0.9:  # prefer shapes that join, as random ones form no loops
            around = dict.fromkeys(game.sheets[owed["player"]].crosses, "NESW") | tracks
            shapes.sort(key=lambda shape: -len(joined_to(game.level, around | {at: shape}, at)))
        action["shape"] = shapes[0]
    return action


def _random_open_action(random: Random, game: NaiveGame, placing_rate: float) -> Action:
    player = random.randrange(len(game.sheets))
    sheet, targets = game.sheets[player], game.legal()[str(player)]
    if targets and random.random() < placing_rate:
        at = random.choice(targets)
        return _placement(random, player, at, game.level.numbers[at])
    if sheet.dice and random.random() < 0.3:
        return {"do": "return", "player": player, "at": random.choice(sorted(sheet.dice))}
    if not sheet.out and random.random() < 0.3:
        return {"do": "drop", "player": player}
    return {"do": "end_pass"}


def _placement(random: Random, player: int, at: str, die: int) -> Action:
    action = {"do": "place", "player": player, "at": at}
    return action | {"die": die} if random.random() < 0.7 else action


def _throw(random: Random, count: int) -> list[int]:
    return [random.randint(1, 6) for _ in range(count)]


def illegal_action(random: Random, game: NaiveGame) -> Action:
    """Return a well-formed action that is refused, preferably not with `not-now`."""
    refused: dict[tuple[str, ...], Action] = {}
    for _ in range(40):
        action = any_action(random, game)
        try:
            game.check(action)
        except Refused as refusal:
            refused[refusal.rules] = action
    broken = sorted(refused)
    others = [rules for rules in broken if rules != ("not-now",)]
    if not broken:
        return {"do": "end_pass"} if game.tracked else {"do": "roll", "dice": [1]}
    return refused[random.choice(others if others and random.random() < 0.9 else broken)]


def any_action(random: Random, game: NaiveGame) -> Action:
    """Return any well-formed action, usually one of the current phase."""
    possible = [do for do, phases in PHASES.items() if game.phase in phases]
    if game.phase == "return":
        possible.append("drop")
    do = random.choice(possible if possible and random.random() < 0.8 else list(PHASES))
    player = game.player if game.player is not None else 0
    if random.random() < 0.3:
        player = random.randrange(len(game.sheets))
    at = random.choice(sorted(game.level.fields))
    if random.random() < 0.15:
        at = random.choice(ascii_lowercase[:7]) + str(random.randint(1, 7))
    sheet = game.sheets[player]
    special = sheet.dice | sheet.exploded | sheet.lava | game.level.with_symbol("L")
    if special and random.random() < 0.3:
        at = random.choice(sorted(special))
    dice = _throw(random, random.choice([game.dice_expected(), random.randint(1, 9)]))
    action: Action = {"do": do}
    if do in ("lava", "place", "reroll", "return", "drop", "track", "rocket"):
        action["player"] = player
    if do in ("lava", "place", "return", "track", "rocket"):
        action["at"] = at
    if do in ("roll", "reroll", "extra"):
        action["dice"] = dice or [1]
    if do == "erupt" or (do == "place" and random.random() < 0.6):
        action["die"] = random.randint(1, 6)
    if do == "track":
        action["shape"] = random.choice(SHAPES)
    return action
