"""Which kinds of jobs are done beside the server, and who does them?"""

from __future__ import annotations

from typing import Final

from sheets.analysis.jobs import look_work
from sheets.beside.line import Works
from sheets.groups.given import take_over_of
from sheets.simulation.balance.jobs import REPORT

WORKS: Final[Works] = {"report": REPORT, "look": look_work(take_over_of)}
