"""Use cases of a table: load its log, check the request against the rules, append entries.

If a player's page waits for the result, the use case returns the table after the change.
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
from sheets.tables import countdowns
from sheets.tables.access import HostOnly, NotYours, Refused, Stale, TableAccess, find_access, renew
from sheets.tables.bots import bots_at
from sheets.tables.corrections import needs_all_players
from sheets.tables.dice_seeds import fix_contributions
from sheets.tables.event_log import (
    SIMULTANEOUS_PHASES,
    G,
    GameState,
    Loaded,
    LogState,
    Proposal,
    holds_without,
    read_log,
)
from sheets.tables.event_writer import Decide, NewEntry, append, changing, entry_of, touch
from sheets.tables.family import family_of
from sheets.tables.hints import may_request
from sheets.tables.seat_order import reorder, starting_with
from sheets.tables.table_settings import ROLLED, is_dice2


def start(access: TableAccess, starter: int | None = None) -> None:
    """Begin the game on the host's request, unless it has begun already.

    ``starter`` is the seat that starts; None for the proposed one (`Table.starter`), which also
    starts if the players have no choice (`starters`).

    Raises NotYours, Refused.
    """
    with changing(access.table):
        access = renew(access)
        table = access.table
        if not access.is_host:
            raise HostOnly
        if table.has_started:
            return
        if access.free:
            raise Refused("seat-free")
        if starter is None or not starters(access):
            starter = table.starter
        starter = min(starter, len(access.all_seats) - 1)
        if not is_dice2(table) and starter:
            # In Dizzle the first player starts, so the starter's seat becomes the first.
            reorder(table, starting_with(starter, len(access.all_seats)))
            starter = 0
        table.starter = starter
        Table.objects.filter(pk=table.pk).update(has_started=True, starter=starter)
        fix_contributions(table)
    settle(access.table.code)


def starters(access: TableAccess) -> tuple[Seat, ...]:
    """Return the seats from which the host can choose the starter; empty if there is no choice."""
    is_asked = family_of(access.table).chooses_starter(access.table)
    return access.all_seats if is_asked and len(access.all_seats) > 1 else ()


def settle(code: str) -> None:
    """Append the automatic actions that follow a change of a table's seats, such as a pass end."""
    append(find_access(code), "", lambda *_: [])


def take_over(access: TableAccess, actions: Iterable[Action]) -> None:
    """Begin a host's table with the actions of an earlier game, even if seats are free.

    This continues a game from a file, or opens a table in the middle of a game. Such a table has no
    seed: the dice thrown so far are not those of a seed.

    Raises:
        NotYours, Refused, RuleViolation: nothing has changed.
    """
    if not access.is_host:
        raise HostOnly
    with transaction.atomic():
        Table.objects.filter(pk=access.table.pk).update(has_started=True, dice_seed="")
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
        action: the action; if the app rolls at this table, its own dice replace those in it.
        moment: `LogState.moment` as the player saw it.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused, RuleViolation: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        family, game = family_of(access.table), loaded.state.game
        if not family.may_act(game, action, access):
            raise NotYours
        if loaded.state.moment != moment:
            _refuse_out_of_turn(game, action)
            raise Stale
        decided_for = frozenset(family.decided_for(loaded.state, action))
        if not decided_for <= access.seats | countdowns.away(access, loaded.state):
            raise Refused("not-left")
        throw = family.throws(access.table, loaded.state)
        thrown = family.with_dice(access.table, game, action, throw)
        by = None if decided_for <= access.seats else access.table.host
        return [entry_of(thrown, family.actor_of(game, action), by)]

    return append(access, request, decide)


