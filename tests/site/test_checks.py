"""Django's system checks on a served site."""

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


def test_obsolete_setting_is_named_without_its_value(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("REDIS_URL", "")
    log_problems()
    assert "no longer used" not in caplog.text
    monkeypatch.setenv("REDIS_URL", "redis://:secret@host:6379/0")
    log_problems()
    assert caplog.text.count("REDIS_URL: This setting is no longer used") == 1
    assert "secret" not in caplog.text
