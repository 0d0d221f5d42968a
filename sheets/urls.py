"""The addresses of the game."""

from django.urls import path

from . import views

urlpatterns = [
    path("", views.home, name="home"),
]
