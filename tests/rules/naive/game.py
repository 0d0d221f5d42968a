"""Game of the second implementation: turns, refusals and effects without optimisations."""

from __future__ import annotations

from typing import Any

from tests.rules.naive.level import NaiveLevel, in_reading_order
from tests.rules.naive.placement import is_boxed_in, refusal_of_field, targets, touching
from tests.rules.naive.scoring import NaiveSheet, score

Action = dict[str, Any]
"""An action as an entry of a document."""

PHASES = {
    "erupt": ("erupt",),
    "lava": ("lava",),
    "roll": ("roll",),
    "place": ("turn", "open"),
    "reroll": ("turn",),
    "return": ("return", "open"),
    "drop": ("turn", "open"),
    "extra": ("extra",),
    "end_pass": ("open",),
    "track": ("marking",),
    "rocket": ("marking",),
}
"""The phases of each action."""


class Refused(Exception):
    """An action breaks these rules; the first is the one that the engine must name."""

    def __init__(self, *rules: str) -> None:
        super().__init__(", ".join(rules))
        self.rules = rules


class NaiveGame:
    """A mutable game; a refused action changes nothing."""

    def __init__(self, level: NaiveLevel, players: list[str], tracked: bool) -> None:
        self.level = level
        self.players = players
        self.tracked = tracked
        self.solo = len(players) == 1
        self.sheets = [
            NaiveSheet(crosses=set(level.printed_crosses), tracks=dict(level.printed_tracks))
            for _ in players
        ]
        self.flag_tracks = {
            colour: list(numbers) for colour, numbers in level.points.get("flag", {}).items()
        }
        self.race_tracks = [list(race or []) for _, _, race in level.areas]
        self.applied = 0
        self.pass_number = 0
        self.pool: list[int] = []
        self.eruption = 0
        self.player: int | None = None
        self.last_turn = False
        self.begin_pass()

    # Queries

    def round_number(self) -> int:
        return (self.pass_number - 1) // len(self.players) + 1

    def find_starter(self) -> int:
        after = (self.pass_number - 1) % len(self.players)
        rule = self.level.house_rules.get("starter")
        if rule == "same-player":
            return 0
        if rule == "fewest-points":
            totals = [sum(score(self.level, sheet, self.solo).values()) for sheet in self.sheets]
            clockwise = [(after + step) % len(totals) for step in range(len(totals))]
            return next(player for player in clockwise if totals[player] == min(totals))
        return after

    def fields_for(self, sheet: NaiveSheet, die: int) -> set[str]:
        return {at for at in targets(self.level, sheet) if self.level.numbers[at] == die}

    def can_place(self, sheet: NaiveSheet) -> bool:
        return any(self.fields_for(sheet, die) for die in self.pool)

    def lava_candidates(self, sheet: NaiveSheet) -> set[str]:
        fields = {at for at in self.level.fields if self.level.numbers[at] == self.eruption}
        near = touching(self.level, self.level.volcanoes | sheet.lava)
        return (fields & near) - sheet.crosses - sheet.exploded - sheet.lava

    def planets_left(self, sheet: NaiveSheet) -> set[str]:
        return self.level.with_symbol("PO") - sheet.crosses - sheet.lava

    def owed(self, do: str, sheet: NaiveSheet) -> tuple[int, set[str]]:
        """Return the number of owed decisions of this kind, and the fields to choose from."""
        if do == "lava" and self.phase == "lava":
            candidates = self.lava_candidates(sheet) if sheet in self.undecided else set()
            return min(1, len(candidates)), candidates
        if do == "rocket" and self.phase == "marking" and sheet.rockets_owed:
            planets = self.planets_left(sheet)
            return min(sheet.rockets_owed, len(planets)), planets
        if do == "track" and self.phase == "marking":
            return len(sheet.tracks_owed), sheet.tracks_owed
        return 0, set()

    def pending(self) -> list[dict[str, Any]]:
        return [
            {"player": player, "do": do, "count": count, "at": in_reading_order(fields)}
            for player, sheet in enumerate(self.sheets)
            for do in ("lava", "rocket", "track")
            for count, fields in [self.owed(do, sheet)]
            if count
        ]

    def may(self) -> list[str]:
        if self.phase != "turn":
            return []
        return ["place"] if self.can_place(self.sheets[self.player]) else ["reroll", "drop"]

    def legal(self) -> dict[str, list[str]]:
        if self.phase == "open":
            return {
                str(player): [] if sheet.out else in_reading_order(targets(self.level, sheet))
                for player, sheet in enumerate(self.sheets)
            }
        if self.phase == "turn":
            sheet = self.sheets[self.player]
            return {
                str(die): in_reading_order(self.fields_for(sheet, die))
                for die in sorted(set(self.pool))
            }
        return {}

    def winners(self) -> list[int]:
        ranks = [
            (sum(score(self.level, sheet, self.solo).values()), -len(sheet.crosses))
            for sheet in self.sheets
        ]
        return [player for player, rank in enumerate(ranks) if rank == max(ranks)]

    # Refusals, in the order of the rules

    def check(self, action: Action) -> None:
        """Raise `Refused` if the action breaks a rule."""
        self.check_phase(action)
        do = action["do"]
        is_without_placing = do in ("reroll", "drop") and self.phase == "turn"
        if is_without_placing and self.can_place(self.sheets[action["player"]]):
            raise Refused("must-place")
        if do in ("roll", "reroll", "extra") and len(action["dice"]) != self.dice_expected():
            raise Refused("bad-dice")
        if do == "place":
            self.check_placement(action)
        elif do == "return":
            self.check_field(action["at"], self.sheets[action["player"]].dice, "no-such-die")
        elif do in ("lava", "rocket", "track"):
            _, choices = self.owed(do, self.sheets[action["player"]])
            self.check_field(action["at"], choices, "not-a-choice")

    def check_phase(self, action: Action) -> None:
        do, player = action["do"], action.get("player")
        if do == "drop" and self.phase == "return" and player == self.player:
            raise Refused("must-return")
        if self.phase not in PHASES[do]:
            raise Refused("not-now")
        if do in ("lava", "rocket", "track") and not self.owed(do, self.sheets[player])[0]:
            raise Refused("not-now")
        if self.phase in ("turn", "return") and player != self.player:
            raise Refused("not-your-turn")
        if self.phase == "open" and do in ("place", "drop") and self.sheets[player].out:
            raise Refused("dropped-out")

    def dice_expected(self) -> int:
        if self.phase == "extra":
            return 2
        return self.level.dice[len(self.players)] if self.phase == "roll" else len(self.pool)

    def check_field(self, at: str, choices: set[str], rule: str) -> None:
        if at not in self.level.fields:
            raise Refused("no-field")
        if at not in choices:
            raise Refused(rule)

    def check_placement(self, action: Action) -> None:
        sheet, at = self.sheets[action["player"]], action["at"]
        if rule := refusal_of_field(self.level, sheet, at):
            raise Refused(rule)
        die = action.get("die", self.level.numbers[at])
        broken = []
        if at not in targets(self.level, sheet):
            must_touch_die = sheet.dice and not is_boxed_in(self.level, sheet)
            broken.append("not-next-to-die" if must_touch_die else "not-next-to-cross")
        if die != self.level.numbers[at]:
            broken.append("wrong-number")
        if self.tracked and die not in self.pool:
            broken.append("no-such-die")
        if broken:
            raise Refused(*broken)

    # Actions

    def apply(self, action: Action) -> None:
        """Execute the action, or raise `Refused`."""
        self.check(action)
        getattr(self, "do_" + action["do"])(action)
        self.applied += 1

    def do_erupt(self, action: Action) -> None:
        self.eruption = action["die"]
        self.phase = "lava"
        self.undecided = list(self.sheets)
        self.after_lava()

    def do_lava(self, action: Action) -> None:
        sheet = self.sheets[action["player"]]
        sheet.lava.add(action["at"])
        self.undecided = [other for other in self.undecided if other is not sheet]
        self.after_lava()

    def do_roll(self, action: Action) -> None:
        self.pool = list(action["dice"])
        self.begin_turn(self.starter)

    def do_place(self, action: Action) -> None:
        self.sheets[action["player"]].dice.add(action["at"])
        if self.tracked:
            self.pool.remove(self.level.numbers[action["at"]])
            if self.solo and self.pool:
                self.phase = "extra"
            else:
                self.end_turn()

    def do_extra(self, action: Action) -> None:
        for die in action["dice"]:
            if die in self.pool:
                self.pool.remove(die)
        self.end_turn()

    def do_reroll(self, action: Action) -> None:
        self.pool = list(action["dice"])
        sheet = self.sheets[action["player"]]
        if not self.can_place(sheet):
            if sheet.dice and not self.level.house_rules.get("keep_dice"):
                self.phase = "return"
            else:
                self.end_turn()

    def do_return(self, action: Action) -> None:
        self.sheets[action["player"]].dice.remove(action["at"])
        if self.tracked:
            self.pool.append(self.level.numbers[action["at"]])
            self.end_turn()

    def do_drop(self, action: Action) -> None:
        self.sheets[action["player"]].out = True
        if self.tracked:
            self.end_turn()

    def do_end_pass(self, action: Action) -> None:
        self.end_pass()

    def do_track(self, action: Action) -> None:
        sheet = self.sheets[action["player"]]
        sheet.tracks[action["at"]] = action["shape"]
        sheet.tracks_owed.remove(action["at"])
        self.after_marking()

    def do_rocket(self, action: Action) -> None:
        sheet = self.sheets[action["player"]]
        sheet.crosses.add(action["at"])
        sheet.rockets_owed -= 1
        self.after_marking()

    # Automatic transitions

    def begin_pass(self) -> None:
        self.pass_number += 1
        self.starter = self.find_starter()
        for sheet in self.sheets:
            sheet.out = False
        if self.level.volcanoes:
            self.phase = "erupt"
        else:
            self.begin_dice()

    def after_lava(self) -> None:
        if not self.pending():
            self.begin_dice()

    def begin_dice(self) -> None:
        self.phase = "roll" if self.tracked else "open"

    def end_turn(self) -> None:
        if self.last_turn or not self.pool:
            self.end_pass()
        else:
            self.begin_turn((self.player + 1) % len(self.players))

    def begin_turn(self, player: int) -> None:
        """The turn of the first player from here on who is neither out nor stuck."""
        clockwise = [(player + step) % len(self.players) for step in range(len(self.players))]
        for player in clockwise:
            sheet = self.sheets[player]
            if not sheet.out and not targets(self.level, sheet):
                sheet.out = True
            if not sheet.out:
                others = [other for other in self.sheets if other is not sheet]
                is_last = not self.solo and all(other.out for other in others)
                self.last_turn = is_last and not self.level.house_rules.get("play_on")
                self.phase, self.player = "turn", player
                return
        self.end_pass()

    def end_pass(self) -> None:
        self.phase, self.player, self.pool, self.last_turn = "marking", None, [], False
        dice_before = [sheet.dice for sheet in self.sheets]
        for sheet in self.sheets:
            sheet.crosses_before = set(sheet.crosses)
            sheet.crosses |= sheet.dice
            if self.level.rails:
                sheet.tracks_owed = set(sheet.dice)
            sheet.rockets_owed = len(sheet.dice & self.level.with_symbol("RO"))
            sheet.dice = set()
        self.explode_bombs(set().union(*dice_before) & self.level.with_symbol("B"))
        self.score_flags(dice_before)
        self.after_marking()

    def explode_bombs(self, bombs: set[str]) -> None:
        for sheet in self.sheets:
            sheet.exploded |= bombs - sheet.crosses

    def score_flags(self, dice_before: list[set[str]]) -> None:
        for colour, track in self.flag_tracks.items():
            flags = self.level.with_symbol("F", colour)
            scoring = [
                sheet.flags
                for sheet, dice in zip(self.sheets, dice_before, strict=True)
                if dice & flags and colour not in sheet.flags
            ]
            self.rank(scoring, colour, track)

    def rank(self, scoring: list[dict[Any, int]], key: Any, track: list[int]) -> None:
        """Award all of them the first number left, then strike one number for each of them."""
        number = track[0] if track else 0
        for numbers in scoring:
            numbers[key] = number
            if len(track) > 1 or (track and not self.level.repeat_last):
                track.pop(0)

    def after_marking(self) -> None:
        if self.pending():
            return
        for index, (fields, _, race) in enumerate(self.level.areas):
            if race is not None:
                completing = [
                    sheet.races
                    for sheet in self.sheets
                    if fields <= sheet.crosses and not fields <= sheet.crosses_before
                ]
                self.rank(completing, index, self.race_tracks[index])
        passes = self.level.rounds[len(self.players)] * len(self.players)
        if any(self.is_full(sheet) for sheet in self.sheets) or self.pass_number == passes:
            self.phase = "finished"
        else:
            self.begin_pass()

    def is_full(self, sheet: NaiveSheet) -> bool:
        left = self.level.fields - self.level.volcanoes
        return not left - sheet.crosses - sheet.exploded - sheet.lava
