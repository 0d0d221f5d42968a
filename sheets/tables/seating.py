"""Use cases of sitting down: open a table, take a seat, move it, free it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from sheets.access import codes
from sheets.access.keys import digest, new_token
from sheets.live import bus
from sheets.models import Seat, Table, WorkshopLevel
from sheets.people.alike import shown_names, told_apart
from sheets.people.names import NAME_LENGTH, cut_name
from sheets.rules import Level, format_level
from sheets.rules.dice2.relay import TARGETS
from sheets.tables.access import (
    NotYours,
    Refused,
    Stale,
    TableAccess,
    UnknownTable,
    find_access,
    renew,
)
from sheets.tables.advice import is_possible
from sheets.tables.claims import FREE, UNCLAIMED
from sheets.tables.play import hand_on_host, release, settle, start, starters
from sheets.tables.playing import DICE, MIRRORED, RELAY, ROLLED, TYPED, is_dice2, player_counts
from sheets.tables.seat_order import reorder
from sheets.tables.strengths import strength_of
from sheets.tables.writing import changing, touch

MAX_TABLES_SHOWN: Final = 200
"""So many of a device's tables are shown to go back to."""


MAX_TABLES_SETTLED: Final = 10
"""Maximum number of tables whose games go on at once when a device frees all of its seats."""


VOID: Final = {"token_digest": "", "rescue_digest": ""}
"""What is stored of a seat whose device and personal link no longer hold it."""


class SeatTaken(Exception):
    """Somebody sits there, or a bot, or nobody may any more."""


def open_table(
    level: Level,
    level_id: str,
    *,
    players: int,
    dice: str,
    name: str,
    token: str,
    bought: WorkshopLevel | None = None,
    bots: str = "",
    has_advice: bool = False,
) -> str:
    """Start a table, its first seat the host's, and give the code in its address.

    Args:
        level: the level; it is kept as it is now.
        level_id: its id where it is a shipped one, else empty.
        players: how many seats; one of ``level.player_counts``.
        dice: ``table``, ``typed`` or ``rolled``.
        name: the host's name.
        token: the host's device's secret.
        bought: the sheet that somebody bought, where the level is one.
        bots: how strong the bots on all other seats are, with ``rolled`` dice; empty for none.
        has_advice: whether players may ask what an expert would do; not with ``table`` dice.

    Raises:
        ValueError: for a number of players or dice the level cannot have.
    """
    if players not in level.player_counts or dice not in DICE:
        raise ValueError("no such table")
    what = {
        "level_id": level_id,
        "level": dict(format_level(level)),
        "is_bought": bought is not None,
        "bought_level": bought,
        "dice": dice,
        "has_advice": has_advice and dice != MIRRORED,
    }
    return _make_table(what, _first_seats(name, players, bots), token)


def open_dice2_table(
    game: str,
    *,
    players: int,
    dice: str,
    name: str,
    token: str,
    target: int = 0,
    has_handicap: bool = False,
    bots: str = "",
) -> str:
    """Start a table for Dice² and give the code in its address; its first seat is the host's.

    Args:
        game: one of the four, or ``relay``.
        players: how many seats, one of its `player_counts`.
        dice: ``typed`` (real dice) or ``rolled``.
        name: the host's name; ``token`` their device's secret.
        target: the relay's points to reach; ``has_handicap`` whether it is played with that.
        bots: as in `open_table`.

    Raises:
        ValueError: for a number of players, dice or a target the game cannot have.
    """
    if players not in player_counts(game) or dice not in (TYPED, ROLLED):
        raise ValueError("no such table")
    if game == RELAY and target not in TARGETS:
        raise ValueError("no such target")
    is_relay = game == RELAY
    what = {
        "game": game,
        "target": target if is_relay else 0,
        "has_handicap": has_handicap and is_relay,
        "dice": dice,
    }
    return _make_table(what, _first_seats(name, players, bots), token)


def _first_seats(name: str, players: int, bots: str) -> list[Seat]:
    """The host's seat and the others, free or with bots."""
    others = range(1, players)
    if not bots:
        return [Seat(name=name), *(Seat() for _ in others)]
    strength = strength_of(bots)
    return [
        Seat(name=name),
        *(Seat(name=told_apart(_bot_name(n), [name]), bot=strength) for n in others),
    ]