def _refuse_out_of_turn(game: Any, action: Action) -> None:
    """Raise RuleViolation if it is another player's turn now; only in Dizzle.

    The page that sent the action was outdated. This refusal explains more than `Stale`.
    """
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
    """Append several actions of a player, as separate acts that can be undone one by one.

    Args:
        access: the table and the seats held.
        player: the player.
        choose: returns the actions for the current state, in order; each must be legal.
        moment: `LogState.moment` as the player saw it.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused, RuleViolation: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
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
    """Record whether a player of a mirrored pass has finished placing.

    With ``for_all`` all other players who are still placing are recorded as done, too. That ends
    the pass; the player and each of these others can undo it within `PASS_END_UNDO_TIME`.

    Raises:
        NotYours, Stale: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if loaded.state.moment != moment or loaded.state.game.phase != "open":
            raise Stale
        if for_all:
            placing = set(family_of(access.table).awaited(loaded.state)) - {player}
            return [NewEntry({"do": "done", "player": player, "for": sorted(placing)}, player)]
        if is_done == (player in loaded.state.done):
            return []
        return [NewEntry({"do": "done" if is_done else "not_done", "player": player}, player)]

    return append(access, request, decide)


def ask_hint(access: TableAccess, player: int, *, moment: str, request: str) -> TableAccess:
    """Record a player's request for a hint, which is computed in the background (`hints`).

    Nothing is recorded if the player has a request about the current position that did not fail.

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

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        state = loaded.state
        if player not in access.seats:
            raise NotYours
        if not access.table.has_advice:
            raise Refused("no-advice")
        if state.game.is_finished:
            raise Refused("game-over")
        if state.moment != moment:
            raise Stale
        if not may_request(state, player):
            return []
        if player not in family_of(access.table).deciding_players(state.game):
            raise Refused("nothing-to-ask")
        return [NewEntry({"do": "ask", "player": player}, player)]

    return append(access, request, decide)


PASS_END_UNDO_TIME: Final = timedelta(seconds=12)
"""How long a player can undo the end of a pass, if no other player has acted since."""


def undo(
    access: TableAccess, player: int, *, entry: int | None = None, of: str = "", request: str = ""
) -> TableAccess:
    """Undo a player's last act of this pass, or the end of the previous pass.

    Acts of bots and of the device's other seats after that act are undone with it
    (`acts_taken_back`). `ended_by` says whether the player can undo the end of a pass.

    Args:
        access: the table and the seats held.
        player: the player.
        entry: number of the entry that the player saw as the last act, so that two quick taps undo
            only one act; or
        of: request id of the act, if the server had not confirmed it when the player tapped.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        meant = entry
        if of:
            meant = access.table.entries.filter(request=of).values_list("number", flat=True).first()
            if meant is None:  # the act was refused
                raise Refused("no-such-entry")
        last = last_own_act(access.table, loaded, player)
        ended = ended_by(access, loaded, player)
        if ended is not None and meant in (ended, None):
            return _without_end(loaded, player, ended)
        if meant and meant not in loaded.state.applied:
            raise Refused("no-such-entry")
        if last is None:
            raise Refused("nothing-to-undo")
        if meant not in (last, None):
            raise Stale
        numbers = acts_taken_back(access, loaded, player)
        is_alone = len(numbers) == 1
        if not numbers or (
            is_alone and not holds_without(loaded.state, loaded.start, loaded.entries, numbers[0])
        ):
            raise Refused("others-acted")
        return [NewEntry({"do": "undo", "player": player, "entry": n}, player) for n in numbers]

    return append(access, request, decide)


def ended_by(access: TableAccess, loaded: Loaded[G], player: int) -> int | None:
    """Return the number of the entry that just ended a pass, if the player can undo it, else None.

    The player ended the pass, or was recorded as done by the player who ended it. Since then at
    most `PASS_END_UNDO_TIME` has passed, only bots have acted, and the app has rolled no dice: no
    undo once new dice have been seen.
    """
    family, entries, state = family_of(access.table), loaded.entries, loaded.state
    bots = {seat.number for seat in access.all_seats if seat.bot}
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if entry["do"] in ("ask", "advise"):
            continue
        if entry["do"] == "correct":
            return None
        maker = entry.get("by", entry.get("player"))
        if maker not in bots and (maker is not None or entry["do"] != "end_pass"):
            break
        if access.table.dice == ROLLED and family.is_throw(parse_action(entry)):
            return None
    else:
        return None
    is_end = number in state.applied or entry["do"] == "done"
    enders = {maker, *entry.get("for", ())}
    if player not in enders or not is_end or number > family.undo_limit(state):
        return None
    made = access.table.entries.get(number=number).made
    return number if timezone.now() - made < PASS_END_UNDO_TIME else None


