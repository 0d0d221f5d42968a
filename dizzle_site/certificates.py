"""TLS certificates for home networks, where no public certificate authority knows the site.

The first start with HTTPS_PORT creates a certificate authority (CA) for this machine. Name
constraints in its certificate limit it to names and addresses of home networks, which nobody on the
internet can own. So a phone that trusts the CA trusts it for no other site, even if its key is
stolen. Each start issues a new certificate for the current names and addresses of the machine.
"""

from __future__ import annotations

import os
import re
import socket
import ssl
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from dizzle_site.hosts import HOME_NETWORKS, HOME_SUFFIXES, NAME, is_home_address
from dizzle_site.network import own_address

FOLDER: Final = "https"
"""Folder of the keys and certificates in the data folder."""

AUTHORITY: Final = "authority.pem"
"""File with key and certificate of the CA."""

SITE: Final = "site.pem"
"""File with key and certificate of the site."""

AUTHORITY_VALIDITY: Final = timedelta(days=3652)
"""Validity of the CA; after that, phones must trust a new one."""

SITE_VALIDITY: Final = timedelta(days=800)
"""Validity of the site's certificate; Apple's devices accept at most 825 days."""

CLOCK_SKEW: Final = timedelta(days=1)
"""Maximum time by which a phone's clock may be behind the clock of this machine."""


class Authority(NamedTuple):
    """The certificate authority of this machine."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def tls_context(data_dir: Path, host: str) -> ssl.SSLContext:
    """Return a TLS context with a new certificate, issued by the CA in the data folder.

    Creates the CA if there is none.

    Raises:
        OSError: the files cannot be written or read.
        ValueError: the file of the CA contains no usable certificate or key.
    """
    folder = data_dir / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    authority = _read_or_make(folder / AUTHORITY)
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _issue(authority, key, names_of_this_machine(host))
    _write(folder / SITE, key, certificate, authority.certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(folder / SITE)
    return context


def public_certificate(data_dir: Path) -> x509.Certificate | None:
    """Return the CA's certificate, which is public; None if no start has created the CA."""
    try:
        return x509.load_pem_x509_certificate((data_dir / FOLDER / AUTHORITY).read_bytes())
    except FileNotFoundError:
        return None


def as_file(certificate: x509.Certificate) -> bytes:
    """Return the certificate as DER, which all phones can install."""
    return certificate.public_bytes(Encoding.DER)


def name_of(certificate: x509.Certificate) -> str:
    """Return the common name, under which phones list the certificate."""
    return str(certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


def fingerprint(certificate: x509.Certificate) -> str:
    """Return the SHA-256 fingerprint in groups of two bytes, for people to compare."""
    return certificate.fingerprint(hashes.SHA256()).hex(" ", 2).upper()


def names_of_this_machine(host: str) -> list[str]:
    """Return the names and addresses of this machine in the home network.

    ``host`` is the address on which the site listens.
    """
    found = ["localhost", "127.0.0.1", "::1"]
    if name := _own_name():
        found.append(f"{name}.local")
    found += [address for address in (own_address(), host) if address]
    return [name for name in dict.fromkeys(found) if name not in {"0.0.0.0", "::"}]  # noqa: S104


def _own_name() -> str:
    """Return the host name of this machine without a domain; "" if it is not a valid name."""
    name = re.sub(r"\..*", "", socket.gethostname().lower())
    return name if NAME.fullmatch(name) and not name.isdigit() else ""


def _read_or_make(path: Path) -> Authority:
    if not path.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        _write(path, key, _new_authority(key))
    written = path.read_bytes()
    key_of_file = load_pem_private_key(written, password=None)
    if not isinstance(key_of_file, ec.EllipticCurvePrivateKey):
        raise ValueError("the file contains no elliptic curve key")
    return Authority(x509.load_pem_x509_certificate(written), key_of_file)


def _new_authority(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    """Return a CA certificate that is limited to home networks."""
    name = _own_name()
    subject = _named(f"Dizzle Companion ({name})" if name else "Dizzle Companion")
    homes = [suffix.removeprefix(".") for suffix in HOME_SUFFIXES]
    # Not the host name of this machine: "dev" would permit a whole top-level domain.
    permitted: list[x509.GeneralName] = [x509.DNSName(home) for home in [*homes, "localhost"]]
    permitted += [x509.IPAddress(network) for network in HOME_NETWORKS]
    builder = (
        _builder(subject, subject, key.public_key(), AUTHORITY_VALIDITY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(is_authority=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
    )
    return builder.sign(key, hashes.SHA256())


def _issue(
    authority: Authority, key: ec.EllipticCurvePrivateKey, names: Sequence[str]
) -> x509.Certificate:
    issuer = authority.certificate
    public = authority.key.public_key()
    builder = (
        _builder(_named("Dizzle Companion"), issuer.subject, key.public_key(), SITE_VALIDITY)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(_permitted_names(names)), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
    )
    return builder.sign(authority.key, hashes.SHA256())


def _permitted_names(names: Sequence[str]) -> list[x509.GeneralName]:
    """Return the names and addresses for which the CA may issue a certificate.

    Phones refuse a certificate with any other name.
    """
    found: list[x509.GeneralName] = []
    for name in names:
        try:
            address = ip_address(name)
        except ValueError:
            if name == "localhost" or name.endswith(HOME_SUFFIXES):
                found.append(x509.DNSName(name))
        else:
            if is_home_address(address):
                found.append(x509.IPAddress(address))
    return found


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    validity: timedelta,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now - CLOCK_SKEW + validity)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )


def _named(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _write(path: Path, key: ec.EllipticCurvePrivateKey, *certificates: x509.Certificate) -> None:
    """Write a key and its certificates atomically, readable for the owner only."""
    descriptor, written = tempfile.mkstemp(dir=path.parent)  # mode 0600
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        for certificate in certificates:
            file.write(certificate.public_bytes(Encoding.PEM))
    os.replace(written, path)
