"""Recorded games and replay results as documents.

A recorded game is an event log: a level, the players and the actions. Its state is always the
replay of the log, so undo replays fewer actions and history replays them one by one. Documents are
passed as plain dicts whose types and ranges are already validated (`sheets.documents.structure`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sheets.rules.documents.dice_proof import DiceProof, format_dice_proof, parse_dice_proof
from sheets.rules.documents.level import format_level, parse_level, with_house_rules
from sheets.rules.final_sheet import SHEET_KEYS, parse_final_sheet
from sheets.rules.game import Game, new_game
from sheets.rules.house_rules import HouseRules
from sheets.rules.level import Level
from sheets.rules.scoring import Score
from sheets.rules.sheet import Sheet
from sheets.rules.state import Action
from sheets.rules.violations import DocumentError, RuleViolation

FindLevel = Callable[[str], Level]
"""Function that returns the shipped level with an id, or raises DocumentError if there is none."""

ParseLevel = Callable[[Mapping[str, Any]], Level]
"""Function that parses a level document, such as `parse_level`."""


class Record(NamedTuple):
    """A recorded game.

    ``level`` has the game's house rules. ``level_id`` is the id of a shipped level where the
    document named one, else empty. ``dice_proof`` is None for a game whose dice nobody can compute
    again.
    """

    level: Level
    level_id: str
    players: tuple[str, ...]
    is_tracked: bool
    actions: tuple[Action, ...]
    dice_proof: DiceProof | None = None

    def start(self) -> Game:
        """Return the game before its first action."""
        return new_game(self.level, self.players, tracked=self.is_tracked)


def no_shipped_level(level_id: str) -> Level:
    """Raise DocumentError for any id: the `FindLevel` without shipped levels."""
    raise DocumentError("unknown-level", ("level",), level=level_id)


def parse_game(
    document: Mapping[str, Any],
    find_level: FindLevel = no_shipped_level,
    parse: ParseLevel = parse_level,
) -> Record:
    """Return the record that a ``dizzle-game/1`` document describes.

    Args:
        document: the document.
        find_level: returns the shipped level with an id.
        parse: parses a level contained in the document.

    Raises:
        DocumentError: for an unknown level, a number of players that the level does not allow, an
            action of a player who does not exist, an impossible corrected sheet, or a proof of the
            dice for another number of players.
    """
    level, level_id = parse_game_level(document, find_level, parse)
    players = tuple(document["players"])
    if len(players) not in level.player_counts:
        raise DocumentError("player-count", ("players",), count=len(players))
    actions = tuple(parse_action(entry) for entry in document["actions"])
    for index, action in enumerate(actions):
        if action.player >= len(players):
            raise DocumentError("unknown-player", ("actions", index), player=action.player)
        if action.sheet is not None:
            parse_final_sheet(level, action.sheet, ("actions", index))
    proof = parse_dice_proof(document, len(players), sequences=1)
    return Record(level, level_id, players, document["dice"] == "tracked", actions, proof)


def parse_game_level(
    document: Mapping[str, Any], find_level: FindLevel, parse: ParseLevel = parse_level
) -> tuple[Level, str]:
    """Return the level of a game with its house rules, and its id if it is a shipped one.

    Raises:
        DocumentError: the level is unknown.
    """
    level, level_id = parse_level_reference(document["level"], find_level, parse)
    if "house_rules" in document:
        level = with_house_rules(level, HouseRules(**document["house_rules"]))
    return level, level_id


def parse_level_reference(
    level: str | Mapping[str, Any], find_level: FindLevel, parse: ParseLevel = parse_level
) -> tuple[Level, str]:
    """Return the level that a document names by its id, and this id; or contains, and ``""``."""
    if isinstance(level, str):
        return find_level(level), level
    try:
        return parse(level), ""
    except DocumentError as error:
        raise error.inside("level") from None


def format_game(record: Record) -> dict[str, Any]:
    """Return the ``dizzle-game/1`` document of a record."""
    house_rules = record.level.house_rules.changed if record.level_id else {}
    return {
        "format": "dizzle-game/1",
        "level": record.level_id or format_level(record.level),
        **({"house_rules": house_rules} if house_rules else {}),
        "dice": "tracked" if record.is_tracked else "untracked",
        "players": list(record.players),
        "actions": [format_action(action) for action in record.actions],
        **format_dice_proof(record.dice_proof),
    }


def format_anonymous_game(record: Record) -> dict[str, Any]:
    """Return the ``dizzle-game/1`` document of a record, with numbers in place of the names.

    It contains the level, also if this is a shipped one, and no proof of the dice.
    """
    seats = tuple(str(seat) for seat, _ in enumerate(record.players, start=1))
    return format_game(record._replace(level_id="", players=seats, dice_proof=None))


def parse_action(entry: Mapping[str, Any]) -> Action:
    """Return the action that an entry of a document describes.

    >>> parse_action({"do": "place", "player": 0, "at": "c4"})
    Action(do='place', player=0, at='c4', die=0, dice=(), shape='', sheet=None)
    """
    return Action(
        entry["do"],
        entry.get("player", -1),
        entry.get("at", ""),
        entry.get("die", 0),
        tuple(entry.get("dice", ())),
        entry.get("shape", ""),
        {key: entry[key] for key in SHEET_KEYS if key in entry}
        if entry["do"] == "correct"
        else None,
    )


def format_action(action: Action) -> dict[str, Any]:
    """Return the entry of an action in a document.

    >>> format_action(Action("drop", player=1))
    {'do': 'drop', 'player': 1}
    """
    entry: dict[str, Any] = {"do": action.do}
    if action.player >= 0:
        entry["player"] = action.player
    if action.at:
        entry["at"] = action.at
    if action.die:
        entry["die"] = action.die
    if action.dice or action.do in ("roll", "reroll", "extra"):
        entry["dice"] = list(action.dice)
    if action.shape:
        entry["shape"] = action.shape
    return {**entry, **(action.sheet or {})}


def history(record: Record) -> Iterator[Game]:
    """Iterate over the states of a game: before the first action and after each.

    Raises:
        RuleViolation: at the first action that breaks a rule.
    """
    game = record.start()
    yield game
    for action in record.actions:
        game = game.apply(action)
        yield game


def replay_actions(game: Game, actions: Iterable[Action]) -> tuple[Game, int, RuleViolation | None]:
    """Apply actions up to the first violation.

    Returns:
        The game after the accepted actions, their number, and the violation or None.
    """
    applied = 0
    for action in actions:
        try:
            game = game.apply(action)
        except RuleViolation as violation:
            return game, applied, violation
        applied += 1
    return game, applied, None


def replay_record(record: Record, explain: Callable[[RuleViolation], str] = str) -> dict[str, Any]:
    """Replay a record and return the output of the command ``replay``.

    Args:
        record: the game.
        explain: formats the message about a violation.
    """
    game, applied, violation = replay_actions(record.start(), record.actions)
    error = None
    if violation:
        error = {"action": applied, "rule": violation.rule, "message": explain(violation)}
    return {"ok": not violation, "applied": applied, "error": error, **format_state(game)}


def format_state(game: Game) -> dict[str, Any]:
    """Return the state of a game as in a ``replay`` result."""
    outcome = game.outcome()
    has_pool = game.phase in ("turn", "return", "extra")
    return {
        "finished": outcome is not None,
        "phase": game.phase,
        "player": game.player,
        "pass": game.pass_number,
        "round": game.round_number,
        "pool": list(game.pool) if has_pool else [],
        "may": game.may(),
        "legal": {str(key): fields for key, fields in game.legal().items()},
        "boxed_in": game.is_boxed_in(),
        "pending": [
            {"player": owed.player, "do": owed.do, "count": owed.times, "at": list(owed.at)}
            for owed in game.pending()
        ],
        "sheets": [
            format_sheet(name, sheet) for name, sheet in zip(game.players, game.sheets, strict=True)
        ],
        "scores": format_scores(game.players, game.scores()),
        "winners": list(outcome.winners) if outcome else [],
        "rating": outcome.rating if outcome else None,
    }


def format_sheet(player: str, sheet: Sheet) -> dict[str, Any]:
    """Return one player's sheet as in a ``replay`` result."""
    names = sheet.level.names
    fields = sheet.level.fields
    return {
        "player": player,
        "crosses": names(sheet.crosses),
        "dice": names(sheet.dice),
        "exploded": names(sheet.exploded),
        "lava": names(sheet.lava),
        "tracks": {fields[i].name: shape for i, shape in sorted(sheet.tracks.items())},
        "flags": dict(sheet.flags),
        "races": {str(index): points for index, points in sheet.races.items()},
        "out": sheet.is_out,
    }


def format_scores(players: Sequence[str], scores: Sequence[Score]) -> list[dict[str, Any]]:
    """Return the ``scores`` of a ``replay`` or ``score`` result."""
    return [
        {"player": name, "total": score.total, "marks": score.marks, "by": score.by_category}
        for name, score in zip(players, scores, strict=True)
    ]
