"""Modules that the fork server of the render pool loads, so that its workers share their memory."""

import django

django.setup()

import sheets.http.render_tasks  # noqa: E402, F401
