"""What does the page of a player show of what they gave away, and of looks that are waited for?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sheets.access.keys import Access
from sheets.groups import given
from sheets.groups.filters import Choice
from sheets.groups.given_figures import shown_given
from sheets.jobs.queue import jobs_ahead
from sheets.models import Group, GroupPlayer


def given_context(
    access: Access[Group],
    player: GroupPlayer,
    choice: Choice,
    games: int,
    names: Mapping[str, str],
) -> dict[str, Any]:
    """All of it, of so many games; ``names`` are those of the levels."""
    # Asked first: what is done afterwards is still waited for here, and the page comes anew.
    waited_for = progress(access.thing)
    shown = [
        shown_given(
            player.name, given.given_by(player, choice, is_alone=is_alone), names, is_alone=is_alone
        )
        for is_alone in (True, False)
    ]
    return {
        "given": [one for one in shown if one],
        "can_look": given.can_look(player, choice, games),
        **waited_for,
    }


def progress(group: Group) -> dict[str, Any]:
    """How far the looks are that a group waits for."""
    waiting = given.waited_for(group)
    first = waiting[0] if waiting else None
    return {
        "waiting": waiting,
        "first": first,
        "before": jobs_ahead(first),
    }
