"""A second opinion: the rules written once more, plainly and slowly, with sets of field names.

Nothing here is shared with the engine. Where the two disagree, the rules decide who is right.
"""

from tests.rules.naive.game import NaiveGame, Refused
from tests.rules.naive.level import NaiveLevel
from tests.rules.naive.replay import replay, start

__all__ = ["NaiveGame", "NaiveLevel", "Refused", "replay", "start"]
