"""The addresses of tables: one for each, whatever its state, and the acts below it."""

from django.urls import path, register_converter

from .views import table, table_acts, table_seats


class CodeConverter:
    """A table's code, also as somebody types it."""

    regex = "[A-Za-z0-9]{4,12}"

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
    path("<code:code>/seat/<str:key>/", table_seats.move, name="table-move"),
    # playing
    path("<code:code>/act/", table_acts.act, name="table-act"),
    path("<code:code>/done/", table_acts.done, name="table-done"),
    path("<code:code>/undo/", table_acts.undo, name="table-undo"),
    path("<code:code>/propose/", table_acts.propose, name="table-propose"),
    path("<code:code>/answer/", table_acts.answer, name="table-answer"),
    path("<code:code>/stand-in/", table_acts.stand_in, name="table-stand-in"),
]
