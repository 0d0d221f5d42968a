"""Settings of a site with an address that runs the task of a test in the render pool."""

from dizzle_site.settings import *  # noqa: F403

ROOT_URLCONF = "tests.photos.task_urls"
