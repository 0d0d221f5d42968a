"""Type of a view, for decorators."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse

View = Callable[..., HttpResponse]
