"""Which names may a phone in the home network use?"""

import pytest
from django.test import Client

from dizzle_site.hosts import is_home_host

HOME = [
    "localhost",
    "localhost:8000",
    "LAPTOP",
    "laptop.local",
    "laptop.lan:8000",
    "laptop.home",
    "laptop.internal",
    "laptop.home.arpa",
    "laptop.fritz.box",
    "living-room.laptop.local",
    "laptop.local.",
    "127.0.0.1",
    "127.8.8.8",
    "10.0.0.1:9000",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.178.20",
    "169.254.1.1",
    "[::1]",
    "[::1]:8000",
    "[fd12:3456::1]",
    "[fe80::1]:8000",
    "[::ffff:192.168.1.1]",
]
STRANGE = [
    "",
    "example.org",
    "dizzle.example.org:8000",
    "laptop.local.example.org",
    "laptop.box",
    "evil-fritz.box",
    ".local",
    "laptop..local",
    "-laptop",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "192.169.1.1",
    "169.253.1.1",
    "100.64.0.1",
    "0.0.0.0",  # noqa: S104
    "192.0.2.1",
    "255.255.255.255",
    "[2001:db8::1]",
    "[2606:4700::1111]",
    "[::ffff:8.8.8.8]",
    "[::]",
    "2130706433",
    "127.1",
    "10.0.0.1.nip.io",
]


@pytest.mark.parametrize("host", HOME)
def test_home_name_is_accepted(client: Client, host: str) -> None:
    assert is_home_host(host)
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", STRANGE)
def test_any_other_name_is_refused(client: Client, host: str) -> None:
    assert not is_home_host(host)
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 400
    assert answer["Content-Security-Policy"]


def test_static_files_are_not_given_to_strange_names_either(client: Client) -> None:
    address = "/static/django_htmx/htmx-2.min.js"
    assert client.get(address).status_code == 200
    assert client.get(address, headers={"host": "example.org"}).status_code == 400
