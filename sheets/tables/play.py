"""Use cases of a table: load its log, check the request against the rules, append entries.

Those that the player's page waits for return the table as it is then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from sheets.models import Seat, Table
from sheets.rules import Action, Game, RuleViolation
from sheets.rules.documents.game import format_action, parse_action
from sheets.tables import going_on
from sheets.tables.access import NotYours, Refused, Stale, TableAccess, find_access
from sheets.tables.advice import may_ask
from sheets.tables.corrections import needs_everybody
from sheets.tables.log import (
    SIMULTANEOUS_PHASES,
    G,
    LogState,
    Played,
    Proposal,
    holds_without,
    read_log,
)
from sheets.tables.playing import ROLLED, Playing, bots_at, is_dice2, playing_of, throw_after
from sheets.tables.reading import Loaded
from sheets.tables.seat_order import reorder, starting_with
from sheets.tables.writing import Decide, NewEntry, append, changing, entry_of, touch


def start(access: TableAccess, starter: int | None = None) -> None:
    """Begin the game for the host; ``starter`` is the seat that starts, None for the proposed one.

    Raises NotYours, Refused.
    """
    if not access.is_host:
        raise NotYours
    if access.free:
        raise Refused("seat-free")
    with changing(access.table):
        table = Table.objects.get(pk=access.table.pk)
        if table.has_started:
            return
        if starter is None or not starters(access):
            starter = table.starter
        starter = min(starter, len(access.everybody) - 1)
        if not is_dice2(table) and starter:
            # In Dizzle the first player starts, so the starter's seat becomes the first.
            reorder(table, starting_with(starter, len(access.everybody)))
            starter = 0
        Table.objects.filter(pk=table.pk).update(has_started=True, starter=starter)
    settle(access.table.code)


def starters(access: TableAccess) -> tuple[Seat, ...]:
    """Return the seats of which one can be chosen to start the game; none if there is no choice."""
    is_asked = playing_of(access.table).chooses_starter(access.table)
    return access.everybody if is_asked and len(access.everybody) > 1 else ()


def settle(code: str) -> None:
    """Append what happens automatically at a table after a change of its seats."""
    append(find_access(code), "", lambda *_: [])


def take_over(access: TableAccess, actions: Iterable[Action]) -> None:
    """Begin the host's table with the actions of an earlier game, even if seats are free.

    Raises:
        NotYours, Refused, RuleViolation: nothing has changed.
    """
    if not access.is_host:
        raise NotYours
    with transaction.atomic():
        Table.objects.filter(pk=access.table.pk).update(has_started=True)
        touch(access.table)
        # Rolls belong to no player: their player is -1, and their entries have no seat.
        new = [
            entry_of(action, action.player if action.player >= 0 else None) for action in actions
        ]
        append(find_access(access.table.code)._replace(seats=access.seats), "", lambda *_: new)


def act(access: TableAccess, action: Action, *, moment: str, request: str) -> TableAccess:
    """Append one action of the game for a player.

    Args:
        access: the table and the seats held.
        action: what is done; where the app rolls, it replaces the dice in it.
        moment: `LogState.moment` as the player saw it.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused, RuleViolation: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        playing, game = playing_of(access.table), loaded.state.game
        if not playing.may_act(game, action, access):
            raise NotYours
        if loaded.state.moment != moment:
            _refuse_out_of_turn(game, action)
            raise Stale
        decided_for = frozenset(playing.decided_for(loaded.state, action))
        if not decided_for <= access.seats | going_on.away(access, loaded.state):
            raise Refused("not-left")
        throw = throw_after(loaded.state.to_come(playing.thrower(game)))
        thrown = playing.with_dice(access.table, game, action, throw)
        by = None if decided_for <= access.seats else access.table.host
        return [entry_of(thrown, playing.actor_of(game, action), by)]

    return append(access, request, decide)


