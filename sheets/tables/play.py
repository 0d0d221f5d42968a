"""Use cases of a table: load its log, ask the rules, append."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from sheets.models import Table
from sheets.rules import Action
from sheets.rules.documents.game import parse_action
from sheets.tables.access import NotYours, Refused, Stale, TableAccess, find_access
from sheets.tables.log import TOGETHER, G, Played, holds_without
from sheets.tables.playing import ROLLED, Playing, playing_of, throw_after
from sheets.tables.reading import Loaded
from sheets.tables.writing import NewEntry, append, entry_of, touch

HOST_DECIDES_AFTER: Final = timedelta(minutes=1)
"""How old a proposal is before the host alone may carry it out."""


def start(access: TableAccess) -> None:
    """The host begins the game. Raises NotYours, Refused."""
    if not access.is_host:
        raise NotYours
    if access.free:
        raise Refused("seat-free")
    with transaction.atomic():
        Table.objects.filter(pk=access.table.pk).update(has_started=True)
        touch(access.table)
    settle(access.table.code)


def settle(code: str) -> None:
    """Let happen at a table what happens by itself, now that its seats have changed."""
    append(find_access(code), "", lambda *_: [])


def take_over(access: TableAccess, actions: Iterable[Action]) -> None:
    """The host's table, not begun yet, begins with what was played before, seats taken or not.

    Raises:
        NotYours, Refused, RuleViolation: nothing has changed.
    """
    if not access.is_host:
        raise NotYours
    with transaction.atomic():
        Table.objects.filter(pk=access.table.pk).update(has_started=True)
        touch(access.table)
        new = [entry_of(action, action.player) for action in actions]
        append(find_access(access.table.code)._replace(seats=access.seats), "", lambda *_: new)


def act(access: TableAccess, action: Action, *, moment: str, request: str) -> None:
    """A player does something: one action of the game.

    Args:
        access: the table and the seats held.
        action: what is done; dice in it are thrown anew where the app rolls.
        moment: `LogState.moment` as the player saw it.
        request: the device's id of this request; the same one again does nothing.

    Raises:
        NotYours, Stale, Refused, RuleViolation: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        playing, game = playing_of(access.table), loaded.state.game
        if not playing.may_act(game, action, access):
            raise NotYours
        if loaded.state.moment != moment:
            raise Stale
        thrown = playing.with_dice(access.table, game, action, throw_after(loaded.state.to_come))
        return [entry_of(thrown, playing.actor_of(game, action))]

    append(access, request, decide)


def set_done(access: TableAccess, player: int, is_done: bool, *, moment: str, request: str) -> None:
    """A player of a mirrored pass has finished placing, or has not. Raises NotYours, Stale."""

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if loaded.state.moment != moment or loaded.state.game.phase != "open":
            raise Stale
        return [NewEntry({"do": "done" if is_done else "not_done", "player": player}, player)]

    append(access, request, decide)


def undo(access: TableAccess, player: int, *, request: str) -> None:
    """A player takes their last act of this pass back, with `acts_taken_back` after it.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        playing = playing_of(access.table)
        if last_own_act(access.table, playing, loaded, player) is None:
            raise Refused("nothing-to-undo")
        numbers = acts_taken_back(access, playing, loaded, player)
        is_alone = len(numbers) == 1
        if not numbers or (
            is_alone and not holds_without(loaded.state, loaded.start, loaded.entries, numbers[0])
        ):
            raise Refused("others-acted")
        return [NewEntry({"do": "undo", "player": player, "entry": n}, player) for n in numbers]

    append(access, request, decide)


def acts_taken_back(
    access: TableAccess, playing: Playing[G], loaded: Loaded[G], player: int
) -> tuple[int, ...]:
    """The numbers of the entries that `undo` strikes, the last first; empty for none.

    Where everybody acts for themself it is the player's last act alone. In turns, what bots and
    the other seats of this device did after it goes with it, but nothing that other people did.
    No act is taken back after which the app has rolled dice that stay thrown: whoever has seen
    them would choose anew knowing them. From there only a proposal leads back.
    """
    table, state = access.table, loaded.state
    number = last_own_act(table, playing, loaded, player)
    if number is None:
        return ()
    later = [n for n in reversed(state.applied) if n > number]
    if not later or state.game.phase in TOGETHER:
        return (number,)
    ours = access.seats | {seat.number for seat in access.everybody if seat.bot}
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


def propose(access: TableAccess, player: int, to: int, *, request: str) -> None:
    """A player proposes to go back to before entry ``to``. Raises NotYours, Refused."""

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if to not in loaded.state.applied:
            raise Refused("no-such-entry")
        others = access.seats - {player}
        new = [NewEntry({"do": "propose", "player": player, "to": to}, player)]
        new += [NewEntry({"do": "agree", "player": other}, other) for other in sorted(others)]
        return [*new, *_wind_back_if_agreed(access, to, access.seats)]

    append(access, request, decide)


def answer(access: TableAccess, agrees: bool, *, request: str) -> None:
    """All seats of this device agree to the proposal, or refuse it. Raises NotYours, Refused."""

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        proposal = loaded.state.proposal
        if not access.seats:
            raise NotYours
        if not proposal:
            raise Refused("no-proposal")
        do = "agree" if agrees else "disagree"
        new = [NewEntry({"do": do, "player": player}, player) for player in sorted(access.seats)]
        if not agrees:
            return new[:1]
        return [*new, *_wind_back_if_agreed(access, proposal.to, proposal.agreed | access.seats)]

    append(access, request, decide)


def decide_alone(access: TableAccess, *, request: str) -> None:
    """The host carries out a proposal that is a minute old. Raises NotYours, Refused."""

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        proposal = loaded.state.proposal
        if not access.is_host:
            raise NotYours
        if not proposal:
            raise Refused("no-proposal")
        made = access.table.entries.get(number=proposal.number).made
        if timezone.now() - made < HOST_DECIDES_AFTER:
            raise Refused("too-early")
        return [NewEntry({"do": "wind_back", "to": proposal.to}, access.table.host)]

    append(access, request, decide)


def stand_in(access: TableAccess, player: int, *, request: str) -> None:
    """The host lets a bot take one decision for somebody who is away. Raises NotYours, Refused."""

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if not access.is_host:
            raise NotYours
        playing, game = playing_of(access.table), loaded.state.game
        if player not in playing.deciding(access.table, game):
            raise Refused("nothing-to-decide")
        return [entry_of(playing.stand_in(game, player), access.table.host)]

    append(access, request, decide)


def absent_deciders(access: TableAccess, playing: Playing[G], game: G) -> list[int]:
    """The players the host may let a bot decide for: those who are awaited and have left."""
    return [
        player
        for player in playing.deciding(access.table, game)
        if player not in access.seats and not access.everybody[player].bot
    ]


def _wind_back_if_agreed(
    access: TableAccess, to: int, agreed: frozenset[int]
) -> Iterator[NewEntry]:
    if access.people <= agreed:
        yield NewEntry({"do": "wind_back", "to": to})
