"""The wheel: contents, metadata, and a site served without the checkout.

It is built, installed into an empty environment and started there. The environment uses the
installed packages of this one instead of downloading them, and the wheel's own list of requirements
is compared with pyproject.toml.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from dizzle_site import environment as read
from dizzle_site.environment import read_environment
from tests.site.served_site import CHECKOUT, serving
from tests.site.wheels import call

ASKED = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]

pytestmark = pytest.mark.own_servers


@pytest.fixture(scope="module")
def about(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return message_from_bytes(archive.read(name))


def test_wheel_contains_all_files_of_a_site(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "dizzle_site", "sheets", "templates"],
        cwd=CHECKOUT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = {name for name in listed.stdout.decode().split("\0") if name}
    there = {name for name in names if (CHECKOUT / name).exists()}
    expected = {re.sub("^templates/", "dizzle_site/templates/", name) for name in there}
    languages = {path.name for path in (CHECKOUT / "locale").iterdir()}
    expected |= {f"dizzle_site/locale/{name}/LC_MESSAGES/django.mo" for name in languages}
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert expected <= held
    # It may also contain files that are not committed yet, but no other folders.
    assert {name.partition("/")[0] for name in held} == {"dizzle_site", "sheets"}


def test_metadata_describe_the_project(about: Message) -> None:
    assert (about["Name"], about["Version"]) == ("dizzle-companion", ASKED["version"])
    assert about["License-Expression"] == "MIT"
    assert about["Requires-Python"] == ASKED["requires-python"]
    assert str(about.get_payload()).startswith("# Dizzle Companion")
    asked = {Requirement(text) for text in about.get_all("Requires-Dist", ())}
    assert {one for one in asked if not one.marker} == set(map(Requirement, ASKED["dependencies"]))


def test_the_commands_exist(dizzle: Path, tmp_path: Path) -> None:
    told = call(dizzle, "--help", DATA_DIR=str(tmp_path / "data"))
    assert told.returncode == 0, told.stderr
    assert {b"serve", b"print", b"backup", b"restore", b"score"} <= set(told.stdout.split())
    by_other_name = call(dizzle.with_name("dizzle-companion"), "--help", DATA_DIR=str(tmp_path))
    assert by_other_name.returncode == 0
    printed = call(
        *(dizzle, "print", "level-1", "--lang", "de", "-o", tmp_path / "sheet.pdf"),
        DATA_DIR=str(tmp_path / "data"),
    )
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep data elsewhere")
def test_installed_site_serves_pages_and_stores_data_of_its_user(
    dizzle: Path, tmp_path: Path
) -> None:
    where = {"DATA_DIR": "", "XDG_DATA_HOME": "", "HOME": str(tmp_path)}
    with serving(tmp_path, program=dizzle, **where) as site:
        page = site.ask("/", Accept_Language="de")
        assert page.status == 200
        assert '<html lang="de"' in page.text
        assert "Würfel" in page.text
        styles = re.findall(r'href="(/static/[^"]+\.css)"', page.text)
        assert styles
        for style in styles:
            answer = site.ask(style)
            assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (
                200,
                "text/css",
            )
        assert site.ask("/levels/level-1/").status == 200
        kept = tmp_path / ".local" / "share" / "dizzle-companion"
        assert {"dizzle.sqlite3", "secret-key"} <= {path.name for path in kept.iterdir()}
    # As the site starts the process that makes balance reports.
    worker = call(dizzle.with_name("python"), "-m", "dizzle_site", "balance_worker", **where)
    assert worker.returncode == 0, worker.stderr


@pytest.mark.parametrize(
    ("system", "variables", "folder"),
    [
        ("linux", {}, "~/.local/share/dizzle-companion"),
        ("linux", {"XDG_DATA_HOME": "/srv/kept"}, "/srv/kept/dizzle-companion"),
        ("darwin", {}, "~/Library/Application Support/dizzle-companion"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/dizzle-companion"),
        ("win32", {}, "~/AppData/Local/dizzle-companion"),
    ],
)
def test_each_system_has_its_data_folder(
    system: str, variables: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "IS_INSTALLED", True)
    monkeypatch.setattr(sys, "platform", system)
    expected = Path(folder).expanduser().resolve()
    assert read_environment({"DRAWING_PROCESSES": "1", **variables}).data_dir == expected
