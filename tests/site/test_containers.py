"""Containers of deploy/container, tested without a container runtime.

The tests start the commands of the image and of the compose file: from an installed wheel, as the
first process of a PID namespace, with a read-only root, and on a real PostgreSQL.
"""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.live.deployments import deployment
from tests.processes import TIMEOUT_S, children, free_port
from tests.site.container_files import (
    COPIED,
    FOLDER,
    INSTRUCTIONS,
    all_of,
    command,
    composed,
    healthcheck,
    variables,
    why_no_caddy,
)
from tests.site.served_site import CHECKOUT, environment, wait_until

COMPOSED = composed()
SERVICES: dict[str, Any] = COMPOSED["services"]
# As compose.yaml has it in .env.
OF_THE_HOST = {"DOMAIN": "dizzle.example.org", "DATABASE_PASSWORD": "for-nobody"}
# The file systems of a container: a read-only root, a volume, a /tmp in memory.
SEAL = (
    'mount --bind "$DATA_DIR" "$DATA_DIR"; mount -t tmpfs tmpfs "$TMPDIR"; '
    'mount -o remount,bind,ro /; cd "$DATA_DIR"; '
    'if touch /written 2>/dev/null; then rm /written; exit 9; fi; exec "$@"'
)
UNSHARE = ("unshare", "--mount", "--pid", "--fork", "--kill-child")


def checks(*words: str) -> str:
    """Return the output of a linter of this environment; empty without faults."""
    program = Path(sys.executable).with_name(words[0])
    if not program.exists():
        pytest.skip(f"no {words[0]} for this system")
    done = subprocess.run(
        [program, *words[1:]], cwd=FOLDER, capture_output=True, encoding="utf-8", check=False
    )
    return done.stdout + done.stderr if done.returncode else ""


def test_linters_find_no_fault() -> None:
    assert checks("hadolint", "Containerfile") == ""
    schema = ("--builtin-schema", "vendor.compose-spec")
    assert checks("check-jsonschema", *schema, "compose.yaml") == ""


