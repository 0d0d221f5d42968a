"""Template tags for the scripts and style sheets of a page.

`dizzle_site.static_files` adds hashes to the file names, also in the imports of modules.
"""

import posixpath
import re
from functools import cache
from pathlib import Path

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()

IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+)";', re.MULTILINE)
"""Pattern of a static import or re-export, as our modules write it; its group is the path.

Dynamic imports (``import(...)``) do not match, because they load their modules later.
"""


@register.simple_tag
def modules(*named: str | list[str]) -> SafeString:
    """Return tags that load modules in this order: ``{% modules "sheets/table/play.js" %}``.

    A parameter may be a list of names. The tags preload all imported modules, because otherwise a
    browser would request a module only after it has read the one that imports it.
    """
    names = [name for one in named for name in ([one] if isinstance(one, str) else one)]
    needed = dict.fromkeys(one for name in names for one in imports_of(name))
    preloads = format_html_join(
        "",
        '<link rel="modulepreload" href="{}">\n',
        ((static(name),) for name in needed if name not in names),
    )
    run = format_html_join(
        "\n", '<script type="module" src="{}"></script>', ((static(name),) for name in names)
    )
    return preloads + run


@cache
def imports_of(name: str) -> tuple[str, ...]:
    """Return the names of all modules that a module imports, directly or through others.

    Raises:
        FileNotFoundError: there is no such module, or one of them imports a module that is missing.
    """
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"there is no static file {name}")
    folder = posixpath.dirname(name)
    urls = IMPORT.findall(Path(path).read_text("utf-8"))
    direct = [posixpath.normpath(posixpath.join(folder, url)) for url in urls]
    return tuple(dict.fromkeys([*direct, *(more for one in direct for more in imports_of(one))]))


@register.simple_tag
def styles(*names: str) -> SafeString:
    """Return tags that load style sheets in this order: ``{% styles "sheets/app.css" %}``."""
    return format_html_join(
        "\n", '<link rel="stylesheet" href="{}">', ((static(name),) for name in names)
    )


@register.simple_tag
def worker() -> SafeString:
    """Return the attribute ``data-worker`` if a service worker (``/worker.js``) stores pages."""
    return SafeString(" data-worker" if settings.OFFLINE else "")
