"""How are dates written in English? With the month as a word: 3/11 is another day elsewhere."""

from typing import Final

DATE_FORMAT: Final = "j M Y"
SHORT_DATE_FORMAT: Final = DATE_FORMAT