def _refuse_out_of_turn(game: Any, action: Action) -> None:
    """Raise the violation of ``not-your-turn`` if a late act of Dizzle breaks that rule now."""
    if not isinstance(game, Game):
        return
    try:
        game.apply(action)
    except RuleViolation as violation:
        if violation.rule == "not-your-turn":
            raise


def act_in_a_row(
    access: TableAccess,
    player: int,
    choose: Callable[[LogState[Any]], Sequence[Action]],
    *,
    moment: str,
    request: str,
) -> None:
    """Append several actions of a player, each of which can be undone alone.

    Args:
        access: the table and the seats held.
        player: the player.
        choose: returns the actions for the current state, one after the other; each must be legal.
        moment: `LogState.moment` as the player saw it.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused, RuleViolation: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if loaded.state.moment != moment:
            raise Stale
        return [entry_of(action, player) for action in choose(loaded.state)]

    append(access, request, decide)


def set_done(
    access: TableAccess,
    player: int,
    is_done: bool,
    *,
    moment: str,
    request: str,
    for_all: bool = False,
) -> TableAccess:
    """Record that a player of a mirrored pass has finished placing, or has not.

    With ``for_all`` the player says so for all others who are still placing; that ends the pass,
    and each of them can undo it for `PASS_END_UNDO_TIME`.

    Raises:
        NotYours, Stale: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if loaded.state.moment != moment or loaded.state.game.phase != "open":
            raise Stale
        if for_all:
            placing = set(playing_of(access.table).awaited(loaded.state)) - {player}
            return [NewEntry({"do": "done", "player": player, "for": sorted(placing)}, player)]
        if is_done == (player in loaded.state.done):
            return []
        return [NewEntry({"do": "done" if is_done else "not_done", "player": player}, player)]

    return append(access, request, decide)


def ask_expert(access: TableAccess, player: int, *, moment: str, request: str) -> TableAccess:
    """Record a player's question for a hint, which is computed in the background (`advice`).

    A question about the current position is not repeated.

    Args:
        access: the table and the seats held.
        player: the player, who must have something to decide.
        moment: `LogState.moment` as the player saw it.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused: nothing has changed.
    """
    if is_dice2(access.table):
        raise Refused("no-advice-in-dice2")

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        state = loaded.state
        if player not in access.seats:
            raise NotYours
        if not access.table.has_advice:
            raise Refused("no-advice")
        if state.game.is_finished:
            raise Refused("game-over")
        if state.moment != moment:
            raise Stale
        if not may_ask(state, player):
            return []
        if player not in playing_of(access.table).deciding(access.table, state.game):
            raise Refused("nothing-to-ask")
        return [NewEntry({"do": "ask", "player": player}, player)]

    return append(access, request, decide)


PASS_END_UNDO_TIME: Final = timedelta(seconds=12)
"""How long a player who ended a pass can undo that, if no other player has acted since."""


