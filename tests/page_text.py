"""Text of pages for tests that look for sentences."""

from __future__ import annotations

import re

from django.http import HttpResponse


def unmarked(answer: HttpResponse) -> str:
    """Return the HTML of a page without the marks of names that are not translated.

    >>> unmarked(HttpResponse('<b translate="no">Ana</b>: <bdi translate="no">Ana</bdi> wins'))
    '<b>Ana</b>: Ana wins'
    """
    page = re.sub('<bdi translate="no">(.*?)</bdi>', r"\1", answer.content.decode())
    return page.replace(' translate="no"', "")
