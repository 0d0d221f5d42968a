"""Use cases of seating: open a table, take a seat, move it, free it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from sheets.access import codes
from sheets.access.keys import digest, new_token
from sheets.live import bus
from sheets.models import Seat, Table, WorkshopLevel
from sheets.names.cleaning import NAME_LENGTH, cut_name
from sheets.names.confusables import distinct_name, shown_names
from sheets.rules import Level, format_level
from sheets.rules.dice2.relay import TARGETS
from sheets.tables.access import (
    HostOnly,
    NotYours,
    Refused,
    Stale,
    TableAccess,
    UnknownTable,
    find_access,
    renew,
)
from sheets.tables.acts import hand_over_host, release, settle, start, starters
from sheets.tables.bots import strength_of
from sheets.tables.claims import FREE, UNCLAIMED, WITHOUT_DEVICE, name_at
from sheets.tables.dice_seeds import new_seed
from sheets.tables.event_writer import changing, touch
from sheets.tables.hints import can_have_hints
from sheets.tables.seat_order import reorder
from sheets.tables.table_settings import (
    DICE,
    MIRRORED,
    RELAY,
    ROLLED,
    TYPED,
    is_dice2,
    player_counts,
)

MAX_TABLES_SHOWN: Final = 200
"""Maximum number of tables in a device's list of its games."""


MAX_TABLES_SETTLED: Final = 10
"""Maximum number of games that go on immediately when a device frees all of its seats."""


