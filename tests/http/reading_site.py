"""Settings of a site with an address that has read whatever a test wants."""

from dizzle_site.settings import *  # noqa: F403

ROOT_URLCONF = "tests.http.reading_urls"
