"""Files in deploy/: existing commands and units, and a valid nightly backup."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.site.served_site import CHECKOUT, environment, started_before

UNITS = sorted((CHECKOUT / "deploy" / "systemd").iterdir())
APP = "/srv/dizzle/app"


def starts(unit: Path) -> list[str]:
    """Return the command lines of a unit."""
    return re.findall(r"^ExecStart(?:Pre)?=(.*)$", unit.read_text("utf-8"), re.M)


def enabled(page: str) -> set[str]:
    """Return the units that a page of the documentation enables."""
    lines = re.findall(r"(?<!--user )enable --now ([\w. -]+)", page)
    names = {name for line in lines for name in line.split()}
    return {name if "." in name else f"{name}.service" for name in names}


def test_pages_for_hosts_name_and_turn_on_each_unit() -> None:
    pages = [
        (CHECKOUT / "docs" / name).read_text("utf-8") for name in ("hosting.md", "reference.md")
    ]
    hosting, _reference = pages
    assert len(UNITS) == 7
    assert [unit.name for unit in UNITS if f"`{unit.name}`" not in "".join(pages)] == []
    started = {unit.with_suffix(".service").name for unit in UNITS if unit.suffix == ".timer"}
    assert enabled("\n".join(pages)) == {unit.name for unit in UNITS} - started
    assert {"dizzle.service", "dizzle-backup.timer"} <= enabled(hosting)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_call_existing_commands(unit: Path) -> None:
    commands = [re.search(r"manage\.py (\w+)", line) for line in starts(unit)]
    assert {found[1] for found in commands if found} <= set(get_commands())
    if unit.suffix == ".timer":
        assert unit.with_suffix(".service") in UNITS


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze here")
def test_systemd_finds_no_fault(tmp_path: Path) -> None:
    """With existing programs instead of those on the host of the units."""
    for unit in UNITS:
        text = re.sub(rf"{APP}/\.venv/bin/\w+", sys.executable, unit.read_text("utf-8"))
        (tmp_path / unit.name).write_text(text, "utf-8")
    found = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *sorted(tmp_path.iterdir())],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    ours = [line for line in found.stderr.splitlines() if "dizzle" in line]
    assert ours == []


@pytest.mark.own_servers
@pytest.mark.skipif(sys.platform == "win32", reason="there is no systemd")
def test_the_nightly_backup_is_valid(tmp_path: Path) -> None:
    (line,) = starts(CHECKOUT / "deploy" / "systemd" / "dizzle-backup.service")
    found = re.fullmatch(r"/bin/sh -ec '(.*)'", line)
    assert found
    script = (
        found[1]
        .replace("%%", "%")
        .replace("$$", "$")
        .replace("/srv/dizzle/backups", str(tmp_path / "kept"))
    )
    done = subprocess.run(
        ["/bin/sh", "-ec", script.replace(".venv/bin/python", sys.executable)],
        cwd=CHECKOUT,
        env=environment({"DATA_DIR": str(started_before(tmp_path / "data"))}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    (kept,) = (tmp_path / "kept").iterdir()
    assert re.fullmatch(r"dizzle-\d\d\.zip", kept.name)
    assert zipfile.is_zipfile(kept)
