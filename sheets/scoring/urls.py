"""URLs of scorings and tallies; the key in a URL is the only access control."""

from django.urls import path

from sheets.scoring.views import offline, players, results, sheet, start, tally, tally_results

urlpatterns = [
    path("", start.choose_level, name="score"),
    path("new/<slug:level_id>/", start.begin, name="score-begin"),
    path("here/", offline.choose, name="score-here"),
    path("here/<slug:level_id>/", offline.sheets, name="score-here-level"),
    path("import/", start.import_document, name="score-import"),
    path("deleted/", players.deleted, name="score-deleted"),
    path("<key:key>/", results.results, name="score-results"),
    path("<key:key>/players/", players.players, name="score-players"),
    path("<key:key>/players/<sheet:number>/remove/", players.remove, name="score-remove"),
    path("<key:key>/solo/", players.solo, name="score-solo"),
    path("<key:key>/delete/", players.delete, name="score-delete"),
    path("<key:key>/again/", results.again, name="score-again"),
    path("<key:key>/result.png", results.result_picture, name="score-result-picture"),
    path("<key:key>/news/", results.news, name="score-news"),
    path("<key:key>/acts/", sheet.acts, name="score-acts"),
    path("<key:key>/sheets.json", results.export_document, name="score-document"),
    path("<key:key>/scores.csv", results.export_scores, name="score-csv"),
    path("<key:key>/<sheet:number>/", sheet.sheet_page, name="score-sheet"),
    path("<key:key>/<sheet:number>/blank/", players.blank, name="score-blank"),
    path("<key:key>/<sheet:number>/sheet.png", results.sheet_picture, name="score-picture"),
    path("<key:key>/<sheet:number>/mark/", sheet.mark, name="score-mark"),
    path("<key:key>/<sheet:number>/settle/", sheet.settle, name="score-settle"),
    path("<key:key>/<sheet:number>/undo/", sheet.undo_or_redo, name="score-turn-back"),
    path("<key:key>/<sheet:number>/state/", sheet.state, name="score-state"),
]

tally_patterns = [
    path("", tally.tally, name="tally"),
    path("new/", tally.keep, name="tally-keep"),
    path("<key:key>/", tally_results.results, name="tally-results"),
    path("<key:key>/count/", tally.count, name="tally-count"),
    path("<key:key>/count/news/", tally.news, name="tally-count-news"),
    path("<key:key>/<sheet:number>/blank/", tally_results.blank, name="tally-blank"),
    path("<key:key>/again/", tally_results.again, name="tally-again"),
    path("<key:key>/delete/", tally.delete, name="tally-delete"),
    path("<key:key>/news/", tally_results.news, name="tally-news"),
    path("<key:key>/result.png", tally_results.picture, name="tally-picture"),
    path("<key:key>/result.pdf", tally_results.pdf, name="tally-pdf"),
    path("<key:key>/scores.csv", tally_results.scores, name="tally-csv"),
]
