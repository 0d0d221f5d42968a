"""Random levels with every feature of the format, and random games on them.

Everything comes from the `random.Random` that is handed in, so a seed names one level or game. The
second opinion knows what is legal; nothing here asks the engine.
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

COLOURS = {"y": "yellow", "p": "purple", "g": "green", "r": "red"}
SHAPES = ["NS", "EW", "NE", "ES", "SW", "NW"]
KINDS = ("plain", "rockets", "volcano", "rails")


class RandomSymbol(NamedTuple):
    """How random levels use a symbol.

    Attributes:
        often: its share among the symbols of each of `KINDS`.
        is_coloured: whether each one has a colour.
        name: what ``points`` of a level call it; empty if it pays nothing.
        points: the least and the most points; None for number tracks.
    """

    often: tuple[int, int, int, int]
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
"""The symbols by their letters: a new one needs its row here, and no other place in this file."""

SYMBOLS = {
    kind: "".join(letter * symbol.often[place] for letter, symbol in BY_LETTER.items())
    for place, kind in enumerate(KINDS)
}
"""The letters that are drawn from, by kind of level."""

TRACKS = [[10, 6, 3, 1], [8, 4], [7], [5, 5, 0], [3, -2]]


def random_level(random: Random, size: tuple[int, int] | None = None) -> Document:
    """A level that at least the counts in its `dice` and `rounds` can play.

    ``size`` are its columns and rows, two or more of each; by chance, and most often few, without.
    """
    kind = random.choice(list(SYMBOLS))
    grid = _random_grid(random, kind, *(size or _random_size(random)))
    level: Document = {"format": "dizzle-level/1", "id": f"random-{kind}", "name": "Random"}
    if kind == "rails":
        level["marks"] = "tracks"
    elif random.random() < 0.3:
        level["shifts"] = [random.randint(-3, 3) / 4 for _ in grid]
    level["grid"] = [" ".join(row) for row in grid]
    level["dice"] = {str(count): random.randint(2, 9) for count in range(1, 7)}
    level["rounds"] = {str(count): random.randint(1, 3) for count in range(1, 7)}
    if random.random() < 0.2:  # the usual dice and rounds
        for count in "1234":
            del level["dice"][count], level["rounds"][count]
    if random.random() < 0.5:
        level["ratings"] = sorted(random.sample(range(-10, 60), 6))
    level["repeat_last"] = random.random() < 0.4
    seen = NaiveLevel(level)
    fields = sorted(seen.fields - seen.volcanoes)
    printed = set(seen.printed_crosses)
    if kind == "rails":
        printed = set(random.sample(fields, min(len(fields), random.randint(1, 3))))
        level["tracks"] = {field: random.choice(SHAPES) for field in sorted(printed)}
    level["lines"] = _random_lines(random, seen, fields)
    level["areas"] = _random_areas(random, seen, fields)
    level["points"] = _random_points(random, seen)
    if random.random() < 0.5:
        level |= _random_links_and_walls(random, seen, fields)
    return level


def _random_size(random: Random) -> tuple[int, int]:
    most = random.choice([2, 4, 6])
    columns, rows = random.randint(2, most), random.randint(2, most)
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
    # However the dice fell, there is somewhere to begin.
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
    """Ordinary and race areas, now and then one that is printed whole."""
    areas: list[Document] = []
    for _ in range(random.choice([0, 2, 4])):
        patch = _random_patch(random, level, fields)
        if random.random() < 0.5:
            areas.append({"fields": patch, "points": random.randint(1, 9)})
        else:
            areas.append({"fields": patch, "race": random.choice(TRACKS)})
    return areas


def _random_patch(random: Random, level: NaiveLevel, fields: list[str]) -> list[str]:
    """A field and a few more, most often neighbours."""
    patch = {random.choice(fields)}
    for _ in range(random.randint(0, 3)):
        near = {at for field in patch for at in level.neighbours[field]} & set(fields)
        patch.add(random.choice(sorted(near) if near and random.random() < 0.9 else fields))
    return sorted(patch)


def _random_points(random: Random, level: NaiveLevel) -> Document:
    points: Document = {}
    # In another order a seed would name another level.
    for letter, symbol in sorted(BY_LETTER.items(), key=_order_of_points):
        fields = level.with_symbol(letter)
        if not symbol.name or not fields:
            continue
        if symbol.is_coloured:
            colours = sorted({level.colours[field] for field in fields})
            points[symbol.name] = {colour: _random_worth(random, symbol) for colour in colours}
        else:
            points[symbol.name] = _random_worth(random, symbol)
    return points


def _order_of_points(row: tuple[str, RandomSymbol]) -> tuple[bool, bool]:
    """What has a colour first, of that the number tracks last."""
    _letter, symbol = row
    return not symbol.is_coloured, symbol.points is None


def _random_worth(random: Random, symbol: RandomSymbol) -> int | list[int]:
    return random.randint(*symbol.points) if symbol.points else random.choice(TRACKS)


def _random_links_and_walls(random: Random, level: NaiveLevel, fields: list[str]) -> Document:
    pairs = [(a, b, b in level.neighbours[a]) for a in fields for b in fields if a < b]
    touching = [(a, b) for a, b, is_near in pairs if is_near]
    apart = [(a, b) for a, b, is_near in pairs if not is_near]
    links = random.sample(apart, min(len(apart), random.randint(0, 3)))
    walls = random.sample(touching, min(len(touching), random.randint(0, 4)))
    return {"links": [list(pair) for pair in links], "walls": [list(pair) for pair in walls]}


def random_game(random: Random, level: Document | None = None) -> Document:
    """A game document; about half break a rule somewhere, most others reach their end."""
    level = level or random_level(random)
    seen = NaiveLevel(level)
    counts = [n for n in (1, 1, 2, 2, 3, 4, 5, 6) if n in seen.dice and n in seen.rounds]
    count = random.choice(counts)
    document: Document = {
        "format": "dizzle-game/1",
        "level": level,
        "dice": random.choice(["tracked", "tracked", "untracked"]),
        "players": ["Ana", "Ben", "Cem", "Dora", "Emil", "Fay"][:count],
        "actions": [],
    }
    game = start(document)
    length = 5000 if random.random() < 0.8 else random.randint(0, 120)
    mistakes = random.choice([0, 0.08])
    eagerness = random.choice([0.3, 0.95])  # to place, in an untracked pass
    while game.phase != "finished" and len(document["actions"]) < length:
        if random.random() < mistakes:
            break
        action = legal_action(random, game, eagerness)
        game.apply(action)
        document["actions"].append(action)
    if mistakes:
        document["actions"] += [illegal_action(random, game), {"do": "drop", "player": 0}]
    return document


def legal_action(random: Random, game: NaiveGame, eagerness: float = 0.8) -> Action:
    """Something the rules allow in this phase."""
    if game.phase in ("lava", "marking"):
        return _random_decision(random, game)
    if game.phase == "erupt":
        burning = {at for sheet in game.sheets for at in sheet.lava} | game.level.volcanoes
        near = {game.level.numbers[at] for at in touching(game.level, burning)} - {0}
        lucky = random.random() < 0.2 or not near
        return {
            "do": "erupt",
            "die": random.randint(1, 6) if lucky else random.choice(sorted(near)),
        }
    if game.phase in ("roll", "extra"):
        return {"do": game.phase, "dice": _throw(random, game.dice_expected())}
    if game.phase == "open":
        return _random_open_act(random, game, eagerness)
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
        if random.random() < 0.9:  # loops need some intention
            around = dict.fromkeys(game.sheets[owed["player"]].crosses, "NESW") | tracks
            shapes.sort(key=lambda shape: -len(joined_to(game.level, around | {at: shape}, at)))
        action["shape"] = shapes[0]
    return action


def _random_open_act(random: Random, game: NaiveGame, eagerness: float) -> Action:
    player = random.randrange(len(game.sheets))
    sheet, targets = game.sheets[player], game.legal()[str(player)]
    if targets and random.random() < eagerness:
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
    """A well-formed action that is refused; rare reasons are preferred to `not-now`."""
    refused: dict[tuple[str, ...], Action] = {}
    for _ in range(40):
        action = any_action(random, game)
        try:
            game.check(action)
        except Refused as refusal:
            refused[refusal.rules] = action
    reasons = sorted(refused)
    others = [rules for rules in reasons if rules != ("not-now",)]
    if not reasons:
        return {"do": "end_pass"} if game.tracked else {"do": "roll", "dice": [1]}
    return refused[random.choice(others if others and random.random() < 0.9 else reasons)]


def any_action(random: Random, game: NaiveGame) -> Action:
    """Any well-formed action, most often one that belongs to this phase."""
    now = [do for do, phases in PHASES.items() if game.phase in phases]
    if game.phase == "return":
        now.append("drop")
    do = random.choice(now if now and random.random() < 0.8 else list(PHASES))
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
