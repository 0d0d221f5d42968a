"""What goes wrong inside a page, whatever engine shows it?

Not every driver tells of errors and broken policies. So each page gets one script more, before its
own, which sends what it hears of to the site, and that writes it down.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse

SCRIPT, SAY = "/engines/watch.js", "/engines/said/"
HEAD = b"<head>"
WATCH = f"""
const say = (what) => fetch("{SAY}", {{ method: "POST", body: what, keepalive: true }});
addEventListener("error", (event) => {{
  const {{ target }} = event;
  if (target instanceof Element) say(`not loaded: ${{target.src || target.href}}`);
  else say(`error: ${{event.message}} at ${{event.filename}}:${{event.lineno}}`);
}}, true);
addEventListener("unhandledrejection", (event) => say(`rejected: ${{event.reason}}`));
addEventListener("securitypolicyviolation", (event) =>
  say(`policy: ${{event.effectiveDirective}} ${{event.blockedURI}} ${{event.sourceFile}}`));
const {{ warn, error }} = console;
console.warn = (...words) => {{ say(`warning: ${{words.join(" ")}}`); warn(...words); }};
console.error = (...words) => {{ say(`console: ${{words.join(" ")}}`); error(...words); }};
"""


def said_in(folder: Path) -> Path:
    """The file of what pages have told, in a site's folder of data."""
    return folder / "said.txt"


class WatchPages:
    """A middleware that gives pages their script, and hears of it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == SCRIPT:
            return HttpResponse(WATCH, "text/javascript")
        if request.path == SAY:
            with said_in(settings.DATA_DIR).open("a", encoding="utf-8") as file:
                agent = request.headers["User-Agent"].rpartition(" ")[2]
                file.write(f"{agent}: {request.body.decode()}\n")
            return HttpResponse(status=204)
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html") and not response.streaming:
            script = f'<script src="{SCRIPT}"></script>'.encode()
            response.content = response.content.replace(HEAD, HEAD + script, 1)
        return response
