"""English dates with the month as a word, because 3/11 is ambiguous."""

from typing import Final

DATE_FORMAT: Final = "j M Y"
SHORT_DATE_FORMAT: Final = DATE_FORMAT
