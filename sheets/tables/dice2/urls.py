"""URLs of Dice² other than those of its tables, which all games share."""

from django.urls import path

from sheets.tables.dice2.views import score, start

urlpatterns = [
    path("", start.dice2, name="dice2"),
    path("score/", score.score, name="dice2-score"),
]
