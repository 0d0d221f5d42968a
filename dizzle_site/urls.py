"""Every address of the site; those of the game are in `sheets.urls`."""

from django.urls import include, path

urlpatterns = [
    path("", include("sheets.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]
