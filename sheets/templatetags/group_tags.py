"""Template filters for the statistics of groups."""

from __future__ import annotations

from django import template

from sheets.charts.numbers import one_decimal
from sheets.groups.manual_entry import undecided_sentence
from sheets.groups.player_charts import rating_words
from sheets.groups.player_figures import wins_words

register = template.Library()
register.filter("rating_words", rating_words)
register.filter("one_decimal", one_decimal)
register.filter("wins_words", wins_words)
register.filter("undecided_sentence", undecided_sentence)
