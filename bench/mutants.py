"""Mutation testing: change the product in one place at a time and run the tests that execute it.

    python bench/mutants.py choose --seed 1 --count 120 -o mutants.jsonl
    python bench/mutants.py map --checkout . -o map
    python bench/mutants.py run mutants.jsonl --checkout . --map map --jobs 2 -o results.jsonl
    python bench/mutants.py table results.jsonl

`choose` samples mutants evenly over `FOLDERS` and `KINDS`, or with ``--killed-in`` from those that
a file of results lists as killed. `map` runs the tests once, with one coverage context per test.
`run` works in clones of the commit at ``--checkout``, which may be an older one, and skips mutants
that its results contain. With ``--all`` it also runs the tests that do not execute the changed
line, and does so for the survivors of an earlier run. Ctrl-C ends it after the current mutants.

Written here because mutmut changes only functions and numbers its mutants by the version of the
code, cosmic-ray runs the same tests for all mutants, and mutatest had its last release in 2022.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench._mutant_tests import Clone, Map, Outcome, Trial  # noqa: E402
from bench._mutations import FOLDERS, KINDS, Mutant, find_mutants  # noqa: E402

Record = dict[str, Any]


def choose(options: argparse.Namespace) -> None:
    """Write a sample with the same number of mutants of each folder and kind, where they exist."""
    chance = random.Random(options.seed)
    cells: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for mutant in killed(options.killed_in) if options.killed_in else all_mutants(options.checkout):
        cells[mutant.folder, mutant.kind].append(mutant)
    for cell in cells.values():
        chance.shuffle(cell)
    chosen: dict[tuple[str, int], Mutant] = {}
    while any(cells.values()) and len(chosen) < options.count:
        for cell in chance.sample(list(cells.values()), len(cells)):
            if cell and len(chosen) < options.count:
                mutant = cell.pop()
                chosen.setdefault((mutant.file, mutant.line), mutant)
    lines = [json.dumps(mutant._asdict()) + "\n" for mutant in chosen.values()]
    Path(options.output).write_text("".join(lines))


def all_mutants(checkout: str) -> Iterator[Mutant]:
    """Yield the possible changes of all modules."""
    for folder in FOLDERS:
        for path in sorted(Path(checkout, "sheets", folder).rglob("*.py")):
            yield from find_mutants(path.relative_to(checkout).as_posix(), path.read_bytes())


def killed(results: str) -> Iterator[Mutant]:
    """Yield the mutants that a file of results lists as killed."""
    for mutant, record in read_results(results).items():
        if record["killed"]:
            yield mutant


def read_results(path: str) -> dict[Mutant, Record]:
    """Return the last result of each mutant in a file, none without the file."""
    lines = Path(path).read_text().splitlines() if Path(path).exists() else []
    return {Mutant(**record["mutant"]): record for record in map(json.loads, lines)}


def write_map(options: argparse.Namespace) -> None:
    """Run the tests under coverage; write their durations and the lines that they execute."""
    output = Path(options.output).resolve()
    output.mkdir(parents=True, exist_ok=True)
    settings, data = output / "coveragerc", output / "coverage"
    source = "".join(f"\n    sheets/{folder}" for folder in FOLDERS)
    settings.write_text(f"[run]\nrelative_files = true\ndata_file = {data}\nsource ={source}\n")
    measure = ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="]
    spread = ["--numprocesses", str(options.jobs), "--dist", "worksteal"]
    which = ["-m", options.markers] if options.markers else []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        clone = Clone(options.checkout, Path(folder, "map"))
        measured = clone.run([*measure, *spread, *which, *options.paths])
        print(clone.log.read_text()[-2000:])
        if measured.code not in (0, 1):
            sys.exit("the tests did not run")
        failed = set(measured.named("failed"))  # some of them under coverage only
        again = clone.run([*which, *options.paths], failed) if failed else Outcome(0, [])
    left_out = set(again.named("failed"))
    seconds: dict[str, float] = defaultdict(float)
    for test, outcome, duration, _has_processes in measured.records:
        if outcome != "started" and test not in left_out:
            seconds[test] += duration
    processes = sorted({test for test, *_rest, has_processes in measured.records if has_processes})
    tests = {"markers": options.markers, "seconds": seconds, "own_processes": processes}
    (output / "tests.json").write_text(json.dumps(tests, indent=0))
    print(f"{len(seconds)} tests; left out, because they fail: {sorted(left_out) or 'none'}")


def run(options: argparse.Namespace) -> None:
    """Run the tests for each mutant and append the results to a file."""
    tests = Map(options.map)
    results = read_results(options.output)
    lines = Path(options.mutants).read_text().splitlines()
    waiting = []
    for mutant in (Mutant(**json.loads(line)) for line in lines):
        known = results.get(mutant)
        if known and (known["killed"] or known["all"] >= options.all):
            continue
        place = mutant.move(Path(options.checkout, mutant.file).read_bytes())
        if not place:
            sys.exit(f"not in this version: {described(mutant)}")
        stages = tests.stages(place, options.all)
        waiting.append((mutant, place, stages[-1:] if known else stages))
    clones: SimpleQueue[Clone] = SimpleQueue()

    def judge(mutant: Mutant, place: Mutant, stages: list[set[str]]) -> None:
        clone, start = clones.get(), time.monotonic()
        try:
            killer = Trial(clone, place, tests, options.markers or tests.markers).killer(stages)
        finally:
            clones.put(clone)
        seconds, count = round(time.monotonic() - start), sum(map(len, stages))
        record = {"killed": killer is not None, "by": killer, "all": options.all}
        record |= {"seconds": seconds, "tests": count, "mutant": mutant._asdict()}
        with open(options.output, "a") as file:
            file.write(json.dumps(record) + "\n")
        fate = f"killed by {killer}" if killer else f"survived {count} tests"
        print(f"{described(mutant)}: {fate}, {seconds} s", flush=True)

    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for number in range(options.jobs):
            clones.put(Clone(options.checkout, Path(folder, str(number))))
        with ThreadPoolExecutor(options.jobs) as pool:
            try:
                for trial in as_completed([pool.submit(judge, *one) for one in waiting]):
                    trial.result()
            finally:
                pool.shutdown(cancel_futures=True)


def described(mutant: Mutant) -> str:
    """Return a mutant in one line."""
    before = " ".join(mutant.before.split())
    return f"{mutant.file}:{mutant.line} {mutant.kind}: {before} -> {mutant.after}"


def print_tables(options: argparse.Namespace) -> None:
    """Print how many mutants each run killed, by folder and kind, and those that survived all."""
    fates: dict[str, dict[Mutant, bool]] = {}
    together: dict[Mutant, bool] = {}
    for path in options.results:
        results = read_results(path)
        fates[Path(path).stem] = {mutant: one["killed"] for mutant, one in results.items()}
        together |= {one: results[one]["killed"] or together.get(one, False) for one in results}
    for name, fate in (fates | {"together": together} if len(fates) > 1 else fates).items():
        print(f"\n{name}: killed of all\n\n| folder | {' | '.join(KINDS)} | all |")
        print("|---" * (len(KINDS) + 2) + "|")
        for folder in (*FOLDERS, "all"):
            cells = []
            for kind in (*KINDS, "all"):
                here = [
                    is_killed
                    for mutant, is_killed in fate.items()
                    if folder in (mutant.folder, "all") and kind in (mutant.kind, "all")
                ]
                cells.append(f"{sum(here)}/{len(here)}")
            if not cells[-1].endswith("/0"):
                print(f"| {folder} | {' | '.join(cells)} |")
    survivors = [described(mutant) for mutant, is_killed in together.items() if not is_killed]
    print("\nsurvived:", *survivors or ["none"], sep="\n- ")


def main() -> None:
    """Read the command line; without arguments, as in `make bench`, print the usage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers()
    sample = commands.add_parser("choose", help=choose.__doc__)
    sample.set_defaults(act=choose)
    sample.add_argument("--seed", type=int, default=1)
    sample.add_argument("--count", type=int, default=120)
    sample.add_argument("--killed-in", metavar="RESULTS", help="choose from its killed mutants")
    covered = commands.add_parser("map", help=write_map.__doc__)
    covered.set_defaults(act=write_map)
    covered.add_argument("paths", nargs="*", help="tests to run; all tests without them")
    trials = commands.add_parser("run", help=run.__doc__)
    trials.set_defaults(act=run)
    trials.add_argument("mutants")
    trials.add_argument("--map", required=True)
    trials.add_argument("--all", action="store_true", help="also run all remaining tests")
    for command in (covered, trials):
        command.add_argument("-m", dest="markers", help="marker expression, as for pytest")
        command.add_argument("--jobs", type=int, default=1, help="processes at the same time")
    for command in (sample, covered, trials):
        command.add_argument("--checkout", default=str(ROOT))
        command.add_argument("-o", "--output", required=True)
    tables = commands.add_parser("table", help=print_tables.__doc__)
    tables.set_defaults(act=print_tables)
    tables.add_argument("results", nargs="+")
    options = parser.parse_args()
    options.act(options) if "act" in options else parser.print_help()


if __name__ == "__main__":
    main()
