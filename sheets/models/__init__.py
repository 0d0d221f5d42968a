"""What is stored: the scorings of paper sheets and the tables at which people play."""

from sheets.models.scorings import Change, Mark, PaperSheet, Receipt, Scoring
from sheets.models.tables import Entry, Seat, Table

__all__ = [
    "Change",
    "Entry",
    "Mark",
    "PaperSheet",
    "Receipt",
    "Scoring",
    "Seat",
    "Table",
]
