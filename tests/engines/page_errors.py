"""Collection of the errors inside pages, in any engine.

Not every driver reports errors and policy violations. So a middleware adds a script to each page,
before its own ones. It sends errors to the site, which appends them to a file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse

SCRIPT, REPORT = "/engines/watch.js", "/engines/said/"
HEAD = b"<head>"
REPORT_ERRORS = f"""
const say = (what) => fetch("{REPORT}", {{ method: "POST", body: what, keepalive: true }});
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
"""Script that sends the errors of its page to the site."""


def error_log(folder: Path) -> Path:
    """Return the file with the errors of pages, in a site's data folder."""
    return folder / "said.txt"


class PageErrorMiddleware:
    """Middleware that adds the script to pages and stores what it reports."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == SCRIPT:
            return HttpResponse(REPORT_ERRORS, "text/javascript")
        if request.path == REPORT:
            with error_log(settings.DATA_DIR).open("a", encoding="utf-8") as file:
                agent = request.headers["User-Agent"].rpartition(" ")[2]
                file.write(f"{agent}: {request.body.decode()}\n")
            return HttpResponse(status=204)
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html") and not response.streaming:
            script = f'<script src="{SCRIPT}"></script>'.encode()
            response.content = response.content.replace(HEAD, HEAD + script, 1)
        return response
