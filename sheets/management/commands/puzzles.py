"""`manage.py puzzles`: find puzzles in recorded games, or in games of bots."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tqdm import tqdm

from sheets.documents.structure import read_game
from sheets.levels import find_level, shipped_levels
from sheets.management.command_errors import CommandRefused
from sheets.management.document_command import (
    DocumentCommand,
    format_json,
    format_refusal,
    read_bytes,
)
from sheets.management.output_file import add_output_option, open_output
from sheets.rules import DocumentError
from sheets.rules.documents.game import Record, replay_actions
from sheets.text.refusals import explain

MAX_COUNT: Final = 1000
"""Maximum of ``--count``."""


class Command(DocumentCommand):
    """``puzzles [GAME …] [--level LEVEL] [--count N] [--seed SEED] [-o FILE]``."""

    help = (
        "Finds puzzles: positions in which one choice is at least three points better than all "
        "others, at 99 % confidence. It searches the given dizzle-game/1 files, or games that bots "
        "play. It adds the puzzles to the site, or writes them to a file, one dizzle-puzzle/1 in "
        "each line. A game takes some seconds, on large sheets a minute."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files, the level, the number of puzzles, the seed and the output."""
        parser.add_argument(
            "games", nargs="*", metavar="GAME", help="files of recorded games with tracked dice"
        )
        parser.add_argument(
            "--level",
            action="append",
            choices=shipped_levels(),
            help="a level for games of bots; may be repeated (default: all); not with GAME",
        )
        parser.add_argument(
            "--count",
            type=_count,
            default=10,
            help="how many puzzles games of bots yield (10); not with GAME",
        )
        parser.add_argument("--seed", default="1", help="names the games and their dice (1)")
        add_output_option(parser)
        parser.set_defaults(output=None)

    def run(self, **options: Any) -> None:
        """Write the puzzles, or add each to the site once it is found, and print how many."""
        # Imported here, because NumPy loads slowly and errors in the arguments do not need it.
        from sheets.puzzles.generation import MAX_FRUITLESS
        from sheets.puzzles.store import add_puzzle, sort_for_list

        with tqdm(unit="puzzle", disable=not sys.stderr.isatty(), leave=False) as bar:
            found = self._search(options, bar)
            if options["output"]:
                with open_output(options["output"]) as file:
                    documents = sort_for_list(found)
                    for document in documents:
                        file.write(format_json(document).encode() + b"\n")
                count = len(documents)
            else:
                added = [add_puzzle(document) for document in found]
                count = len(added)
                self.stdout.write(f"Found {count} puzzles, of which {sum(added)} are new.")
        if not options["games"] and count < options["count"]:
            self.stderr.write(
                f"These are fewer than {options['count']}: {MAX_FRUITLESS} more games had none of "
                "a grade that is still needed. Another seed or more levels may help."
            )

    def _search(self, options: Mapping[str, Any], bar: Any) -> Iterator[dict[str, Any]]:
        """Yield the documents of all puzzles in the files, or in games of bots."""
        from sheets.puzzles.document import format_puzzle
        from sheets.puzzles.generation import generate
        from sheets.puzzles.search import find_puzzles

        if options["games"]:
            # All files are read first, so that one that cannot be used changes nothing.
            for record in [self._tracked_game(name) for name in options["games"]]:
                for puzzle in find_puzzles(record, options["seed"]):
                    yield format_puzzle(puzzle)
                    bar.update()
            return
        levels = options["level"] or list(shipped_levels())
        for document in generate(levels, options["count"], options["seed"], on_wait=bar.refresh):
            yield document
            bar.update()

    def _tracked_game(self, name: str) -> Record:
        """Return the game of a file, if it can be searched; else end with a message."""
        try:
            record = read_game(read_bytes(name), find_level)
        except (CommandRefused, DocumentError) as error:
            self.refuse(f"{name}: {format_refusal(error)}")
        if not record.is_tracked:
            self.refuse(f"{name}: its dice are not known, they lay on the table")
        if violation := replay_actions(record.start(), record.actions)[2]:
            self.refuse(f"{name}: {explain(violation, record.players)}")
        return record


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdecimal() else 0
    if not 1 <= number <= MAX_COUNT:
        raise ArgumentTypeError(f"a number from 1 to {MAX_COUNT}")
    return number
