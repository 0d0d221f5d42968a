"""Validation of answers: a state, a refusal, or an error with an explanation."""

from __future__ import annotations

import html
import json
import re
from typing import Any, NamedTuple

from tests.table_fragments import STATE, state_in

SENTENCE = re.compile(r"\w+\W+\w+\W+\w+.*[.!?]$", re.DOTALL)
ALERT = re.compile(r'role="alert"[^>]*>(.*?)</', re.DOTALL)


class Answer(NamedTuple):
    """An HTTP response: status, content type, body, location and duration."""

    status: int
    type: str
    body: bytes
    location: str = ""
    took_s: float = 0.0

    @property
    def document(self) -> Any:
        """The state of a table, or the JSON in the body, or None."""
        try:
            if self.type.startswith("application/json"):
                return json.loads(self.body)
            text = self.body.decode()
            return state_in(text) if STATE.match(text) else None
        except ValueError:
            return None


def judge_act(answer: Answer) -> str:
    """Return why the answer to an act is unexplained; empty if it is explained.

    Explained answers are the state of the table, a refusal with its name and sentence, and 409, 429
    or 503 with a sentence.
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
    """Return why another answer is unexplained; its body must begin with ``begins``."""
    if answer.status in (409, 429, 503):
        has_one = any(is_sentence(text) for text in _texts(answer))
        return "" if has_one else f"status {answer.status} without a sentence"
    if answer.status not in (200, 204, 302, 304):
        return f"status {answer.status}"
    if answer.status == 200 and not answer.body.startswith(begins):
        return f"a wrong body: {answer.body[:20]!r}"
    return ""


def is_sentence(text: object) -> bool:
    """Return whether a value is a text of at least three words with a full stop or the like.

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
