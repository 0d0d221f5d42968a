#!/usr/bin/env python
"""The command line of this project: `python manage.py help` lists what it can do."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    from dizzle_site.environment import BadEnvironment
    from dizzle_site.stopping import end_in_order, why_to_end

    end_in_order()
    try:
        execute_from_command_line(sys.argv)
    except BadEnvironment as problem:
        sys.exit(str(problem))
    except Exception as problem:
        if ends := why_to_end(problem):
            raise ends from None
        from dizzle_site.database_check import explain

        is_explained = isinstance(problem, DatabaseError) and "--traceback" not in sys.argv
        if is_explained and (sentence := explain(problem)):
            sys.exit(sentence)
        raise


if __name__ == "__main__":
    main()
