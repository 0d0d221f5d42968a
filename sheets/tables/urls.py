"""URLs of tables: one page for each table, whatever its state, and the acts below it."""

from django.urls import path

from sheets.tables.views import (
    acts,
    analysis,
    corrections,
    dice,
    file,
    history,
    page,
    results,
    screen,
    seats,
    start,
)

urlpatterns = [
    path("", start.join, name="table-join"),
    path("new/", start.new, name="table-new"),
    path("file/", file.open_file, name="table-open-file"),
    path("file/<str:key>/", file.file_history, name="table-file"),
    path("file/<str:key>/dice/", dice.file_dice, name="table-file-dice"),
    path("file/<str:key>/look/", analysis.file_analysis, name="table-file-look"),
    path("file/<str:key>/look/state/", analysis.file_progress, name="table-file-look-state"),
    path("<code:code>/", page.page, name="table"),
    # sitting down
    path("<code:code>/seats/", seats.seats, name="table-seats"),
    path("<code:code>/sit/", seats.sit, name="table-sit"),
    path("<code:code>/claim/", seats.claim, name="table-claim"),
    path("<code:code>/claim/answer/", seats.answer_claim, name="table-answer-claim"),
    path("<code:code>/rename/", seats.rename, name="table-rename"),
    path("<code:code>/order/<int:number>/", seats.order, name="table-order"),
    path("<code:code>/free/", seats.free, name="table-free"),
    path("<code:code>/bot/", seats.bot, name="table-bot"),
    path("<code:code>/hints/", seats.hints, name="table-hints"),
    path("<code:code>/host/", seats.host, name="table-host"),
    path("<code:code>/start/", seats.start, name="table-start"),
    path("<code:code>/contribute/", dice.contribute, name="table-contribute"),
    path("<code:code>/pause/", seats.pause, name="table-pause"),
    path("<code:code>/link/", seats.link, name="table-link"),
    path("<code:code>/seat/<str:key>/", seats.move, name="table-move"),
    # playing
    path("<code:code>/act/", acts.act, name="table-act"),
    path("<code:code>/done/", acts.done, name="table-done"),
    path("<code:code>/undo/", acts.undo, name="table-undo"),
    path("<code:code>/propose/", acts.propose, name="table-propose"),
    path("<code:code>/answer/", acts.answer, name="table-answer"),
    path("<code:code>/hurry/", acts.countdown, name="table-hurry"),
    path("<code:code>/ask/", acts.ask_hint, name="table-ask"),
    path("<code:code>/stand-in/", acts.stand_in, name="table-stand-in"),
    # watching and looking back
    path("<code:code>/screen/", screen.screen, name="table-screen"),
    path("<code:code>/log/", history.log, name="table-log"),
    path("<code:code>/history/", history.history, name="table-history"),
    path("<code:code>/dice/", dice.dice, name="table-dice"),
    path("<code:code>/look/", analysis.analysis, name="table-look"),
    path("<code:code>/look/state/", analysis.progress, name="table-look-state"),
    # after the game
    path("<code:code>/correct/<int:number>/", corrections.correct, name="table-correct"),
    path("<code:code>/again/", results.rematch, name="table-again"),
    path("<code:code>/game.json", results.game_document, name="table-game"),
    path("<code:code>/sheets.json", results.sheets_document, name="table-sheets"),
    path("<code:code>/scores.csv", results.export_scores, name="table-csv"),
    path("<code:code>/result.png", results.result_picture, name="table-result-picture"),
    path("<code:code>/sheets.pdf", results.filled_pdf, name="table-pdf"),
    path("<code:code>/print/", results.choose_filled, name="table-print"),
    path(
        "<code:code>/print/page-<int:number>.svg", results.filled_preview, name="table-print-page"
    ),
    path("<code:code>/<int:number>.png", results.sheet_picture, name="table-picture"),
]
