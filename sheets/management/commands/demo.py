"""`manage.py demo`: serve the site with example data in its own folder, ``DATA_DIR/demo``."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

import msgspec
from django.conf import settings
from django.core.management.base import CommandError

from dizzle_site.management.commands import serve
from sheets.demo.examples import Examples, create_examples

_LABELS: Final = Examples(
    table="A table in mid-game",
    scoring="A scored game",
    group="A group with 20 games",
    pad="A pad, from a photo",
)
"""Label printed before each address."""


class Command(serve.Command):
    help = (
        "Serve the site with example data: a table in mid-game, a scored game, a group with "
        "20 games and a pad entered from a photo. The data is kept in the folder `demo` "
        "inside DATA_DIR; delete that folder to start again. Your own data is not touched."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add no options, not even those of `serve`."""

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.DATA_DIR.name != "demo":  # called from code: the settings are another site's
            raise CommandError("Start it from the command line: it needs settings of its own.")
        super().handle()

    def prepare(self) -> None:
        """Also create the example data at the first start."""
        super().prepare()
        if not _file().exists():
            self.stdout.write("Creating the example data ...")
            _file().write_bytes(msgspec.json.encode(create_examples()._asdict()))

    def announce_content(self, address: str) -> None:
        """Print the addresses of the example data."""
        examples = Examples(**msgspec.json.decode(_file().read_bytes()))
        self.stdout.write("\nExample data:\n")
        for label, path in zip(_LABELS, examples, strict=True):
            self.stdout.write(f"  {label + ':':<24}{address.rstrip('/')}{path}")


def _file() -> Path:
    """Return the path of the file with the addresses of the example data.

    The addresses contain keys, of which the database stores only digests.
    """
    folder: Path = settings.DATA_DIR
    return folder / "examples.json"
