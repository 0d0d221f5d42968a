"""Output files of commands: links, pipes, devices, modes, and interruption.

Tests of the target file run in this process, because starting a command takes most of a second.
Tests of streams, signals and limits start a process.
"""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.commands.conftest import Ran, Run
from tests.commands.test_process import ENVIRONMENT, ROOT

PRINT = [sys.executable, str(ROOT / "manage.py"), "print", "level-1", "-o"]
SIMULATE = ["simulate", "level-1", "--players", "1", "--games", "2", "--html"]
TIMEOUT_S = 120
Write = Callable[[Path], Ran]


def start(*command: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=TIMEOUT_S, **more)  # type: ignore[call-overload]


def print_to(output: object, **more: object) -> subprocess.CompletedProcess[bytes]:
    return start(*PRINT, str(output), **more)


@pytest.fixture
def write(run: Run) -> Write:
    """Run ``print`` to a file in this process."""
    return lambda output: run("print", "level-1", "-o", output)


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the PDF that all tests write, here written by a separate process."""
    file = tmp_path_factory.mktemp("plain") / "sheets.pdf"
    assert print_to(file).returncode == 0
    return file.read_bytes()


@contextmanager
def masked(mask: int) -> Iterator[None]:
    """Create new files without the permissions in ``mask``, like a shell's ``umask``."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_mode_of_the_umask(write: Write, tmp_path: Path, pdf: bytes) -> None:
    file = tmp_path / "sheets.pdf"
    for mask in (0o022, 0o077):
        file.unlink(missing_ok=True)
        with masked(mask):
            assert write(file).status == 0
        assert mode(file) == 0o666 & ~mask
    assert file.read_bytes() == pdf
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("before", [0o600, 0o664])
def test_a_file_keeps_its_mode_and_its_owner(
    write: Write, tmp_path: Path, pdf: bytes, before: int
) -> None:
    file = tmp_path / "sheets.pdf"
    file.write_bytes(b"old")
    file.chmod(before)
    owner = 4321 if os.geteuid() == 0 else os.geteuid()
    os.chown(file, owner, -1)
    with masked(0o027):
        assert write(file).status == 0
    assert mode(file) == before
    assert file.stat().st_uid == owner
    assert file.read_bytes() == pdf


@pytest.mark.parametrize("is_there", [True, False])
def test_links_are_followed(write: Write, tmp_path: Path, pdf: bytes, is_there: bool) -> None:
    (tmp_path / "shelf").mkdir()
    file, link, second = (tmp_path / name for name in ("shelf/sheets.pdf", "link", "second"))
    if is_there:
        file.write_bytes(b"old")
    link.symlink_to("shelf/sheets.pdf")
    second.symlink_to(link)
    assert write(second).status == 0
    assert second.is_symlink()
    assert link.is_symlink()
    assert file.read_bytes() == pdf
    assert sorted(path.name for path in tmp_path.rglob("*")) == sorted(
        ["link", "second", "sheets.pdf", "shelf"]
    )


