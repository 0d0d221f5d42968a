"""Settings of the site with the baseline view instead of all pages."""

from dizzle_site.settings import *  # noqa: F403

ROOT_URLCONF = "bench._bare"
MIDDLEWARE: list[str] = []
