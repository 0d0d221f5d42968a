"""URLs of the sheet of the day."""

from django.urls import path

from sheets.daily.views import page

urlpatterns = [
    path("", page.today, name="day"),
    path("<day:day>/", page.page, name="day-sheet"),
]
