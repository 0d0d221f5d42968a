"""The scripts of a page."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from dizzle_site.static_modules import imports_of

register = template.Library()


@register.simple_tag
def modules(*named: str | list[str]) -> SafeString:
    """``{% modules "sheets/table/play.js" %}``: run these in their order, after the page is read.

    A list of names is as good as each of them. What they import is named, too: else a browser would
    ask for it only when they have come.
    """
    names = [name for one in named for name in ([one] if isinstance(one, str) else one)]
    needed = dict.fromkeys(one for name in names for one in imports_of(name))
    preloads = format_html_join(
        "",
        '<link rel="modulepreload" href="{}">\n',
        ((static(name),) for name in needed if name not in names),
    )
    scripts = format_html_join(
        "\n", '<script type="module" src="{}"></script>', ((static(name),) for name in names)
    )
    return preloads + scripts
