"""Host names that are accepted in a home network."""

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


def test_home_names_are_accepted(client: Client) -> None:
    found = {
        host: (is_home_host(host), client.get("/", headers={"host": host}).status_code)
        for host in HOME
    }
    assert found == dict.fromkeys(HOME, (True, 200))


def test_any_other_names_are_refused(client: Client) -> None:
    found = {}
    for host in STRANGE:
        answer = client.get("/", headers={"host": host})
        is_safe = bool(answer.headers.get("Content-Security-Policy"))
        found[host] = (is_home_host(host), answer.status_code, is_safe)
    assert found == dict.fromkeys(STRANGE, (False, 400, True))


def test_static_files_are_refused_for_strange_names(client: Client) -> None:
    address = "/static/django_htmx/htmx-2.min.js"
    assert client.get(address).status_code == 200
    assert client.get(address, headers={"host": "example.org"}).status_code == 400
