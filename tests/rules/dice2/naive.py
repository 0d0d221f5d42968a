"""Second, brute-force implementation of Dice², to compare the engine with.

Written from the rules alone, with dicts and loops; it recomputes everything on every call.
"""

from __future__ import annotations

from typing import Any

Field = tuple[int, int]
"""Column and row of a field, counted from 0."""

FIELDS = [(column, row) for row in range(9) for column in range(9)]
"""All fields in reading order."""

DICE = {"square": 16, "four-wins": 16, "last-man": 8, "major": 16}
"""Number of dice of each player, by game."""


def name(field: Field) -> str:
    return "abcdefghi"[field[0]] + str(field[1] + 1)


class NaiveDice2:
    """A mutable game; `board` maps a field to (player, number)."""

    def __init__(self, game: str, players: int, starter: int = 0) -> None:
        self.game, self.players, self.player = game, players, starter
        self.board: dict[Field, tuple[int, int]] = {}
        self.order: list[int] = []
        self.markers = [0] * players
        self.winners: list[int] = []
        self.finished = False

    def dice_left(self, player: int) -> int:
        return DICE[self.game] - sum(1 for owner, _ in self.board.values() if owner == player)

    def broken(self, field: Field, die: int, player: int) -> set[str]:
        column, row = field
        if field not in FIELDS:
            return {"no-field"}
        if self.game == "major" and self.players == 2 and not (0 < column < 8 and 0 < row < 8):
            return {"no-field"}
        if field in self.board:
            return {"field-taken"}
        if not self.board:
            return set() if field == (4, 4) else {"centre-first"}
        rules = set()
        neighbours = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
        if not any(other in self.board for other in neighbours):
            rules.add("not-next-to-die")
        in_row = sorted((c, n) for (c, r), (_, n) in self.board.items() if r == row)
        if [n for _, n in sorted([*in_row, (column, die)])] != sorted(
            [n for _, n in in_row] + [die]
        ):
            rules.add("row-order")
        in_column = sorted((r, n) for (c, r), (_, n) in self.board.items() if c == column)
        if [n for _, n in sorted([*in_column, (row, die)])] != sorted(
            [n for _, n in in_column] + [die]
        ):
            rules.add("column-order")
        return rules | self.broken_by_game(field, player)

    def broken_by_game(self, field: Field, player: int) -> set[str]:
        rules = set()
        column, row = field
        if self.game in ("square", "last-man"):
            fields = [*self.board, field]
            for values in ([c for c, _ in fields], [r for _, r in fields]):
                if max(values) - min(values) > 3:
                    rules.add("square-bounds")
        if self.game == "last-man":
            own = [f for f, (owner, _) in self.board.items() if owner == player]
            if own and not any(abs(c - column) <= 1 and abs(r - row) <= 1 for c, r in own):
                rules.add("own-colour")
        if self.game == "major":
            for step in ((1, 0), (0, 1)):
                if len(self.run(field, step, None)) >= 6:
                    rules.add("six-in-a-row")
        return rules

    def run(self, field: Field, step: Field, owner: int | None) -> list[Field]:
        fields = [field]
        for sign in (1, -1):
            at = field
            while True:
                at = (at[0] + sign * step[0], at[1] + sign * step[1])
                if at not in self.board or (owner is not None and self.board[at][0] != owner):
                    break
                fields.append(at)
        return fields

    def legal(self, player: int) -> dict[str, list[str]]:
        return {
            str(die): [name(f) for f in FIELDS if not self.broken(f, die, player)]
            for die in range(1, 7)
        }

    def place(self, field: Field, die: int) -> None:
        player = self.player
        self.board[field] = (player, die)
        self.order.append(player)
        if self.game == "four-wins":
            for step in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if len(self.run(field, step, player)) >= 4:
                    self.finished, self.winners = True, [player]
        if self.game == "major":
            self.settle(field)
        self.next_turn()

    def settle(self, field: Field) -> None:
        for step in ((1, 0), (0, 1)):
            run = self.run(field, step, None)
            if len(run) == 5:
                owners = [self.board[f][0] for f in run]
                most = max(owners.count(p) for p in range(self.players))
                best = [p for p in range(self.players) if owners.count(p) == most]
                for p in best:
                    self.markers[p] += 2 if len(best) == 1 else 1
        reached = [p for p in range(self.players) if self.markers[p] >= 6]
        if reached:
            self.finished = True
            self.winners = [next(p for p in reversed(self.order) if p in reached)]

    def skip(self) -> None:
        if self.game == "square":
            self.finished, self.winners = True, [0]
        self.next_turn()

    def next_turn(self) -> None:
        if self.finished:
            return
        with_dice = [p for p in range(self.players) if self.dice_left(p)]
        if not any(any(self.legal(p).values()) for p in with_dice):
            self.finished = True
            if self.game == "major":
                self.winners = [
                    p for p in range(self.players) if self.markers[p] == max(self.markers)
                ]
            else:
                self.winners = [self.order[-1]]
            return
        self.player = (self.player + 1) % self.players
        while self.player not in with_dice:
            self.player = (self.player + 1) % self.players

    def points(self) -> list[int]:
        if self.game != "square":
            return list(self.markers)
        lines = 0
        for column, row in FIELDS:
            for step in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                fields = [(column + i * step[0], row + i * step[1]) for i in range(4)]
                numbers = [self.board[f][1] for f in fields if f in self.board]
                first = numbers[0] if numbers else 0
                up = [first, first + 1, first + 2, first + 3]
                down = [first, first - 1, first - 2, first - 3]
                if len(numbers) == 4 and (
                    numbers in ([first] * 4, up) or (step == (-1, 1) and numbers == down)
                ):
                    lines += 1
        return [lines + (4 if not self.dice_left(0) else 0)]

    def state(self) -> dict[str, Any]:
        return {
            "finished": self.finished,
            "player": None if self.finished else self.player,
            "legal": {} if self.finished else self.legal(self.player),
            "board": {name(f): list(self.board[f]) for f in FIELDS if f in self.board},
            "points": self.points(),
            "winners": self.winners,
        }