def _bot_name(number: int) -> str:
    return f"Bot {number + 1}"


def _make_table(what: dict[str, Any], seats: Sequence[Seat], token: str, host: int = 0) -> str:
    """A table with new codes; ``what`` are the fields that say what it plays."""
    for _ in range(20):
        code = codes.new_address()
        try:
            with transaction.atomic():
                typed = codes.new_typed_code()
                table = Table.objects.create(code=code, typed_code=typed, host=host, **what)
                for number, seat in enumerate(seats):
                    seat.table, seat.number = table, number
                    if number == host and token:
                        seat.token_digest = digest(token)
                Seat.objects.bulk_create(seats)
        except IntegrityError:
            continue
        return code
    raise RuntimeError("no free code was found")


def name_seats(code: str, names: Sequence[str]) -> None:
    """Give the seats of a table that was just opened their names."""
    for number, name in enumerate(shown_names(names)):
        Seat.objects.filter(table__code=code, number=number).update(name=name)


def take_seat(access: TableAccess, number: int, name: str, token: str) -> None:
    """A device takes a free seat under a name. Raises SeatTaken."""
    with changing(access.table):
        taken = Seat.objects.filter(
            table=access.table, number=number, token_digest="", bot=""
        ).update(token_digest=digest(token), name=_name_at(access.table, number, name), **UNCLAIMED)
        if not taken:
            raise SeatTaken


def rename(access: TableAccess, number: int, name: str) -> None:
    """A player changes their name before the game begins, or any time. Raises NotYours."""
    if number not in access.seats:
        raise NotYours
    with changing(access.table):
        Seat.objects.filter(table=access.table, number=number).update(
            name=_name_at(access.table, number, name)
        )


def free_seat(access: TableAccess, number: int) -> None:
    """The host frees a seat, or somebody gets up; the name and the sheet stay.

    In a mirrored pass a player who has left counts as done, so the pass may end with this. A host
    who gets up hands the host role on.

    Raises:
        NotYours, Refused: nothing has changed; see `play.release`.
    """
    if not (access.is_host or number in access.seats):
        raise NotYours
    seat = _seat(access, number)
    with transaction.atomic():
        access = _without_host(access, number)
        if access.table.has_started:
            release(access, number)
        with changing(access.table):
            Seat.objects.filter(pk=seat.pk).update(**FREE)
        if access.table.has_started:
            settle(access.table.code)
    bus.revoke(access.table.code, seat.token_digest)


def let_bot_play_on(access: TableAccess, number: int, bot: str) -> None:
    """A bot plays on for a player who leaves: the host says so, or the player.

    The seat is called after the player and the bot from then on, in the result as well, and the
    game counts as the bot's. The player gets the seat back with a claim.

    Raises:
        NotYours, Refused, SeatTaken: nothing has changed; see `play.release`.
        ValueError: there is no bot of that strength, or none can play here.
    """
    if not (access.is_host or number in access.seats):
        raise NotYours
    strength, seat = strength_of(bot), _seat(access, number)
    if not access.takes_bots:
        raise ValueError("no bot can play here")
    if seat.bot:
        raise SeatTaken
    if not access.people - {number}:
        raise Refused("nobody-else")
    with transaction.atomic():
        access = _without_host(access, number)
        release(access, number, bot=strength)
        with changing(access.table):
            name = _name_at(access.table, number, _name_with_bot(str(seat)))
            held = {**FREE, "bot": strength, "left_name": str(seat), "name": name}
            Seat.objects.filter(pk=seat.pk).update(**held)
        settle(access.table.code)
    bus.revoke(access.table.code, seat.token_digest)


def _name_with_bot(name: str) -> str:
    """What a seat is called where a bot plays on for a player, in every language."""
    and_bot = " → Bot"
    return cut_name(name, NAME_LENGTH - len(and_bot)) + and_bot


def _without_host(access: TableAccess, number: int) -> TableAccess:
    """The table after a host who leaves that seat has handed the role on. Raises Refused."""
    if number != access.table.host:
        return access
    heir = next_host(access)
    if heir is None:
        raise Refused("nobody-else")
    hand_on_host(access, heir)
    return renew(access)


