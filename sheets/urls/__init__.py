"""The addresses of the game."""

from django.urls import include, path

from sheets.views import home, levels, rules, tally

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.theme, name="theme"),
    path("site.webmanifest", home.manifest, name="manifest"),
    path("levels/", levels.levels, name="levels"),
    path("levels/<slug:level_id>/", levels.level, name="level"),
    path("levels/<slug:level_id>.json", levels.level_document, name="level-document"),
    path("rules/", rules.rules, name="rules"),
    path("tally/", tally.tally, name="tally"),
    path("dice2/", include("sheets.urls.dice2")),
    path("score/", include("sheets.urls.score")),
    path("print/", include("sheets.urls.print")),
    path("table/", include("sheets.urls.table")),
    path("workshop/", include("sheets.urls.workshop_reports")),
    path("workshop/", include("sheets.urls.workshop")),
    path("open/", include("sheets.urls.open")),
]
