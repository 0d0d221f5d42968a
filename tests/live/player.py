"""Commands that play at a table in a separate process: `python -m tests.live.player COMMAND ...`.

open PLAYERS...             open and start a table of level-1 for each number of players, and print
                            their codes
against BOT                 open and start a table of level-1 with hints against a bot, roll and
                            place for the player, print the code, and end
play CODE SEAT COUNT NAME   place a die and take it back, COUNT times, and print the id of each
                            request as soon as it is acknowledged
touch CODE                  change the table, and print its new revision
free CODE SEAT              free a seat
applied CODE                print the number of moves that were not taken back
dump                        print all rows as JSON, except the heartbeat of the health check
"""

from __future__ import annotations

import sys

import django
from django.db import transaction


def token_of(seat: int) -> str:
    """Return the secret of the device at a seat."""
    return f"device-of-seat-{seat}-".ljust(43, "x")


def open_tables(*players: str) -> None:
    for count in players:
        say(open_table(int(count)))


def open_table(count: int) -> str:
    from sheets.levels import find_level
    from sheets.tables import acts, seating
    from sheets.tables.access import find_access

    level = find_level("level-1")
    code = seating.open_table(
        level, "level-1", players=count, dice="table", name="0", token=token_of(0)
    )
    for seat in range(1, count):
        seating.take_seat(find_access(code), seat, str(seat), token_of(seat))
    acts.start(find_access(code, token_of(0)))
    return code


def against(bot: str) -> None:
    from sheets.levels import find_level
    from sheets.rules import Action
    from sheets.tables import acts, event_loader, seating
    from sheets.tables.access import find_access

    level, token = find_level("level-1"), token_of(0)
    code = seating.open_table(
        level,
        "level-1",
        players=2,
        dice="rolled",
        name="0",
        token=token,
        bots=bot,
        has_hints=True,
    )
    acts.start(find_access(code, token))
    for do in ("roll", "place"):
        access = find_access(code, token)
        state = event_loader.load(access).state
        die, at = next(((d, f[0]) for d, f in state.game.legal().items() if f), (0, ""))
        action = Action("place", 0, at, die) if do == "place" else Action("roll", -1)
        acts.act(access, action, moment=state.moment, request=f"{do}-request")
    say(code)


def play_on(code: str, seat: str, count: str, name: str) -> None:
    from sheets.rules import Action
    from sheets.tables import acts, event_loader
    from sheets.tables.access import find_access

    player, token = int(seat), token_of(int(seat))
    for number in range(int(count)):
        access = find_access(code, token)
        state = event_loader.load(access).state
        at = state.game.legal()[player][0]
        request = f"{name}-{player}-{number:04}"
        acts.act(access, Action("place", player, at), moment=state.moment, request=request + "p")
        say(request + "p")
        acts.undo(find_access(code, token), player, request=request + "u")
        say(request + "u")


def touch(code: str) -> None:
    from sheets.tables import event_writer
    from sheets.tables.access import find_access

    with transaction.atomic():
        revision = event_writer.touch(find_access(code).table)
    say(str(revision))


def free(code: str, seat: str) -> None:
    from sheets.tables import seating
    from sheets.tables.access import find_access

    seating.free_seat(find_access(code, token_of(int(seat))), int(seat))


def applied(code: str) -> None:
    from sheets.tables import event_loader
    from sheets.tables.access import find_access

    say(str(len(event_loader.load(find_access(code)).state.applied)))


def dump() -> None:
    from django.core.management import call_command

    call_command("dumpdata", "sheets", exclude=["sheets.heartbeat"])


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


COMMANDS = {
    "open": open_tables,
    "against": against,
    "play": play_on,
    "touch": touch,
    "free": free,
    "applied": applied,
    "dump": dump,
}

if __name__ == "__main__":
    django.setup()
    COMMANDS[sys.argv[1]](*sys.argv[2:])
