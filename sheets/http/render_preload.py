"""Modules that the fork server of the process pool loads, so that workers share their memory."""

import gc
import os

import django

from sheets.http.process_pool import ONE_THREAD

os.environ.update(ONE_THREAD)  # before the import of NumPy and OpenCV
django.setup()


# The garbage collector of a worker would write to these objects, and so copy their memory.
gc.freeze()
