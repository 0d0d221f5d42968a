#!/usr/bin/env python
"""The command line of this project: `python manage.py help` lists what it can do."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    from django.core.management import execute_from_command_line

    from dizzle_site.environment import BadEnvironment

    try:
        execute_from_command_line(sys.argv)
    except BadEnvironment as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
