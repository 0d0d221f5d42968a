"""URLs of workshop levels; only the secret key in its URL protects a level."""

from django.urls import path

from sheets.workshop.views import balance, editor, files, links, offline, start, suggest, uses

urlpatterns = [
    path("", start.start, name="workshop"),
    path("own/", start.begin_bought, name="workshop-own"),
    path("invent/", start.begin_invented, name="workshop-invent"),
    path("copy/", start.begin_copy, name="workshop-copy"),
    path("deleted/", links.deleted, name="workshop-deleted"),
    path("suggest/", suggest.suggest_level, name="workshop-suggest"),
    path("<key:key>/", editor.page, name="workshop-level"),
    path("<key:key>/guide/<slug:step>/", editor.guide, name="workshop-guide"),
    path("<key:key>/acts/", editor.acts, name="workshop-acts"),
    path("<key:key>/state/", editor.state, name="workshop-state"),
    path("<key:key>/trial/", editor.trial, name="workshop-trial"),
    path("<key:key>/phone/", editor.phone_sheet, name="workshop-phone"),
    path("<key:key>/empty-sheet.webp", files.empty_sheet, name="workshop-empty-sheet"),
    path("<key:key>/page-<int:number>.svg", editor.printed_page, name="workshop-page"),
    path("<key:key>/links/", links.links, name="workshop-links"),
    path("<key:key>/file/", files.download, name="workshop-file"),
    path("<key:key>/delete/", links.delete, name="workshop-delete"),
    path("<key:key>/score/", uses.score, name="workshop-score"),
    path("<key:key>/here/", offline.here, name="workshop-here"),
    path("<key:key>/play/", uses.play, name="workshop-play"),
    path("<key:key>/solo/", uses.play_alone, name="workshop-solo"),
    path("<key:key>/print/", uses.print_page, name="workshop-print"),
    path("<key:key>/sheet.pdf", uses.sheet_pdf, name="workshop-pdf"),
    path("<key:key>/sheet.png", uses.sheet_png, name="workshop-png"),
    path("<key:key>/level.json", uses.document, name="workshop-document"),
    path("<key:key>/balance/", balance.balance, name="workshop-balance"),
    path("<key:key>/balance/state/", balance.progress, name="workshop-balance-state"),
    path("<key:key>/code/", links.code, name="workshop-code"),
]
