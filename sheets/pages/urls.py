"""URLs of the whole site except `dizzle_site`'s own."""

from django.conf import settings
from django.urls import include, path

from sheets.pages import home, levels, offline, rules, secure, style
from sheets.pages import open as opening
from sheets.pages import print as printing
from sheets.pages.tutorial import views as tutorial
from sheets.scoring.urls import tally_patterns

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.theme, name="theme"),
    path("site.webmanifest", home.manifest, name="manifest"),
    path("worker.js", offline.worker, name="worker"),
    path("offline/", offline.offline, name="offline"),
    path("favicon.ico", home.icon, name="icon"),
    path("robots.txt", home.robots, name="robots"),
    path("levels/", levels.levels, name="levels"),
    path("levels/<slug:level_id>/", levels.level, name="level"),
    path("levels/<slug:level_id>/sheet.png", levels.level_picture, name="level-picture"),
    path("levels/<slug:level_id>.json", levels.level_document, name="level-document"),
    path("rules/", rules.rules, name="rules"),
    path("tutorial/", tutorial.tutorial, name="tutorial"),
    path("tutorial/<int:number>/", tutorial.step, name="tutorial-step"),
    path("secure/", secure.secure, name="secure"),
    path("secure/dizzle-companion.crt", secure.authority, name="secure-authority"),
    path("tally/", include(tally_patterns)),
    path("dice2/", include("sheets.tables.dice2.urls")),
    path("", include("sheets.photos.urls")),
    path("score/", include("sheets.scoring.urls")),
    path("print/", printing.print_page, name="print"),
    path("print/sheets.pdf", printing.print_pdf, name="print-pdf"),
    path("print/page-<int:number>.svg", printing.preview, name="print-preview"),
    path("print/filled/<key:key>.pdf", printing.filled_pdf, name="print-filled"),
    path("print/filled/<key:key>/", printing.choose_filled, name="print-filled-options"),
    path(
        "print/filled/<key:key>/page-<int:number>.svg",
        printing.filled_preview,
        name="print-filled-page",
    ),
    path("my/", include("sheets.library.urls")),
    path("groups/", include("sheets.groups.urls")),
    path("day/", include("sheets.daily.urls")),
    path("puzzles/", include("sheets.puzzles.urls")),
    path("table/", include("sheets.tables.urls")),
    path("workshop/", include("sheets.workshop.urls")),
    path("open/", opening.open_file, name="open"),
    path("open/level/", opening.show_level, name="open-level"),
    path("open/game/<key:key>/", opening.show_game, name="open-game"),
    path("open/use/", opening.use, name="open-use"),
]

if settings.DEBUG:
    urlpatterns += [path("style/", style.style, name="style")]
