"""Convert lanes to games of the rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheets.bots.playouts.arrays import Sets
from sheets.bots.playouts.batch_state import NO_NUMBER, PHASES, Lanes
from sheets.bots.playouts.board import Board
from sheets.bots.playouts.rails import NO_TRACK
from sheets.rules import Game, Sheet
from sheets.rules.level import SHAPES


def positions(lanes: Lanes, chosen: Sequence[int]) -> list[Game]:
    """Return some of the games; nobody owes a choice in them."""
    return [_game(lanes, number) for number in chosen]


def _game(lanes: Lanes, number: int) -> Game:
    board, phase = lanes.board, PHASES[lanes.phase[number]]
    counts = enumerate(lanes.pool[number : number + 1].view(np.uint8).tolist())
    struck = zip(board.tracks, lanes.struck[number].tolist(), strict=True)
    return Game(
        board.level,
        tuple(f"Bot {seat}" for seat in range(board.players)),
        True,
        phase,
        _sheets(lanes, number),
        int(lanes.player[number]) if phase in ("turn", "return", "extra") else None,
        int(lanes.passes_done[number]),
        tuple(die for die, count in counts for _ in range(count)),
        bool(lanes.is_last_turn[number]),
        False,
        {track.place: gone for track, gone in struck if gone},
        start_player=int(lanes.start_player[number]),
    )


def _sheets(lanes: Lanes, game: int) -> tuple[Sheet, ...]:
    board = lanes.board
    found = lanes.sheets_of(np.array([game])).ravel()
    columns = [
        _masks(board, sets.take(found, 0))
        for sets in (
            *(lanes.crosses, lanes.near_crosses, lanes.closed),
            *(lanes.dice, lanes.near_dice, lanes.exploded, lanes.lava),
        )
    ]
    sheets = []
    for seat, (number, *masks) in enumerate(zip(found.tolist(), *columns, strict=True)):
        sheet = Sheet(board.level, *masks, is_out=bool(lanes.out[game] >> seat & 1))
        if board.rails:
            row = lanes.tracks[number].take(board.bits).tolist()
            tracks = {field: SHAPES[n] for field, n in enumerate(row) if n != NO_TRACK}
            sheet = sheet._replace(tracks=tracks)
        for track, circled in zip(board.tracks, lanes.circled[number].tolist(), strict=True):
            if circled != NO_NUMBER:
                sheet = track.with_circled(sheet, circled)
        sheets.append(sheet)
    return tuple(sheets)


def _masks(board: Board, sets: Sets) -> list[int]:
    rows = np.packbits(board.unpack(sets), axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in rows]
