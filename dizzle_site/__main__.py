"""`python -m dizzle_site`: the commands of `manage.py`, also in an installation."""

from dizzle_site.command_line import main

if __name__ == "__main__":
    main()
