"""Is an answer one that a device can make something of, or does nobody explain it?"""

from __future__ import annotations

import html
import json
import re
from typing import Any, NamedTuple

SENTENCE = re.compile(r"\w+\W+\w+\W+\w+.*[.!?]$", re.DOTALL)
ALERT = re.compile(r'role="alert"[^>]*>(.*?)</', re.DOTALL)


class Answer(NamedTuple):
    """What came back: the status, the type, the body, where it leads to, and how long it took."""

    status: int
    type: str
    body: bytes
    location: str = ""
    took_s: float = 0.0

    @property
    def document(self) -> Any:
        """The JSON in the body, None if it is none."""
        try:
            return json.loads(self.body) if self.type.startswith("application/json") else None
        except ValueError:
            return None


def judge_act(answer: Answer) -> str:
    """Why the answer to an act is not explained; empty if it is.

    Explained are the table as it stands, a refusal with its name and sentence, and 409, 429 or 503
    with a sentence.
    """
    if answer.status in (429, 503):
        return judge_page(answer)
    state = answer.document
    if answer.status not in (200, 409, 422):
        return f"status {answer.status}"
    if not isinstance(state, dict) or not isinstance(state.get("revision"), int):
        return f"status {answer.status} without the table's state"
    if answer.status == 200:
        return "" if "refusal" not in state else "a refusal with status 200"
    refusal = state.get("refusal") or {}
    if not is_sentence(refusal.get("sentence")):
        return f"status {answer.status} without a sentence"
    if answer.status == 422 and not refusal.get("rule"):
        return "a refusal without the name of its rule"
    return ""


def judge_page(answer: Answer, *, begins: bytes = b"") -> str:
    """Why the answer to anything else is not explained; ``begins`` is how its body must begin."""
    if answer.status in (409, 429, 503):
        has_one = any(is_sentence(text) for text in _texts(answer))
        return "" if has_one else f"status {answer.status} without a sentence"
    if answer.status not in (200, 204, 302, 304):
        return f"status {answer.status}"
    if answer.status == 200 and not answer.body.startswith(begins):
        return f"a wrong body: {answer.body[:20]!r}"
    return ""


def is_sentence(text: object) -> bool:
    """Whether it is a text of three words or more, with an end.

    >>> is_sentence("Wait a minute."), is_sentence("Service Unavailable")
    (True, False)
    """
    return isinstance(text, str) and bool(SENTENCE.search(text.strip()))


def _texts(answer: Answer) -> list[str]:
    if (document := answer.document) is not None:
        return list(_strings(document))
    text = answer.body.decode("utf-8", "replace")
    if answer.type.startswith("text/html"):
        return [html.unescape(re.sub("<[^>]*>", "", found)) for found in ALERT.findall(text)]
    return [text]


def _strings(document: Any) -> list[str]:
    if isinstance(document, dict):
        return [text for value in document.values() for text in _strings(value)]
    if isinstance(document, list):
        return [text for value in document for text in _strings(value)]
    return [document] if isinstance(document, str) else []
