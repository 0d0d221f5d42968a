"""Training of all networks, with their examples. Needs PyTorch.

    PYTHONPATH=. python -m training.all FOLDER [--only marks digits groups] [--scale 0.01]

Writes examples and weights to FOLDER, and prints how long each command takes. A command whose
output exists is skipped, so that an interrupted run can be continued. The same fonts
(docs/measuring-photos.md), packages and kind of processor give the same weights. Measure new
weights before you copy them into the app.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
"""Folder of the repository."""

COMMANDS: Final = {
    "marks": """
    cases marks-1 --sheets 1600 --seed 1
    cases marks-2 --sheets 1600 --seed 2 --filled games
    pad_cases marks-3 --sheets 1800 --seed 3
    pad_cases marks-4 --sheets 1800 --seed 4 --filled games
    cases marks-5 --sheets 250 --seed 5 --filled games --validation
    pad_cases marks-6 --sheets 350 --seed 6 --filled games --validation
    train_marks marks-1 marks-2 marks-3 marks-4 --validation marks-5 marks-6 --out weights.npz \\
        --steps 18000
""",
    "digits": """
    digit_cases digits-1.npz --fields 56000 --seed 1
    digit_cases digits-3.npz --fields 56000 --seed 3
    digit_cases digits-2.npz --fields 8000 --seed 2 --validation
    train_digits digits-1.npz digits-3.npz --validation digits-2.npz --out digits.npz --steps 8000
""",
    "groups": """
    group_cases groups-1.npz --sheets 6000 --seed 1
    group_cases groups-3.npz --sheets 6000 --seed 3
    group_cases groups-2.npz --sheets 400 --seed 2 --validation
    train_groups groups-1.npz groups-3.npz --validation groups-2.npz --out alike.npz --steps 6000
""",
}
"""Commands by network: module, its output or inputs, and options. The last one trains."""

_COUNTS: Final = r"(--(?:fields|sheets|steps)) (\d+)"
"""Options that ``--scale`` multiplies."""

_MIN_COUNT: Final = 16
"""Smallest value of these options."""


def main() -> None:
    """Run the commands of all networks, or of some."""
    parser = ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--scale", type=float, default=1.0, help="to try the commands: less of all")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for network in options.only:
        *cases, training = scaled_commands(network, options.scale)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda command: run(command, options.folder, threads=1), cases))
        run(training, options.folder, threads=os.cpu_count() or 1)


def scaled_commands(network: str, scale: float) -> list[list[str]]:
    """Return the commands of a network as lists of words."""

    def multiply(found: re.Match[str]) -> str:
        return f"{found[1]} {max(_MIN_COUNT, round(int(found[2]) * scale))}"

    lines = COMMANDS[network].replace("\\\n", " ").strip().splitlines()
    return [re.sub(_COUNTS, multiply, line).split() for line in lines]


def run(command: list[str], folder: Path, threads: int) -> None:
    """Run a command in a folder, unless its output exists, and print the time.

    Raises:
        CalledProcessError: the command has failed; its output does not exist.
    """
    module, *words = command
    output = words[words.index("--out") + 1] if "--out" in words else words[0]
    if (folder / output).exists():
        print(f"{output}: exists", flush=True)
        return
    start = time.monotonic()
    unfinished = f"unfinished-{output}"
    words = [unfinished if word == output else word for word in words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": str(threads)}
    subprocess.run(
        [sys.executable, "-m", f"training.{module}", *words],
        cwd=folder, env=environment, check=True,
    )  # fmt: skip
    (folder / unfinished).rename(folder / output)
    print(f"{output}: {(time.monotonic() - start) / 60:.1f} minutes", flush=True)


if __name__ == "__main__":
    sys.exit(main())
