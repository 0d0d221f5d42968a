"""Entry point of all commands: `manage.py` in a checkout, `dizzle` in an installation."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command that the arguments name, and print expected errors as one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    from dizzle_site.environment import BadEnvironment, use_demo_folder
    from dizzle_site.shutdown import end_by_exception

    end_by_exception()
    try:
        if sys.argv[1:2] == ["demo"]:  # before the settings are read, which is done once
            use_demo_folder()
        execute_from_command_line(sys.argv)
    except BadEnvironment as problem:
        sys.exit(str(problem))
    except Exception as problem:
        from dizzle_site.database_check import explain

        if (
            isinstance(problem, DatabaseError)
            and "--traceback" not in sys.argv
            and (sentence := explain(problem))
        ):
            sys.exit(sentence)
        raise
