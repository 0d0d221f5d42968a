"""Page of all tokens and components."""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec
from typing import Any

import pytest
from django.test import Client, override_settings

from sheets.pages.style import NOT_DRAWN, tokens


def import_again(name: str) -> Any:
    """Return a new copy of a module, as if the site had just started."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_debugged_sites_have_the_page(client: Client) -> None:
    assert client.get("/style/").status_code == 404
    for debug in (False, True):
        with override_settings(DEBUG=debug):
            urls = import_again("sheets.pages.urls").urlpatterns
        assert ("style" in {getattr(url, "name", "") for url in urls}) == debug


@pytest.mark.urls("tests.style_urls")
def test_page_shows_every_token(client: Client) -> None:
    page = client.get("/style/").content.decode()
    drawn = set(tokens()) - {*NOT_DRAWN}
    assert len(drawn) > 20
    assert {name for name in drawn if f'="var({name})"' not in page} == set()
