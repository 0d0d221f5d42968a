"""Rules of Dizzle."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from sheets.text.rulebook.chapters import Chapter, Rule
from sheets.text.rulebook.dizzle_sheets import SHEET_CHAPTERS

DIZZLE_CHAPTERS: Final = (
    Chapter(
        "set-up",
        "die-5",
        _("Getting started: dice, rounds, start player"),
        _(
            "Everyone has the same sheet and a pen. You put dice on fields of the same number; at "
            "the end of a pass every die turns into a cross. Crosses score points."
        ),
        (
            Rule(
                "dice-count",
                _("How many dice"),
                _(
                    "8 dice alone, 7 for two, 10 for three and 13 for four players, unless the "
                    "sheet says otherwise. Five or six can play on sheets that give dice and "
                    "rounds for that many, or by a house rule."
                ),
            ),
            Rule(
                "round-count",
                _("How many rounds"),
                _(
                    "10 rounds alone, 6 for two, 4 for three and 3 for four players, unless the "
                    "sheet says otherwise. In a round every player starts one pass."
                ),
            ),
            Rule(
                "start-order",
                _("Who starts"),
                _(
                    "The youngest starts the first pass, the next player clockwise the next one. "
                    "The start player rolls all the dice, which then form the pool in the middle "
                    "of the table, and ticks a box of the round tracker."
                ),
            ),
        ),
    ),
    Chapter(
        "placing",
        "cross-1",
        _("Placing a die"),
        _(
            "A die goes on a free field with its number. Fields touch when they share an edge; "
            "corners do not count."
        ),
        (
            Rule(
                "free",
                _("Free fields: what counts as free"),
                _(
                    "A field is free if it has a number and a die may still lie there: no cross, "
                    "no track, no die of yours and no lava is on it, and it is neither an "
                    "exploded bomb nor a closed lock. Whether its number has come up does not "
                    "matter."
                ),
                is_note=True,
                example="free",
            ),
            Rule(
                "not-next-to-cross",
                _("Your first die: next to a cross"),
                _(
                    "Your first die of a pass goes beside any cross on your sheet, printed or "
                    "your own. This also holds when all your dice had to go back to the pool."
                ),
                example="first-die",
            ),
            Rule(
                "not-next-to-die",
                _("Further dice: next to your dice"),
                _(
                    "After that each die goes beside one of your dice of this pass. Any of them "
                    "will do, even one cut off from the others when a die went back."
                ),
                example="next-die",
            ),
            Rule(
                "jump",
                _("Boxed in: jump"),
                _(
                    "If no free field at all touches your dice, you are boxed in, and the next "
                    "die goes beside any cross instead. Crosses, your own dice, edges, holes and "
                    "walls box you in, closed locks, lava, exploded bombs and fields without a "
                    "number. If a die goes back and makes room beside an older group, you go on "
                    "there."
                ),
                example="boxed-in",
            ),
            Rule(
                "not-boxed-in",
                _("Not boxed in: only the number is missing"),
                _(
                    "A free field beside your dice whose number just does not come up is no reason "
                    "to jump: you reroll or drop out."
                ),
                is_note=True,
                example="not-boxed-in",
            ),
            Rule(
                "wrong-number",
                _("Wrong number: die and field must match"),
                _("A 4 goes on a 4 and on nothing else."),
            ),
            Rule(
                "field-taken",
                _("Taken fields: no second die"),
                _("A field with a cross, a track or one of your own dice takes no other die."),
            ),
            Rule(
                "no-number",
                _("Fields without a number: planets and volcanoes"),
                _(
                    "Planets without a number and volcanoes never take a die. Such a planet is "
                    "crossed by a rocket only."
                ),
            ),
            Rule(
                "locked",
                _("Keys and locks: when a lock opens"),
                _(
                    "A lock takes a die once a key of its colour was crossed in an earlier pass "
                    "or is printed crossed. A die lying on the key is not enough. One key opens "
                    "every lock of its colour."
                ),
                example="locks",
            ),
            Rule(
                "exploded",
                _("Exploded bombs: no die, no cross"),
                _("A scribbled-over bomb is out of the game: no die, no cross, no way through."),
            ),
            Rule(
                "no-field",
                _("Holes in the sheet: no die"),
                _("Where nothing is printed, nothing can be placed."),
            ),
            Rule(
                "bridges-and-walls",
                _("Bridges and walls: which fields touch"),
                _(
                    "On some sheets a line leads from one field to another: they are neighbours as "
                    "if they touched, though no track crosses that line. A thick line between two "
                    "fields is a wall: they do not touch, neither for dice nor for lava nor tracks."
                ),
                is_note=True,
                example="joined",
            ),
            Rule(
                "printed-crosses",
                _("Printed crosses on symbols"),
                _(
                    "A gem or puzzle piece that is printed crossed counts like any other, and a "
                    "printed key opens its locks. But a printed flag scores nothing, a printed "
                    "rocket fires nothing, and a printed bomb never explodes."
                ),
                is_note=True,
            ),
        ),
    ),
    Chapter(
        "turns",
        "die-2",
        _("Your turn: place, reroll or drop out"),
        _(
            "Clockwise, every player who is still in does one thing: place one die from "
            "the pool, reroll, or drop out."
        ),
        (
            Rule(
                "must-place",
                _("A die fits: you must place one"),
                _(
                    "As long as one of the dice in the pool fits, you have to place one. Only "
                    "when none fits may you reroll or drop out. This holds for jumping too."
                ),
            ),
            Rule(
                "reroll",
                _("Nothing fits: reroll or drop out"),
                _(
                    "You roll all the dice in the pool again. If one fits now, you place it in "
                    "the same turn. Either way you stay in."
                ),
            ),
            Rule(
                "must-return",
                _("Nothing fits after a reroll: put a die back"),
                _(
                    "If nothing fits after the reroll, one of your dice goes back to the pool: "
                    "any one, its number unchanged. If you have none on your sheet, nothing "
                    "happens."
                ),
                example="reroll",
            ),
            Rule(
                "drop-out",
                _("Drop out: leave the pass"),
                _("You leave the pass. Your dice stay where they are and become crosses."),
            ),
            Rule(
                "stuck",
                _("Stuck: no field for any number"),
                _(
                    "If your turn begins and no field is left for any number at all, you are out "
                    "of this pass without having to say so, as if you had dropped out: the last "
                    "one in then has one more turn. A last turn that begins stuck ends the pass."
                ),
            ),
            Rule(
                "last-player",
                _("Last player: one more turn"),
                _(
                    "Once all others are out, the last player has exactly one more turn of any "
                    "kind. Then the pass ends. Not in a solo game."
                ),
            ),
            Rule(
                "pass-end",
                _("When a pass is over"),
                _(
                    "A pass is over when everyone is out, when the pool is empty, or after the "
                    "last player’s turn."
                ),
            ),
            Rule(
                "not-your-turn",
                _("Turn order: clockwise"),
                _("The start player begins, then it goes on clockwise."),
            ),
            Rule(
                "dropped-out",
                _("Dropped out: no more dice in this pass"),
                _("A player who has dropped out places nothing more until the next pass begins."),
            ),
        ),
    ),
    Chapter(
        "pass-end",
        "bomb",
        _("End of a pass: bombs, flags, rockets"),
        _("For all players together, in this order:"),
        (
            Rule(
                "cross-dice",
                _("Dice become crosses"),
                _("Every field with a die gets a cross."),
                is_step=True,
            ),
            Rule(
                "bomb",
                _("Bombs: when they explode"),
                _(
                    "If you had a die on a bomb, you have a cross there now. All others scribble "
                    "over that bomb: it has exploded. In a solo game nothing explodes."
                ),
                is_step=True,
                example="bombs",
            ),
            Rule(
                "flag",
                _("Flags: who gets which number"),
                _(
                    "If you reach a flag, circle the highest number left for its colour. If "
                    "several players get there in the same pass, all get it, and that many "
                    "numbers are struck off: with 10-6-3-1 two of you get 10 each, the next one "
                    "gets 3. Once all numbers are used up a flag scores 0, unless the sheet keeps "
                    "its last number. You score a colour once: a second flag of it scores "
                    "nothing and strikes nothing off."
                ),
                is_step=True,
                example="flags",
            ),
            Rule(
                "rocket",
                _("Rockets: cross a planet"),
                _(
                    "For every rocket you have just crossed, cross an open planet of your choice, "
                    "anywhere on the sheet. A planet crossed in this way fires no rocket itself. "
                    "If no planet is left, the rocket is lost. From the next pass on you can go "
                    "on from there."
                ),
                is_step=True,
                example="rockets",
            ),
            Rule(
                "race",
                _("Races: areas with several numbers"),
                _(
                    "An area with several numbers is a race: the first player to complete it gets "
                    "the highest, as with flags. An area whose fields are all printed crossed "
                    "scores nothing."
                ),
                is_step=True,
            ),
            Rule(
                "not-a-choice",
                _("Your choice: planet, lava or track"),
                _(
                    "A rocket goes to an open planet, lava to a field the volcano reaches, and a "
                    "track to a field that had a die in this pass."
                ),
            ),
            Rule(
                "full-sheet",
                _("Full sheet: the game ends early"),
                _(
                    "If somebody has nothing left to cross, the game ends after this pass. "
                    "Exploded bombs, lava and volcanoes do not count as left."
                ),
            ),
            Rule(
                "game-end",
                _("Last round: the game ends"),
                _("Otherwise the game ends after the last pass of the last round."),
            ),
        ),
    ),
    *SHEET_CHAPTERS,
    Chapter(
        "house-rules",
        "die-6",
        _("House rules"),
        _(
            "You can change the rules of a game when you start its table. Everyone sees the house "
            "rules there and next to the results, and groups keep separate figures for such games."
        ),
        (
            Rule(
                "keep-dice",
                _("A failed reroll returns nothing"),
                _(
                    "If no die fits after a reroll, no die goes back into the pool, and it is the "
                    "next player’s turn."
                ),
            ),
            Rule(
                "play-on",
                _("The last player goes on"),
                _(
                    "When all others are out, the last player does not have just one more turn. "
                    "They go on until they drop out, have no field for any number, or take the "
                    "last die of the pool."
                ),
            ),
            Rule(
                "starter",
                _("Who starts the next pass"),
                _(
                    "Either the player with the fewest points starts the next pass, and if "
                    "several have equally few, the first of them clockwise; or the same player "
                    "starts every pass."
                ),
            ),
            Rule(
                "no-bombs",
                _("No bombs"),
                _("Bombs are fields like any other: they do not explode, and they pay nothing."),
            ),
            Rule(
                "more-players",
                _("Five or six players"),
                _(
                    "Five or six can play on any level: with three more dice for the fifth player, "
                    "three more for the sixth, and two rounds. The last number of flags and races "
                    "is never struck off, so every player can get it. If the sheet itself has dice "
                    "and rounds for that many, these count."
                ),
            ),
            Rule(
                "dice",
                _("Another number of dice"),
                _("The start player rolls as many dice as you have chosen."),
            ),
            Rule(
                "rounds",
                _("Another number of rounds"),
                _("The game has as many rounds as you have chosen."),
            ),
        ),
    ),
    Chapter(
        "app",
        "die-4",
        _("When the app says no"),
        _(
            "These are not rules of the game: with dice and paper alone nobody needs them. They "
            "let the app refuse what can only be a mistake."
        ),
        (
            Rule(
                "no-such-die",
                _("Dice that are not there"),
                _(
                    "You take dice from the pool, and you put back only dice that lie on your "
                    "own sheet."
                ),
            ),
            Rule(
                "bad-dice",
                _("How many dice a roll has"),
                _("A roll always has as many dice as belong to it, no more and no fewer."),
            ),
            Rule(
                "not-now",
                _("Not now: everything in its order"),
                _(
                    "Roll, place, then mark the sheets: what belongs to another moment has to "
                    "wait. After the end of the game nothing changes."
                ),
            ),
            Rule(
                "return",
                _("Undo: take a die back"),
                _(
                    "If the app follows only the sheets, not the dice, every player may take "
                    "back their own dice until the pass is ended."
                ),
            ),
        ),
    ),
)
"""Chapters on Dizzle: each of `sheets.rules.RULES` once, and notes."""
