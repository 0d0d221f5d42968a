"""The type of what answers a request, for all that wraps one."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse

View = Callable[..., HttpResponse]
