"""URLs of the pages on a device's resources, protected by the device's secret alone."""

from django.urls import path

from sheets.mine.views import mine, other_device

urlpatterns = [
    path("", mine.mine, name="mine"),
    path("hide/", mine.hide_game, name="mine-hide"),
    path("forget/", mine.forget, name="mine-forget"),
    path("old/", mine.take_old, name="mine-old"),
    path("link/", other_device.make_link, name="mine-link"),
    path("device/<key:key>/", other_device.take, name="mine-take"),
]