def undo(
    access: TableAccess, player: int, *, entry: int | None = None, of: str = "", request: str = ""
) -> TableAccess:
    """Undo a player's last act of this pass, and the `acts_taken_back` after it.

    Args:
        access: the table and the seats held.
        player: the player.
        entry: number of the act as the player saw it, so that two quick taps undo one act; or
        of: request id of the act, if it was still on its way.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        playing = playing_of(access.table)
        last = last_own_act(access.table, playing, loaded, player)
        ended = ended_by(access, playing, loaded, player)
        if ended is not None and entry in (ended, None):
            return _without_end(loaded, player, ended)
        meant = entry
        if of:
            meant = access.table.entries.filter(request=of).values_list("number", flat=True).first()
        if (of or entry) and meant not in loaded.state.applied:
            raise Refused("no-such-entry")
        if last is None:
            raise Refused("nothing-to-undo")
        if meant not in (last, None):
            raise Stale
        numbers = acts_taken_back(access, playing, loaded, player)
        is_alone = len(numbers) == 1
        if not numbers or (
            is_alone and not holds_without(loaded.state, loaded.start, loaded.entries, numbers[0])
        ):
            raise Refused("others-acted")
        return [NewEntry({"do": "undo", "player": player, "entry": n}, player) for n in numbers]

    return append(access, request, decide)


def ended_by(
    access: TableAccess, playing: Playing[G], loaded: Loaded[G], player: int
) -> int | None:
    """Return the number of the entry with which a player has just ended a pass; None for none.

    This includes players who were done because another player said so.

    Everything after it happened automatically, and the app has rolled no dice: no undo once new
    dice have been seen.
    """
    entries, state = loaded.entries, loaded.state
    bots = {seat.number for seat in access.everybody if seat.bot}
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if entry["do"] in ("ask", "advise"):
            continue
        if entry["do"] == "correct":
            return None
        maker = entry.get("by", entry.get("player"))
        if maker not in bots and (maker is not None or entry["do"] != "end_pass"):
            break
        if access.table.dice == ROLLED and playing.stays_thrown(parse_action(entry)):
            return None
    else:
        return None
    is_end = number in state.applied or entry["do"] == "done"
    enders = {maker, *entry.get("for", ())}
    if player not in enders or not is_end or number > playing.undo_reaches_back_to(state):
        return None
    made = access.table.entries.get(number=number).made
    return number if timezone.now() - made < PASS_END_UNDO_TIME else None


def _without_end(loaded: Loaded[G], player: int, number: int) -> list[NewEntry]:
    """Return the entries that undo the end of a pass.

    Of the other players those are done who were done before it.
    """
    before = read_log(loaded.start, loaded.entries[: number - 1])
    struck = [n for n in reversed(loaded.state.applied) if n >= number]
    new: list[dict[str, object]] = [
        {"do": "undo", "player": player, "entry": entry} for entry in struck
    ]
    new[-1]["done"] = sorted(before.done - {player})
    return [NewEntry(entry, player) for entry in new]


def acts_taken_back(
    access: TableAccess, playing: Playing[G], loaded: Loaded[G], player: int
) -> tuple[int, ...]:
    """Return the numbers of the entries that `undo` strikes, last first; empty for none.

    In simultaneous phases it is the player's last act alone. In turns, acts of bots and of the
    other seats of this device after it are undone with it, but no act of other people. No act is
    undone after which the app has rolled dice that stay thrown: a player who has seen them would
    decide with that knowledge. From there only a proposal leads back.
    """
    table, state = access.table, loaded.state
    number = last_own_act(table, playing, loaded, player)
    if number is None:
        return ()
    later = [n for n in reversed(state.applied) if n > number]
    if not later or state.game.phase in SIMULTANEOUS_PHASES:
        return (number,)
    ours = access.seats | {seat.number for seat in access.everybody if seat.bot}
    for action in (parse_action(loaded.entries[n - 1]) for n in later):
        if table.dice == ROLLED and playing.stays_thrown(action):
            return ()
        if playing.is_chosen(action) and playing.actor_of(state.game, action) not in ours:
            return ()
    return (*later, number)


def last_own_act(table: Table, playing: Playing[G], loaded: Loaded[G], player: int) -> int | None:
    """Return the number of a player's last act in this pass.

    None if there is none, or if it is a roll of the app.
    """
    kept = playing.undo_reaches_back_to(loaded.state)
    for number in reversed(loaded.state.applied):
        if number <= kept:
            return None
        action = parse_action(loaded.entries[number - 1])
        if not playing.is_chosen(action):
            continue
        if playing.actor_of(loaded.state.game, action) != player:
            continue
        return None if table.dice == ROLLED and playing.stays_thrown(action) else number
    return None


def keeps_dice(access: TableAccess, playing: Playing[G]) -> bool:
    """Return whether one person plays alone with dice of the app that stay thrown."""
    is_kept = playing.keeps_dice_of_one and access.table.dice == ROLLED
    return is_kept and len(access.people) == 1


def knows_dice_after(
    access: TableAccess, playing: Playing[G], loaded: Loaded[G], number: int
) -> bool:
    """Return whether going back would let a lone player decide again, knowing the app's dice.

    The same dice would come again, and no other player could agree to that.
    """
    if not keeps_dice(access, playing):
        return False
    later = (n for n in loaded.state.applied if n >= number)
    return any(playing.stays_thrown(parse_action(loaded.entries[n - 1])) for n in later)


def propose(access: TableAccess, player: int, to: int, *, request: str) -> TableAccess:
    """Append a player's proposal to go back to before entry ``to``. Raises NotYours, Refused."""

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if to not in loaded.state.applied:
            raise Refused("no-such-entry")
        if knows_dice_after(access, playing_of(access.table), loaded, to):
            raise Refused("dice-seen")
        return _proposal_entries(access, Proposal(0, player, to, access.seats), {"to": to})

    return append(access, request, decide)


