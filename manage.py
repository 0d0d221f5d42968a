#!/usr/bin/env python
"""The command line of this project: `python manage.py help` lists what it can do."""

from dizzle_site.command_line import main

if __name__ == "__main__":
    main()
