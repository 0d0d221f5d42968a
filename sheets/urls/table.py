"""The addresses of tables: one for each, whatever its state, and the acts below it."""

from django.urls import path, register_converter

from sheets.views import (
    table,
    table_acts,
    table_file,
    table_history,
    table_results,
    table_screen,
    table_seats,
)


class CodeConverter:
    """A table's code, the long one of its address or the one that people type."""

    regex = "[A-Za-z0-9]{4,16}"

    def to_python(self, value: str) -> str:
        """The code in capitals."""
        return value.upper()

    def to_url(self, value: str) -> str:
        """The code itself."""
        return value


register_converter(CodeConverter, "code")

urlpatterns = [
    path("", table.join, name="table-join"),
    path("new/", table.new, name="table-new"),
    path("file/", table_file.open_file, name="table-open-file"),
    path("file/<str:key>/", table_file.file_history, name="table-file"),
    path("<code:code>/", table.page, name="table"),
    path("<code:code>/now/", table.now, name="table-now"),
    # sitting down
    path("<code:code>/sit/", table_seats.sit, name="table-sit"),
    path("<code:code>/rename/", table_seats.rename, name="table-rename"),
    path("<code:code>/free/", table_seats.free, name="table-free"),
    path("<code:code>/bot/", table_seats.bot, name="table-bot"),
    path("<code:code>/host/", table_seats.hand_on, name="table-host"),
    path("<code:code>/start/", table_seats.start, name="table-start"),
    path("<code:code>/link/", table_seats.link, name="table-link"),
    path("<code:code>/link/shown/", table_seats.show_link, name="table-link-shown"),
    path("<code:code>/seat/<str:key>/", table_seats.move, name="table-move"),
    # playing
    path("<code:code>/act/", table_acts.act, name="table-act"),
    path("<code:code>/done/", table_acts.done, name="table-done"),
    path("<code:code>/undo/", table_acts.undo, name="table-undo"),
    path("<code:code>/propose/", table_acts.propose, name="table-propose"),
    path("<code:code>/answer/", table_acts.answer, name="table-answer"),
    path("<code:code>/stand-in/", table_acts.stand_in, name="table-stand-in"),
    # looking on and back
    path("<code:code>/screen/", table_screen.screen, name="table-screen"),
    path("<code:code>/screen/now/", table_screen.screen_now, name="table-screen-now"),
    path("<code:code>/log/", table_history.log, name="table-log"),
    path("<code:code>/log/now/", table_history.log_now, name="table-log-now"),
    path("<code:code>/history/", table_history.history, name="table-history"),
    # after the game
    path("<code:code>/results/now/", table_results.results_now, name="table-results-now"),
    path("<code:code>/again/", table_results.again, name="table-again"),
    path("<code:code>/game.json", table_results.game_document, name="table-game"),
    path("<code:code>/sheets.json", table_results.sheets_document, name="table-sheets"),
    path("<code:code>/sheets.pdf", table_results.filled_pdf, name="table-pdf"),
    path("<code:code>/<int:number>.png", table_results.sheet_picture, name="table-picture"),
]
