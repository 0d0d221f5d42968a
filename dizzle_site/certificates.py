"""What does the site show phones at home that want TLS, where no public authority knows it?

The first start with HTTPS_PORT makes an authority of this machine's own. What it may vouch for is
written into its certificate: names and addresses of home networks, which nobody on the internet
can own. So whoever trusts it trusts it with no other site, not even if its key is stolen. Every
start makes a certificate anew, for the names and addresses that the machine has today.

All that decides anything about security is the library's; here are only names and dates.
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

from .hosts import HOME_NETWORKS, HOME_SUFFIXES, NAME, is_home_address
from .network import own_address

FOLDER: Final = "https"
AUTHORITY: Final = "authority.pem"
SITE: Final = "site.pem"
YEARS: Final = timedelta(days=3652)
"""How long an authority is good for: then everybody has to trust a new one."""

DAYS: Final = timedelta(days=800)
"""How long the site's own certificate is; Apple's devices take none for more than 825 days."""

CLOCKS: Final = timedelta(days=1)
"""By how much a phone's clock may be behind ours."""


class Authority(NamedTuple):
    """Who vouches for this site at home."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def tls_context(data_dir: Path, host: str) -> ssl.SSLContext:
    """Make a certificate for today, by the authority in the data folder, which is made if need be.

    Raises:
        OSError: it cannot be kept there.
        ValueError: what is there is none.
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
    """The authority's certificate, which anybody may have; None before the first start."""
    try:
        return x509.load_pem_x509_certificate((data_dir / FOLDER / AUTHORITY).read_bytes())
    except FileNotFoundError:
        return None


def as_file(certificate: x509.Certificate) -> bytes:
    """The form in which all phones take it."""
    return certificate.public_bytes(Encoding.DER)


def name_of(certificate: x509.Certificate) -> str:
    """What phones list it as."""
    return str(certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


def fingerprint(certificate: x509.Certificate) -> str:
    """What people compare: sixteen groups of two bytes, which is how phones show it, nearly."""
    return certificate.fingerprint(hashes.SHA256()).hex(" ", 2).upper()


def names_of_this_machine(host: str) -> list[str]:
    """Every name and address of the home network that leads here today."""
    found = ["localhost", "127.0.0.1", "::1"]
    if name := _own_name():
        found.append(f"{name}.local")
    found += [address for address in (own_address(), host) if address]
    return [name for name in dict.fromkeys(found) if name not in {"0.0.0.0", "::"}]  # noqa: S104


def _own_name() -> str:
    """What this machine calls itself, without a domain; "" if that is no name for others."""
    name = re.sub(r"\..*", "", socket.gethostname().lower())
    return name if NAME.fullmatch(name) and not name.isdigit() else ""


def _read_or_make(path: Path) -> Authority:
    if not path.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        _write(path, key, _found(key))
    written = path.read_bytes()
    key_of_file = load_pem_private_key(written, password=None)
    if not isinstance(key_of_file, ec.EllipticCurvePrivateKey):
        raise ValueError("not a key of ours")
    return Authority(x509.load_pem_x509_certificate(written), key_of_file)


def _found(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    """Let a key vouch for home networks, and for nothing else."""
    name = _own_name()
    subject = _named(f"Dizzle Companion ({name})" if name else "Dizzle Companion")
    homes = [suffix.removeprefix(".") for suffix in HOME_SUFFIXES]
    # Not what this machine calls itself: "dev" would be all of a domain of the internet.
    permitted: list[x509.GeneralName] = [x509.DNSName(home) for home in [*homes, "localhost"]]
    permitted += [x509.IPAddress(network) for network in HOME_NETWORKS]
    builder = (
        _begun(subject, subject, key.public_key(), YEARS)
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
        _begun(_named("Dizzle Companion"), issuer.subject, key.public_key(), DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(_at_home(names)), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
    )
    return builder.sign(authority.key, hashes.SHA256())


def _at_home(names: Sequence[str]) -> list[x509.GeneralName]:
    """Return the names that the authority may vouch for: one too many, and no phone takes any."""
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


def _begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    how_long: timedelta,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS)
        .not_valid_after(now - CLOCKS + how_long)
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
    """Write a key and what was certified of it, whole, for the owner's eyes alone."""
    descriptor, written = tempfile.mkstemp(dir=path.parent)  # mode 0600
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        for certificate in certificates:
            file.write(certificate.public_bytes(Encoding.PEM))
    os.replace(written, path)
