"""Parser of the validation errors on a page with a refused form."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

import html5lib


def parse_form_errors(page: str) -> dict[str, str]:
    """Return the error messages by field name; "" is the key of an error without a field.

    Asserts that each message is on the page once and that its field refers to it, that the first
    wrong field has the focus, and that the title begins with "Error".
    """
    root = html5lib.parse(page, namespaceHTMLElements=False)
    assert re.match(r"(Error|Fehler): \S", _text(root.find(".//title")))
    by_id = {one.get("id"): one for one in root.iter() if one.get("id")}
    fields = [one for one in root.iter() if one.get("aria-invalid") == "true"]
    said = [by_id[field.get("aria-describedby")] for field in fields]
    found = {_name(field): _text(p) for field, p in zip(fields, said, strict=True)}
    faults = [one for one in root.iter("p") if "fault" in one.get("class", "").split()]
    assert faults == said, "one sentence for each field, in their order"
    alone = [one for one in root.iter("p") if "autofocus" in one.attrib]
    found |= dict.fromkeys([""] * len(alone), "".join(map(_text, alone)))
    first = [one for one in root.iter() if "autofocus" in one.attrib and one.tag != "dialog"]
    assert first == (alone or fields[:1]), "one thing has the focus"
    assert len(found) == len(alone) + len(fields)
    assert not [one for one in root.iter() if one.get("role") == "alert" and _is_seen(one)]
    for sentence in found.values():
        assert sentence.endswith((".", "?")), sentence
        assert _text(root.find(".//body")).count(sentence) == list(found.values()).count(sentence)
    return found


def _name(field: Element) -> str:
    named = field if field.get("name") else field.find(".//input")
    return named.get("name", "") if named is not None else ""


def _is_seen(alert: Element) -> bool:
    return "hidden" not in alert.attrib and "autofocus" not in alert.attrib


def _text(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())
