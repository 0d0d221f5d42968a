#!/usr/bin/env python
"""Command line of this project; `python manage.py help` lists the commands."""

from dizzle_site.command_line import main

if __name__ == "__main__":
    main()
