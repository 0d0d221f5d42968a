"""Printed addresses, sockets of the server, and environment variables."""

import socket

import pytest
from django.conf import settings

from dizzle_site import serving
from dizzle_site.environment import BadEnvironment, read_environment

PUBLIC = "https://dizzle.example.org"


@pytest.mark.parametrize(
    ("host", "site_url", "here", "phones"),
    [
        ("0.0.0.0", "", "http://localhost:8000/", "http://192.168.1.7:8000/"),  # noqa: S104
        ("::", "", "http://localhost:8000/", "http://192.168.1.7:8000/"),
        ("127.0.0.1", "", "http://127.0.0.1:8000/", ""),
        ("::1", "", "http://[::1]:8000/", ""),
        ("10.0.0.5", "", "http://10.0.0.5:8000/", "http://10.0.0.5:8000/"),
        ("127.0.0.1", PUBLIC, "http://127.0.0.1:8000/", f"{PUBLIC}/"),
        ("0.0.0.0", PUBLIC, "http://127.0.0.1:8000/", f"{PUBLIC}/"),  # noqa: S104
    ],
)
def test_printed_addresses(
    monkeypatch: pytest.MonkeyPatch, host: str, site_url: str, here: str, phones: str
) -> None:
    monkeypatch.setattr(serving, "own_address", lambda: "192.168.1.7")
    assert serving.addresses(host, 8000, site_url) == (here, phones)


def test_machine_without_a_network_has_no_address_for_phones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "own_address", lambda: "")
    assert serving.addresses("0.0.0.0", 8000, "")[1] == ""  # noqa: S104


def test_qr_code_is_drawn_if_the_terminal_has_the_characters() -> None:
    lines = list(serving.qr_lines("http://192.168.1.7:8000/", "utf-8"))
    assert len(lines) > 10
    assert list(serving.qr_lines("http://192.168.1.7:8000/", "ascii")) == []
    assert list(serving.qr_lines("http://192.168.1.7:8000/", None)) == []


def test_answers_are_sent_without_delay() -> None:
    """asyncio turns Nagle's algorithm off only for sockets with an explicit TCP protocol."""
    with serving.listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_second_server_on_a_port_is_refused() -> None:
    with serving.listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(serving.CannotListen, match=f"Port {port} is taken"):
            serving.listen("127.0.0.1", port)


def test_missing_variables_have_defaults() -> None:
    home = read_environment({})
    assert (home.host, home.port, home.site_host) == ("0.0.0.0", 8000, "")  # noqa: S104
    assert home.data_dir == settings.BASE_DIR / "var"
    assert not home.debug
    public = read_environment({"SITE_URL": PUBLIC + "/", "PORT": ""})
    assert (public.host, public.site_url, public.site_host) == (
        "127.0.0.1",
        PUBLIC,
        "dizzle.example.org",
    )
    by_address = read_environment({"SITE_URL": "https://[2001:db8::1]:8443"})
    assert by_address.site_host == "[2001:db8::1]"  # as Django compares it


@pytest.mark.parametrize("port", ["-1", "65536", "8000.5", "²"])
def test_invalid_port_is_refused(port: str) -> None:
    with pytest.raises(BadEnvironment, match="PORT"):
        read_environment({"PORT": port})


@pytest.mark.parametrize("name", ["DEBUG", "OFFLINE"])
def test_switch_is_on_or_off(name: str) -> None:
    for word, is_on in (("yes", True), ("1", True), ("On", True), ("no", False), ("FALSE", False)):
        assert getattr(read_environment({name: word}), name.lower()) is is_on
    with pytest.raises(BadEnvironment, match=f"{name} is 'enabled', but must be yes or no"):
        read_environment({name: "enabled"})
