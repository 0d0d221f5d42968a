"""The addresses of Dice²; its tables have the same addresses as all others."""

from django.urls import path

from .views import dice2

urlpatterns = [
    path("", dice2.dice2, name="dice2"),
]
