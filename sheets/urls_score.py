"""The addresses of scoring paper sheets."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
