"""What is stored: scorings of paper sheets, tallies, tables, and levels of one's own."""

from sheets.models.heartbeat import Heartbeat
from sheets.models.jobs import BalanceJob
from sheets.models.scorings import Change, Mark, PaperSheet, Receipt, Scoring, SheetPicture
from sheets.models.tables import Entry, GameFile, Seat, Table
from sheets.models.tallies import Tally
from sheets.models.workshop import DraftChange, EmptySheet, WorkshopLevel

__all__ = [
    "BalanceJob",
    "Change",
    "DraftChange",
    "EmptySheet",
    "Entry",
    "GameFile",
    "Heartbeat",
    "Mark",
    "PaperSheet",
    "Receipt",
    "Scoring",
    "Seat",
    "SheetPicture",
    "Table",
    "Tally",
    "WorkshopLevel",
]
