"""The hosting guide: both languages have the same commands, and its files and limits exist."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

from tests.site.served_site import CHECKOUT

ENGLISH = CHECKOUT / "docs" / "hosting.md"
GERMAN = CHECKOUT / "docs" / "hosting.de.md"
MIB = 1024 * 1024


def blocks_of(page: Path) -> list[str]:
    """Return the code blocks of a page, each with its language."""
    return re.findall(r"^```(.*?)^```$", page.read_text("utf-8"), re.S | re.M)


def outline_of(page: Path) -> list[str]:
    """Return the levels of a page's headings, and a letter for each code block and list item."""
    return re.findall(r"^(#+) |^(?:```\w+$|\d\. )", page.read_text("utf-8"), re.M)


def test_both_languages_have_the_same_code_blocks() -> None:
    assert len(blocks_of(ENGLISH)) > 10
    assert blocks_of(GERMAN) == blocks_of(ENGLISH)


def test_both_languages_have_the_same_sections() -> None:
    assert outline_of(GERMAN) == outline_of(ENGLISH)


def test_both_languages_have_the_same_links() -> None:
    english, german = (
        re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")) for page in (ENGLISH, GERMAN)
    )
    assert [link for link in german if link != ENGLISH.name] == [
        link for link in english if link != GERMAN.name
    ]


def test_nginx_accepts_the_largest_requests_at_their_addresses() -> None:
    (nginx,) = (block for block in blocks_of(ENGLISH) if "server_name" in block)
    found = re.search(r"location ~ (\S+) \{\s+client_max_body_size (\d+)m;", nginx)
    assert found
    pattern, larger = re.compile(found[1]), int(found[2]) * MIB
    for end, most in settings.LARGER_BODIES.items():
        address = f"/group/some-key{end}"
        assert pattern.search(address), end
        assert larger > most, end
    usual = re.search(r"^    client_max_body_size (\d+)m;", nginx, re.M)
    assert usual
    assert int(usual[1]) * MIB > settings.MAX_BODY_BYTES
    assert not pattern.search("/table/new/")


def test_the_site_behind_the_proxy_is_the_one_in_the_unit() -> None:
    unit = (CHECKOUT / "deploy" / "systemd" / "dizzle.service").read_text("utf-8")
    (folder,) = re.findall(r"^WorkingDirectory=(.*)$", unit, re.M)
    (variables,) = re.findall(r"^EnvironmentFile=(.*)$", unit, re.M)
    (install,) = (block for block in blocks_of(ENGLISH) if "useradd" in block or "adduser" in block)
    home = Path(folder).parent
    assert f"--home {home} dizzle" in install
    assert f'git clone "$REPOSITORY" {Path(folder).name}\n' in install
    assert f"> {variables}\n" in install
    for block in blocks_of(ENGLISH):
        if "proxy_pass" in block or "reverse_proxy" in block:
            assert set(re.findall(r"127\.0\.0\.1:(\d+)", block)) == {"8000"}
