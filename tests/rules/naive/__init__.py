"""Second, brute-force implementation of the rules, with sets of field names.

It shares no code with the engine. Where the two disagree, the written rules decide.
"""

from tests.rules.naive.game import NaiveGame, Refused
from tests.rules.naive.level import NaiveLevel
from tests.rules.naive.replay import replay, start

__all__ = ["NaiveGame", "NaiveLevel", "Refused", "replay", "start"]