class SeatTaken(Exception):
    """The seat is held by a player or a bot, or can no longer be taken."""


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
    has_hints: bool = False,
) -> str:
    """Open a table for Dizzle with the host on its first seat; return the code in its address.

    Args:
        level: the level; a copy is stored with the table.
        level_id: its id if it is a shipped one, else empty.
        players: number of seats; one of ``level.player_counts``.
        dice: ``table``, ``typed`` or ``rolled``.
        name: the host's name.
        token: the secret of the host's device.
        bought: the row of the bought sheet, if the level is one.
        bots: strength of the bots on all other seats, with ``rolled`` dice; empty for none.
        has_hints: whether players may ask for hints; not with ``table`` dice.

    Raises:
        ValueError: the level cannot have this number of players, or these dice.
    """
    if players not in level.player_counts or dice not in DICE:
        raise ValueError("no such table")
    what = {
        "level_id": level_id,
        "level": dict(format_level(level)),
        "is_bought": bought is not None,
        "bought_level": bought,
        "dice": dice,
        "has_advice": has_hints and dice != MIRRORED,
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
    """Open a table for Dice² with the host on its first seat; return the code in its address.

    Args:
        game: one of the four, or ``relay``.
        players: number of seats, one of its `player_counts`.
        dice: ``typed`` (real dice) or ``rolled``.
        name: the host's name.
        token: the secret of the host's device.
        target: points to reach in a relay.
        has_handicap: whether a relay is played with a handicap.
        bots: as in `open_table`.

    Raises:
        ValueError: the game cannot have this number of players, these dice or this target.
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
    """Return the host's seat and the others, free or with bots."""
    others = range(1, players)
    if not bots:
        return [Seat(name=name), *(Seat() for _ in others)]
    strength = strength_of(bots)
    return [
        Seat(name=name),
        *(Seat(name=distinct_name(_bot_name(n), [name]), bot=strength) for n in others),
    ]


def _bot_name(number: int) -> str:
    """Return the name of a bot on a seat."""
    return f"Bot {number + 1}"


def _make_table(what: dict[str, Any], seats: Sequence[Seat], token: str, host: int = 0) -> str:
    """Create a table with new codes and return its code; ``what`` are the fields of its game."""
    seed = new_seed() if what["dice"] == ROLLED else ""
    for _ in range(20):
        code = codes.new_address()
        try:
            with transaction.atomic():
                typed = codes.new_typed_code()
                table = Table.objects.create(
                    code=code, typed_code=typed, host=host, dice_seed=seed, **what
                )
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
    """Set the names of the seats of a table that was just opened."""
    for number, name in enumerate(shown_names(names)):
        Seat.objects.filter(table__code=code, number=number).update(name=name)


def take_seat(access: TableAccess, number: int, name: str, token: str) -> None:
    """Give a free seat to a device under a name. Raises SeatTaken."""
    with changing(access.table):
        taken = Seat.objects.filter(
            table=access.table, number=number, token_digest="", bot=""
        ).update(token_digest=digest(token), name=name_at(access.table, number, name), **UNCLAIMED)
        if not taken:
            raise SeatTaken


def rename(access: TableAccess, number: int, name: str) -> None:
    """Change the name of a player, at any time. Raises NotYours."""
    with changing(access.table):
        seat = _held_seat(access, number)
        seat.name = name_at(access.table, seat.number, name)
        seat.save(update_fields=["name"])


def free_seat(access: TableAccess, number: int) -> None:
    """Free a seat on request of its player or the host; a player's name and the sheet stay.

    In a mirrored pass an absent player counts as done, so this may end the pass. If the host gets
    up, another seat becomes the host's.

    Raises:
        NotYours, Refused: nothing has changed; see `acts.release`.
    """
    if not (access.is_host or number in access.seats):
        raise NotYours
    seat = _seat(access, number)
    with transaction.atomic():
        access = _without_host(access, number)
        if access.table.has_started:
            release(access, number)
        with changing(access.table):
            is_bots = seat.bot and not seat.token_digest
            held = {**FREE, "name": seat.left_name} if is_bots else WITHOUT_DEVICE
            Seat.objects.filter(pk=seat.pk).update(**held)
        if access.table.has_started:
            settle(access.table.code)
    bus.revoke(access.table.code, seat.token_digest)


def let_bot_play_on(access: TableAccess, number: int, bot: str) -> None:
    """Let a bot play on for a player who leaves, on request of that player or the host.

    From then on the seat is named after the player and the bot, also in the result, and the game
    counts as the bot's. The player gets the seat back with a claim.

    Raises:
        NotYours, Refused, SeatTaken: nothing has changed; see `acts.release`.
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
            name = name_at(access.table, number, _name_with_bot(str(seat)))
            held = {**FREE, "bot": strength, "left_name": str(seat), "name": name}
            Seat.objects.filter(pk=seat.pk).update(**held)
        settle(access.table.code)
    bus.revoke(access.table.code, seat.token_digest)


def _name_with_bot(name: str) -> str:
    """Return the name of a seat where a bot plays on for a player, the same in every language."""
    and_bot = " → Bot"
    return cut_name(name, NAME_LENGTH - len(and_bot)) + and_bot


def _without_host(access: TableAccess, number: int) -> TableAccess:
    """Make another seat the host's if seat ``number`` is; return the access after that.

    Raises:
        Refused: no other player sits at the table.
    """
    if number != access.table.host:
        return access
    heir = next_host(access)
    if heir is None:
        raise Refused("nobody-else")
    hand_over_host(access, heir)
    return renew(access)


def next_host(access: TableAccess) -> int | None:
    """Return the seat that becomes the host's if the host gets up; None if it is the only player.

    It is another seat of the same device, else the next one in seating order.
    """
    own = _next_seat(access, access.host_seats)
    return _next_seat(access, access.people) if own is None else own


def _next_seat(access: TableAccess, seats: frozenset[int]) -> int | None:
    """Return the first of some seats after the host's, in seating order."""
    host = access.table.host
    return min(seats - {host}, key=lambda seat: (seat < host, seat), default=None)


def free_all_seats(token: str) -> None:
    """Free every seat of a device, including a host's, and void its personal links.

    Names and sheets stay; the next player who takes such a seat plays on with its sheet. A game
    that waited only for these seats goes on immediately if its table is among the
    `MAX_TABLES_SETTLED` most recently used ones, else with the next action.
    """
    seats = Seat.objects.filter(token_digest=digest(token))
    in_use = Table.objects.filter(seats__in=seats, touched__gte=timezone.now() - codes.IN_USE)
    latest = in_use.distinct().order_by("-touched").values_list("code", flat=True)
    for code in list(latest[:MAX_TABLES_SETTLED]):
        with suppress(UnknownTable):
            _leave(find_access(code, token), seats)
        bus.revoke(code, digest(token))
    seats.update(**WITHOUT_DEVICE)


def _leave(access: TableAccess, seats: QuerySet[Seat]) -> None:
    """Free a device's seats at one table; ``seats`` are its seats at all tables.

    If the log of the table does not accept the entries, the seats are freed without entries.
    """
    table = access.table
    here = seats.filter(table=table)
    try:
        with transaction.atomic():
            heir = _next_seat(access, access.people - access.seats)
            if access.is_host and heir is not None:
                hand_over_host(access, heir)
                access = renew(access)
            if table.has_started:
                release(access, *access.seats)
            with changing(table):
                here.update(**WITHOUT_DEVICE)
            if table.has_started:
                settle(table.code)
    except (NotYours, Refused, Stale):
        with changing(table):
            here.update(**WITHOUT_DEVICE)


def seat_bot(access: TableAccess, number: int, bot: str) -> None:
    """Give a free seat to a bot, or change a bot's strength; only the host, and before the game.

    Raises:
        NotYours, SeatTaken, ValueError: nothing has changed.
    """
    if not access.is_host:
        raise HostOnly
    strength = strength_of(bot)
    if access.table.dice != ROLLED:
        raise ValueError("no such bot")
    with changing(access.table):
        if Table.objects.filter(pk=access.table.pk, has_started=True).exists():
            raise SeatTaken
        seats = Seat.objects.filter(table=access.table, number=number, token_digest="")
        if not seats.update(bot=strength, name=name_at(access.table, number, _bot_name(number))):
            raise SeatTaken


def move_in_order(access: TableAccess, number: int, step: int, starter: int | None = None) -> int:
    """Swap a seat with the one before or after it; only the host, and before the game begins.

    Args:
        access: the table and the seats held.
        number: the seat.
        step: -1 for the seat before, 1 for the seat after.
        starter: the seat that the host chose to start, before the swap; None for no choice.

    Returns:
        The new number of the seat.

    Raises:
        NotYours, Refused: nothing has changed.
        ValueError: there is no such seat.
    """
    if not access.is_host:
        raise HostOnly
    order, to = list(range(len(access.all_seats))), number + step
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


def allow_hints(access: TableAccess, allows: bool) -> None:
    """Allow or forbid hints; only the host can, before the game.

    Raises:
        NotYours, Refused: nothing has changed.
    """
    if not access.is_host:
        raise HostOnly
    if is_dice2(access.table):
        raise Refused("no-advice-in-dice2")
    if not can_have_hints(access.table):
        raise Refused("no-advice-without-dice")
    with changing(access.table):
        waiting = Table.objects.filter(pk=access.table.pk, has_started=False)
        if not waiting.update(has_advice=allows):
            raise Refused("begun")


def new_rescue_key(access: TableAccess, number: int) -> str:
    """Return the secret of a new personal link to a seat, and void the previous link.

    Raises NotYours.
    """
    key = new_token()
    with changing(access.table):
        seat = _held_seat(access, number)
        seat.rescue_digest = digest(key)
        seat.save(update_fields=["rescue_digest"])
    return key


def seat_of_link(access: TableAccess, key: str) -> Seat:
    """Return the seat to which a personal link belongs. Raises SeatTaken if the link is void."""
    seat = Seat.objects.filter(table=access.table, rescue_digest=digest(key)).first()
    if seat is None:
        raise SeatTaken
    return seat


def move_seat(code: str, key: str, token: str) -> int:
    """Give a seat to another device by its personal link; return the seat's number.

    The device that held the seat loses it, and the link is void from then on.

    Raises:
        SeatTaken: the link is void.
        UnknownTable: there is no table with that code.
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
    """Return the seat that is proposed to start a rematch: the players take turns."""
    return (access.table.starter + 1) % len(access.all_seats)


def rematch_begins_at_once(access: TableAccess) -> bool:
    """Return whether a rematch begins at once.

    It does if all seats are taken, and no bot has played on for a player who is still away.
    """
    return not any(
        seat.is_free or (seat.left_name and not seat.token_digest) for seat in access.all_seats
    )


def open_rematch(access: TableAccess, starter: int | None = None) -> str:
    """Open a rematch: a new table with the same people on the same seats; return its code.

    Any player may open it, so that a new game does not depend on the host's phone. It is
    idempotent: a table has one rematch. See `rematch_begins_at_once`.

    ``starter`` is the seat that starts the game, None for `next_starter`.

    Raises NotYours.
    """
    if not access.seats:
        raise NotYours
    names = shown_names([seat.left_name or seat.name for seat in access.all_seats])
    seats = [
        Seat(
            name=name if seat.left_name or seat.name else "",
            token_digest=seat.token_digest,
            bot="" if seat.left_name else seat.bot,
        )
        for seat, name in zip(access.all_seats, names, strict=True)
    ]
    with transaction.atomic():
        # The lock makes two taps open one table.
        table = Table.objects.select_for_update().get(pk=access.table.pk)
        if table.next_code:
            return table.next_code
        fields = (
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
        what = {field: getattr(table, field) for field in fields}
        asked = next_starter(access) if starter is None else starter
        what["starter"] = min(asked, len(seats) - 1) if starters(access) else 0
        code = _make_table(what, seats, "", table.host)
        Table.objects.filter(pk=table.pk).update(next_code=code)
        touch(table)
    if rematch_begins_at_once(access):
        start(find_access(code)._replace(seats=frozenset({table.host})))
    return code


def last_name(token: str) -> str:
    """Return the name last used on this device, empty at first."""
    seats = Seat.objects.filter(token_digest=digest(token)) if token else Seat.objects.none()
    last = seats.order_by("pk").last()
    return last.name if last else ""


def tables_of(token: str) -> list[Table]:
    """Return the tables at which a device has a seat, without levels, latest first."""
    if not token:
        return []
    seated = Seat.objects.filter(token_digest=digest(token)).values("table")
    tables = Table.objects.filter(pk__in=seated).defer("level")
    return list(tables.order_by("-touched", "-pk")[:MAX_TABLES_SHOWN])


def _held_seat(access: TableAccess, number: int) -> Seat:
    """Read a seat of the device again; the host may have given it another number meanwhile.

    Must run in a transaction that locks the table. Raises NotYours.
    """
    before = _seat(access, number)
    seat = Seat.objects.filter(pk=before.pk, token_digest=before.token_digest).first()
    if number not in access.seats or seat is None:
        raise NotYours
    return seat


def _seat(access: TableAccess, number: int) -> Seat:
    """Return the seat with a number. Raises NotYours if there is none."""
    for seat in access.all_seats:
        if seat.number == number:
            return seat
    raise NotYours
