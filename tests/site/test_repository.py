"""Contents that must not be in the repository."""

import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
# Written in two halves, so that this file does not find itself.
PRIVATE = [
    "index" + "-url",
    "find" + "-links",
    "trusted" + "-host",
    "file:" + "///",
    "/wo" + "rk/",
    "/ro" + "ot/",
    "/opt/" + "pypi",
]
BINARY = {".png", ".ico", ".woff", ".woff2", ".ttf", ".otf", ".jpg", ".webp", ".pdf", ".npz"} | {
    ".mo",
    ".mp4",
    ".webm",
    ".zip",
}


def tracked_files() -> list[Path]:
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    paths = [CHECKOUT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def test_no_file_names_a_private_machine_or_package_index() -> None:
    for path in tracked_files():
        if path.suffix in BINARY:
            continue
        text = path.read_text("utf-8")
        found = [word for word in PRIVATE if word in text.replace("--no-emit-index-url", "")]
        assert not found, path


def test_no_secret_database_or_compiled_file_is_tracked() -> None:
    for path in tracked_files():
        assert path.name != "secret-key", path
        assert path.suffix not in {".sqlite3", ".pyc"}, path


def test_every_pinned_package_has_a_hash() -> None:
    for name in ("run.txt", "server.txt", "dev.txt"):
        text = (CHECKOUT / "requirements" / name).read_text("utf-8")
        pins = [line for line in text.splitlines() if "==" in line and not line.startswith(" ")]
        assert pins
        assert all(pin.endswith("\\") for pin in pins)
        assert text.count("--hash=sha256:") >= len(pins)
