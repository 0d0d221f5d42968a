"""Snapshot of what a release stores: `python -m tests.releases.make VERSION`, with its code.

The snapshot is a backup of a site with all kinds of data: tables of all games, running, finished
and with bots; scorings, a tally, levels, groups, the lists of a device, and the data of the demo. A
JSON file next to it lists each link, the seat of the visitor, and the first heading of the page.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
OF_LINKS = r"/(table|score|tally|groups|workshop)/[\w-]{14,}/"
"""Prefixes of links that users store; each link ends with a key or a code."""

NAMES = ("Ana", "Ben")


class Link(NamedTuple):
    """An address, the seat token of the visitor, the page's heading and the names on the page."""

    path: str
    token: str
    heading: str
    names: list[str]


def seen(path: str, token: str) -> tuple[str, list[str]]:
    """Return the first heading of a page and the names on it; fail unless the page is found."""
    from django.test import Client

    client = Client()
    client.cookies["dizzle_seat"] = token
    answer = client.get(path, follow=True)
    assert answer.status_code == 200, path
    page = answer.content.decode()
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page, re.S)
    words = " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""
    # A lobby's heading contains its short code, which differs each day.
    named = [name for name in NAMES if re.search(rf"\b{name}\b", page)]
    return re.sub(r"\b[A-Z0-9]{5}\b", "…", words), named


def main(version: str) -> None:
    """Write the two files."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import setup_test_environment

    setup_test_environment()
    call_command("prepare", verbosity=0)
    from sheets.demo.examples import create_examples
    from tests.every_page import every_page
    from tests.groups.played_games import create_scoring
    from tests.scoring.test_tally import PAD

    client = Client()
    links = {place.path: place.token for place in every_page(client)}
    links[f"/score/{create_scoring({'Ana': 30, 'Ben': 3})[0]}/"] = ""
    links[client.post("/tally/new/", PAD).headers["Location"]] = ""
    links |= dict.fromkeys(create_examples(), "")
    told = [
        Link(path, token, *seen(path, token))
        for path, token in links.items()
        if re.fullmatch(OF_LINKS, path)
    ]
    call_command("backup", str(HERE / f"{version}.zip"))
    (HERE / f"{version}.json").write_text(
        json.dumps([link._asdict() for link in told], indent=1) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main(sys.argv[1])
