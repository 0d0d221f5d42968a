"""Environment variables of the site: reading and checking them.

docs/reference.md lists them for users; this is the only file that reads them.
"""

import os
import sys
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from dizzle_site.secret_key import BadSecret, read_or_make_key

CODE = Path(__file__).resolve().parent.parent
"""The checkout, or the folder that the packages were installed into."""

IS_INSTALLED = not (CODE / "manage.py").exists()
"""Whether the site runs from installed packages, not from a checkout."""

NAME = "dizzle-companion"
"""Name of the data folder of an installation."""

COMMAND = "dizzle" if IS_INSTALLED else "manage.py"
"""Program that people type before the name of a command."""

TRUE_WORDS = {"1", "true", "yes", "on"}
"""Values of a variable that switch something on."""

FALSE_WORDS = {"0", "false", "no", "off"}
"""Values of a variable that switch something off."""

HSTS_WORDS = ("", "subdomains", "preload")
"""Allowed values of HSTS, see `Environment.hsts`."""

MAX_COUNT = 1000
"""Maximum number of processes or threads in a variable."""

OBSOLETE = {
    "REDIS_URL": "PostgreSQL carries the messages between processes, and each process counts "
    "rates for itself."
}
"""Variables of earlier releases, with a sentence about what replaces them."""


class BadEnvironment(ImproperlyConfigured):
    """A variable has an invalid value; the message is one sentence that names it."""


@dataclass(frozen=True)
class Environment:
    """The checked environment variables of the site.

    Attributes:
        data_dir: folder of the database, the collected files and the key.
        host, port: where the server listens.
        https_port: second port, for TLS in a home network, or None.
        site_url: "https://name" without a path, or "" in a home network with plain HTTP.
        site_host: the name in `site_url`, or "".
        hsts: scope of the HSTS header: "" this name, "subdomains" also its subdomains, "preload"
            also browsers' preload lists.
        database_url: URL of a PostgreSQL or SQLite database, or "" for the file in `data_dir`.
        drawing_processes: size of the process pool; 0: the server itself renders.
        drawing_threads: maximum number of requests in a server process that render a file or wait
            for one; 0: a default that depends on the server.
        offline: whether browsers cache pages for use without a network.
    """

    data_dir: Path
    host: str
    port: int
    https_port: int | None
    site_url: str
    site_host: str
    hsts: str
    debug: bool
    database_url: str
    drawing_processes: int
    drawing_threads: int
    offline: bool


def read_environment(variables: Mapping[str, str] = os.environ) -> Environment:
    """Read and check every variable except the secret key.

    Raises:
        BadEnvironment: one sentence that names the variable.
    """
    site_url = variables.get("SITE_URL", "").rstrip("/")
    site_host = _site_host(site_url) if site_url else ""
    port = _port("PORT", variables.get("PORT") or "8000")
    return Environment(
        data_dir=_data_dir(variables),
        host=variables.get("HOST") or ("127.0.0.1" if site_url else "0.0.0.0"),  # noqa: S104
        port=port,
        https_port=_https_port(variables.get("HTTPS_PORT", ""), port, site_url),
        site_url=site_url,
        site_host=site_host,
        hsts=_hsts(variables.get("HSTS", "")),
        debug=_switch("DEBUG", variables.get("DEBUG") or "no"),
        database_url=variables.get("DATABASE_URL", ""),
        drawing_processes=_count(
            "DRAWING_PROCESSES", variables.get("DRAWING_PROCESSES") or str(max(2, cores()))
        ),
        drawing_threads=_count("DRAWING_THREADS", variables.get("DRAWING_THREADS") or "0"),
        offline=_switch("OFFLINE", variables.get("OFFLINE") or "yes"),
    )


