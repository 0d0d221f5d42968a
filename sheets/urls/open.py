"""The addresses of opening what somebody has as a file or got as a link."""

from django.urls import path

from sheets.views import workshop_files

urlpatterns = [
    path("", workshop_files.open_file, name="open"),
    path("level/", workshop_files.show_level, name="open-level"),
    path("use/", workshop_files.use, name="open-use"),
]