def _without_end(loaded: Loaded[G], player: int, number: int) -> list[NewEntry]:
    """Return the entries that undo the end of a pass by the entry ``number``.

    The other players who were done before that entry are done again.
    """
    before = read_log(loaded.start, loaded.entries[: number - 1])
    struck = [n for n in reversed(loaded.state.applied) if n >= number]
    new: list[dict[str, object]] = [
        {"do": "undo", "player": player, "entry": entry} for entry in struck
    ]
    new[-1]["done"] = sorted(before.done - {player})
    return [NewEntry(entry, player) for entry in new]


def acts_taken_back(access: TableAccess, loaded: Loaded[G], player: int) -> tuple[int, ...]:
    """Return the numbers of the entries that `undo` strikes, last first; empty for none.

    In simultaneous phases this is only the player's last act. If players take turns, all later
    acts of bots and of this device's other seats are undone with it. Empty if another person has
    acted since, or if the app has rolled dice since: the player would decide again, knowing these
    dice. Then only a proposal leads back.
    """
    table, state, family = access.table, loaded.state, family_of(access.table)
    number = last_own_act(table, loaded, player)
    if number is None:
        return ()
    later = [n for n in reversed(state.applied) if n > number]
    if not later or state.game.phase in SIMULTANEOUS_PHASES:
        return (number,)
    ours = access.seats | {seat.number for seat in access.all_seats if seat.bot}
    for action in (parse_action(loaded.entries[n - 1]) for n in later):
        if table.dice == ROLLED and family.is_throw(action):
            return ()
        if family.is_chosen(action) and family.actor_of(state.game, action) not in ours:
            return ()
    return (*later, number)


def last_own_act(table: Table, loaded: Loaded[G], player: int) -> int | None:
    """Return the number of the entry of a player's last act in this pass.

    None if there is none, or if it is a roll of the app.
    """
    family = family_of(table)
    kept = family.undo_limit(loaded.state)
    for number in reversed(loaded.state.applied):
        if number <= kept:
            return None
        action = parse_action(loaded.entries[number - 1])
        if not family.is_chosen(action):
            continue
        if family.actor_of(loaded.state.game, action) != player:
            continue
        return None if table.dice == ROLLED and family.is_throw(action) else number
    return None


def keeps_dice(access: TableAccess) -> bool:
    """Return whether a lone player uses the app's dice and may not go back before a roll."""
    is_kept = family_of(access.table).keeps_dice_of_one and access.table.dice == ROLLED
    return is_kept and len(access.people) == 1


def knows_dice_after(access: TableAccess, loaded: Loaded[G], number: int) -> bool:
    """Return whether a lone player who goes back to before an entry would know the next dice.

    The app would roll the same dice again, and there is no other player who could object.
    """
    if not keeps_dice(access):
        return False
    family = family_of(access.table)
    later = (n for n in loaded.state.applied if n >= number)
    return any(family.is_throw(parse_action(loaded.entries[n - 1])) for n in later)


def propose(access: TableAccess, player: int, to: int, *, request: str) -> TableAccess:
    """Append a player's proposal to go back to before entry ``to``. Raises NotYours, Refused."""

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if to not in loaded.state.applied:
            raise Refused("no-such-entry")
        if knows_dice_after(access, loaded, to):
            raise Refused("dice-seen")
        _refuse_during_correction(loaded)
        return _proposal_entries(access, Proposal(0, player, to, access.seats), {"to": to})

    return append(access, request, decide)


def _refuse_during_correction(loaded: Loaded[G]) -> None:
    """Raise Refused if a correction waits for answers; a proposal to go back would replace it."""
    if loaded.state.proposal and loaded.state.proposal.correction:
        raise Refused("proposal-waits")


