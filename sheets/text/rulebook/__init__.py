"""Rules of all games in our own words.

The rules page has a paragraph for each rule; a refusal on another page leads to the paragraph by
the rule's name. Prints have the short rules.
"""

from sheets.text.rulebook.chapters import Chapter, Rule
from sheets.text.rulebook.dice2 import DICE2_CHAPTERS
from sheets.text.rulebook.dizzle import DIZZLE_CHAPTERS

__all__ = ["DICE2_CHAPTERS", "DIZZLE_CHAPTERS", "Chapter", "Rule"]
