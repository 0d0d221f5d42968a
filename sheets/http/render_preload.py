"""Modules that the fork server of the render pool loads, so that its workers share their memory."""

import gc
import os

import django

from sheets.http.render_pool import ONE_THREAD

os.environ.update(ONE_THREAD)  # before the import of NumPy and OpenCV
django.setup()

import sheets.http.render_tasks  # noqa: E402
import sheets.render.raster  # noqa: E402, F401

# The garbage collector of a worker would write to these objects, and so copy their memory.
gc.freeze()