def next_host(access: TableAccess) -> int | None:
    """The seat that is the host's if the host gets up; None if nobody else sits at the table.

    It is another seat of the same device, else the next one in seating order.
    """
    own = _next_seat(access, access.of_host)
    return _next_seat(access, access.people) if own is None else own


def _next_seat(access: TableAccess, seats: frozenset[int]) -> int | None:
    """The first of some seats after the host's, in seating order."""
    host = access.table.host
    return min(seats - {host}, key=lambda seat: (seat < host, seat), default=None)


def free_all_seats(token: str) -> None:
    """Free every seat of a device, a host's too, and void its personal links.

    Names and sheets stay, and the next player who sits down there has the seat. Of the tables in
    use the games of the latest few go on at once, if they waited for these seats alone; the others
    do with the next action.
    """
    seats = Seat.objects.filter(token_digest=digest(token))
    in_use = Table.objects.filter(seats__in=seats, touched__gte=timezone.now() - codes.IN_USE)
    latest = in_use.distinct().order_by("-touched").values_list("code", flat=True)
    for code in list(latest[:MAX_TABLES_SETTLED]):
        with suppress(UnknownTable):
            _leave(find_access(code, token), seats)
        bus.revoke(code, digest(token))
    seats.update(**VOID)


def _leave(access: TableAccess, seats: QuerySet[Seat]) -> None:
    """Free those of the seats that are at a table; if its log takes no entry, without one."""
    table = access.table
    here = seats.filter(table=table)
    try:
        with transaction.atomic():
            heir = _next_seat(access, access.people - access.seats)
            if access.is_host and heir is not None:
                hand_on_host(access, heir)
                access = renew(access)
            if table.has_started:
                for number in access.seats:
                    release(access, number)
            with changing(table):
                here.update(**VOID)
            if table.has_started:
                settle(table.code)
    except (NotYours, Refused, Stale):
        with changing(table):
            here.update(**VOID)


def seat_bot(access: TableAccess, number: int, bot: str) -> None:
    """The host gives a free seat to a bot before the game, or to one of another strength.

    Raises NotYours, SeatTaken, ValueError.
    """
    if not access.is_host:
        raise NotYours
    strength = strength_of(bot)
    if access.table.dice != ROLLED:
        raise ValueError("no such bot")
    with changing(access.table):
        if Table.objects.filter(pk=access.table.pk, has_started=True).exists():
            raise SeatTaken
        seats = Seat.objects.filter(table=access.table, number=number, token_digest="")
        if not seats.update(bot=strength, name=_name_at(access.table, number, _bot_name(number))):
            raise SeatTaken


def move_in_order(access: TableAccess, number: int, step: int, starter: int | None = None) -> int:
    """The host swaps a seat with the one before or after it, before the game begins.

    Args:
        access: the table and the seats held.
        number: the seat.
        step: -1 for the seat before, 1 for the seat after.
        starter: the seat that the host has chosen to start, before the swap; None for no choice.

    Returns:
        The new number of the seat.

    Raises:
        NotYours, Refused: nothing has changed.
        ValueError: there is no such seat.
    """
    if not access.is_host:
        raise NotYours
    order, to = list(range(len(access.everybody))), number + step
    if not {number, to, starter or 0} <= set(order):
        raise ValueError("no such seat")
    order[number], order[to] = to, number
    with changing(access.table):
        if Table.objects.filter(pk=access.table.pk, has_started=True).exists():
            raise Refused("order-fixed")
        if starter is not None:
            Table.objects.filter(pk=access.table.pk).update(starter=starter)
        reorder(access.table, order)
    return to


def allow_advice(access: TableAccess, allows: bool) -> None:
    """The host says before the game whether players may ask what an expert would do.

    Raises:
        NotYours, Refused: nothing has changed.
    """
    if not access.is_host:
        raise NotYours
    if is_dice2(access.table):
        raise Refused("no-advice-in-dice2")
    if not is_possible(access.table):
        raise Refused("no-advice-without-dice")
    with changing(access.table):
        waiting = Table.objects.filter(pk=access.table.pk, has_started=False)
        if not waiting.update(has_advice=allows):
            raise Refused("begun")


def new_rescue_key(access: TableAccess, number: int) -> str:
    """The secret of a personal link to a seat; the link before it is void. Raises NotYours."""
    if number not in access.seats:
        raise NotYours
    key = new_token()
    Seat.objects.filter(table=access.table, number=number).update(rescue_digest=digest(key))
    return key


