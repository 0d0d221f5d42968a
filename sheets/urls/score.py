"""The addresses of scoring paper sheets; the key in them is all that guards a scoring."""

from django.urls import path, register_converter

from sheets.views import score, score_people, score_results, score_sheet


class KeyConverter:
    """A scoring's key: 192 random bits in URL-safe letters."""

    regex = "[A-Za-z0-9_-]{32}"

    def to_python(self, value: str) -> str:
        """The key itself."""
        return value

    def to_url(self, value: str) -> str:
        """The key itself."""
        return value


class NumberConverter(KeyConverter):
    """A sheet's number within its scoring."""

    regex = "[1-9][0-9]{0,4}"

    def to_python(self, value: str) -> int:  # type: ignore[override]
        """The number."""
        return int(value)

    def to_url(self, value: str | int) -> str:
        """The number in digits."""
        return str(value)


register_converter(KeyConverter, "key")
register_converter(NumberConverter, "sheet")

urlpatterns = [
    path("", score.choose_level, name="score"),
    path("new/<slug:level_id>/", score.begin, name="score-begin"),
    path("import/", score.import_document, name="score-import"),
    path("deleted/", score_people.deleted, name="score-deleted"),
    path("<key:key>/", score_results.results, name="score-results"),
    path("<key:key>/players/", score_people.players, name="score-players"),
    path("<key:key>/players/<sheet:number>/remove/", score_people.remove, name="score-remove"),
    path("<key:key>/solo/", score_people.solo, name="score-solo"),
    path("<key:key>/delete/", score_people.delete, name="score-delete"),
    path("<key:key>/news/", score_results.news, name="score-news"),
    path("<key:key>/acts/", score_sheet.acts, name="score-acts"),
    path("<key:key>/sheets.json", score_results.export_document, name="score-document"),
    path("<key:key>/scores.csv", score_results.export_scores, name="score-csv"),
    path("<key:key>/<sheet:number>/", score_sheet.sheet_page, name="score-sheet"),
    path("<key:key>/<sheet:number>/sheet.png", score_results.sheet_picture, name="score-picture"),
    path("<key:key>/<sheet:number>/mark/", score_sheet.mark, name="score-mark"),
    path("<key:key>/<sheet:number>/undo/", score_sheet.turn_back, name="score-turn-back"),
    path("<key:key>/<sheet:number>/state/", score_sheet.state, name="score-state"),
]
