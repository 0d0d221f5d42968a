"""Masking of keys and table codes in the log; other text stays unchanged."""

from __future__ import annotations

import html
import http.client
import io
import json
import logging
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

import pytest
from django.core import signing
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from hypothesis import given
from hypothesis import strategies as st

from dizzle_site.log_lines import KEY_LENGTH, MAX_TYPED_CODE_LENGTH, mask_keys
from sheets.access import codes
from sheets.access.keys import DEVICE_COOKIE, new_key, new_token, share_key
from tests.processes import free_port
from tests.site.broken_urls import BreakViews
from tests.site.served_site import CHECKOUT, environment, wait_until

KEYS: Final = (new_key, new_token, lambda: share_key(new_key(), "table 1"))
SECRETS: Final = (*KEYS, codes.new_address)

ADDRESSES: Final = (
    "/groups/{}/",
    "/groups/{}/players/1/delete/",
    "/score/{}/sheet/1/",
    "/workshop/{}/",
    "/table/ABC23/seat/{}/",
    "/table/{}/act/",
    "/live/{}/",
    "/my/device/{}",
    "/print/filled/{}.pdf",
    "/table/AB23{}/seat",
)


def encode_eagerly(secret: str) -> str:
    """Percent-encode also characters that need no encoding."""
    return secret.replace("-", "%2D").replace("_", "%5f")


def encode_each_letter(secret: str) -> str:
    return "".join(f"%{ord(letter):02X}" for letter in secret)


ENCODINGS: Final[tuple[Callable[[str], str], ...]] = (
    str,
    encode_eagerly,
    encode_each_letter,
    lambda secret: quote(encode_eagerly(secret)),
    lambda secret: quote(quote(encode_each_letter(secret))),
    lambda secret: quote(f"/score/{secret}/sheet/1/?a=1", safe=""),
    lambda secret: quote(quote(f"/score/{secret}.pdf", safe=""), safe=""),
    lambda secret: "?next=" + quote(f"/open/?next={quote(f'/{secret}/', safe='')}", safe=""),
    lambda secret: json.dumps({"key": secret, "more": [secret]}),
    lambda secret: repr({"key": secret.encode(), "path": f"/{secret}/"}),
    lambda secret: html.escape(f'<a href="/score/{secret}/">'),
    lambda secret: f"https://example.org/tally/{secret}#top",
    lambda secret: f"{DEVICE_COOKIE}={secret}; csrftoken={secret}",
    lambda secret: f"{secret}{secret}",
)
OPAQUE: Final[tuple[Callable[[str], str], ...]] = (
    lambda secret: b64encode(secret.encode()).decode().rstrip("="),
    lambda secret: signing.dumps({"key": secret}).partition(":")[0],
)
"""Encodings that hide the parts of a secret, such as that of the session's cookie."""

NEIGHBOURS: Final = (
    *("", " ", "\n", "/", "'", '"', ")", ",", ":", "&", "#", ".", "=", "\\n", "é"),
    *("%", "%2F", "%252F", "2F", "-", "_", "A", "9", "I", "a-", "/table/", "/live/", "table%2F"),
)
AROUND: Final = st.one_of(st.text(max_size=20), st.text("aB2_-%/.", max_size=20))
WORDS: Final = st.text(st.characters(codec="ascii"), max_size=MAX_TYPED_CODE_LENGTH)


def traces(secret: str, line: str) -> list[str]:
    """Return the parts of 8 characters of a secret in a line that is decoded repeatedly."""
    parts = [secret[start : start + 8] for start in range(len(secret) - 7)]
    found = []
    while line:
        found += [part for part in parts if part in line]
        decoded = unquote(line)
        line = decoded if decoded != line else ""
    return found


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    handlers = logging.getLogger("django").handlers
    (terminal,) = (one for one in handlers if one.name == "terminal")
    assert isinstance(terminal, logging.StreamHandler)
    monkeypatch.setattr(terminal, "stream", stream := io.StringIO())
    return stream


def test_lengths_and_letters_are_those_of_keys_and_codes() -> None:
    assert min(len(make()) for make in KEYS) == KEY_LENGTH
    assert MAX_TYPED_CODE_LENGTH == codes.MAX_TYPED_LENGTH < codes.ADDRESS_LENGTH
    assert mask_keys(codes.ALPHABET) == "…"


