"""`manage.py demo`: the example data, and that it stays apart from the site's own."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from dizzle_site.environment import use_demo_folder
from tests.site.served_site import Site, serving


def test_demo_has_its_own_folder_and_database(tmp_path: Path) -> None:
    variables = {
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": "postgresql:///games",
        "PORT": "9000",
    }
    use_demo_folder(variables)
    assert variables == {"DATA_DIR": str(tmp_path / "demo"), "PORT": "9000"}


def example_paths(site: Site) -> list[str]:
    """Return the paths that the demo has printed."""
    return re.findall(r"^  .+:  +http://[^/]+(/\w+/[\w-]+/)$", "".join(site.printed), re.M)


@pytest.mark.own_servers
def test_demo_shows_a_table_a_scoring_a_group_and_a_pad(tmp_path: Path) -> None:
    with serving(tmp_path, command="demo", DATABASE_URL="postgresql:///nobody") as site:
        paths = example_paths(site)
        table, scoring, group, pad = (site.ask(path).text for path in paths)
        photo = site.ask(f"{paths[3]}empty-sheet.webp")
        site.process.send_signal(signal.SIGKILL)
    assert 'Sit down as <bdi translate="no">Ana</bdi>' in table
    assert "wins." in scoring
    assert "wins in 20 games." in group
    assert "Little garden" in pad
    assert photo.headers["content-type"] == "image/webp"
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]
    with serving(tmp_path, command="demo") as site:
        assert example_paths(site) == paths
        assert "Creating" not in "".join(site.printed)
        assert [site.ask(path).status for path in paths] == [200] * 4
    assert len(json.loads((tmp_path / "demo" / "examples.json").read_text("utf-8"))) == 4
