"""Menu of all pages: sections, and what is current."""

import re

import pytest
from django.test import Client


@pytest.mark.parametrize(
    ("path", "section", "page"),
    [
        ("/", None, None),
        ("/table/new/", "Play", "Start a table"),
        ("/score/here/", "Score", "Without network"),
        ("/levels/", "Sheets", "Levels"),
        ("/levels/level-2/", "Sheets", None),
        ("/my/", "Groups", "My games"),
        ("/groups/file/", "Groups", None),
    ],
)
@pytest.mark.django_db
def test_menu_marks_the_section_and_the_page(
    client: Client, path: str, section: str | None, page: str | None
) -> None:
    text = client.get(path).content.decode()
    current = re.findall(r'aria-current="(true|page)">([^<]+)</a>', text)
    # A page of the menu is also in the row below the header.
    pages = 0 if page is None else 2
    assert sorted(current) == sorted(
        [("page", page)] * pages + ([] if section is None else [("true", section)])
    )
    assert ('class="section-nav"' in text) == (page is not None)
