"""Contents of the Containerfile and the compose file."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from typing import Any, Final

from ruamel.yaml import YAML

from tests.site.served_site import CHECKOUT

FOLDER: Final = CHECKOUT / "deploy" / "container"


def _instructions() -> list[tuple[str, str]]:
    text = (FOLDER / "Containerfile").read_text("utf-8")
    text = re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", " ")
    return [(word, rest.strip()) for word, rest in re.findall(r"^([A-Z]+) (.*)$", text, re.M)]


INSTRUCTIONS: Final = _instructions()
"""Each instruction with its arguments."""

COPIED: Final = [
    name
    for word, rest in INSTRUCTIONS
    if word == "COPY" and not rest.startswith("--from")
    for name in shlex.split(rest)[:-1]
]
"""Files of the checkout that are copied into the image."""


def all_of(word: str) -> list[str]:
    """Return the arguments of each instruction of a kind."""
    return [rest for instruction, rest in INSTRUCTIONS if instruction == word]


def why_no_caddy() -> str:
    """Return the reason why no Caddy here can run the Caddyfile; empty if one can."""
    if not shutil.which("caddy"):
        return "no caddy here"
    said = subprocess.run(["caddy", "version"], capture_output=True, encoding="utf-8", check=True)
    found = re.search(r"(\d+)\.(\d+)", said.stdout)
    if found and (int(found[1]), int(found[2])) < (2, 7):
        return f"Caddy {found[0]} has no request_buffers; Caddy 2.7 has"
    return ""


def variables() -> dict[str, str]:
    """Return the environment of the image, without PATH."""
    found = dict(pair.split("=", 1) for pair in shlex.split(all_of("ENV")[-1]))
    del found["PATH"]
    return found


def healthcheck() -> list[str]:
    """Return the command of the health check."""
    words: list[str] = json.loads(all_of("HEALTHCHECK")[0].partition("CMD")[2])
    return words


def command() -> list[str]:
    """Return the command that a container runs."""
    words: list[str] = json.loads(all_of("CMD")[-1])
    return words


def composed() -> dict[str, Any]:
    """Return the compose file with its merged parts."""
    found: dict[str, Any] = YAML(typ="safe").load(FOLDER / "compose.yaml")
    return found
