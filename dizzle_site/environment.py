"""Which environment variables does the site read, and what do they mean?

README.md lists them for people; this file is the only one that reads them.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from .secret import BadSecret, read_or_make_key

CHECKOUT = Path(__file__).resolve().parent.parent
TRUE_WORDS = {"1", "true", "yes", "on"}


class BadEnvironment(ImproperlyConfigured):
    """A variable holds nonsense; the message is one sentence that names it."""


@dataclass(frozen=True)
class Environment:
    """The site's settings from outside, checked.

    Attributes:
        data_dir: folder of the database, the collected files and the key.
        host, port: where the server listens.
        site_url: "https://name" without a path, or "" in a home network with plain HTTP.
        site_host: the name in `site_url`, or "".
        database_url: of a PostgreSQL or SQLite database, or "" for the one in `data_dir`.
        redis_url: of the Redis through which several server processes tell each other of changes
            and count attempts together, or "".
    """

    data_dir: Path
    host: str
    port: int
    site_url: str
    site_host: str
    debug: bool
    database_url: str
    redis_url: str


def read_environment(variables: Mapping[str, str] = os.environ) -> Environment:
    """Read and check every variable except the secret key.

    Raises:
        BadEnvironment: one sentence that names the variable.
    """
    site_url = variables.get("SITE_URL", "").rstrip("/")
    site_host = _site_host(site_url) if site_url else ""
    return Environment(
        data_dir=Path(variables.get("DATA_DIR") or CHECKOUT / "var").expanduser().resolve(),
        host=variables.get("HOST") or ("127.0.0.1" if site_url else "0.0.0.0"),  # noqa: S104
        port=_port(variables.get("PORT") or "8000"),
        site_url=site_url,
        site_host=site_host,
        debug=variables.get("DEBUG", "").lower() in TRUE_WORDS,
        database_url=variables.get("DATABASE_URL", ""),
        redis_url=_redis_url(variables.get("REDIS_URL", "")),
    )


def read_secret_key(data_dir: Path, variables: Mapping[str, str] = os.environ) -> str:
    """Return SECRET_KEY, or what is in SECRET_KEY_FILE, which is made if it is missing."""
    if key := variables.get("SECRET_KEY"):
        return key
    try:
        return read_or_make_key(Path(variables.get("SECRET_KEY_FILE") or data_dir / "secret-key"))
    except BadSecret as problem:
        raise BadEnvironment(str(problem)) from problem


def _site_host(site_url: str) -> str:
    try:
        parts = urlsplit(site_url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme != "https" or parts.path or parts.query or parts.username:
        raise BadEnvironment(
            f"SITE_URL is {site_url!r}, but must look like https://dizzle.example.org "
            "(leave it out in a home network)."
        )
    return host


def _redis_url(url: str) -> str:
    if url and not url.startswith(("redis://", "rediss://", "unix://")):
        raise BadEnvironment("REDIS_URL must look like redis://:password@host:6379/0.")
    if url:
        require_package("redis", "REDIS_URL")
    return url


def require_package(name: str, variable: str) -> None:
    """Refuse a variable that needs a package which a home network does not.

    Raises:
        BadEnvironment: the package is not installed.
    """
    if find_spec(name) is None:
        raise BadEnvironment(
            f"{variable} needs more packages: pip install --require-hashes "
            "-r requirements/server.txt."
        )


def _port(text: str) -> int:
    if text.isdecimal() and 0 <= int(text) <= 65535:
        return int(text)
    raise BadEnvironment(f"PORT is {text!r}, but must be a number from 0 to 65535.")
