"""Django's system checks run where the site is served, not only in the tests."""

from __future__ import annotations

from typing import Any

import pytest

from dizzle_site.checks import log_problems


@pytest.mark.parametrize("site_url", ["", "https://dizzle.example.org"])
def test_deployment_checks_are_logged_at_a_public_host(
    settings: Any, caplog: pytest.LogCaptureFixture, site_url: str
) -> None:
    settings.SITE_URL = site_url
    settings.SECURE_HSTS_SECONDS = 0
    settings.SILENCED_SYSTEM_CHECKS = ["security.W008"]
    log_problems()
    assert ("security.W004" in caplog.text) == bool(site_url)
    assert "security.W008" not in caplog.text
