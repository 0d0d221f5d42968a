"""Modules that the fork server of the render pool loads, so that its workers share their memory."""

import gc

import django

django.setup()

import sheets.http.render_tasks  # noqa: E402, F401

# The garbage collector of a worker would write to these objects, and so copy their memory.
gc.freeze()
