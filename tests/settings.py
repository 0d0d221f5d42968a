"""The site's settings in a temporary folder, so that tests touch nobody's real data."""

import os
import tempfile

_folder = tempfile.TemporaryDirectory(prefix="dizzle-tests-")
for _name in ("DATABASE_URL", "DEBUG", "HOST", "PORT", "REDIS_URL", "SECRET_KEY_FILE", "SITE_URL"):
    os.environ.pop(_name, None)
os.environ["DATA_DIR"] = _folder.name
os.environ["SECRET_KEY"] = "only-for-tests-" + "x" * 50

from dizzle_site.settings import *  # noqa: E402, F403
from dizzle_site.settings import DATA_DIR, DATABASES, STORAGES  # noqa: E402

# A file, not memory: the browser tests' server reads it from other threads.
DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
