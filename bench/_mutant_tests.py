"""Which tests execute a changed line, and whether one of them fails, for `bench/mutants.py`."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from statistics import mean
from typing import Final, NamedTuple

from bench._mutations import Mutant

PYTEST: Final = Path(__file__).resolve().with_name("_pytest_records.py")
GIT: Final = ("git", "-c", "advice.detachedHead=false")

TEST_LIMIT_S: Final = 60
"""Minimum time limit of one test."""

PATIENCE: Final = 4
"""Factor between durations in the map and time limits, because the machine may be busy."""


class Outcome(NamedTuple):
    """Exit code of pytest (None: after the time limit) and the records of `_pytest_records`."""

    code: int | None
    records: list[tuple[str, str, float, bool]]

    def named(self, outcome: str) -> list[str]:
        """Return the tests with an outcome."""
        return [record[0] for record in self.records if record[1] == outcome]

    @property
    def culprit(self) -> str | None:
        """The test or file that failed, or the last test before an abnormal end."""
        if self.code in (0, 5):  # passed, or the markers exclude all tests
            return None
        return (self.named("failed")[:1] or self.named("started")[-1:] or [""])[0]


class Clone:
    """Clone of the commit at a checkout, in which pytest runs in a process of its own."""

    def __init__(self, checkout: str, folder: Path) -> None:
        self.folder, self.files, self.log = folder, folder / "checkout", folder / "log"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True)
        subprocess.run([*GIT, "clone", "-q", "-s", checkout, self.files], check=True)

    def write(self, file: str, source: bytes) -> None:
        """Write a module and delete its bytecode, which is dated in whole seconds."""
        path = self.files / file
        path.write_bytes(source)
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)

    def clean(self) -> None:
        """Delete what tests left behind, such as the failing examples of Hypothesis."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir(exist_ok=True)
        kept = "--exclude=__pycache__"
        subprocess.run([*GIT, "clean", "-fdqx", kept], cwd=self.files, check=True)

    def run(
        self,
        arguments: list[str],
        chosen: Collection[str] | None = None,
        limit: float | None = None,
    ) -> Outcome:
        """Run pytest with arguments, restricted to chosen tests, for a number of seconds."""
        records, only = self.folder / "records", self.folder / "chosen"
        records.write_text("")
        only.write_text(json.dumps(None if chosen is None else sorted(chosen)))
        command = [sys.executable, PYTEST, records, only, *arguments]
        environment = os.environ | {"TMPDIR": str(self.temporary)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        with (
            self.log.open("wb") as output,
            subprocess.Popen(
                command,
                cwd=self.files,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,  # a group of processes, to kill all of them
            ) as process,
        ):
            code = None
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(limit)
            with suppress(ProcessLookupError):  # servers and browsers may be left
                os.killpg(process.pid, signal.SIGKILL)
        return Outcome(code, [tuple(json.loads(line)) for line in records.read_text().splitlines()])


class Map:
    """Tests with their durations, by the lines that they execute."""

    def __init__(self, folder: str) -> None:
        from coverage import CoverageData

        self.data = CoverageData(str(Path(folder, "coverage")))
        self.data.read()
        tests = json.loads(Path(folder, "tests.json").read_text())
        self.markers: str | None = tests["markers"]
        self.seconds: dict[str, float] = tests["seconds"]
        self.own_processes = self.seconds.keys() & set(tests["own_processes"])

    def executing(self, file: str, lines: Collection[int] | None = None) -> set[str]:
        """Return the tests that execute one of the lines of a module, or any line."""
        by_line = self.data.contexts_by_lineno(file)
        found = (by_line.get(line, ()) for line in (by_line if lines is None else lines))
        return self.seconds.keys() & {
            context.rpartition("|")[0] for contexts in found for context in contexts
        }

    def stages(self, mutant: Mutant, is_all: bool) -> list[set[str]]:
        """Return the tests to run for a mutant, in sets; the first is likely to fail.

        The map has only the first test that executed what a process runs once, though other tests
        depend on it: then all tests run that execute the module, and next those of the folder.
        """
        lines = None if mutant.runs_once else range(mutant.first, mutant.last + 1)
        stages = [self.executing(mutant.file, lines)]
        if mutant.runs_once:
            folder = f"sheets/{mutant.folder}/"
            files = [file for file in self.data.measured_files() if file.startswith(folder)]
            stages.append(set().union(*map(self.executing, files)))
        stages += [self.own_processes, set(self.seconds) if is_all else set()]
        return [tests.difference(*stages[:place]) for place, tests in enumerate(stages)]


class Trial:
    """One mutant in a clone."""

    def __init__(self, clone: Clone, mutant: Mutant, tests: Map, markers: str | None) -> None:
        self.clone, self.mutant, self.tests = clone, mutant, tests
        self.which = ["-m", markers] if markers else []
        self.source = (clone.files / mutant.file).read_bytes()

    def killer(self, stages: list[set[str]]) -> str | None:
        """Return the test or file that fails because of the change, None where all tests pass."""
        try:
            for stage in stages:
                waiting = set(stage)
                while waiting:
                    outcome = self.run(waiting, self.mutant.apply(self.source))
                    culprit = outcome.culprit
                    if culprit is None:
                        break
                    suspects = {culprit} & waiting or {
                        test for test in waiting if test.startswith(culprit)
                    }
                    if self.is_confirmed(suspects):
                        return culprit or "start of the tests"
                    if not culprit:
                        raise RuntimeError(f"pytest fails at once: {self.clone.log.read_text()}")
                    waiting -= suspects.union(outcome.named("passed"))
        finally:
            self.clone.write(self.mutant.file, self.source)
            self.clone.clean()
        return None

    def is_confirmed(self, suspects: set[str]) -> bool:
        """Return whether a test fails with the change again, and passes without it."""
        one = {min(suspects, key=self.tests.seconds.__getitem__)}
        fails_again = self.run(one, self.mutant.apply(self.source)).culprit is not None
        return fails_again and self.run(one, self.source).culprit is None

    def run(self, chosen: set[str], source: bytes) -> Outcome:
        """Run tests until one fails, with a source of the module; files with short tests first."""
        self.clone.write(self.mutant.file, source)
        seconds = self.tests.seconds
        files: dict[str, list[float]] = defaultdict(list)
        for test in chosen:
            files[test.partition("::")[0]].append(seconds[test])
        a_test = max(TEST_LIMIT_S, PATIENCE * max(seconds[test] for test in chosen))
        limits = [f"faulthandler_timeout={a_test}", "faulthandler_exit_on_timeout=true"]
        arguments = ["-x", "-q", *self.which, *(f"--override-ini={limit}" for limit in limits)]
        arguments += sorted(files, key=lambda file: mean(files[file]))
        limit = 2 * a_test + PATIENCE * sum(seconds[test] for test in chosen)
        return self.clone.run(arguments, chosen, limit)
