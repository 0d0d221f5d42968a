"""How do pages get their scripts and styles, each file under a name that changes with its content?

Scripts are ES modules whose imports are written as paths from file to file (`import { swap } from
"./lib/swap.js";`), so they hold without names that change, too, as in DEBUG. What is collected for
phones is joined (see `joining`), and leaves out the comments: they are for who reads the source.
"""

import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from . import joining

OURS = "sheets?*"  # with / after it or, on Windows, with \
STYLES = r"\{% styles ((?:\"[^\"]+\"\s*)+)%\}"
"""The style sheets that a template names together."""

FOR_READERS = {
    ".js": re.compile(r"^\s*//.*\n|^\s+| //[^\"'`\n]*$", re.MULTILINE),
    ".css": re.compile(
        r"^\s*/\*.*?\*/[ \t]*\n|/\*.*?\*/|^\s+|(?<=[{;,])\n\s*(?!/\*)|(?<=[\w-]:) | (?=\{)",
        re.MULTILINE | re.DOTALL,
    ),
}
"""What is left out of a file with this ending: comments, in scripts those at the end of a line only
where they quote nothing, and what lines are moved in by; in styles most ends of lines as well, and
the blanks after a colon and before a brace. No text of ours goes over several lines, and in styles
none contains these blanks."""


class _ForPhones:
    """A file as phones get it, for who asks a storage for it, as Django does several times."""

    def __init__(self, text_of: Callable[[str], str]) -> None:
        self.text_of = text_of
        self._content = cache(self._for_phones)

    def open(self, name: str) -> "ContentFile[bytes]":
        return ContentFile(self._content(name))

    def _for_phones(self, name: str) -> bytes:
        return FOR_READERS[Path(name).suffix].sub("", self.text_of(name)).encode()


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """WhiteNoise's, with few files for each page, which also writes the changed names into the
    imports of our modules.

    Django's own way (`support_js_module_import_aggregation`) follows every text that looks like an
    import, in comments and in scripts of others, too, and stops where there is no such file.
    """

    # A name is settled only after those of all that a module imports: in the worst order of the
    # files that takes as many passes as the longest chain of imports is long.
    max_post_process_passes = 20

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (f"{OURS}.js", ((joining.IMPORT, '%(named)s"%(url)s";'),)),
    )

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """What Django does with collected files, done with ours as phones get them."""
        named = {name.replace("\\", "/"): at for name, at in paths.items()}

        def text_of(name: str) -> str:
            storage, path = named[name]
            with storage.open(path) as file:
                text: str = file.read().decode()
                return text.replace("\r\n", "\n")

        scripts = _ForPhones(joining.Scripts(text_of).joined)
        read: dict[str, tuple[Storage | _ForPhones, str]] = dict(paths)
        for name in paths:
            if fnmatchcase(name, f"{OURS}.js"):
                read[name] = scripts, name.replace("\\", "/")
            elif fnmatchcase(name, f"{OURS}.css"):
                read[name] = _ForPhones(text_of), name.replace("\\", "/")
        for names in named_together():
            name = joining.joined_name(names)
            if name not in read and not options.get("dry_run"):
                # Under its own name, too, as all that is collected.
                self.delete(name)
                self._save(name, ContentFile(joining.joined_styles(names, text_of).encode()))
                read[name] = _ForPhones(self._joined_text), name
        yield from super().post_process(read, *args, **options)

    def _joined_text(self, name: str) -> str:
        with self.open(name) as file:
            text: str = file.read().decode()
            return text


def is_joined() -> bool:
    """Whether files are served as they were collected, not as they are written."""
    return isinstance(staticfiles_storage, ModuleStorage)


def named_together() -> list[tuple[str, ...]]:
    """The style sheets that templates name together."""
    pages = (settings.BASE_DIR / "templates").rglob("*.html")
    texts = [page.read_text("utf-8") for page in pages]
    found = {names for text in texts for names in re.findall(STYLES, text)}
    return [tuple(re.findall(r'"([^"]+)"', names)) for names in sorted(found)]


def scripts() -> joining.Scripts:
    """Our scripts as they are written."""
    return joining.Scripts(_text) if settings.DEBUG else _remembered_scripts()


def _text(name: str) -> str:
    file = finders.find(name)
    if not file:
        raise FileNotFoundError(f"there is no static file {name}")
    return Path(file).read_text("utf-8")


@cache
def _remembered_scripts() -> joining.Scripts:
    return joining.Scripts(_text)
