"""The command that trains all networks: its steps fit together, and it can be interrupted."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from tests.vision.empty_sheet_shots import FONTS
from training import all as train_all


@pytest.mark.parametrize("network", train_all.COMMANDS)
def test_each_command_has_its_options_and_files(network: str) -> None:
    made: set[str] = set()
    for module, *words in train_all.scaled_commands(network, 1):
        source = "".join(
            (train_all.ROOT / f"training/{name}.py").read_text() for name in (module, "commands")
        )
        options = {word for word in words if word.startswith("--")}
        assert all(f'"{option}"' in source for option in options)
        files = {word for word in words if re.fullmatch(r"[a-z]+(-\d|\.npz|-\d\.npz)", word)}
        output = words[words.index("--out") + 1] if "--out" in words else words[0]
        assert files - {output} == (made if "--out" in words else set())
        made.add(output)


def test_the_scale_reduces_only_counts() -> None:
    for command in train_all.scaled_commands("digits", 1e-9):
        assert "16" in command
        assert "56000" not in command
    assert [command[-1] for command in train_all.scaled_commands("digits", 1)][1] == "3"


@pytest.mark.slow
def test_an_interrupted_run_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(FONTS["Nunito"][0], tmp_path / "Roboto-Regular.ttf")
    monkeypatch.setenv("FONTS", str(tmp_path))
    command = ["digit_cases", "digits-1.npz", "--fields", "16"]
    with pytest.raises(CalledProcessError):
        train_all.run([*command, "--seed", "no number"], tmp_path, threads=1)
    assert not (tmp_path / "digits-1.npz").exists()
    train_all.run(command, tmp_path, threads=1)
    first = (tmp_path / "digits-1.npz").read_bytes()
    train_all.run(command, tmp_path, threads=1)
    assert capsys.readouterr().out.splitlines()[-1] == "digits-1.npz: exists"
    (tmp_path / "digits-1.npz").unlink()
    train_all.run(command, tmp_path, threads=1)
    assert (tmp_path / "digits-1.npz").read_bytes() == first
