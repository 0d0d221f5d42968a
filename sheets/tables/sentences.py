"""Sentences of a table: the player to move, what to do, and why a request was refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.rules import Game
from sheets.tables.bots import strength_of
from sheets.tables.pending_acts import Pending
from sheets.tables.table_settings import ROLLED
from sheets.text.labels import with_label
from sheets.text.player_names import join_names

STRENGTHS: Final = {
    "beginner": (gettext_lazy("Easy"), gettext_lazy("overlooks a lot")),
    "player": (gettext_lazy("Medium"), gettext_lazy("thinks one move ahead")),
    "expert": (gettext_lazy("Hard"), gettext_lazy("thinks ahead to the end")),
}
"""Names of bots by strength, and a description of each.

These and the following texts are lazy, so that a tap translates only the one that it shows.
"""

_SEATED: Final = {
    "beginner": gettext_lazy("%(who)s (easy)"),
    "player": gettext_lazy("%(who)s (medium)"),
    "expert": gettext_lazy("%(who)s (hard)"),
}
"""Patterns for the names of seats with a bot, by strength."""

TASKS: Final = {
    "dice": gettext_lazy("Tap where your dice lie."),
    "erupt": gettext_lazy("You start this pass: roll one die for the volcano."),
    "extra": gettext_lazy("Roll two extra dice and tap them."),
    "place": gettext_lazy("Your turn: place a die."),
    "reroll": gettext_lazy("Your turn: no die fits. Reroll the pool, or drop out."),
    "return": gettext_lazy("Nothing fits after the reroll: tap one of your dice to put it back."),
    "lava": gettext_lazy("The lava flows: choose one of your fields for it."),
    "track": gettext_lazy("Draw the tracks your dice leave."),
}
"""What the reader is asked to do, by kind of `Pending`."""
WAITING: Final = {
    "dice": gettext_lazy("Still placing: %(who)s"),
    "erupt": gettext_lazy("%(who)s starts this pass and rolls for the volcano"),
    "extra": gettext_lazy("%(who)s rolls the two extra dice"),
    "return": gettext_lazy("%(who)s puts a die back"),
    "lava": gettext_lazy("Choosing a field for the lava: %(who)s"),
    "rocket": gettext_lazy("Choosing a planet: %(who)s"),
    "track": gettext_lazy("Drawing tracks: %(who)s"),
}
"""Sentences about the awaited players, by kind of `Pending`."""


def task(pending: Pending, *, dice: str, count: int, is_last_turn: bool = False) -> str:
    """Return the sentence that says what the reader is asked to do.

    ``count`` is the number of dice of the next roll.
    """
    if pending.what == "roll":
        return _start_task(dice, count)
    if pending.what == "erupt" and dice != ROLLED:
        return _("You start this pass: roll one die for the volcano and type it in.")
    if pending.what == "rocket":
        return rocket_task(pending.times) % {"count": pending.times}
    if is_last_turn and pending.what in ("place", "reroll"):
        return {
            "place": _("Your last turn in this pass: place a die."),
            "reroll": _("Your last turn in this pass: no die fits. Reroll the pool, or drop out."),
        }[pending.what]
    return str(TASKS[pending.what])


def _start_task(dice: str, count: int) -> str:
    """Return the sentence that asks the start player to roll."""
    if dice == ROLLED:
        sentence = ngettext(
            "You start this pass: roll %(count)d die.",
            "You start this pass: roll %(count)d dice.",
            count,
        )
    else:
        sentence = ngettext(
            "You start this pass: roll %(count)d die and type it in.",
            "You start this pass: roll %(count)d dice and type them in.",
            count,
        )
    return sentence % {"count": count}


def start(game: Game, seat: int | None) -> str:
    """Return the sentence that says which player starts the pass, with how many dice."""
    count = game.level.dice[len(game.players)]
    if game.is_solo:
        sentence = ngettext("%(count)d die in this pass.", "%(count)d dice in this pass.", count)
    elif seat == game.start_player:
        sentence = ngettext(
            "You start with %(count)d die.",
            "You start with %(count)d dice.",
            count,
        )
    else:
        sentence = ngettext(
            "%(who)s starts with %(count)d die.",
            "%(who)s starts with %(count)d dice.",
            count,
        )
    return sentence % {"who": game.players[game.start_player], "count": count}


def waiting(
    pending: Sequence[Pending],
    names: Sequence[str],
    *,
    count: int = 0,
    is_last_turn: bool = False,
    is_boxed_in: bool = False,
) -> str:
    """Return the sentence about the awaited players and their acts; empty for none.

    Args:
        pending: the awaited acts, of one kind.
        names: the players' names.
        count: number of dice of the next roll.
        is_last_turn: whether the turn is the last one of the pass.
        is_boxed_in: whether the player to move is boxed in.
    """
    if not pending:
        return ""
    facts = {"who": join_names([names[one.player] for one in pending]), "count": count}
    what = pending[0].what
    if what == "roll":
        return (
            ngettext(
                "%(who)s starts this pass and rolls %(count)d die",
                "%(who)s starts this pass and rolls %(count)d dice",
                count,
            )
            % facts
        )
    if what in ("place", "reroll"):
        head = _("Last turn of this pass: %(who)s") if is_last_turn else _("It is %(who)s’s turn")
        more = {
            "reroll": _("nothing fits"),
            "place": _("boxed in, jumps") if is_boxed_in else "",
        }
        said = head % facts
        return with_label(said, more[what]) if more[what] else said
    return str(WAITING[what]) % facts


def thinking(who: str) -> str:
    """Return the sentence that says that a bot is thinking."""
    return _("%(who)s is thinking …") % {"who": who}


def with_strength(name: str, bot: str) -> str:
    """Return the name of a seat, with the strength of its ``bot``, which is empty for none."""
    return str(_SEATED[strength_of(bot)]) % {"who": name} if bot else name


def gone(names: Sequence[str]) -> str:
    """Return the sentence that says which awaited players have left; empty for none."""
    if not names:
        return ""
    return ngettext(
        "%(who)s has left: the host can go on for them.",
        "%(who)s have left: the host can go on for them.",
        len(names),
    ) % {"who": join_names(names)}


def rocket_task(count: int) -> str:
    """Return what a player with ``count`` flying rockets is asked to do, with the placeholder
    ``%(count)d``."""
    return ngettext(
        "Your rocket flies: choose a planet.", "Your rockets fly: choose %(count)d planets.", count
    )


def round_words(game: Game) -> str:
    """Return the round and pass as a sentence."""
    players = len(game.players)
    rounds = game.level.rounds[players]
    if players == 1:
        return _("Round %(round)d of %(rounds)d") % {"round": game.round_number, "rounds": rounds}
    return _("Round %(round)d of %(rounds)d, pass %(number)d of %(passes)d") % {
        "round": game.round_number,
        "rounds": rounds,
        "number": game.pass_number,
        "passes": rounds * players,
    }


def refusal(reason: str) -> str:
    """Return why the table itself refused a request.

    ``reason`` is the reason of an `access.Refused`, or one that only views use, such as ``stale``.
    """
    return {
        "not-started": _("The game has not begun yet."),
        "seat-free": _("There is still a free seat."),
        "nothing-to-undo": _("You have nothing to undo in this pass."),
        "others-acted": _("Others have moved since then: propose to go back instead."),
        "no-proposal": _("The proposal is gone."),
        "played-on": _("Somebody has played on: you can no longer go forward."),
        "old-proposal": _("You answered an older proposal. Your answer changes nothing."),
        "dice-seen": _(
            "You cannot go back: if you play alone with the app’s dice, a roll that you "
            "have seen stays."
        ),
        "no-such-entry": _("That has been taken back already."),
        "log-full": _("This game is too long: the log is full."),
        "nothing-to-decide": _("This player has nothing to decide now."),
        "not-left": _("This player is still there: nobody else can decide."),
        "not-gone": _("This player is still there: you cannot free the seat."),
        "host-there": _(
            "The host was active less than a minute ago. Please try again in a minute."
        ),
        "nobody-else": _("You are the host, and nobody else sits here who could take over."),
        "nothing-claimed": _("Nobody is waiting for this seat any more."),
        "too-many-claims": _("You tried too often in a short time. Wait a minute and try again."),
        "claim-waits": _("A player at the table has to confirm this first."),
        "seat-is-free": _("Nobody holds that seat."),
        "no-advice": _("This table has no hints: nobody allowed them before the game."),
        "no-advice-in-dice2": _(
            "Dice² has no hints: your only choice is where a die goes, so a hint would "
            "play for you."
        ),
        "no-advice-without-dice": _(
            "There are no hints with real dice: the app does not know what they show."
        ),
        "nothing-to-ask": _("You can ask for a hint when you have something to decide."),
        "too-often": _("You have asked too often in a short time. Wait a minute and ask again."),
        "game-over": _("The game is over: there is nothing left to decide."),
        "nothing-to-pause": _("The game is over: there is nothing to continue another day."),
        "not-over": _("A sheet can be corrected after the end of the game."),
        "proposal-waits": _("Another proposal waits for answers. It has to be decided first."),
        "needs-everybody": _("No legal game leads to this sheet, so every player has to agree."),
        "order-fixed": _("The game has begun: the seats keep their order."),
        "begun": _("The game has begun: you can no longer allow or forbid hints."),
        "no-number": _("First tap the number you rolled, then the field."),
        "host-only": _("Only the host can do that."),
        "not-yours": _("This phone no longer has that seat."),
        "stale": _("The game has moved on since then, so that did not count."),
        "seat-taken": _("Somebody else already sits there."),
    }[reason]
