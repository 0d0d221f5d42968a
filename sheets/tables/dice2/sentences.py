"""Sentences of a table with Dice²: title, task, result, numbers that a field takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.models import Table
from sheets.rules.dice2 import Dice2Game, Relay
from sheets.rules.dice2.kinds import winning_line
from sheets.rules.dice2.outlook import FieldOutlook, Limit, sure_winner
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.table_settings import RELAY
from sheets.text.dice2.refusals import explain_dice2
from sheets.text.player_names import join_names
from sheets.text.points import format_points
from sheets.text.rulebook.games import game_name


def title_of(table: Table) -> str:
    """Return the name of a table's game, or of its relay with target and handicap."""
    if table.game != RELAY:
        return game_name(table.game)
    title = _("Relay to %(target)d") % {"target": table.target}
    return _("%(what)s, with handicap") % {"what": title} if table.has_handicap else title


def task(sitting: Sitting, *, for_name: str = "", has_left: bool = False) -> str:
    """Return the task of the player to move, in words.

    ``for_name`` is the player for whom the host moves, who has left or does not react; empty if
    the player moves.
    """
    game = sitting.game
    assert game  # noqa: S101  # a player is to move
    if for_name and has_left:
        return _("Move for %(name)s: their seat is empty.") % {"name": for_name}
    if for_name:
        return _("Move for %(name)s: their phone does not react.") % {"name": for_name}
    if sitting.thrown:
        if not game.legal()[sitting.thrown]:
            return _("Your %(die)d fits nowhere.") % {"die": sitting.thrown}
        return _("Your turn: place the %(die)d.") % {"die": sitting.thrown}
    if game.board.is_empty:
        return _("Your turn: roll a die, tap its number, then the dark field.")
    return _("Your turn: roll a die, tap its number, then a field.")


def waiting(sitting: Sitting) -> str:
    """Return a sentence about the player to move; empty if there is none."""
    if sitting.player is None:
        return ""
    name = {"who": sitting.players[sitting.player]}
    if sitting.thrown:
        return _("%(who)s places a %(die)d") % {**name, "die": sitting.thrown}
    return _("It is %(who)s’s turn") % name


def verdict(game: Dice2Game, names: Sequence[str]) -> str:
    """Return the result of a finished game."""
    if game.kind.collects == "points":
        points = format_points(game.points[0])
        if game.dice_left[0]:
            return _("%(points)s. The last die fits nowhere: that ends the game.") % {
                "points": points
            }
        return points
    who = join_names([names[player] for player in game.winners])
    if len(game.winners) > 1:
        return _("%(who)s share the win.") % {"who": who}
    if game.kind.name == "four-wins" and not _has_four(game):
        return _("%(who)s wins with the last die.") % {"who": who}
    if game.kind.name == "four-wins":
        return _("%(who)s wins with four in a line.") % {"who": who}
    if game.kind.name == "last-man":
        return _("%(who)s wins with the last die.") % {"who": who}
    return ngettext(
        "%(who)s wins with %(count)d marker.",
        "%(who)s wins with %(count)d markers.",
        game.markers[game.winners[0]],
    ) % {"who": who, "count": game.markers[game.winners[0]]}


def markers_lead(game: Dice2Game, names: Sequence[str]) -> str:
    """Return by how many markers the winner leads; empty without markers or a single winner."""
    if game.kind.collects != "markers" or len(game.winners) > 1:
        return ""
    if sum(count >= game.markers[game.winners[0]] for count in game.markers) > 1:
        return ""  # the first to have enough markers has won
    return _("%(lead)d ahead of %(players)s.") % _lead_facts(game.markers, names)


def relay_lead(relay: Relay, names: Sequence[str]) -> str:
    """Return the winner's points and lead in a finished relay, or the points of each winner."""
    points = format_points(max(relay.points))
    if len(relay.winners) > 1:
        return _("%(points)s each.") % {"points": points}
    facts = {"points": points, **_lead_facts(relay.points, names)}
    return _("%(points)s, %(lead)s ahead of %(players)s.") % facts


def _lead_facts(counts: Sequence[int], names: Sequence[str]) -> dict[str, Any]:
    """Return the lead of the highest count over the second highest, and who has the latter."""
    first, second = sorted(counts, reverse=True)[:2]
    seconds = [name for name, count in zip(names, counts, strict=True) if count == second]
    return {"lead": first - second, "players": join_names(seconds)}


def decided(game: Dice2Game, names: Sequence[str]) -> str:
    """Return the certain winner of a running game; empty while the winner is open."""
    winner = sure_winner(game)
    if winner is None:
        return ""
    return _("%(who)s wins for certain: nobody else has a die left.") % {"who": names[winner]}


def _has_four(game: Dice2Game) -> bool:
    return bool(winning_line(game.board, game.winners[0]))


def relay_verdict(relay: Relay, names: Sequence[str]) -> str:
    """Return the winners of a finished relay."""
    winners = relay.winners
    who = join_names([names[player] for player in winners])
    if len(winners) > 1:
        return _("%(who)s share the relay.") % {"who": who}
    return _("%(who)s wins the relay.") % {"who": who}


def field_sentence(at: str, outlook: FieldOutlook, names: Sequence[str]) -> str:
    """Return which numbers a field takes, and the limits that exclude the others."""
    if outlook.violation:
        return explain_dice2(outlook.violation, names)
    if not outlook.limits:
        return _("%(at)s takes every number.") % {"at": at}
    facts: dict[str, str | int] = {
        "at": at,
        "why": ", ".join(_limit_words(limit) for limit in outlook.limits),
    }
    if not outlook.numbers:
        return _("%(at)s takes no number: %(why)s.") % facts
    low, high = outlook.numbers[0], outlook.numbers[-1]
    if low == high:
        return _("%(at)s takes the %(number)d alone: %(why)s.") % {**facts, "number": low}
    facts |= {"low": low, "high": high}
    if low + 1 == high:
        return _("%(at)s takes %(low)d or %(high)d: %(why)s.") % facts
    return _("%(at)s takes %(low)d to %(high)d: %(why)s.") % facts


def _limit_words(limit: Limit) -> str:
    return {
        "left": _("left of it lies the %(number)d on %(at)s"),
        "right": _("right of it lies the %(number)d on %(at)s"),
        "above": _("above it lies the %(number)d on %(at)s"),
        "below": _("below it lies the %(number)d on %(at)s"),
    }[limit.side] % limit._asdict()
