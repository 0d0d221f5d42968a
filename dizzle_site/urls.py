"""URLs of the site; those of the game are in `sheets.pages.urls`."""

from django.urls import include, path

from dizzle_site.health import health

urlpatterns = [
    path("", include("sheets.pages.urls")),
    path("health/", health, name="health"),
    path("i18n/", include("django.conf.urls.i18n")),
]

handler400 = "dizzle_site.errors.bad_request"
handler403 = "dizzle_site.errors.forbidden"
handler404 = "dizzle_site.errors.not_found"
handler500 = "dizzle_site.errors.server_error"
