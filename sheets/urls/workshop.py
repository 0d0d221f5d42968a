"""The addresses of levels of one's own; the key in them is all that guards a level."""

from django.urls import path

from sheets.urls import score as urls_score  # noqa: F401  it registers the converter of keys
from sheets.views import workshop, workshop_editor, workshop_links, workshop_use

urlpatterns = [
    path("", workshop.start, name="workshop"),
    path("own/", workshop.begin_bought, name="workshop-own"),
    path("invent/", workshop.begin_invented, name="workshop-invent"),
    path("copy/", workshop.begin_copy, name="workshop-copy"),
    path("deleted/", workshop_links.deleted, name="workshop-deleted"),
    path("<key:key>/", workshop_editor.page, name="workshop-level"),
    path("<key:key>/guide/<slug:step>/", workshop_editor.guide, name="workshop-guide"),
    path("<key:key>/acts/", workshop_editor.acts, name="workshop-acts"),
    path("<key:key>/state/", workshop_editor.state, name="workshop-state"),
    path("<key:key>/phone/", workshop_editor.phone_sheet, name="workshop-phone"),
    path("<key:key>/page-<int:number>.svg", workshop_editor.printed_page, name="workshop-page"),
    path("<key:key>/links/", workshop_links.links, name="workshop-links"),
    path("<key:key>/delete/", workshop_links.delete, name="workshop-delete"),
    path("<key:key>/score/", workshop_use.score, name="workshop-score"),
    path("<key:key>/play/", workshop_use.play, name="workshop-play"),
    path("<key:key>/solo/", workshop_use.play_alone, name="workshop-solo"),
    path("<key:key>/print/", workshop_use.print_page, name="workshop-print"),
    path("<key:key>/sheet.pdf", workshop_use.sheet_pdf, name="workshop-pdf"),
    path("<key:key>/sheet.png", workshop_use.sheet_png, name="workshop-png"),
    path("<key:key>/level.json", workshop_use.document, name="workshop-document"),
]
