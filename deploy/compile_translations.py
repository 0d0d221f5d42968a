"""What hatchling calls when it builds a wheel: the translations come compiled into it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTranslations(BuildHookInterface):
    """`locale/*/LC_MESSAGES/*.po` become `dizzle_site/locale/*/LC_MESSAGES/*.mo`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile all into a folder of their own."""
        self._compiled = tempfile.TemporaryDirectory()
        for po in sorted(Path(self.root).glob("locale/*/LC_MESSAGES/*.po")):
            inside = po.relative_to(self.root).with_suffix(".mo")
            mo = Path(self._compiled.name) / inside
            mo.parent.mkdir(parents=True)
            with po.open("rb") as source, mo.open("wb") as target:
                write_mo(target, read_po(source, locale=po.parent.parent.name))
            build_data["force_include"][str(mo)] = f"dizzle_site/{inside.as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the folder away."""
        self._compiled.cleanup()
