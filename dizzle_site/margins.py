"""How do templates come to phones? Without what their lines are moved in by: a page's twentieth."""

import re

from django.template.base import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

MARGIN = re.compile(r"^\s+", re.MULTILINE)


class Loader(FilesystemLoader):
    """Django's, for templates in which no text means something by its margin.

    Texts to be translated go over several lines only where they are `trimmed`.
    """

    def get_contents(self, origin: Origin) -> str:
        """The text of a template."""
        return MARGIN.sub("", super().get_contents(origin))
