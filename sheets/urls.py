"""The addresses of the game."""

from django.urls import include, path

from .views import home, levels, rules, tally

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.theme, name="theme"),
    path("site.webmanifest", home.manifest, name="manifest"),
    path("levels/", levels.levels, name="levels"),
    path("levels/<slug:level_id>/", levels.level, name="level"),
    path("levels/<slug:level_id>.json", levels.level_document, name="level-document"),
    path("rules/", rules.rules, name="rules"),
    path("tally/", tally.tally, name="tally"),
    path("dice2/", include("sheets.urls_dice2")),
    path("score/", include("sheets.urls_score")),
    path("print/", include("sheets.urls_print")),
    path("table/", include("sheets.urls_table")),
    path("workshop/", include("sheets.urls_workshop_reports")),
    path("workshop/", include("sheets.urls_workshop")),
    path("open/", include("sheets.urls_open")),
]
