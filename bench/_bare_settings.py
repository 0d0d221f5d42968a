"""The site's settings with nothing but the bench's views."""

from dizzle_site.settings import *  # noqa: F403

ROOT_URLCONF = "bench._bare"
MIDDLEWARE: list[str] = []
