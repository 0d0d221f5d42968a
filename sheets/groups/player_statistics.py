"""Statistics of a player of a group: by level, in solo games, and against each of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.groups.filters import GameFilter
from sheets.groups.game_titles import titles_of
from sheets.groups.player_figures import Figures, figures_from, sign_of
from sheets.groups.ratings import Rating, Strength, course_of, update_ratings
from sheets.groups.statistics import (
    MIN_GAMES,
    PlayedGame,
    PlayerSums,
    Streak,
    combine_sums,
    games_of,
    matches_in,
    meetings_of,
    read_games,
    solo_in,
    streaks,
    sums_by,
    sums_by_player,
    totals_of,
)
from sheets.models import Group, GroupPlayer
from sheets.scoring.sentences import GRADES

MAX_SOLO_GAMES: Final = 10
"""Maximum number of solo games that a player's page lists."""


class PlayerOnLevel(NamedTuple):
    """A player's games on a level; ``when`` is the evening of the ``best`` total.

    ``others_mean`` is the mean total of the other players of the group. Both means are None below
    `MIN_GAMES` games.
    """

    title: str
    digest: str
    games: int
    mean: float | None = None
    best: int | None = None
    when: date | None = None
    others_mean: float | None = None

    @property
    def ahead(self) -> float:
        """Lead over the others' mean; 0 if one of the means is unknown."""
        return (
            0.0 if self.mean is None or self.others_mean is None else self.mean - self.others_mean
        )


class HeadToHead(NamedTuple):
    """A player's games against another one: how often the player was ahead, behind, and even.

    ``number``, ``name`` and ``sign`` are those of the other player.
    """

    number: int
    name: str
    sign: str
    games: int
    ahead: int
    behind: int
    even: int


class SoloGame(NamedTuple):
    """A solo game; ``grade`` is empty without one."""

    day: date
    title: str
    total: int
    grade: str


class PlayerStatistics(NamedTuple):
    """Statistics of a player in a choice of a group's games.

    ``games`` are the chosen games of all players, ``own`` those of this player. ``sums`` are over
    ``own``, ``match_sums`` only over the own games with others. ``course`` has the player's rating
    after each evening, whatever the choice. ``left`` is the number of games not rated yet.
    """

    player: int
    choice: GameFilter
    games: Sequence[PlayedGame]
    own: Sequence[PlayedGame]
    sums: PlayerSums
    match_sums: PlayerSums
    streak: Streak
    totals: Sequence[tuple[date, int]]
    course: Sequence[Strength]
    left: int

    @property
    def rated(self) -> int:
        """Number of rated games."""
        return self.course[-1].games if self.course else 0

    @property
    def rating(self) -> Rating | None:
        """Rating after the latest evening; None below `MIN_GAMES` rated games."""
        return self.course[-1].rating if self.rated >= MIN_GAMES else None

    @property
    def figures(self) -> Figures | None:
        """Key figures of the chosen games; None if the player is in none of them."""
        if not self.sums.games:
            return None
        return figures_from(self.sums, self.match_sums, [total for _evening, total in self.totals])


def statistics_of(group: Group, player: GroupPlayer, choice: GameFilter) -> PlayerStatistics:
    """Return a player's statistics in a choice of games; first update the ratings of the group."""
    left = update_ratings(group)
    games = read_games(group, choice)
    own = games_of(games, player.pk)
    matches = matches_in(own, choice)
    return PlayerStatistics(
        player.pk,
        choice,
        games,
        own,
        sums_by_player(own).get(player.pk, PlayerSums()),
        sums_by_player(matches).get(player.pk, PlayerSums()),
        streaks(matches).get(player.pk, Streak(0, 0, None)),
        totals_of(own, player.pk),
        course_of(player),
        left,
    )


def levels_of(names: Mapping[str, str], found: PlayerStatistics) -> list[PlayerOnLevel]:
    """Return the levels on which a player has totals, the one played most first.

    ``names`` has the names of all levels by digest.
    """
    on_levels = [game for game in found.games if game.level]
    return _on_levels(names, sums_by(on_levels, lambda game: game.level), found.player)


def solo_levels_of(names: Mapping[str, str], found: PlayerStatistics) -> list[PlayerOnLevel]:
    """Return the levels of a player's solo games, without the means of the others."""
    solo = [game for game in solo_in(found.own) if game.level]
    return _on_levels(names, sums_by(solo, lambda game: game.level), found.player)


