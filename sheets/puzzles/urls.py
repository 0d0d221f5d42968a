"""URLs of the puzzles."""

from django.urls import path

from sheets.puzzles import views

urlpatterns = [
    path("", views.puzzles, name="puzzles"),
    path("<slug:key>/", views.puzzle, name="puzzle"),
    path("<slug:key>/played-out/", views.played_out, name="puzzle-played-out"),
]
