"""Size of the scoring pages on the first load, for phones with a weak signal."""

import pytest
from django.test import Client

from tests.web.test_weight import LIMIT_BYTES, weigh


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(1, 9))
def test_first_load_of_a_sheet_stays_small(client: Client, number: int) -> None:
    begun = client.post(f"/score/new/level-{number}/", {"count": 6})
    sheet = begun.headers["Location"]
    for path in (sheet, sheet.removesuffix("1/")):
        parts = weigh(client, path)
        assert sum(parts.values()) < LIMIT_BYTES, parts
