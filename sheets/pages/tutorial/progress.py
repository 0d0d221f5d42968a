"""Progress through the tutorial: a cookie with the number of the last step that was completed."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from sheets.pages.tutorial.steps import STEPS

COOKIE: Final = "tutorial"
"""Name of the cookie; tutorial/step.js writes it, too."""

YEAR_S: Final = 365 * 24 * 3600
"""Lifetime of the cookie, in seconds."""


class Progress(NamedTuple):
    """How far a device has come: ``done`` is the last step that was completed, 0 for none."""

    done: int

    @property
    def is_begun(self) -> bool:
        """Whether the device is in the middle of the tutorial."""
        return 0 < self.done < len(STEPS)

    @property
    def is_finished(self) -> bool:
        """Whether the last step was completed."""
        return self.done == len(STEPS)

    @property
    def next_step(self) -> int:
        """The number of the step to go on with; the first one after the end."""
        return self.done % len(STEPS) + 1

    @property
    def step_count(self) -> int:
        """The number of all steps."""
        return len(STEPS)


def progress_of(request: HttpRequest) -> Progress:
    """Return the progress in the cookie; none for a missing or unknown value."""
    known = {str(number): number for number in range(1, len(STEPS) + 1)}
    return Progress(known.get(request.COOKIES.get(COOKIE, ""), 0))


def set_progress(response: HttpResponse, done: int) -> None:
    """Store the last completed step in the cookie."""
    response.set_cookie(
        COOKIE, str(done), max_age=YEAR_S, secure=bool(settings.SITE_URL), samesite="Lax"
    )