def test_no_part_of_a_secret_survives_between_any_neighbours() -> None:
    leaks = []
    for make, encode, before, after in product(SECRETS, ENCODINGS, NEIGHBOURS, NEIGHBOURS):
        secret = make()
        line = before + encode(secret) + after
        leaks += [(line, part) for part in traces(secret, mask_keys(line))]
    assert leaks == []


@given(st.sampled_from(SECRETS), st.sampled_from(ENCODINGS), AROUND, AROUND)
def test_no_part_of_a_secret_survives(
    make: Callable[[], str], encode: Callable[[str], str], before: str, after: str
) -> None:
    secret = make()
    line = mask_keys(before + encode(secret) + after)
    assert traces(secret, line) == []
    assert mask_keys(line) == line


@given(
    st.sampled_from(KEYS),
    st.sampled_from(OPAQUE),
    *(AROUND | st.sampled_from(NEIGHBOURS),) * 2,
)
def test_no_part_of_an_encoded_secret_survives(
    make: Callable[[], str], encode: Callable[[str], str], before: str, after: str
) -> None:
    encoded = encode(make())
    assert traces(encoded, mask_keys(before + encoded + after)) == []


@given(st.sampled_from(("table", "live")), st.integers(0, 3), st.sampled_from("/'\".)& \n"))
def test_codes_in_small_letters_are_masked_in_addresses(
    where: str, times_quoted: int, after: str
) -> None:
    code = codes.new_address().lower()
    address = f"/{where}/{code}"
    for _ in range(times_quoted):
        address = quote(address, safe="")
    assert traces(code, mask_keys(address + after)) == []


@given(st.lists(WORDS, max_size=10), st.sampled_from(" /.,:=(&"))
def test_short_words_stay(words: list[str], between: str) -> None:
    line = between.join(words)
    longest = max(map(len, re.findall(r"[\w%-]+", line)), default=0)
    assert mask_keys(line) == line or longest > MAX_TYPED_CODE_LENGTH


@pytest.mark.parametrize(
    "line",
    [
        "/table/ABC23/ /levels/level-1/ /evening/2026-11-22/ /static/main.0123456789ab.css",
        "django.core.validators.ProhibitNullCharactersValidator",
        '  File "/srv/dizzle/app/sheets/photos/reading.py", line 12, in find_sheets_of_all_levels',
        "Applying sheets.0028_bundles_of_games_by_year_and_level... OK",
        "/static/app.3f786850e387550fdab836ed7e6dc881de23001b3f786850e387550fdab836ed.js",
        "8f14e45f-ceea-467f-a9e0-1d3c5b7a9e01 at 0x7f3a5c1d2e40 after 0.734375 s, 268435456 bytes",
        "2026-11-22T19:04:05.123456+00:00",
        "KeyError: 'DATA_UPLOAD_MAX_NUMBER_FIELDS'",
    ],
)
def test_ordinary_line_stays(line: str) -> None:
    assert mask_keys(line) == line


def test_tracebacks_stay_readable() -> None:
    """At most one in two thousand names and lines of the site's code may be mistaken for a key."""
    lines = []
    for package in ("dizzle_site", "sheets"):
        for file in sorted((CHECKOUT / package).rglob("*.py")):
            code = file.read_text("utf-8").splitlines()
            named = [found[1] for line in code if (found := re.search(r"def (\w+)", line))]
            lines += [*code, *(f'  File "{file}", line 7, in {name}' for name in named)]
    masked = [line for line in lines if mask_keys(line) != line]
    assert len(masked) <= len(lines) / 2000, masked