def obsolete_settings(variables: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Map each variable that is set but no longer used to a sentence about it."""
    return {
        name: f"This setting is no longer used, so you can remove it. {instead}"
        for name, instead in OBSOLETE.items()
        if variables.get(name)
    }


def use_demo_folder(variables: MutableMapping[str, str] = os.environ) -> None:
    """Let the settings use the demo's own folder and database, which no other command touches.

    Raises:
        BadEnvironment: DATA_DIR cannot be found.
    """
    variables["DATA_DIR"] = str(_data_dir(variables) / "demo")
    variables.pop("DATABASE_URL", None)


def secret_key_file(data_dir: Path, variables: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file of the secret key; None if SECRET_KEY contains the key."""
    if variables.get("SECRET_KEY"):
        return None
    return Path(variables.get("SECRET_KEY_FILE") or data_dir / "secret-key")


def read_secret_key(data_dir: Path, variables: Mapping[str, str] = os.environ) -> str:
    """Return SECRET_KEY, or the content of SECRET_KEY_FILE, which is created if it is missing."""
    file = secret_key_file(data_dir, variables)
    if not file:
        return variables["SECRET_KEY"]
    try:
        return read_or_make_key(file)
    except BadSecret as problem:
        raise BadEnvironment(str(problem)) from problem


def _data_dir(variables: Mapping[str, str]) -> Path:
    return _folder(variables.get("DATA_DIR") or str(_default_folder(variables)))


def _default_folder(system: Mapping[str, str]) -> Path:
    """Return the default data folder: in the checkout, else the system's folder for user data.

    Args:
        system: environment variables of the operating system.
    """
    if not IS_INSTALLED:
        return CODE / "var"
    home = Path("~")
    if sys.platform == "win32":
        return Path(system.get("LOCALAPPDATA") or home / "AppData" / "Local") / NAME
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / NAME
    return Path(system.get("XDG_DATA_HOME") or home / ".local" / "share") / NAME


def _folder(name: str) -> Path:
    try:
        return Path(name).expanduser().resolve()
    except (RuntimeError, OSError) as problem:  # no such user's home, or links that go in circles
        raise BadEnvironment(f"DATA_DIR is {name!r}, which cannot be found: {problem}") from problem


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
    return f"[{host}]" if ":" in host else host


def _hsts(word: str) -> str:
    if word not in HSTS_WORDS:
        raise BadEnvironment(
            f"HSTS is {word!r}, but must be subdomains or preload (or left out, for one name)."
        )
    return word


def require_package(name: str, variable: str) -> None:
    """Refuse a variable that needs an optional package which is not installed.

    Raises:
        BadEnvironment: the package is not installed.
    """
    if find_spec(name) is None:
        raise BadEnvironment(
            f"{variable} needs more packages: pip install --require-hashes "
            "-r requirements/server.txt, or pip install 'dizzle-companion[server]'."
        )


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _switch(name: str, word: str) -> bool:
    if word.lower() not in TRUE_WORDS | FALSE_WORDS:
        raise BadEnvironment(f"{name} is {word!r}, but must be yes or no (or left out).")
    return word.lower() in TRUE_WORDS


def _count(name: str, text: str) -> int:
    if text.isdecimal() and int(text) <= MAX_COUNT:
        return int(text)
    raise BadEnvironment(f"{name} is {text!r}, but must be a number from 0 to {MAX_COUNT}.")


def _https_port(text: str, port: int, site_url: str) -> int | None:
    if not text:
        return None
    if site_url:
        raise BadEnvironment("HTTPS_PORT is for home networks: with SITE_URL the proxy has TLS.")
    https_port = _port("HTTPS_PORT", text, least=1)  # not 0, because pages have to know it
    if https_port == port:
        raise BadEnvironment(f"HTTPS_PORT and PORT are both {port}: choose two ports.")
    return https_port


def _port(name: str, text: str, *, least: int = 0) -> int:
    if text.isdecimal() and least <= int(text) <= 65535:
        return int(text)
    raise BadEnvironment(f"{name} is {text!r}, but must be a number from {least} to 65535.")
