"""How do templates come to phones? Without what their lines are moved in by: a page's twentieth.

And without the empty lines that conditions and loops would leave behind: a hundredth of the rest.
"""

import re

from django.template.base import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

MARGIN = re.compile(r"^\s+", re.MULTILINE)
# What stands around such a line ends with its own, so that words stay apart.
TAGS = "load|if|elif|else|endif|for|empty|endfor|with|endwith|include|block|endblock"
ALONE = re.compile(rf"^({{% (?:{TAGS})\b[^%]*%}})\n", re.MULTILINE)


class Loader(FilesystemLoader):
    """Django's, for templates in which no text means something by its margin.

    Texts to be translated go over several lines only where they are `trimmed`.
    """

    def get_contents(self, origin: Origin) -> str:
        """The text of a template."""
        return ALONE.sub(r"\1", MARGIN.sub("", super().get_contents(origin)))