def may_go_forward(access: TableAccess, playing: Playing[G], loaded: Loaded[G]) -> int | None:
    """Return the number of the ``wind_back`` that can be undone; None if a player has played on.

    Acts of bots and automatic throws of the app (in Dizzle only the extra dice) since then do not
    count. A roll that a player tapped does.
    """
    state = loaded.state
    if not state.rewinds:
        return None
    rewind = state.rewinds[-1]
    kept = len(rewind.kept)
    if state.applied[:kept] != rewind.kept:
        return None
    bots, game = bots_at(access), rewind.game
    for number in state.applied[kept:]:
        action = parse_action(loaded.entries[number - 1])
        is_of_bot = playing.actor_of(game, action) in bots
        is_of_app = action.do == "extra" and access.table.dice == ROLLED
        if playing.is_chosen(action) and not (is_of_bot or is_of_app):
            return None
        game = game.apply(action)
    return rewind.number


def propose_forward(access: TableAccess, player: int, to: int, *, request: str) -> TableAccess:
    """Append a player's proposal to restore what the ``wind_back`` with the number ``to`` struck.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if may_go_forward(access, playing_of(access.table), loaded) != to:
            raise Refused("played-on")
        asked = Proposal(0, player, to, access.seats, is_forward=True)
        return _proposal_entries(access, asked, {"to": to, "forward": True})

    return append(access, request, decide)


def propose_correction(
    access: TableAccess, player: int, correction: Action, *, moment: str, request: str
) -> TableAccess:
    """Append a player's proposal to correct a sheet of the finished game.

    Args:
        access: the table and the seats held.
        player: the player who proposes it.
        correction: the action ``correct`` with the whole corrected sheet.
        moment: `LogState.moment` as the player saw it.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if not loaded.state.game.is_finished:
            raise Refused("not-over")
        if loaded.state.proposal:
            raise Refused("proposal-waits")
        if loaded.state.moment != moment:
            raise Stale
        loaded.state.game.apply(correction)
        asked = Proposal(0, player, 0, access.seats, correction=correction)
        return _proposal_entries(access, asked, {"correct": format_action(correction)})

    return append(access, request, decide)


def answer(access: TableAccess, agrees: bool, *, proposal: int | None, request: str) -> TableAccess:
    """Append the answer of all seats of this device to the proposal with that number.

    Raises:
        NotYours, Refused: nothing has changed; also if the proposal is not the open one.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if not access.seats:
            raise NotYours
        asked = _proposal_of(loaded, proposal)
        do = "agree" if agrees else "disagree"
        new = [NewEntry({"do": do, "player": player}, player) for player in sorted(access.seats)]
        if not agrees:
            return new[:1]
        agreed = asked._replace(agreed=asked.agreed | access.seats)
        return [*new, *_execution_if_agreed(access, agreed)]

    return append(access, request, decide)


def decide_alone(access: TableAccess, *, proposal: int | None, request: str) -> TableAccess:
    """Carry out a proposal for the host without the answers of players who do not react.

    Raises:
        NotYours, Refused: nothing has changed; also until a countdown for their answers is over.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if not access.is_host:
            raise NotYours
        asked = _proposal_of(loaded, proposal)
        if needs_everybody(loaded.state):
            raise Refused("needs-everybody")
        if not going_on.is_left_to_the_host(access, loaded.state):
            raise Refused("not-left")
        host = access.table.host
        return [NewEntry({**_execution_of(asked), "by": host}, host)]

    return append(access, request, decide)


