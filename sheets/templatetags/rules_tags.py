"""Template filters for the examples of rules."""

from django import template

from sheets.text.rulebook.examples import EXAMPLES, Example
from sheets.text.rulebook.examples import example_level as level_of

register = template.Library()


@register.filter
def example(name: str) -> Example:
    """Return a rule's example by its name."""
    return EXAMPLES[name]


register.filter("example_level", level_of)
