"""How does somebody's paper sheet differ from the one at the table, and what can be played of it?

The marks of a paper sheet are those of a scoring, see `sheets.scoring.marks`. While a pass runs,
paper is not yet what the table knows: dice lie on it, and crosses are drawn and numbers circled at
its end, or by some at once. So where a die lies here, a cross on paper is no difference and none
is none either; nor is a number before the pass ends that decides on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from sheets.rules import Action, Game, Level, RuleViolation, targets
from sheets.rules.level import SHAPES, bits
from sheets.rules.marks import CROSSES, crossed_fields, format_marks, marks_of, parse_marks
from sheets.rules.placement import free_fields, is_boxed_in
from sheets.rules.sheet import Sheet
from sheets.scoring.marks import Marks, field_marks, field_values
from sheets.tables.access import TableAccess
from sheets.tables.log import LogState
from sheets.tables.playing import ROLLED, is_dice2
from sheets.tables.reading import load

MISSING: Final = "missing"
EXTRA: Final = "extra"
NUMBER: Final = "number"
BOMB: Final = "bomb"
OTHER: Final = "other"


class Difference(NamedTuple):
    """A place that has one value on paper and another one here; empty for nothing.

    ``kind`` is `NUMBER` (circled), `BOMB` (exploded on one of the two), `MISSING` (nothing here),
    `EXTRA` (nothing on paper), or `OTHER`.
    """

    kind: str
    at: str
    paper: str
    here: str


class Comparison(NamedTuple):
    """Where paper and table differ; ``dice`` lie here on fields that are open on paper."""

    differences: tuple[Difference, ...]
    dice: tuple[str, ...]

    def of_kind(self, kind: str) -> list[Difference]:
        """The differences of a kind, in the order of fields."""
        return [one for one in self.differences if one.kind == kind]


def takes_paper(access: TableAccess) -> bool:
    """Whether who sits here has a paper sheet before them: dice on a real table, a running game.

    Whether a photo of it can be read, too, is asked elsewhere: a bought pad has no markers.
    """
    table = access.table
    if not table.has_started or is_dice2(table) or table.dice == ROLLED:
        return False
    return bool(access.seats) and not load(access).state.game.is_finished


def compare(game: Game, player: int, paper: Marks, unread: Collection[str] = ()) -> Comparison:
    """How a player's paper sheet differs from theirs in the game.

    Args:
        unread: the flags and races of which nobody knows what is circled on paper.
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
    if "exploded" in (*parse_marks(drawn), *parse_marks(stands)):
        return BOMB
    return OTHER if drawn and stands else MISSING if drawn else EXTRA


def _numbers(level: Level, sheet: Sheet, paper: Marks) -> Iterator[Difference]:
    """The numbers that are circled differently, but for those that this pass will settle."""
    soon = sheet.crosses | sheet.dice | crossed_fields(level, field_marks(level, paper))
    for place, track in level.number_tracks.items():
        number = track.circled(sheet)
        if number is None and track.is_reached(soon):
            continue
        drawn, stands = paper.get(place, ""), str(number or "")  # a used-up track circles nothing
        if drawn != stands:
            yield Difference(NUMBER, place, drawn, stands)


def acts_of_paper(
    state: LogState[Game], player: int, paper: Marks
) -> tuple[list[Action], dict[str, RuleViolation | None]]:
    """What a player can do now of all that is on their paper and not here, one after the other.

    Fields are tried in an order in which as many dice as possible come to lie, until no act is
    legal any more, or the game waits for something else. The other fields come with the rule that
    refuses them then; None where the game has just gone on, and the next one may take them.
    """
    game, acts = state.game, list[Action]()
    left = {one.at: one.paper for one in compare(game, player, paper).of_kind(MISSING)}
    while _stage(game) == _stage(state.game):
        tried = (_act_on(game, player, at, left[at]) for at in _in_order(game.sheets[player], left))
        action = next((action for action in tried if not _why_not(game, action)), None)
        if not action:
            break
        game = game.apply(action)
        acts.append(action)
        del left[action.at]
    return acts, {at: _why_not(game, _act_on(game, player, at, left[at])) for at in left}


def _why_not(game: Game, action: Action) -> RuleViolation | None:
    try:
        game.apply(action)
    except RuleViolation as violation:
        return violation
    return None


def _stage(game: Game) -> tuple[int, str]:
    return game.pass_number, game.phase


def _act_on(game: Game, player: int, at: str, drawn: str) -> Action:
    """What puts that mark on a field: a choice the player owes, else a die."""
    owed = next((one for one in game.pending() if one.player == player and at in one.at), None)
    if "lava" in parse_marks(drawn):
        return Action("lava", player, at)
    if owed and owed.do == "rocket":
        return Action("rocket", player, at)
    if owed and owed.do == "track":
        return Action("track", player, at, shape=drawn)
    return Action("place", player, at)


def _in_order(sheet: Sheet, left: Mapping[str, str]) -> list[str]:
    """The fields that are left, the one first on which a die leaves the most to come."""
    level, wanted = sheet.level, sheet.level.mask(left)
    reach = [*bits(targets(sheet) & wanted)]
    if not reach:
        return list(left)
    best = reach[0]
    if not sheet.dice or is_boxed_in(sheet):
        # Beside a die go on all fields that touch one another. Then only who is boxed in may
        # jump: so groups that box in come first, and of all others only one, the largest.
        groups = {start: _grown(sheet.with_die(start), wanted) for start in reach}
        best = max(groups, key=lambda start: _worth(groups[start]))
    first = level.fields[best].name
    return [first, *(at for at in left if at != first)]


def _worth(grown: Sheet) -> tuple[bool, int]:
    return is_boxed_in(grown), grown.dice.bit_count()


def _grown(sheet: Sheet, wanted: int) -> Sheet:
    """The sheet with dice on all wanted fields that can be reached without a jump."""
    while beside := sheet.near_dice & free_fields(sheet) & wanted:
        for field in bits(beside):
            sheet = sheet.with_die(field)
    return sheet
