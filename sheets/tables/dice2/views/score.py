"""Scoring of a board of Square Dice or Major Dice that was played with real dice.

The page is stateless: its address contains the whole board, so that users can share it and the
page works without script.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from sheets.art.board import DrawnBoard, DrawnLine, dice_on, markers_of, visible_box
from sheets.http.fragments import render_part
from sheets.rules import RuleViolation
from sheets.rules.dice2 import KINDS, Board
from sheets.rules.dice2.board import INDEX, NAMES, SIDE
from sheets.rules.dice2.paper_scoring import PaperBoardScore, score_board
from sheets.text.dice2.scores import colour_name, doubt_sentence, line_sentence, winners_sentence
from sheets.text.form_errors import NO_FIELD
from sheets.text.rulebook.games import game_name

CHOICES: Final = (("square", 1), ("major", 2), ("major", 3))
"""Boards that can be scored: game and number of players."""

CODES: Final = ("123456", "abcdef", "uvwxyz")
"""Characters that encode a die in an address: one string per player, for the numbers 1 to 6."""

NO_DIE: Final = "."
"""Character that encodes a field without a die."""


class Choice(NamedTuple):
    """The board entered so far, and the effect of the next tap.

    It places the number ``die`` of player ``owner``; 0 empties the field.
    """

    game: str
    players: int
    board: Board
    die: int
    owner: int

    @property
    def code(self) -> str:
        """The board as text for an address: one character of `CODES` or `NO_DIE` per field."""
        pairs = zip(self.board.owners, self.board.numbers, strict=True)
        return "".join(CODES[owner][number - 1] if number else NO_DIE for owner, number in pairs)


@require_safe
def score(request: HttpRequest) -> HttpResponse:
    """Show the board entered so far, with its points and doubts."""
    choice = _read(request)
    kind = KINDS[choice.game]
    finished = score_board(kind, choice.board, choice.players)
    counts = [choice.board.owners.count(player) for player in range(choice.players)]
    has_markers = kind.collects == "markers"
    names = [colour_name(player) for player in range(choice.players)]
    context = {
        "choice": choice,
        "title": game_name(choice.game),
        "tabs": [
            (_address(game, players, choice.code), game, players, (game, players) == choice[:2])
            for game, players in CHOICES
        ],
        "empty": _address(choice.game, choice.players),
        "view": _view(choice, finished),
        "rows": _rows(choice),
        "people": [
            (number, name, finished.points[number], counts[number])
            for number, name in enumerate(names)
        ],
        "dice_each": kind.dice_each,
        "finished": finished,
        "lines": [(line_sentence(line, names), line) for line in finished.lines],
        "doubts": [(doubt_sentence(doubt), _fields_of(doubt)) for doubt in finished.doubts],
        "collects": kind.collects,
        "winner": winners_sentence(finished) if has_markers and any(finished.points) else "",
        "wrong": _wrong(request.GET),
        "left_out": _left_out(request.GET.get("board", ""), choice.players),
        "total": sum(counts),
    }
    status = 400 if context["wrong"] else 200
    response = render_part(request, "dice2/score.html", "dice2/_score.html", context, status)
    # The new address has no tap, so that a reload does not repeat it.
    return replace_url(response, _address_of(choice))


def _fields_of(doubt: RuleViolation) -> str:
    return f"{doubt.facts.get('at', '')} {doubt.facts.get('by', '')}".strip()


def _wrong(query: QueryDict) -> dict[str, str]:
    """Return the errors of an address, as errors of the whole form; empty for a valid address.

    The links of this page are valid, so only an address that a user has changed has errors.
    """
    game, code = query.get("game", CHOICES[0][0]), query.get("board", "")
    if game not in {name for name, _players in CHOICES}:
        return {NO_FIELD: _("Only boards of Square Dice and Major Dice can be scored.")}
    if code and not _is_board(code):
        sentence = _("The board in this address cannot be read, so an empty one is shown.")
        return {NO_FIELD: sentence}
    return {}


def _read(request: HttpRequest) -> Choice:
    """Parse the address and carry out its tap; defaults replace invalid values."""
    query = request.GET
    players = int(query["players"]) if query.get("players") in ("1", "2", "3") else 1
    game = query.get("game", "")
    if (game, players) not in CHOICES:
        game, players = ("major", 2) if game == "major" else CHOICES[0]
    die = int(query["die"]) if query.get("die") in tuple("0123456") else 1
    owner = int(query["owner"]) if query.get("owner") in tuple("012"[:players]) else 0
    board = _tapped(_parse(query.get("board", ""), players), query.get("at", ""), die, owner)
    return Choice(game, players, board, die, owner)


def _is_board(code: str) -> bool:
    return len(code) == SIDE**2 and not set(code) - set("".join((*CODES, NO_DIE)))


def _left_out(code: str, players: int) -> int:
    """Return the number of dice in an address whose colour or field the game does not have."""
    if not _is_board(code):
        return 0
    return _parse(code, players).numbers.count(0) - code.count(NO_DIE)


def _parse(code: str, players: int) -> Board:
    """Parse the board of an address, without dice whose colour or field the game does not have."""
    if not _is_board(code):
        return Board()
    numbers, owners = [0] * SIDE**2, [-1] * SIDE**2
    lanes = visible_box(is_inner=players < 3, has_markers=False).lanes
    for index, letter in enumerate(code):
        if index // SIDE not in lanes or index % SIDE not in lanes:
            continue
        for owner in range(players):
            if letter in CODES[owner]:
                numbers[index], owners[index] = CODES[owner].index(letter) + 1, owner
    return Board(tuple(numbers), tuple(owners))


def _tapped(board: Board, at: str, die: int, owner: int) -> Board:
    """Return the board after a tap; die 0, or the die that is already there, empties the field."""
    if at not in INDEX:
        return board
    index = INDEX[at]
    if not die or (board.numbers[index], board.owners[index]) == (die, owner):
        return board.with_die(index, -1, 0)
    return board.with_die(index, owner, die)


def _address(game: str, players: int, code: str = "") -> str:
    board = {"board": code} if code else {}
    return "?" + urlencode({"game": game, "players": str(players), **board})


def _address_of(choice: Choice) -> str:
    """Return the address of a board, with the die that the next tap places."""
    rest = {"owner": str(choice.owner), "die": str(choice.die)}
    address = _address(choice.game, choice.players, choice.code)
    return f"{reverse('dice2-score')}{address}&{urlencode(rest)}"


def _view(choice: Choice, finished: PaperBoardScore) -> DrawnBoard:
    has_markers = KINDS[choice.game].collects == "markers"
    box = visible_box(is_inner=choice.players < 3, has_markers=has_markers)
    lines = tuple(DrawnLine(line.fields, line.owners) for line in finished.lines)
    return DrawnBoard(
        box, has_markers, dice_on(choice.board), "", lines, markers_of(finished.lines)
    )


def _rows(choice: Choice) -> list[list[tuple[str, str]]]:
    """Return the buttons over the board by row: each field's name and accessible label."""
    lanes = visible_box(is_inner=choice.players < 3, has_markers=False).lanes
    return [[_button(choice, row * SIDE + column) for column in lanes] for row in lanes]


def _button(choice: Choice, index: int) -> tuple[str, str]:
    name, number = NAMES[index], choice.board.numbers[index]
    if not number:
        return name, name
    if choice.players == 1:
        return name, f"{name}, {number}"
    return name, f"{name}, {number}, {colour_name(choice.board.owners[index])}"
