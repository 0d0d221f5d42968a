"""Comparison of a player's paper sheet with the one at the table, and the acts that follow from it.

The marks of a paper sheet are those of a scoring, see `sheets.scoring.marks`. During a pass, paper
shows less or more than the table knows: dice lie on it, and players draw crosses and circle numbers
at the end of the pass or at once. So on a field with a die at the table, neither a cross on paper
nor an open field is a difference. Circled numbers are not compared before the end of the pass that
decides on them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from sheets.rules import Action, Game, Level, RuleViolation, targets
from sheets.rules.level import SHAPES, bits
from sheets.rules.marks import CROSSES, crossed_fields, format_marks, marks_of, parse_marks
from sheets.rules.placement import free_fields, is_boxed_in
from sheets.rules.sheet import Sheet
from sheets.scoring.marks import PaperMarks, field_marks, field_values
from sheets.tables.access import TableAccess
from sheets.tables.event_loader import load
from sheets.tables.event_log import LogState
from sheets.tables.table_settings import ROLLED, is_dice2

MISSING: Final = "missing"
"""Kind of a difference: a mark on paper, but none at the table."""
EXTRA: Final = "extra"
"""Kind of a difference: a mark at the table, but none on paper."""
NUMBER: Final = "number"
"""Kind of a difference: another number is circled."""
BOMB: Final = "bomb"
"""Kind of a difference: a bomb has exploded on only one of the two sheets."""
OTHER: Final = "other"
"""Kind of a difference: two different marks."""


class Difference(NamedTuple):
    """A field or number track with different values on paper and at the table.

    Attributes:
        kind: `NUMBER`, `BOMB`, `MISSING`, `EXTRA` or `OTHER`.
        at: the field or track.
        paper: the value on paper, empty for none.
        here: the value at the table, empty for none.
    """

    kind: str
    at: str
    paper: str
    here: str


class Comparison(NamedTuple):
    """Differences between a player's paper sheet and the sheet at the table.

    ``dice`` are the fields with a die at the table and nothing on paper.
    """

    differences: tuple[Difference, ...]
    dice: tuple[str, ...]

    def of_kind(self, kind: str) -> list[Difference]:
        """Return the differences of a kind, in the order of fields."""
        return [one for one in self.differences if one.kind == kind]


def takes_paper(access: TableAccess) -> bool:
    """Return whether this device's players have paper sheets: a running game with real dice.

    Whether a photo of the sheet can be read is checked elsewhere: a bought pad has no markers.
    """
    table = access.table
    if not table.has_started or is_dice2(table) or table.dice == ROLLED:
        return False
    return bool(access.seats) and not load(access).state.game.is_finished


def compare(game: Game, player: int, paper: PaperMarks, unread: Collection[str] = ()) -> Comparison:
    """Return how a player's paper sheet differs from the same player's sheet in the game.

    Args:
        game: the game.
        player: the player.
        paper: the marks on the paper sheet.
        unread: the flags and races whose circled numbers could not be read on paper.
    """
    level, sheet = game.level, game.sheets[player]
    here = {at: format_marks(stack) for at, stack in marks_of(sheet).items()}
    lying = set(level.names(sheet.dice))
    # On rails a die that has become a cross waits for its track: nothing is drawn there yet.
    waiting = set(level.names(sheet.crosses)) if level.rails else set()
    differences: list[Difference] = []
    dice: list[str] = []
    for field in level.fields:
        at = field.name
        if not field_values(level, at):
            continue
        drawn, stands = paper.get(at, ""), here.get(at, "")
        if at in lying:
            if not drawn:
                dice.append(at)
            if not drawn or drawn in CROSSES:
                continue
        elif at in waiting and stands not in SHAPES:
            stands = ""
        elif stands == "rocket":
            stands = "cross"
        if drawn != stands:
            differences.append(Difference(_kind_of(drawn, stands), at, drawn, stands))
    numbers = [one for one in _numbers(level, sheet, paper) if one.at not in unread]
    return Comparison((*differences, *numbers), tuple(dice))


def _kind_of(drawn: str, stands: str) -> str:
    """Return the kind of a difference between a mark on paper and one at the table."""
    if "exploded" in (*parse_marks(drawn), *parse_marks(stands)):
        return BOMB
    return OTHER if drawn and stands else MISSING if drawn else EXTRA


def _numbers(level: Level, sheet: Sheet, paper: PaperMarks) -> Iterator[Difference]:
    """Yield the differences in circled numbers, except those that the current pass will settle."""
    soon = sheet.crosses | sheet.dice | crossed_fields(level, field_marks(level, paper))
    for place, track in level.number_tracks.items():
        number = track.circled(sheet)
        if number is None and track.is_reached(soon):
            continue
        drawn, stands = paper.get(place, ""), str(number or "")  # a used-up track circles nothing
        if drawn != stands:
            yield Difference(NUMBER, place, drawn, stands)


def acts_of_paper(
    state: LogState[Game], player: int, paper: PaperMarks
) -> tuple[list[Action], dict[str, RuleViolation | None]]:
    """Return the actions, in order, that a player can do now for marks that are only on paper.

    Fields are tried in an order that places as many dice as possible, until no act is legal, or the
    game waits for something else.

    Returns:
        The actions, and for each remaining field the rule that refuses it then, or None if the game
        has just moved on and the next pass or phase may accept it.
    """
    game, acts = state.game, list[Action]()
    left = {one.at: one.paper for one in compare(game, player, paper).of_kind(MISSING)}
    while _stage(game) == _stage(state.game):
        tried = (
            _act_on(game, player, at, left[at]) for at in _best_first(game.sheets[player], left)
        )
        action = next((action for action in tried if not _violation(game, action)), None)
        if not action:
            break
        game = game.apply(action)
        acts.append(action)
        del left[action.at]
    return acts, {at: _violation(game, _act_on(game, player, at, left[at])) for at in left}


def _violation(game: Game, action: Action) -> RuleViolation | None:
    """Return the rule that an action breaks, None if it is legal."""
    try:
        game.apply(action)
    except RuleViolation as violation:
        return violation
    return None


def _stage(game: Game) -> tuple[int, str]:
    """Return the pass and phase, which change when the game waits for something else."""
    return game.pass_number, game.phase


def _act_on(game: Game, player: int, at: str, drawn: str) -> Action:
    """Return the action that puts a mark on a field: a choice that the player owes, else a die."""
    owed = next((one for one in game.pending() if one.player == player and at in one.at), None)
    if "lava" in parse_marks(drawn):
        return Action("lava", player, at)
    if owed and owed.do == "rocket":
        return Action("rocket", player, at)
    if owed and owed.do == "track":
        return Action("track", player, at, shape=drawn)
    return Action("place", player, at)


def _best_first(sheet: Sheet, left: Mapping[str, str]) -> list[str]:
    """Return the fields left, first the one whose die leaves the most of them reachable."""
    level, wanted = sheet.level, sheet.level.mask(left)
    reach = [*bits(targets(sheet) & wanted)]
    if not reach:
        return list(left)
    best = reach[0]
    if not sheet.dice or is_boxed_in(sheet):
        # All fields of a connected group can be filled one after another. Then only a boxed-in
        # player may jump to another group. So groups that box the player in come first. Of the
        # other groups only one can be filled: the largest.
        groups = {start: _with_group(sheet.with_die(start), wanted) for start in reach}
        best = max(groups, key=lambda start: _group_rank(groups[start]))
    first = level.fields[best].name
    return [first, *(at for at in left if at != first)]


def _group_rank(grown: Sheet) -> tuple[bool, int]:
    """Return the rank of a sheet with a group of dice: boxed in ranks highest, then more dice."""
    return is_boxed_in(grown), grown.dice.bit_count()


def _with_group(sheet: Sheet, wanted: int) -> Sheet:
    """Return the sheet with dice on all wanted fields that can be reached without a jump."""
    while adjacent := sheet.near_dice & free_fields(sheet) & wanted:
        for field in bits(adjacent):
            sheet = sheet.with_die(field)
    return sheet