def test_caddy_understands_its_file() -> None:
    if reason := why_no_caddy():
        pytest.skip(reason)
    done = subprocess.run(
        ["caddy", "validate", "--config", FOLDER / "Caddyfile"],
        env=environment(OF_THE_HOST),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_images_are_named_with_their_version() -> None:
    built = {name for rest in all_of("FROM") for name in re.findall(r" AS (\S+)", rest)}
    used = {rest.split()[0] for rest in all_of("FROM")} - built
    used |= {service["image"] for service in SERVICES.values() if "build" not in service}
    assert len(used) == 3
    assert [
        name for name in used if not re.fullmatch(r"docker\.io/\S+:\d[\w.]*-\w+[\w-]*", name)
    ] == []


def test_the_image_runs_without_root_and_has_a_health_check() -> None:
    last = [word for word, _rest in INSTRUCTIONS]
    user, group = map(int, all_of("USER")[-1].split(":"))
    assert min(user, group) >= 1000
    assert last.index("USER") > max(i for i, word in enumerate(last) if word == "RUN")
    assert Path(healthcheck()[-1]).name in "".join(all_of("COPY"))
    assert variables()["DATA_DIR"] in all_of("VOLUME")


def test_copied_files_exist_and_no_others_are_in_the_build_context() -> None:
    assert [name for name in COPIED if not (CHECKOUT / name).exists()] == []
    lines = (FOLDER / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    sent = [line for line in lines if line and not line.startswith("#")]
    assert sent[0] == "*"
    assert {line[1:] for line in sent if line.startswith("!")} == set(COPIED)


def test_only_the_proxy_has_open_ports() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    outside = [name for name, service in SERVICES.items() if service["networks"] != ["inside"]]
    assert outside == ["proxy"]
    assert COMPOSED["networks"]["inside"] == {"internal": True}


def test_all_services_restart_and_wait_for_their_dependencies() -> None:
    for name, service in SERVICES.items():
        assert service["restart"] == ("no" if name == "prepare" else "unless-stopped")
        has_its_own = "healthcheck" in service or "build" in service
        assert has_its_own
        for needed, when in service.get("depends_on", {}).items():
            ends = SERVICES[needed]["restart"] == "no"
            assert when["condition"].endswith("completed_successfully" if ends else "healthy")


def test_the_compose_file_has_no_secret() -> None:
    text = (FOLDER / "compose.yaml").read_text("utf-8")
    assert set(re.findall(r"\$\{(\w+):\?", text)) == set(OF_THE_HOST)
    assert re.findall(r"PASSWORD: (.)", text) == ["$"]
    assert re.findall(r"://\w+:(.).*@", text) == ["$"]


@pytest.mark.parametrize("name", ["hosting.md", "hosting.de.md"])
def test_hosting_leads_to_each_file(name: str) -> None:
    page = (CHECKOUT / "docs" / name).read_text("utf-8")
    for file in ("Containerfile", "compose.yaml", "Caddyfile"):
        assert f"](../deploy/container/{file})" in page


def test_the_variables_of_the_hosting_guide_are_those_of_the_compose_file() -> None:
    page = (CHECKOUT / "docs" / "hosting.md").read_text("utf-8")
    line = next(line for line in page.splitlines() if line.endswith("> .env)"))
    assert set(re.findall(r"([A-Z_]+)=", line)) == set(OF_THE_HOST)
    assert set(re.findall(r"docker compose exec (\w+)", page)) <= set(SERVICES)


def can_seal() -> bool:
    """Return whether this system allows private mounts and PID namespaces."""
    if not shutil.which("unshare"):
        return False
    return not subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode


def is_listening(port: str) -> bool:
    """Return whether a process listens on a port of this machine."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", int(port))) == 0


class Box:
    """Programs of the image, each in its own namespaces; ``data`` is their volume."""

    def __init__(self, dizzle: Path, data: Path, scratch: Path) -> None:
        self.programs = dizzle.parent
        self.scratch = scratch
        self.variables = variables() | {
            "DATA_DIR": str(data),
            "HOME": str(data),
            "TMPDIR": str(scratch),
        }

    def start(self, words: list[str], **more: str) -> subprocess.Popen[bytes]:
        """Start a program of the image, with variables in addition to those of the image."""
        program = self.programs / words[0]
        if not program.exists():  # borrowed from the environment of the tests
            program = Path(sys.executable).with_name(words[0])
        python = self.programs / "python"
        return subprocess.Popen(
            [*UNSHARE, "sh", "-ec", SEAL, "sh", python, program, *words[1:]],
            env=environment(self.variables | more),
            stdin=subprocess.DEVNULL,
        )

    @contextmanager
    def running(self, words: list[str], **more: str) -> Iterator[None]:
        """Start a server and wait until it is healthy; finally stop it as `docker stop` does."""
        process = self.start(words, **more)
        try:
            # Each health check is a separate program that competes with the start.
            wait_until(lambda: is_listening(more["PORT"]) or process.poll() is not None)
            wait_until(lambda: self.is_well(**more) or process.poll() is not None)
            assert process.poll() is None
            yield
            (first,) = children(process.pid)
            subprocess.run(["kill", f"-{signal.SIGTERM.name[3:]}", str(first)], check=True)
            assert process.wait(TIMEOUT_S) == 0
            assert not self.is_well(**more)
        finally:
            process.kill()
            process.wait()

    def is_well(self, **more: str) -> bool:
        """Return the result of the image's health check."""
        _python, script = healthcheck()
        done = subprocess.run(
            [self.programs / "python", FOLDER / Path(script).name],
            env=environment(self.variables | more),
            stdout=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode == 0


@pytest.fixture
def box(dizzle: Path, tmp_path: Path) -> Box:
    if not can_seal():
        pytest.skip("this system does not let us make a root that cannot be written")
    for name in ("data", "scratch"):
        (tmp_path / name).mkdir()
    return Box(dizzle, tmp_path / "data", tmp_path / "scratch")


@pytest.mark.own_servers
def test_a_single_container_serves_and_stops_on_request(box: Box) -> None:
    with box.running(command(), HOST="127.0.0.1", PORT=str(free_port())):
        kept = {path.name for path in Path(box.variables["DATA_DIR"]).iterdir()}
    assert {"dizzle.sqlite3", "secret-key", "static"} <= kept


@pytest.mark.own_servers
def test_the_composed_site_is_healthy_on_postgresql(box: Box, tmp_path: Path) -> None:
    """Prepared once, then served by two servers, each with its variables of the compose file."""
    with ExitStack() as stack:
        site = stack.enter_context(deployment("postgresql", tmp_path / "empty", is_empty=True))
        here = {
            "DATABASE_URL": site.variables["DATABASE_URL"],
            "SITE_URL": f"https://{OF_THE_HOST['DOMAIN']}",
        }
        given = SERVICES["live"]["environment"]
        assert set(given) == {*here, "PORT"}
        assert box.start(SERVICES["prepare"]["command"], **here).wait(TIMEOUT_S) == 0
        for name in ("pages", "live"):
            assert SERVICES[name]["depends_on"] == {
                "prepare": {"condition": "service_completed_successfully"}
            }
            port = str(free_port())
            words = [
                re.sub(r"^0\.0\.0\.0:\d+$", f"127.0.0.1:{port}", word)
                for word in SERVICES[name]["command"]
            ]
            stack.enter_context(box.running(words, **here, HOST="127.0.0.1", PORT=port))
