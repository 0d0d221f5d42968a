"""Secrets of devices, read from the site's cookie."""

from __future__ import annotations

from django.test import Client
from playwright.sync_api import Page

from sheets.access.keys import secret_in


def secret_of(client: Client) -> str:
    """Return the secret of a test client's device."""
    return secret_in({name: morsel.value for name, morsel in client.cookies.items()})


def secret_of_page(page: Page) -> str:
    """Return the secret of a browser's device."""
    return secret_in({cookie["name"]: cookie["value"] for cookie in page.context.cookies()})
