"""Short rules for one printed page, enough to play by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from sheets.rules import Level
from sheets.text.house_rules import level_title, shown_house_rules


class ShortRule(NamedTuple):
    """Rule on the printed page, in the active language.

    ``name`` is the rule's name, and the key of its drawn example, if it has one. ``description`` is
    the example's text alternative for screen readers.
    """

    name: str
    heading: str
    text: str
    description: str = ""


def dizzle_in_short(levels: Sequence[Level]) -> list[ShortRule]:
    """Return the short rules of Dizzle for games on any of these levels."""
    wanted = {name for level in levels for name in _symbol_rules(level)}
    return [
        _course(),
        *_placing(),
        _pass_end(),
        *(rule for rule in _symbols() if rule.name in wanted),
        *_scoring(has_bombs="bombs" in wanted),
        *_house_rules(levels),
    ]


def describe_examples() -> dict[str, str]:
    """Return the text alternative of each drawn example, by the name of its rule."""
    rules = (*_placing(), *_symbols(), *dice2_in_short())
    return {rule.name: rule.description for rule in rules if rule.description}


def _symbol_rules(level: Level) -> list[str]:
    """Return the names of the short rules on symbols, for the symbols of a level."""
    fields = {
        "locks": level.by_symbol["lock"],
        "bombs": level.by_symbol["bomb"],
        "flags": level.by_symbol["flag"],
        "rockets": level.rockets,
        "volcano": level.by_symbol["volcano"],
        "tracks": level.rails,
    }
    return [name for name, has_some in fields.items() if has_some]


def _course() -> ShortRule:
    return ShortRule(
        "course",
        _("How a game goes"),
        _(
            "In a round, each player starts one pass: tick a box of the round tracker and roll "
            "all dice. They are the pool in the middle of the table. Your sheet says how many "
            "dice and rounds there are. Take turns clockwise."
        ),
    )


def _placing() -> list[ShortRule]:
    return [
        ShortRule(
            "first-die",
            _("Your first die: next to a cross"),
            _(
                "Take one die from the pool and put it on a field with its number. Your first "
                "die of a pass must touch a cross by an edge."
            ),
            _(
                "A cross in the middle of nine fields, a 5 in the pool. The 5s to the right of "
                "the cross and below it are framed; the 5 at its corner is barred."
            ),
        ),
        ShortRule(
            "next-die",
            _("Further dice: next to your dice"),
            _(
                "Each further die must touch one of your dice of this pass. If a die of the pool "
                "fits, you must place one."
            ),
            _(
                "A die next to the cross, a 3 in the pool. The 3 next to the die is framed; the "
                "3 that touches only the cross is barred."
            ),
        ),
        ShortRule(
            "jump",
            _("Boxed in: jump"),
            _(
                "If no free field touches your dice, the next die goes next to any cross. A "
                "field is free even if its number is not in the pool."
            ),
            _(
                "Two dice in a corner between crosses, a 5 in the pool. The 5 next to a cross on "
                "the other side is framed; a 5 that touches no cross is barred."
            ),
        ),
        ShortRule(
            "reroll",
            _("Drop out or reroll"),
            _(
                "If no die fits, drop out of the pass, or roll the whole pool again. If a die "
                "fits now, place it. If none fits, put one of your dice back into the pool."
            ),
            _(
                "Three positions: neither 4 of the pool fits; after the reroll, neither 2 nor 4 "
                "fits; then the 1 of the sheet lies in the pool again."
            ),
        ),
    ]


def _pass_end() -> ShortRule:
    return ShortRule(
        "pass-end",
        _("The end of a pass"),
        _(
            "Players are out when they drop out, or when they have no field for any number. "
            "When only one player is left, this player has one more turn. Then, or when the "
            "pool is empty, the pass ends: each die on a sheet becomes a cross."
        ),
    )


def _symbols() -> list[ShortRule]:
    return [
        ShortRule(
            "locks",
            _("Keys and locks"),
            _(
                "A lock takes a die only if you crossed a key of its colour in an earlier pass. "
                "One key opens all locks of its colour."
            ),
            _(
                "A die on a key: the lock next to it is barred. In the next pass, the key is "
                "crossed and the lock is framed."
            ),
        ),
        ShortRule(
            "bombs",
            _("Bombs"),
            _(
                "A die on a bomb crosses it. At the end of the pass, this bomb explodes on all "
                "sheets without a die there: scribble over it. An exploded bomb takes no die "
                "and costs points."
            ),
            _(
                "Your die on the bomb becomes a cross. On the sheets of all others, the bomb is "
                "scribbled over."
            ),
        ),
        ShortRule(
            "flags",
            _("Flags"),
            _(
                "At a flag, circle the highest number left. Players who reach it in the same "
                "pass get the same number, and one number is gone for each of them."
            ),
            _(
                "Three sheets with a crossed flag and the numbers 10, 6, 3, 1. Two players "
                "reached it in the first pass and circled 10, a third one later circled 3."
            ),
        ),
        ShortRule(
            "rockets",
            _("Rockets and planets"),
            _(
                "If your die crosses a rocket, cross a planet of your choice at the end of the "
                "pass, anywhere on the sheet."
            ),
            _("A die on a rocket. Then both the rocket and a planet far away are crossed."),
        ),
        ShortRule(
            "volcano",
            _("Volcanoes and lava"),
            _(
                "Before each pass, roll one die. Each player turns one field with this number "
                "next to a volcano or lava into lava. Lava takes no die."
            ),
            _(
                "A volcano with lava below it, a 3 was rolled. The two 3s next to the volcano "
                "are framed; a 3 far from the lava is barred."
            ),
        ),
        ShortRule(
            "tracks",
            _("Tracks and stops"),
            _(
                "Each die becomes a straight or curved track, which counts as a cross. Points "
                "per field: 1 on an open route, 2 on a loop, 3 on your longest loop. A stop pays "
                "on a loop."
            ),
            _("Six tracks form a loop through a stop. Two more tracks form an open route."),
        ),
    ]


def _scoring(*, has_bombs: bool) -> list[ShortRule]:
    solo = _(
        "After each die that you place, roll two more dice. For each of them, one die of the same "
        "number leaves the pool."
    )
    if has_bombs:
        solo += " " + _("Nothing explodes; a crossed bomb pays 2 points.")
    return [
        ShortRule(
            "points",
            _("Points"),
            _(
                "Each crossed gem pays. A row or column with an arrow, a bordered area and the "
                "puzzle pieces of a colour pay when all their fields are crossed. Heaps cost "
                "points. Most points win; if equal, fewer crosses win."
            ),
        ),
        ShortRule("solo", _("Alone"), solo),
    ]


def _house_rules(levels: Sequence[Level]) -> list[ShortRule]:
    """Return a rule that lists the house rules of the levels; empty if they have none."""
    changed = [level for level in levels if level.house_rules.changed]
    if not changed:
        return []
    if len(levels) == 1:
        text = " · ".join(rule.label for rule in shown_house_rules(levels[0]))
    else:
        text = "; ".join(level_title(level) for level in changed)
    return [ShortRule("house-rules", _("House rules"), f"{text}.")]


def dice2_in_short() -> list[ShortRule]:
    """Return the short rules of all games of Dice²."""
    return [
        ShortRule(
            "placing",
            _("Placing dice"),
            _(
                "Roll one die and put it next to a die, edge to edge. The first die goes on the "
                "dark field in the middle. If your die fits nowhere, keep it and skip."
            ),
            _(
                "A 3 lies on the dark field, a 4 was rolled. The fields to the right and below "
                "are framed; a field at the corner is barred."
            ),
        ),
        ShortRule(
            "order",
            _("Numbers in order"),
            _(
                "Numbers never fall from left to right in a row, nor from top to bottom in a "
                "column. This also counts across gaps."
            ),
            _(
                "A 2 was rolled. Two fields to the left are framed. Barred: a field to the right "
                "of a 3 with a gap between them, and a field below a 4."
            ),
        ),
        ShortRule(
            "square",
            _("Square Dice"),
            _(
                "For one player, 16 dice, all within 4 rows and 4 columns. A line of 4 equal "
                "numbers or 4 consecutive numbers in order pays 1 point, also diagonally. The "
                "first die that fits nowhere ends the game. All 16 dice pay 4 points more."
            ),
            _(
                "A row with 1, 2, 3, 4, a column with four 1s and a diagonal with 1, 2, 3, 4 are "
                "joined by bars."
            ),
        ),
        ShortRule(
            "four-wins",
            _("4 Dice Wins"),
            _(
                "For two, 16 dice each. Four of your own dice in an unbroken line win, also "
                "diagonally. Without such a line, the player who placed the last die wins."
            ),
            _("Four dice of one player, joined by bars, form a diagonal."),
        ),
        ShortRule(
            "last-man",
            _("Last Man Dice"),
            _(
                "For two, 8 dice each, all within 4 rows and 4 columns. After your first die, "
                "each must touch one of your own, by an edge or a corner. The player who places "
                "the last die wins."
            ),
            _(
                "A die of each player, a 5 was rolled. Two fields that touch the player’s own "
                "die are framed; a field that touches only the other die is barred."
            ),
        ),
        ShortRule(
            "major",
            _("Major Dice"),
            _(
                "For two on the light fields, for three on the whole board, 16 dice each. A row "
                "or column of exactly 5 dice pays 2 markers to the player with the most dice in "
                "it; two tied players of three get 1 each. Six in a row are forbidden. 6 markers "
                "win; at the end, most markers win."
            ),
            _(
                "Five dice in a row, three of them of one player, are joined by bars. The fields "
                "at both ends are barred, the fields below are framed."
            ),
        ),
        ShortRule(
            "relay",
            _("Relay"),
            _(
                "Two or three players play several games to 5, 7 or 9 points. A win pays 1 "
                "point; with the handicap, 2 points for a winner who did not start. The loser "
                "starts the next game."
            ),
        ),
    ]