@pytest.mark.urls("tests.site.broken_urls")
def test_an_error_is_logged_without_the_key_in_its_address(log: io.StringIO) -> None:
    client = Client(raise_request_exception=False)
    key = new_key()
    assert client.get(f"/broken/{key}/more/").status_code == 500
    line = log.getvalue()
    assert "Internal Server Error: /broken/…/more/\n" in line
    assert "on purpose" in line
    assert key not in line


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_address_reveals_its_secret_in_the_log(log: io.StringIO, address: str) -> None:
    is_code = address in ("/table/{}/act/", "/live/{}/")
    secrets = [codes.new_address()] if is_code else [new_key(), new_token()]
    for secret in secrets:
        logging.getLogger("django.request").error("%s: %s", "Oops", address.format(secret))
    expected = address.format("…").replace("AB23…", "…")
    assert log.getvalue().count(f"django.request: Oops: {expected}\n") == len(secrets)


def test_tracebacks_reveal_no_secret(log: io.StringIO) -> None:
    key, code = new_key(), codes.new_address()
    try:
        {}[key]
    except KeyError as problem:
        problem.add_note(f"at {code}")
        logging.getLogger("django.request").exception("no table %r", code)
    assert "KeyError: '…'\nat …\n" in log.getvalue()
    assert traces(key, log.getvalue()) + traces(code, log.getvalue()) == []


def addresses_with_secrets(
    resolver: URLResolver, above: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    """Yield route and pattern of each address with a key, code or text parameter."""
    for entry in resolver.url_patterns:
        route = above + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from addresses_with_secrets(entry, route)
        elif re.search("<(key|code|str):", route):
            yield route, entry


def test_an_error_at_any_address_is_logged_without_its_secrets(
    log: io.StringIO, settings: Any
) -> None:
    settings.MIDDLEWARE = [
        *settings.MIDDLEWARE,
        f"{BreakViews.__module__}.{BreakViews.__qualname__}",
    ]
    samples: dict[str, Callable[[], str]] = {
        "key": new_key,
        "code": codes.new_address,
        "str": new_token,
        "sheet": lambda: "1",
        "int": lambda: "1",
        "slug": lambda: "table",
        "day": lambda: "2026-11-22",
        "digest": lambda: "0123456789abcdef",
        "year": lambda: "2026",
    }
    routes = [route for route, _ in addresses_with_secrets(get_resolver())]
    assert len(routes) > 100
    leaks = []
    for route in routes:
        client = Client(raise_request_exception=False)
        client.cookies[DEVICE_COOKIE] = seat = new_token()
        secrets = [seat]

        def fill(blank: re.Match[str], secrets: list[str] = secrets) -> str:
            filled = samples[blank[1]]()
            if blank[1] in ("key", "code", "str"):
                secrets.append(filled)
            return filled

        path = "/" + re.sub(r"<(\w+):\w+>", fill, route)
        answer = client.get(f"{path}?next={quote(path, safe='')}", HTTP_REFERER=f"http://a{path}")
        assert answer.status_code == 500, path
        line = log.getvalue()
        assert "on purpose" in line, path
        leaks += [(route, part) for secret in secrets for part in traces(secret, line)]
        log.seek(0)
        log.truncate()
    assert leaks == []


@pytest.mark.own_servers
@pytest.mark.parametrize(
    "server",
    [
        [
            "gunicorn",
            "tests.site.broken_servers:wsgi",
            "--worker-class=gthread",
            "--bind=127.0.0.1:PORT",
            "--no-control-socket",
        ],
        ["uvicorn", "tests.site.broken_servers:asgi", "--port=PORT", "--no-access-log"],
        ["tests.site.broken_servers", "PORT"],
    ],
    ids=["gunicorn", "uvicorn", "serve"],
)
def test_errors_of_servers_reveal_no_secret(server: list[str], tmp_path: Path) -> None:
    port, key, log = free_port(), new_key(), tmp_path / "log"
    words = [word.replace("PORT", str(port)) for word in server]
    with (
        log.open("wb") as file,
        subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=CHECKOUT,
            env=environment({"DATA_DIR": str(tmp_path)}),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        ) as process,
    ):
        try:
            wait_until(lambda: status_of(port, f"/score/{key}/?key={key}") == 500)
            wait_until(lambda: b"on purpose" in log.read_bytes())
        finally:
            process.terminate()
    assert traces(key, log.read_text("utf-8")) == []


def status_of(port: int, path: str) -> int | None:
    """Return the status of an answer; None if the server does not listen yet."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except ConnectionError:
        return None
    finally:
        connection.close()
