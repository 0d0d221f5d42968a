"""Rules of all games in our own words.

The rules page shows each rule, each refusal links to its rule's paragraph by the rule's name,
and prints have the short rules.
"""

from sheets.texts.rulebook.chapters import Chapter, Rule
from sheets.texts.rulebook.dice2 import DICE2_CHAPTERS
from sheets.texts.rulebook.dizzle import DIZZLE_CHAPTERS

__all__ = ["DICE2_CHAPTERS", "DIZZLE_CHAPTERS", "Chapter", "Rule"]