def is_chosen(table: Table, action: Action) -> bool:
    """Return whether a player chose the action; the app itself rolls the extra dice of Dizzle."""
    is_of_app = action.do == "extra" and table.dice == ROLLED
    return family_of(table).is_chosen(action) and not is_of_app


def may_go_forward(access: TableAccess, loaded: Loaded[G]) -> int | None:
    """Return the number of the last ``wind_back`` if it can still be undone, else None.

    It cannot be undone once a player has played on. Acts of bots and automatic rolls of the app (in
    Dizzle only the extra dice) do not count as playing on; a roll that a player tapped does.
    """
    state = loaded.state
    if not state.rewinds:
        return None
    rewind = state.rewinds[-1]
    kept = len(rewind.kept)
    if state.applied[:kept] != rewind.kept:
        return None
    family, bots, game = family_of(access.table), bots_at(access), rewind.game
    for number in state.applied[kept:]:
        action = parse_action(loaded.entries[number - 1])
        is_of_bot = family.actor_of(game, action) in bots
        if is_chosen(access.table, action) and not is_of_bot:
            return None
        game = game.apply(action)
    return rewind.number


def propose_forward(access: TableAccess, player: int, to: int, *, request: str) -> TableAccess:
    """Append a player's proposal to restore what the ``wind_back`` with the number ``to`` struck.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if may_go_forward(access, loaded) != to:
            raise Refused("played-on")
        _refuse_during_correction(loaded)
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

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
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
    """Append the answer of all seats of this device to the proposal with the number ``proposal``.

    The proposal is carried out if all players have agreed; one refusal ends it.

    Raises:
        NotYours, Refused: nothing has changed; also if the proposal is not the open one.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
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
    """Carry out a proposal on the host's request, without the answers of silent players.

    Raises:
        NotYours, Refused: nothing has changed. Refused also if no countdown for the answers is
            over, or if it is a correction to which all players must agree.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if not access.is_host:
            raise HostOnly
        asked = _proposal_of(loaded, proposal)
        if needs_all_players(loaded.state):
            raise Refused("needs-everybody")
        if not countdowns.is_left_to_the_host(access, loaded.state):
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


def start_countdown(
    access: TableAccess,
    *,
    moment: str = "",
    frees: int | None = None,
    proposal: int | None = None,
    request: str,
) -> TableAccess:
    """Start the host's countdown for players who do not react.

    After it, the host may act for them, free a seat, or carry out a proposal that they have not
    answered. Another player starts a countdown for a silent host with `start_host_countdown`.

    Args:
        access: the table and the seats held.
        moment: `LogState.moment` as the host saw it, to act for awaited players; or
        frees: the one seat that is to be freed; or
        proposal: number of the proposal that players have to answer.
        request: idempotency key: the device's id of this request; a repeated one does nothing.

    Raises:
        NotYours, Stale, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if not access.is_host:
            raise HostOnly
        about: dict[str, Any] = {}
        if proposal is not None:
            about["proposal"] = _proposal_of(loaded, proposal).number
            if needs_all_players(loaded.state):
                raise Refused("needs-everybody")
            silent = countdowns.unanswering(access, loaded.state)
        elif frees is not None:
            about["frees"] = True
            silent = (access.people - access.seats) & {frees}
        elif loaded.state.moment == moment:
            silent = countdowns.silent(access, loaded.state)
        else:
            raise Stale
        if frees is not None and frees not in access.people:
            raise Refused("seat-is-free")
        if not silent:
            raise Refused("nothing-to-decide")
        host = access.table.host
        return [NewEntry({"do": "hurry", "player": host, "for": sorted(silent), **about}, host)]

    return append(access, request, decide)