def _proposal_of(loaded: Loaded[G], number: int | None) -> Proposal:
    """Return the open proposal, which must have this number. Raises Refused."""
    proposal = loaded.state.proposal
    if not proposal:
        raise Refused("no-proposal")
    if proposal.number != number:
        raise Refused("old-proposal")
    return proposal


def hurry(
    access: TableAccess,
    *,
    moment: str = "",
    frees: int | None = None,
    proposal: int | None = None,
    request: str,
) -> TableAccess:
    """Start the host's countdown for all present players who are awaited, or who owe an answer.

    A player counts down for a silent host with `hurry_host`.

    Args:
        access: the table and the seats held.
        moment: `LogState.moment` as the host saw it; or
        frees: the one seat that is to be freed; or
        proposal: number of the proposal that the countdown is about.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if not access.is_host:
            raise NotYours
        about: dict[str, Any] = {}
        if proposal is not None:
            about["proposal"] = _proposal_of(loaded, proposal).number
            if needs_everybody(loaded.state):
                raise Refused("needs-everybody")
            silent = going_on.unanswering(access, loaded.state)
        elif frees is not None:
            about["frees"] = True
            silent = (access.people - access.seats) & {frees}
        elif loaded.state.moment == moment:
            silent = going_on.silent(access, playing_of(access.table), loaded.state)
        else:
            raise Stale
        if not silent:
            raise Refused("nothing-to-decide")
        host = access.table.host
        return [NewEntry({"do": "hurry", "player": host, "for": sorted(silent), **about}, host)]

    return append(access, request, decide)


def hurry_host(access: TableAccess, player: int, *, request: str) -> TableAccess:
    """Start a player's countdown for the host, who has done nothing for `HOST_SILENCE`.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, _loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats or access.is_host:
            raise NotYours
        if going_on.host_quiet_for(access) < going_on.HOST_SILENCE:
            raise Refused("host-there")
        counted = sorted(access.of_host)
        return [NewEntry({"do": "hurry", "player": player, "for": counted, "host": True}, player)]

    return append(access, request, decide, in_lobby=True)


def become_host(access: TableAccess, player: int, *, request: str) -> None:
    """Make a player host: a former host, or in place of a host who has left or does not react.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if not going_on.may_become_host(access, loaded.state, player):
            raise Refused("host-there")
        return _host_changes(access, player, player)

    _change_host(access, decide, player, request)


def hand_on_host(access: TableAccess, number: int, *, request: str = "") -> None:
    """Make another seat the host's. Raises NotYours, Refused."""

    def decide(access: TableAccess, _loaded: Loaded[Played]) -> list[NewEntry]:
        if not access.is_host:
            raise NotYours
        if number not in access.people:
            raise Refused("seat-is-free")
        return _host_changes(access, access.table.host, number)

    _change_host(access, decide, number, request)


def _host_changes(access: TableAccess, player: int, to: int) -> list[NewEntry]:
    """Return the entry with which a player makes a seat the host's; none if it is already."""
    host = access.table.host
    if host == to:
        return []
    return [NewEntry({"do": "host", "player": player, "to": to, "from": host}, player)]


def _change_host(access: TableAccess, decide: Decide, host: int, request: str) -> None:
    """Append the entry and store the new host in one transaction."""
    with transaction.atomic():
        append(access, request, decide, in_lobby=True)
        Table.objects.filter(pk=access.table.pk).update(host=host)


