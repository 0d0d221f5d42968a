"""Simulated device that sends requests with the timeouts and retries of a phone.

Each device has its own address of 127.0.0.0/8, because the site has rate limits for each address.
"""

from __future__ import annotations

import http.client
import itertools
import random
import re
import threading
import time
from collections.abc import Callable
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from tests.soak.answers import Answer, judge_page
from tests.soak.ledger import Ledger
from tests.table_fragments import FROM_SCRIPT

TIMEOUT_S = 15.0
"""Maximum time until an answer, for a page or an action; table/acts.js waits as long."""

GIVES_UP_AFTER_S = 60.0
"""Maximum time of all attempts to send one act."""

CSRF = "x" * 32
_numbers = itertools.count(1)


def own_address() -> str:
    """Return an unused loopback address.

    >>> own_address() != own_address()
    True
    """
    number = next(_numbers)
    return f"127.7.{number // 250 % 250}.{number % 250 + 1}"


class Broken(Exception):
    """The connection was refused or reset; the message says which."""


class Silent(Broken):
    """The answer did not come in time."""


class Device:
    """Client of the site; ``port`` returns the port of the next request."""

    def __init__(self, ledger: Ledger, port: Callable[[], int], closing: threading.Event) -> None:
        self.ledger = ledger
        self.cookie = ""
        self.address = own_address()
        self.closing = closing
        self._port = port

    def get_cookie(self) -> bool:
        """Let the site issue this device's secret; return whether it did.

        A lost answer costs no seat, so the request can be repeated.
        """
        return bool(self.ask_until_answered("/my/link/", {}) and self.cookie)

    def ask(
        self,
        path: str,
        fields: dict[str, object] | None = None,
        accept: str = "",
        patience_s: float = TIMEOUT_S,
    ) -> Answer:
        """Send one request, a POST if there are ``fields``. Raises Broken."""
        began = time.monotonic()
        headers = {
            "Cookie": f"dizzle_seat={self.cookie}; csrftoken={CSRF}",
            **({"Accept": accept} if accept else FROM_SCRIPT),
            "Connection": "close",
        }
        body = None
        if fields is not None:
            body = urlencode({"csrfmiddlewaretoken": CSRF, **fields})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection(
            "127.0.0.1", self._port(), timeout=patience_s, source_address=(self.address, 0)
        )
        try:
            connection.request("GET" if fields is None else "POST", path, body, headers)
            response = connection.getresponse()
            answer = _read(response)
            for line in response.msg.get_all("Set-Cookie", []):
                for name, morsel in SimpleCookie(line).items():
                    self.cookie = morsel.value if name == "dizzle_seat" else self.cookie
        except TimeoutError:
            raise Silent(f"no answer for {patience_s:.0f} s") from None
        except (OSError, http.client.HTTPException) as problem:
            raise Broken(f"a broken connection ({type(problem).__name__})") from None
        finally:
            connection.close()
        took = time.monotonic() - began
        self.ledger.took(took)
        return answer._replace(took_s=took)

    def ask_until_answered(
        self,
        path: str,
        fields: dict[str, object] | None = None,
        judge: Callable[[Answer], str] = judge_page,
        accept: str = "",
    ) -> Answer | None:
        """Send a request, with retries after failures; return None if no answer comes in time.

        Complains about an answer that ``judge`` rejects, a connection that breaks or stays silent
        without a fault that explains it, and an answer that never comes.
        """
        began, pause = time.monotonic(), 0.1
        while time.monotonic() - began < GIVES_UP_AFTER_S:
            asked = time.monotonic()
            try:
                answer = self.ask(path, fields, accept)
            except Broken as broken:
                if not self.ledger.explains(asked, is_silence=isinstance(broken, Silent)):
                    self.ledger.complain(str(broken))
            else:
                self.ledger.complain(judge(answer))
                if answer.status < 500 and answer.status != 429:
                    return answer
            self.closing.wait(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, 1)
            if self.closing.is_set():
                return None
        self.ledger.complain(f"not answered within {GIVES_UP_AFTER_S:.0f} s, however often asked")
        return None


def _read(response: http.client.HTTPResponse) -> Answer:
    return Answer(
        response.status,
        response.getheader("Content-Type", ""),
        response.read(),
        response.getheader("Location", ""),
    )


def code_in(location: str) -> str:
    """Return the code in the address of a table.

    >>> code_in("/table/ABCDE/?seat=0")
    'ABCDE'
    """
    found = re.search(r"/table/([^/?]+)/", location)
    return found[1] if found else ""
