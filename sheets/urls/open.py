"""The addresses of opening what somebody has as a file or got as a link."""

from django.urls import path

from sheets.urls import score as urls_score  # noqa: F401  it registers the converter of keys
from sheets.views import workshop_files

urlpatterns = [
    path("", workshop_files.open_file, name="open"),
    path("level/", workshop_files.show_level, name="open-level"),
    path("game/<key:key>/", workshop_files.show_game, name="open-game"),
    path("use/", workshop_files.use, name="open-use"),
]