def test_a_link_that_leads_to_itself_is_refused(write: Write, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    assert "cannot be written" in write(link).refusal
    assert link.is_symlink()


def test_other_files_in_the_folder_stay(write: Write, tmp_path: Path) -> None:
    neighbour = tmp_path / "sheets.pdf.part"
    neighbour.write_bytes(b"mine")
    assert write(tmp_path / "sheets.pdf").status == 0
    assert write(tmp_path / "nowhere" / "sheets.pdf").status == 2
    assert neighbour.read_bytes() == b"mine"


def test_a_pipe_is_written_into(write: Write, tmp_path: Path, pdf: bytes) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert write(pipe).status == 0
    reader.join(TIMEOUT_S)
    assert read == [pdf]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.slow
def test_a_pipe_by_its_number(pdf: bytes) -> None:
    """A shell's process substitution: ``print level-1 -o >(program)``."""
    ran = start("bash", "-c", '"$@" >(cat) | cat', "bash", *PRINT)
    assert ran.stdout == pdf


def test_a_device_stays_a_device(write: Write, tmp_path: Path) -> None:
    device = Path(os.devnull)
    if os.geteuid() == 0:  # who could replace the real one tries it on another
        device = tmp_path / "null"
        try:
            os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            device.write_bytes(b"")
        except PermissionError:
            pytest.skip("no devices can be made or used in this folder")
    before = device.stat()
    ran = write(device)
    assert (ran.status, ran.err) == (0, "")
    assert device.stat().st_ino == before.st_ino
    assert device.is_char_device()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_a_full_device_is_reported_in_one_line(write: Write, tmp_path: Path) -> None:
    link = tmp_path / "full"
    link.symlink_to("/dev/full")
    assert write(link).refusal == f"{link}: cannot be written: No space left on device"
    assert link.is_symlink()


@pytest.mark.slow
def test_standard_output_gets_the_bytes_and_nothing_else(tmp_path: Path, pdf: bytes) -> None:
    ran = print_to("-", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout == pdf
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*PRINT, "-", "--copies", "20"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_full_standard_output_is_reported_in_one_line(tmp_path: Path) -> None:
    ran = start("bash", "-c", '"$@" > /dev/full', "bash", *PRINT, "-", cwd=tmp_path)
    assert ran.returncode == 2
    expected = b"CommandError: standard output: cannot be written: No space left on device\n"
    assert ran.stderr == expected


@pytest.mark.slow
def test_closed_standard_output_is_reported_in_one_line(tmp_path: Path) -> None:
    ran = start("bash", "-c", '"$@" >&-', "bash", *PRINT, "-", cwd=tmp_path)
    assert ran.returncode == 2
    assert ran.stderr.count(b"\n") == 1


@pytest.mark.slow
def test_a_disk_that_is_full_midway_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "sheets.pdf"
    file.write_bytes(b"old")
    ran = print_to(file, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert ran.returncode == 2
    assert ran.stderr.decode() == f"CommandError: {file}: cannot be written: File too large\n"
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def used_s(pid: int) -> float:
    """Return the CPU time that a process and its workers have used so far, in seconds."""
    workers = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    ticks = 0
    for one in (pid, *workers):
        with suppress(FileNotFoundError):  # a worker may have ended
            fields = Path(f"/proc/{one}/stat").read_text("ascii").rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_temporary_file(tmp_path: Path, ending: signal.Signals) -> None:
    many_pages = (*(f"level-{n}" for n in range(2, 9)), "--copies", "500", "-o")
    interrupt_while_it_writes(tmp_path / "sheets.pdf", [*PRINT[:-1], *many_pages], ending)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
@pytest.mark.parametrize("command", ["measure_balance", "measure_levels"])
def test_an_interrupted_measurement_leaves_the_old_figures(tmp_path: Path, command: str) -> None:
    measure = [*PRINT[:2], command, "-o"]
    interrupt_while_it_writes(tmp_path / "figures", measure, signal.SIGTERM)


def interrupt_while_it_writes(file: Path, command: Sequence[str], ending: signal.Signals) -> None:
    """Interrupt a command soon after it began to write the file; the old file must stay."""
    file.write_bytes(b"old")
    folder = file.parent
    with subprocess.Popen(
        [*command, str(file)], stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stderr
        until = time.monotonic() + TIMEOUT_S
        while len(list(folder.iterdir())) == 1 and time.monotonic() < until:
            assert process.poll() is None
            time.sleep(0.02)
        # Some drawing modules swallow exceptions during their import: wait until that is over.
        begun = used_s(process.pid)
        while used_s(process.pid) < begun + 0.2 and time.monotonic() < until:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(ending)
        said = process.stderr.read()
    reported = signal.SIGTERM if ending == signal.SIGHUP else ending  # see `dizzle_site.shutdown`
    assert process.returncode == 128 + reported
    assert said == b""
    assert file.read_bytes() == b"old"
    assert list(folder.iterdir()) == [file]


@pytest.mark.slow
def test_nohup_is_obeyed(tmp_path: Path, pdf: bytes) -> None:
    file = tmp_path / "sheets.pdf"
    script = 'trap "" HUP; "$@" & sleep 0.1; kill -HUP $!; wait $!'
    assert start("bash", "-c", script, "bash", *PRINT, str(file)).returncode == 0
    assert file.read_bytes() == pdf


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_stays(write: Write, tmp_path: Path) -> None:
    file = tmp_path / "sheets.pdf"
    file.write_bytes(b"old")
    file.chmod(0o444)
    assert "Permission denied" in write(file).refusal
    assert file.read_bytes() == b"old"


def test_reports_are_written_the_same_way(run: Run, tmp_path: Path) -> None:
    file, link = tmp_path / "report.html", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o600)
    link.symlink_to(file)
    assert run(*SIMULATE, link).out == f"Wrote {link}.\n"
    assert link.is_symlink()
    assert mode(file) == 0o600
    shown = start(sys.executable, str(ROOT / "manage.py"), *SIMULATE, "-", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert shown.stdout == file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "report.html"]
