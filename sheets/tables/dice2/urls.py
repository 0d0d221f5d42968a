"""The addresses of Dice²; its tables have the same addresses as all others."""

from django.urls import path

from sheets.tables.dice2.views import score, start

urlpatterns = [
    path("", start.dice2, name="dice2"),
    path("score/", score.score, name="dice2-score"),
]