def seat_of_link(access: TableAccess, key: str) -> Seat:
    """The seat that a personal link moves. Raises SeatTaken when the link is void."""
    seat = Seat.objects.filter(table=access.table, rescue_digest=digest(key)).first()
    if seat is None:
        raise SeatTaken
    return seat


def move_seat(code: str, key: str, token: str) -> int:
    """Another device takes a seat over by its personal link; gives the seat's number.

    The device that had it loses it, and the link is void from then on.

    Raises:
        SeatTaken: when the link is void.
        UnknownTable: when there is no table with that code.
    """
    access = find_access(code)
    with changing(access.table):
        seat = seat_of_link(access, key)
        held = {"token_digest": digest(token), "rescue_digest": "", **UNCLAIMED}
        Seat.objects.filter(pk=seat.pk).update(**held)
    if seat.token_digest != digest(token):
        bus.revoke(access.table.code, seat.token_digest)
    return seat.number


def next_starter(access: TableAccess) -> int:
    """The seat that is proposed to start when the same people play again: they take turns."""
    return (access.table.starter + 1) % len(access.everybody)


def begins_again_at_once(access: TableAccess) -> bool:
    """Whether a rematch begins at once: each seat is taken, and no player has left for good."""
    return not any(seat.is_free or seat.left_name for seat in access.everybody)


def again(access: TableAccess, starter: int | None = None) -> str:
    """A new table with the same people, each on their seat; gives its code. Raises NotYours.

    Any player may open it, so that a new game does not depend on the host's phone.

    ``starter`` is the seat that starts the game, None for `next_starter`. See
    `begins_again_at_once`.
    """
    if not access.seats:
        raise NotYours
    seats = [
        Seat(
            name=seat.left_name or seat.name,
            token_digest=seat.token_digest,
            bot="" if seat.left_name else seat.bot,
        )
        for seat in access.everybody
    ]
    with transaction.atomic():
        # Locked, so that two taps make one table.
        table = Table.objects.select_for_update().get(pk=access.table.pk)
        if table.next_code:
            return table.next_code
        names = (
            "level_id",
            "level",
            "is_bought",
            "bought_level_id",
            "game",
            "target",
            "has_handicap",
            "dice",
            "has_advice",
        )
        what = {name: getattr(table, name) for name in names}
        asked = next_starter(access) if starter is None else starter
        what["starter"] = min(asked, len(seats) - 1) if starters(access) else 0
        code = _make_table(what, seats, "", table.host)
        Table.objects.filter(pk=table.pk).update(next_code=code)
        touch(table)
    if begins_again_at_once(access):
        start(find_access(code)._replace(seats=frozenset({table.host})))
    return code


def last_name(token: str) -> str:
    """What somebody called themself on this device the last time, empty at first."""
    seats = Seat.objects.filter(token_digest=digest(token)) if token else Seat.objects.none()
    last = seats.order_by("pk").last()
    return last.name if last else ""


def tables_of(token: str) -> list[Table]:
    """The tables at which the device of a token has a seat, without levels, the last one first."""
    if not token:
        return []
    seated = Seat.objects.filter(token_digest=digest(token)).values("table")
    tables = Table.objects.filter(pk__in=seated).defer("level")
    return list(tables.order_by("-touched", "-pk")[:MAX_TABLES_SHOWN])


def prune(before: datetime) -> int:
    """Delete the tables at which nobody has done anything since; gives their number."""
    return Table.objects.filter(touched__lt=before).delete()[1].get("sheets.Table", 0)


def _name_at(table: Table, number: int, name: str) -> str:
    """What somebody is called on a seat: their name, told apart from all others at the table.

    Before the game begins a free seat is nobody's, whatever name was left there. Must run while
    nobody else changes the table's seats.
    """
    others = Seat.objects.filter(table=table).exclude(number=number)
    if not Table.objects.filter(pk=table.pk, has_started=True).exists():
        others = others.exclude(token_digest="", bot="")
    return told_apart(name, others.values_list("name", flat=True))


def _seat(access: TableAccess, number: int) -> Seat:
    for seat in access.everybody:
        if seat.number == number:
            return seat
    raise NotYours
