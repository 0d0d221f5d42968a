"""URLs of the pages on a device's resources, protected by the device's secret alone."""

from django.urls import path

from sheets.library.views import device_transfer, lists

urlpatterns = [
    path("", lists.mine, name="mine"),
    path("hide/", lists.hide_game, name="mine-hide"),
    path("forget/", lists.forget, name="mine-forget"),
    path("old/", lists.take_old, name="mine-old"),
    path("link/", device_transfer.make_link, name="mine-link"),
    path("device/<key:key>/", device_transfer.take, name="mine-take"),
]
