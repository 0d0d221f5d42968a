"""Smoke test of the home page."""

from django.test import Client


def test_home_answers(client: Client) -> None:
    assert client.get("/").status_code == 200
