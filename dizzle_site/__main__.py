"""`python -m dizzle_site`: the command line, wherever the program lies."""

from .command_line import main

if __name__ == "__main__":
    main()
