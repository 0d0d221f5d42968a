"""Database models: scorings, tallies, tables, own levels, groups, puzzles, jobs, devices."""

from sheets.models.devices import HandOver, Known
from sheets.models.groups import (
    DailyResult,
    Evening,
    ForgottenName,
    Group,
    GroupGame,
    GroupLevel,
    GroupPlayer,
    GroupResult,
    RatingMonth,
)
from sheets.models.heartbeat import Heartbeat
from sheets.models.jobs import Job
from sheets.models.puzzles import AddedPuzzle
from sheets.models.scorings import Change, Mark, PaperSheet, Receipt, Scoring, SheetPicture
from sheets.models.tables import Entry, GameFile, Seat, Table
from sheets.models.tallies import Tally
from sheets.models.workshop import DraftChange, EmptySheet, WorkshopLevel

__all__ = [
    "AddedPuzzle",
    "Change",
    "DailyResult",
    "DraftChange",
    "EmptySheet",
    "Entry",
    "Evening",
    "ForgottenName",
    "GameFile",
    "Group",
    "GroupGame",
    "GroupLevel",
    "GroupPlayer",
    "GroupResult",
    "HandOver",
    "Heartbeat",
    "Job",
    "Known",
    "Mark",
    "PaperSheet",
    "RatingMonth",
    "Receipt",
    "Scoring",
    "Seat",
    "SheetPicture",
    "Table",
    "Tally",
    "WorkshopLevel",
]
