"""Use cases of a table: load its log, ask the rules, append."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from sheets.models import Table
from sheets.rules import Action
from sheets.rules.record import parse_action
from sheets.tables.doors import Door, NotYours, Refused, Stale, open_door
from sheets.tables.log import TOGETHER, G, Played, holds_without
from sheets.tables.playing import ROLLED, Hands, Playing, playing_of, throw_after
from sheets.tables.reading import Loaded
from sheets.tables.writing import NewEntry, append, entry_of, touch

HOST_DECIDES_AFTER: Final = timedelta(minutes=1)
"""How old a proposal is before the host alone may carry it out."""


def start(door: Door) -> None:
    """The host begins the game. Raises NotYours, Refused."""
    if not door.is_host:
        raise NotYours
    if any(not (seat.token_digest or seat.bot) for seat in door.everybody):
        raise Refused("seat-free")
    with transaction.atomic():
        Table.objects.filter(pk=door.table.pk).update(has_started=True)
        touch(door.table)
    settle(door.table.code)


def settle(code: str) -> None:
    """Let happen at a table what happens by itself, now that its seats have changed."""
    append(open_door(code), "", lambda _door, _loaded: [])


def take_over(door: Door, actions: Iterable[Action]) -> None:
    """The host's table, not begun yet, begins with what was played before, seats taken or not.

    Raises:
        NotYours, Refused, RuleViolation: nothing has changed.
    """
    if not door.is_host:
        raise NotYours
    with transaction.atomic():
        Table.objects.filter(pk=door.table.pk).update(has_started=True)
        touch(door.table)
        new = [entry_of(action, action.player) for action in actions]
        append(open_door(door.table.code)._replace(seats=door.seats), "", lambda *_: new)


def act(door: Door, action: Action, *, moment: str, request: str) -> None:
    """A player does something: one action of the game.

    Args:
        door: the table and the seats held.
        action: what is done; dice in it are thrown anew where the app rolls.
        moment: `LogState.moment` as the player saw it.
        request: the device's id of this request; the same one again does nothing.

    Raises:
        NotYours, Stale, Refused, RuleViolation: nothing has changed.
    """

    def decide(door: Door, loaded: Loaded[Played]) -> list[NewEntry]:
        playing, game = playing_of(door.table), loaded.state.game
        if not playing.may_act(game, action, _hands_of(door)):
            raise NotYours
        if loaded.state.moment != moment:
            raise Stale
        thrown = playing.with_dice(door.table, game, action, throw_after(loaded.state.to_come))
        return [entry_of(thrown, playing.actor_of(game, action))]

    append(door, request, decide)


def set_done(door: Door, player: int, is_done: bool, *, moment: str, request: str) -> None:
    """A player of a mirrored pass has finished placing, or has not. Raises NotYours, Stale."""

    def decide(door: Door, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in door.seats:
            raise NotYours
        if loaded.state.moment != moment or loaded.state.game.phase != "open":
            raise Stale
        return [NewEntry({"do": "done" if is_done else "not_done", "player": player}, player)]

    append(door, request, decide)


def undo(door: Door, player: int, *, request: str) -> None:
    """A player takes their last act of this pass back, with `acts_taken_back` after it.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(door: Door, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in door.seats:
            raise NotYours
        playing = playing_of(door.table)
        if last_own_act(door.table, playing, loaded, player) is None:
            raise Refused("nothing-to-undo")
        numbers = acts_taken_back(door, playing, loaded, player)
        is_alone = len(numbers) == 1
        if not numbers or (
            is_alone and not holds_without(loaded.state, loaded.start, loaded.entries, numbers[0])
        ):
            raise Refused("others-acted")
        return [NewEntry({"do": "undo", "player": player, "entry": n}, player) for n in numbers]

    append(door, request, decide)


def acts_taken_back(
    door: Door, playing: Playing[G], loaded: Loaded[G], player: int
) -> tuple[int, ...]:
    """The numbers of the entries that `undo` strikes, the last first; empty for none.

    Where everybody acts for themself it is the player's last act alone. In turns, what bots and
    the other seats of this device did after it goes with it, but nothing that other people did.
    No act is taken back after which the app has rolled dice that stay thrown: whoever has seen
    them would choose anew knowing them. From there only a proposal leads back.
    """
    table, state = door.table, loaded.state
    number = last_own_act(table, playing, loaded, player)
    if number is None:
        return ()
    later = [n for n in reversed(state.applied) if n > number]
    if not later or state.game.phase in TOGETHER:
        return (number,)
    ours = door.seats | {seat.number for seat in door.everybody if seat.bot}
    for action in (parse_action(loaded.entries[n - 1]) for n in later):
        if table.dice == ROLLED and playing.stays_thrown(action):
            return ()
        if action.do != "throw" and playing.actor_of(state.game, action) not in ours:
            return ()
    return (*later, number)


def last_own_act(table: Table, playing: Playing[G], loaded: Loaded[G], player: int) -> int | None:
    """The number of a player's last act in this pass, None for none or dice the app rolled."""
    kept = playing.undo_reaches_back_to(loaded.state)
    for number in reversed(loaded.state.applied):
        if number <= kept:
            return None
        action = parse_action(loaded.entries[number - 1])
        if action.do == "throw" or playing.actor_of(loaded.state.game, action) != player:
            continue
        return None if table.dice == ROLLED and playing.stays_thrown(action) else number
    return None


def propose(door: Door, player: int, to: int, *, request: str) -> None:
    """A player proposes to go back to before entry ``to``. Raises NotYours, Refused."""

    def decide(door: Door, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in door.seats:
            raise NotYours
        if to not in loaded.state.applied:
            raise Refused("no-such-entry")
        others = door.seats - {player}
        new = [NewEntry({"do": "propose", "player": player, "to": to}, player)]
        new += [NewEntry({"do": "agree", "player": other}, other) for other in sorted(others)]
        return [*new, *_wind_back_if_agreed(door, to, door.seats)]

    append(door, request, decide)


def answer(door: Door, agrees: bool, *, request: str) -> None:
    """All seats of this device agree to the proposal, or refuse it. Raises NotYours, Refused."""

    def decide(door: Door, loaded: Loaded[Played]) -> list[NewEntry]:
        proposal = loaded.state.proposal
        if not door.seats:
            raise NotYours
        if not proposal:
            raise Refused("no-proposal")
        do = "agree" if agrees else "disagree"
        new = [NewEntry({"do": do, "player": player}, player) for player in sorted(door.seats)]
        if not agrees:
            return new[:1]
        return [*new, *_wind_back_if_agreed(door, proposal.to, proposal.agreed | door.seats)]

    append(door, request, decide)


def decide_alone(door: Door, *, request: str) -> None:
    """The host carries out a proposal that is a minute old. Raises NotYours, Refused."""

    def decide(door: Door, loaded: Loaded[Played]) -> list[NewEntry]:
        proposal = loaded.state.proposal
        if not door.is_host:
            raise NotYours
        if not proposal:
            raise Refused("no-proposal")
        made = door.table.entries.get(number=proposal.number).made
        if timezone.now() - made < HOST_DECIDES_AFTER:
            raise Refused("too-early")
        return [NewEntry({"do": "wind_back", "to": proposal.to}, door.table.host)]

    append(door, request, decide)


def stand_in(door: Door, player: int, *, request: str) -> None:
    """The host lets a bot take one decision for somebody who is away. Raises NotYours, Refused."""

    def decide(door: Door, loaded: Loaded[Played]) -> list[NewEntry]:
        if not door.is_host:
            raise NotYours
        playing, game = playing_of(door.table), loaded.state.game
        if player not in playing.deciding(door.table, game):
            raise Refused("nothing-to-decide")
        return [entry_of(playing.stand_in(game, player), door.table.host)]

    append(door, request, decide)


def absent_deciders(door: Door, playing: Playing[G], game: G) -> list[int]:
    """The players the host may let a bot decide for: those who are awaited and have left."""
    return [
        player
        for player in playing.deciding(door.table, game)
        if player not in door.seats and not door.everybody[player].bot
    ]


def _hands_of(door: Door) -> Hands:
    return Hands(door.seats, door.is_host, door.left)


def _wind_back_if_agreed(door: Door, to: int, agreed: frozenset[int]) -> Iterator[NewEntry]:
    if door.people <= agreed:
        yield NewEntry({"do": "wind_back", "to": to})
