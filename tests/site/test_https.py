"""TLS in a home network: the certificate authority, its limits, and the second port."""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import socket
import ssl
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509 import DNSName

from dizzle_site import certificates
from dizzle_site.environment import BadEnvironment, read_environment
from tests.processes import free_port
from tests.site.served_site import Answer, Site, serving, started_before

pytestmark = pytest.mark.own_servers


class Home(NamedTuple):
    """A site with an additional TLS port."""

    site: Site
    port: int
    data_dir: Path


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    data_dir = started_before(tmp_path_factory.mktemp("home"))
    port = free_port()
    with serving(data_dir, HTTPS_PORT=str(port)) as site:
        yield Home(site, port, data_dir)


def trusting(file: bytes) -> ssl.SSLContext:
    """Return the TLS context of a phone that trusts only this authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=file)
    return context


def ask(home: Home, path: str, context: ssl.SSLContext, host: str = "localhost") -> Answer:
    connection = http.client.HTTPSConnection(host, home.port, context=context)
    connection.request("GET", path)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return Answer(response.status, dict(response.getheaders()), text)


def authority_of(home: Home) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", home.site.port)
    connection.request("GET", "/secure/dizzle-companion.crt")
    response = connection.getresponse()
    assert response.getheader("Content-Type") == "application/x-x509-ca-cert"
    file = response.read()
    connection.close()
    return file


def test_a_phone_that_trusts_the_authority_connects_by_each_name(home: Home) -> None:
    phone = trusting(authority_of(home))
    for host in ("localhost", "127.0.0.1"):
        page = ask(home, "/", phone, host)
        assert page.status == 200
        assert "/secure/" not in page.text
    assert "Did the browser warn you of it?" in ask(home, "/secure/", phone).text
    assert home.site.ask("/").status == 200  # plain HTTP still works


def test_a_phone_that_does_not_trust_it_refuses_the_connection(home: Home) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        ask(home, "/", ssl.create_default_context())


def test_the_page_and_the_terminal_show_the_same_fingerprint(home: Home) -> None:
    digest = hashlib.sha256(authority_of(home)).hexdigest().upper()
    page = home.site.ask("/secure/", Host=f"192.168.1.7:{home.site.port}").text
    assert f'href="https://192.168.1.7:{home.port}/"' in page
    for shown in (page, "".join(home.site.printed)):
        assert digest in re.sub(r"(?<=[0-9A-F]{4}) (?=[0-9A-F]{4})", "", shown)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file modes")
def test_keys_are_readable_only_by_their_owner(home: Home) -> None:
    folder = home.data_dir / "https"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    kept = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert kept == {"authority.pem": 0o600, "site.pem": 0o600}


def test_the_authority_is_not_valid_for_sites_of_the_internet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even with a stolen key, and for any name of this machine."""
    monkeypatch.setattr(socket, "gethostname", lambda: "dev")
    certificates.tls_context(tmp_path, "")
    stolen = certificates._read_or_make(tmp_path / "https" / "authority.pem")
    file = certificates.as_file(stolen.certificate)
    sites = {"router.lan": True, "bank.example.org": False, "example.dev": False}
    for name, is_trusted in sites.items():
        key = ec.generate_private_key(ec.SECP256R1())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(certificates, "_permitted_names", lambda names: [DNSName(names[0])])
            forged = certificates._issue(stolen, key, [name])
        certificates._write(tmp_path / "forged.pem", key, forged, stolen.certificate)
        assert _is_believed(tmp_path / "forged.pem", name, trusting(file)) == is_trusted


def _is_believed(chain: Path, name: str, phone: ssl.SSLContext) -> bool:
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(chain)
    to_phone, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = shown.wrap_bio(to_server, to_phone, server_side=True)
    client = phone.wrap_bio(to_phone, to_server, server_hostname=name)
    for _step in range(4):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError as problem:
                assert "permitted subtree violation" in str(problem)  # noqa: PT017
                return False
    return client.getpeercert() is not None


def test_a_later_start_keeps_the_authority_and_includes_new_names(tmp_path: Path) -> None:
    certificates.tls_context(tmp_path, "")
    before = certificates.public_certificate(tmp_path)
    certificates.tls_context(tmp_path, "10.0.0.5")
    assert certificates.public_certificate(tmp_path) == before
    names = certificates.names_of_this_machine("10.0.0.5")
    assert "10.0.0.5" in names
    shown = (tmp_path / "https" / "site.pem").read_bytes()
    (alternatives,) = (
        extension.value
        for extension in certificates.x509.load_pem_x509_certificate(shown).extensions
        if isinstance(extension.value, certificates.x509.SubjectAlternativeName)
    )
    assert "10.0.0.5" in {str(name.value) for name in alternatives}


def test_the_site_stops_cleanly_with_an_open_tls_connection(tmp_path: Path) -> None:
    port = free_port()
    with serving(started_before(tmp_path), HTTPS_PORT=str(port)) as site:
        phone = trusting(authority_of(Home(site, port, tmp_path)))
        with phone.wrap_socket(
            socket.create_connection(("127.0.0.1", port)), server_hostname="localhost"
        ):
            site.stop(15)


@pytest.mark.parametrize("text", ["0", "65536", "on"])
def test_invalid_port_is_refused(text: str) -> None:
    with pytest.raises(BadEnvironment, match="HTTPS_PORT"):
        read_environment({"HTTPS_PORT": text})


def test_the_two_ports_differ() -> None:
    with pytest.raises(BadEnvironment, match="are both 8000: choose two ports"):
        read_environment({"HTTPS_PORT": "8000"})


def test_a_public_site_leaves_tls_to_its_proxy() -> None:
    with pytest.raises(BadEnvironment, match="proxy"):
        read_environment({"HTTPS_PORT": "8443", "SITE_URL": "https://dizzle.example.org"})