def _on_levels(
    names: Mapping[str, str], by_level: Mapping[str, Mapping[int, PlayerSums]], player: int
) -> list[PlayerOnLevel]:
    found = []
    for digest, by_player in by_level.items():
        own = by_player.get(player)
        if own is None or not own.scored:
            continue
        others = combine_sums(one for pk, one in by_player.items() if pk != player)
        is_enough = own.scored >= MIN_GAMES
        found.append(
            PlayerOnLevel(
                names[digest],
                digest,
                own.scored,
                own.mean if is_enough else None,
                own.best,
                own.best_on,
                others.mean if is_enough and others.scored >= MIN_GAMES else None,
            )
        )
    return sorted(found, key=lambda one: (-one.games, one.title, one.digest))


def most_played(levels: Sequence[PlayerOnLevel]) -> list[PlayerOnLevel]:
    """Return the levels that a player has played most, several if tied.

    Empty if that is fewer than `MIN_GAMES` games. ``levels`` must be sorted by games.
    """
    games = levels[0].games if levels else 0
    return [level for level in levels if level.games == games] if games >= MIN_GAMES else []


def best_of(levels: Iterable[PlayerOnLevel]) -> PlayerOnLevel | None:
    """Return the level with a player's largest lead over the others' mean; None without a lead."""
    ahead = [level for level in levels if level.ahead > 0]
    return max(ahead, key=lambda one: one.ahead, default=None)


def head_to_heads(group: Group, found: PlayerStatistics) -> list[HeadToHead]:
    """Return a player's games against each other player, the one met most often first."""
    meetings = meetings_of(found.own, found.player)
    against = [
        HeadToHead(
            other.number,
            other.name,
            sign_of(other.sign),
            met.games,
            met.ahead,
            met.behind,
            met.games - met.ahead - met.behind,
        )
        for other in group.players.filter(pk__in=meetings)
        for met in (meetings[other.pk],)
    ]
    return sorted(against, key=lambda one: (-one.games, one.name))


MIN_RIVALS: Final = 2
"""Minimum number of opponents among which rivals are named."""


class Rivals(NamedTuple):
    """A player's closest, toughest and easiest opponents; each list has several if tied.

    ``closest`` are as often ahead as behind, or nearly. ``toughest`` are ahead most often, in
    relation to the number of games, and ``easiest`` behind. Players met in fewer than `MIN_GAMES`
    games are left out.
    """

    closest: list[HeadToHead]
    toughest: list[HeadToHead]
    easiest: list[HeadToHead]


def rivals_of(others: Iterable[HeadToHead]) -> Rivals:
    """Return a player's rivals among all players they have met; none if there is nobody to choose.

    With a single opponent, the same player would be the closest and the easiest.
    """
    leads = {
        one: Fraction(one.ahead - one.behind, one.games) for one in others if one.games >= MIN_GAMES
    }
    if len(leads) < MIN_RIVALS:
        return Rivals([], [], [])
    closest = min(map(abs, leads.values()), default=None)
    lowest, highest = (most(leads.values(), default=Fraction()) for most in (min, max))
    return Rivals(
        [one for one, lead in leads.items() if abs(lead) == closest],
        [one for one, lead in leads.items() if lead == lowest < 0],
        [one for one, lead in leads.items() if lead == highest > 0],
    )


def unknown_level_row(levels: Iterable[PlayerOnLevel], games: int) -> list[PlayerOnLevel]:
    """Return a row for the solo games without a known level; empty if there are none.

    ``games`` is the number of all solo games, ``levels`` the rows for those with a level.
    """
    rest = games - sum(level.games for level in levels)
    return [PlayerOnLevel(_("Level not known"), "", rest)] if rest > 0 else []


def grades_of(solo: Sequence[PlayedGame]) -> list[tuple[str, int]]:
    """Count the grades of solo games, the highest first, and at the end games without a grade.

    Empty if no game has a grade.
    """
    counts = Counter(game.grade for game in solo)
    rest = counts.pop(None, 0)
    found = [
        (str(grade.title), counts[number])
        for number, grade in reversed(list(enumerate(GRADES)))
        if counts[number]
    ]
    return [*found, (_("without a grade"), rest)] if found and rest else found


def latest_solo_games(
    group: Group, names: Mapping[str, str], solo: Sequence[PlayedGame]
) -> list[SoloGame]:
    """Return the last solo games, the latest first; ``names`` has all names of levels by digest."""
    last = solo[: -MAX_SOLO_GAMES - 1 : -1]
    titles = titles_of(group, names, [game.number for game in last])
    return [
        SoloGame(
            game.evening,
            titles[game.number],
            game.seats[0].total or 0,
            "" if game.grade is None else str(GRADES[game.grade].title),
        )
        for game in last
    ]
