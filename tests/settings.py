"""The site's settings with a temporary data folder, so that tests use no real data.

The database is SQLite unless TEST_DATABASE_URL names another one (see `tests.servers`).
"""

import os
import tempfile

_folder = tempfile.TemporaryDirectory(prefix="dizzle-tests-")
os.environ["OFFLINE"] = "no"
os.environ["DRAWING_PROCESSES"] = "0"  # render in the test process; real servers have a pool
for _name in ("DEBUG", "DRAWING_THREADS", "HOST", "PORT", "SECRET_KEY_FILE", "SITE_URL"):
    os.environ.pop(_name, None)
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "")
os.environ["DATA_DIR"] = _folder.name
os.environ["SECRET_KEY"] = "only-for-tests-" + "x" * 50

from dizzle_site.settings import *  # noqa: E402, F403
from dizzle_site.settings import DATA_DIR, DATABASES, STORAGES  # noqa: E402

# Test data need not survive a power cut, so the database does not wait for the disk.
_options = DATABASES["default"]["OPTIONS"]
if os.environ["DATABASE_URL"]:
    DATABASES["default"]["OPTIONS"] = _options | {"options": "-c synchronous_commit=off"}
    # Concurrent test runs use different databases.
    DATABASES["default"]["TEST"] = {"NAME": f"dizzle_test_{os.getpid()}"}
else:
    _sooner = _options["init_command"] + "PRAGMA synchronous=OFF;"
    DATABASES["default"]["OPTIONS"] = _options | {"init_command": _sooner}
    # A file, not memory: the browser tests' server reads it from other threads.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
