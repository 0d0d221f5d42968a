"""`manage.py makemessages`: Django's command with this project's options as defaults."""

from django.core.management.base import CommandParser
from django.core.management.commands import makemessages


class Command(makemessages.Command):
    # Wrap lines where code does, and leave new texts empty instead of guessing.
    msgmerge_options = [  # noqa: RUF012  # Django declares it like this
        *makemessages.Command.msgmerge_options,
        "--no-fuzzy-matching",
        "--width=100",
    ]
    msgattrib_options = [*makemessages.Command.msgattrib_options, "--width=100"]  # noqa: RUF012

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(
            add_location="file",
            extensions=["html,py"],
            ignore_patterns=["bench", "tests", "training"],
            no_obsolete=True,
        )
