"""Settings of a site with a URL that runs a test's task in the process pool."""

from dizzle_site.settings import *  # noqa: F403

ROOT_URLCONF = "tests.photos.task_urls"
"""Module with the site's URLs and those of the test tasks."""
