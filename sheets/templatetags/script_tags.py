"""The scripts and styles of a page."""

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from dizzle_site.joining import joined_name
from dizzle_site.static_modules import is_joined, scripts

register = template.Library()


@register.simple_tag
def modules(*named: str | list[str]) -> SafeString:
    """``{% modules "sheets/table/play.js" %}``: run these in their order, after the page is read.

    A list of names is as good as each of them. What they import is named, too: else a browser would
    ask for it only when they have come.
    """
    names = [name for one in named for name in ([one] if isinstance(one, str) else one)]
    needed_by = scripts().beside if is_joined() else scripts().imports_of
    needed = dict.fromkeys(one for name in names for one in needed_by(name))
    preloads = format_html_join(
        "",
        '<link rel="modulepreload" href="{}">\n',
        ((static(name),) for name in needed if name not in names),
    )
    run = format_html_join(
        "\n", '<script type="module" src="{}"></script>', ((static(name),) for name in names)
    )
    return preloads + run


@register.simple_tag
def styles(*names: str) -> SafeString:
    """``{% styles "sheets/app.css" "sheets/parts.css" %}``: these, one after the other.

    The names are written out, for what templates name together is one file for phones.
    """
    return format_html_join(
        "\n",
        '<link rel="stylesheet" href="{}">',
        ((static(name),) for name in ([joined_name(names)] if is_joined() else names)),
    )


@register.simple_tag
def worker() -> SafeString:
    """Whether a worker keeps pages for when there is no network; it is at ``/worker.js``."""
    return SafeString(" data-worker" if settings.OFFLINE else "")
