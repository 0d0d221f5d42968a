"""URLs of Dice² pages outside tables; the URLs of tables are in `sheets.tables.urls`."""

from django.urls import path

from sheets.tables.dice2.views import score, start

urlpatterns = [
    path("", start.dice2, name="dice2"),
    path("score/", score.score, name="dice2-score"),
]