def start_host_countdown(access: TableAccess, player: int, *, request: str) -> TableAccess:
    """Start a player's countdown for the host, who has done nothing for `HOST_SILENCE`.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, _loaded: Loaded[GameState]) -> list[NewEntry]:
        if player not in access.seats or access.is_host:
            raise NotYours
        if countdowns.host_quiet_for(access) < countdowns.HOST_SILENCE:
            raise Refused("host-there")
        counted = sorted(access.host_seats)
        return [NewEntry({"do": "hurry", "player": player, "for": counted, "host": True}, player)]

    return append(access, request, decide, in_lobby=True)


def become_host(access: TableAccess, player: int, *, request: str) -> None:
    """Make a player the host: a former host, or any player if the host has left or is silent.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if not countdowns.may_become_host(access, loaded.state, player):
            raise Refused("host-there")
        return _host_changes(access, player, player)

    _change_host(access, decide, player, request)


def hand_over_host(access: TableAccess, number: int, *, request: str = "") -> None:
    """Make another seat the host's. Raises NotYours, Refused."""

    def decide(access: TableAccess, _loaded: Loaded[GameState]) -> list[NewEntry]:
        if not access.is_host:
            raise HostOnly
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
    """Append the entries of a decision and store the new host's seat, in one transaction."""
    with transaction.atomic():
        append(access, request, decide, in_lobby=True)
        Table.objects.filter(pk=access.table.pk).update(host=host)


def pause(access: TableAccess, player: int, is_paused: bool, *, request: str = "") -> None:
    """Pause the game until another day, or resume it, on a player's request.

    No player loses a seat; a player's list of games shows a paused table first.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if player not in access.seats:
            raise NotYours
        if loaded.state.game.is_finished:
            raise Refused("nothing-to-pause")
        return [NewEntry({"do": "pause" if is_paused else "resume", "player": player}, player)]

    with transaction.atomic():
        append(access, request, decide)
        Table.objects.filter(pk=access.table.pk).update(is_paused=is_paused)


def mark_present(access: TableAccess, *, request: str) -> TableAccess:
    """Record that a player on this device touched the page, which ends the countdown for them.

    Raises NotYours.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if not access.seats:
            raise NotYours
        countdown = loaded.state.countdown
        counted = access.seats & countdown.players if countdown else ()
        return [NewEntry({"do": "here", "player": one}, one) for one in sorted(counted)]

    return append(access, request, decide, in_lobby=True)


def release(access: TableAccess, *numbers: int, bot: str = "") -> None:
    """Record that the players of some seats get up, or that the host frees them.

    The host frees the seat of a player who is present only after a countdown. If all remaining
    players have agreed to the open proposal, it is carried out.

    Args:
        access: the table and the seats held.
        numbers: the seats.
        bot: the strength of the bot that plays on there; empty if the seats become free.

    Raises:
        Refused: a player sits at another device, and no countdown for them is over; or the game
            is over, and a bot has played it to the end or shall play on.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        others = access.people - access.seats
        left = frozenset(numbers)
        if left & others - countdowns.away(access, loaded.state):
            raise Refused("not-gone")
        bots = {seat.number for seat in access.all_seats if seat.bot} - access.people
        if (bot or left & bots) and loaded.state.game.is_finished:
            raise Refused("game-over")
        new = [_leaving(access, number, bot) for number in sorted(left)]
        asked = loaded.state.proposal
        if not asked or not access.people - left <= asked.agreed:
            return new
        # All remaining players have agreed.
        return [*new, NewEntry(_execution_of(asked))]

    append(access, "", decide)


def _leaving(access: TableAccess, number: int, bot: str) -> NewEntry:
    """Return the entry that frees a seat, or gives it to a bot of the strength ``bot``."""
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

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        if not access.is_host:
            raise HostOnly
        if moment not in ("", loaded.state.moment):
            raise Stale
        family, game = family_of(access.table), loaded.state.game
        if player not in family.deciding_players(game):
            raise Refused("nothing-to-decide")
        if player not in countdowns.away(access, loaded.state):
            raise Refused("not-left")
        return [entry_of(family.stand_in(game, player), by=access.table.host)]

    return append(access, request, decide)


def _proposal_entries(
    access: TableAccess, asked: Proposal, what: Mapping[str, Any]
) -> list[NewEntry]:
    """Return the entries of a new proposal, and the agreement of the device's other seats.

    If that makes all players agree, another entry carries the proposal out. ``what`` are the
    parameters of the entry ``propose``.
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
