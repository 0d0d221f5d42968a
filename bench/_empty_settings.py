"""The site's settings with an empty view for comparison."""

from dizzle_site.settings import *  # noqa: F403

ROOT_URLCONF = "bench._empty"
