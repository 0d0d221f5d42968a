"""Which kinds of jobs are done beside the server, and who does them?"""

from __future__ import annotations

from typing import Final

from sheets.analysis.jobs import LOOK
from sheets.beside.line import Works
from sheets.simulation.balance.jobs import REPORT

WORKS: Final[Works] = {"report": REPORT, "look": LOOK}