def pause(access: TableAccess, player: int, is_paused: bool, *, request: str = "") -> None:
    """Pause the game until another day for a player, or go on with it.

    No player loses a seat; a player's list of games shows a paused table first.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if loaded.state.game.is_finished:
            raise Refused("nothing-to-pause")
        return [NewEntry({"do": "pause" if is_paused else "resume", "player": player}, player)]

    with transaction.atomic():
        append(access, request, decide)
        Table.objects.filter(pk=access.table.pk).update(is_paused=is_paused)


def say_here(access: TableAccess, *, request: str) -> TableAccess:
    """Record that a player here touched the page, which ends the countdown for them.

    Raises NotYours.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if not access.seats:
            raise NotYours
        countdown = loaded.state.countdown
        counted = access.seats & countdown.players if countdown else ()
        return [NewEntry({"do": "here", "player": one}, one) for one in sorted(counted)]

    return append(access, request, decide, in_lobby=True)


def release(access: TableAccess, number: int, *, bot: str = "") -> None:
    """Record that a player gets up, or that the host frees a seat.

    The host frees the seat of a player who is present only after a countdown.

    Args:
        access: the table and the seats held.
        number: the seat.
        bot: the strength of the bot that plays on there; empty if the seat becomes free.

    Raises:
        Refused: the player has shown that they are present.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        others = access.people - access.seats
        if number in others - going_on.away(access, loaded.state):
            raise Refused("not-gone")
        new = _leaving(access, number, bot)
        asked = loaded.state.proposal
        if not asked or not access.people - {number} <= asked.agreed:
            return [new]
        # All remaining players have agreed.
        return [new, NewEntry(_execution_of(asked))]

    append(access, "", decide)


def _leaving(access: TableAccess, number: int, bot: str) -> NewEntry:
    """Return the entry with which a seat becomes free, or a bot's."""
    host, is_own = access.table.host, number in access.seats
    if bot:
        by = {} if is_own else {"by": host}
        return NewEntry(
            {"do": "bot", "player": number, "bot": bot, **by}, number if is_own else host
        )
    if is_own:
        return NewEntry({"do": "leave", "player": number}, number)
    return NewEntry({"do": "free", "player": host, "for": [number]}, host)


def stand_in(access: TableAccess, player: int, *, moment: str = "", request: str) -> TableAccess:
    """Let a bot take one decision for an absent player; only the host can.

    Args:
        access: the table and the seats held.
        player: the absent player.
        moment: `LogState.moment` as the host saw it, if the page sent it.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused: nothing has changed; also while the player is present.
    """

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        if not access.is_host:
            raise NotYours
        if moment not in ("", loaded.state.moment):
            raise Stale
        playing, game = playing_of(access.table), loaded.state.game
        if player not in playing.deciding(access.table, game):
            raise Refused("nothing-to-decide")
        if player not in going_on.away(access, loaded.state):
            raise Refused("not-left")
        return [entry_of(playing.stand_in(game, player), by=access.table.host)]

    return append(access, request, decide)


def _proposal_entries(
    access: TableAccess, asked: Proposal, what: Mapping[str, Any]
) -> list[NewEntry]:
    """Return the entries of a proposal, to which all seats of the device agree.

    If all players agree with that, the proposal is carried out.
    """
    player = asked.player
    new = [NewEntry({"do": "propose", "player": player, **what}, player)]
    others = sorted(access.seats - {player})
    new += [NewEntry({"do": "agree", "player": other}, other) for other in others]
    return [*new, *_execution_if_agreed(access, asked)]


def _execution_if_agreed(access: TableAccess, asked: Proposal) -> Iterator[NewEntry]:
    """Yield the entry that carries out a proposal if all players agree."""
    if access.people <= asked.agreed:
        yield NewEntry(_execution_of(asked))


def _execution_of(asked: Proposal) -> dict[str, Any]:
    """Return the entry that carries out a proposal."""
    if asked.correction:
        return format_action(asked.correction)
    return {"do": "wind_forward" if asked.is_forward else "wind_back", "to": asked.to}
