"""Are the pages of scoring small enough for a phone with one bar of signal?"""

import gzip
import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from dizzle_site.static_modules import for_phones
from tests.web.test_weight import LIMIT_BYTES, LOADED


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(1, 9))
def test_first_load_of_a_sheet_stays_small(client: Client, number: int) -> None:
    begun = client.post(f"/score/new/level-{number}/", {"count": 6})
    sheet = begun.headers["Location"]
    for path in (sheet, sheet.removesuffix("1/")):
        page = client.get(path).content
        found = re.findall(LOADED, page.decode())
        assert len(set(found)) >= 5
        sizes = [len(gzip.compress(page))]
        for name in set(found):
            with open(finders.find(name.removeprefix("/static/")), "rb") as file:
                sizes.append(len(gzip.compress(for_phones(name, file.read()))))
        assert sum(sizes) < LIMIT_BYTES, sizes
