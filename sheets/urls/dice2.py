"""The addresses of Dice²; its tables have the same addresses as all others."""

from django.urls import path

from sheets.views import dice2, dice2_score

urlpatterns = [
    path("", dice2.dice2, name="dice2"),
    path("score/", dice2_score.score, name="dice2-score"),
]
