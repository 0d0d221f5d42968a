"""Yearly review of a group or of one of its players, as tiles.

The review of fewer than `MIN_GAMES` games only has the numbers of games and evenings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.art.layout import format_amount
from sheets.groups.crossed_fields import Crossed, crossed_in, usual_marks
from sheets.groups.filters import ALL_GAMES, GameFilter, level_names
from sheets.groups.game_titles import titles_of
from sheets.groups.player_figures import wins_words
from sheets.groups.players import names_of
from sheets.groups.standings import champions_of
from sheets.groups.statistics import (
    ALL_PLAYERS,
    MIN_GAMES,
    TOTAL,
    PlayedGame,
    PlayerSums,
    best_results,
    closest_in,
    crossed_sheets,
    games_of,
    matches_in,
    pairs_in,
    points_lost,
    read_games,
    streaks,
    sums_by_player,
)
from sheets.models import Group, GroupPlayer
from sheets.rules.marks import Marks
from sheets.text.player_names import join_names

METRES_PER_CROSS: Final = 0.02
"""Length in metres of a cross in felt pen: two strokes through a field of a centimetre."""

MAX_NAMED_HOLDERS: Final = 3
"""Maximum number of holders of a record that a tile names; it counts the others."""

MAX_NAMED_WEEKDAYS: Final = 2
"""Maximum number of weekdays that a tile names; if more are tied, there is no tile."""

MIN_USUAL_SHARE: Final = 0.5
"""Minimum share of sheets with a cross on a field, for a cross on the drawn usual sheet."""


class NoSuchYear(LookupError):
    """No game was played in this year."""


class Tile(NamedTuple):
    """Tile of the review: ``sign`` is the id of a drawing, ``figure`` the large text."""

    sign: str
    figure: str
    words: str
    detail: str


class Favourite(NamedTuple):
    """The level that was played most.

    ``crossed`` counts its crosses, if at least `MIN_GAMES` games have them; ``usual`` then has the
    marks that at least half of the sheets have in the end. ``as_often`` are the titles of other
    levels with as many games.
    """

    title: str
    games: int
    crossed: Crossed | None
    usual: Marks
    as_often: list[str]

    @property
    def titles(self) -> list[str]:
        """The titles of this level and of those that were played as often."""
        return [self.title, *self.as_often]


class Year(NamedTuple):
    """Review of a year of a group or of a player; no ``tiles`` below `MIN_GAMES` games.

    ``people`` are the players with enough games for a review of their own, in the order in which
    they joined; none in the review of a player.
    """

    year: int
    name: str
    games: int
    evenings: int
    tiles: list[Tile]
    favourite: Favourite | None
    people: list[GroupPlayer]


class _YearGames(NamedTuple):
    """Input of a yearly review: the games of a group or of one of its players.

    ``matches`` are the games with others, and ``by_player`` the sums over them. ``days`` are the
    evenings, ``names`` the titles of levels by digest.
    """

    group: Group
    player: GroupPlayer | None
    games: Sequence[PlayedGame]
    matches: Sequence[PlayedGame]
    by_player: Mapping[int, PlayerSums]
    days: Sequence[date]
    names: Mapping[str, str]

    @property
    def who(self) -> int:
        """Primary key of the player, or `ALL_PLAYERS`."""
        return self.player.pk if self.player else ALL_PLAYERS


def year_of(group: Group, year: int, player: GroupPlayer | None = None) -> Year:
    """Return the review of a year, in the language of the reader. Raises NoSuchYear."""
    games = read_games(group, GameFilter(year))
    if player:
        games = games_of(games, player.pk)
    if not games:
        raise NoSuchYear
    days = sorted({game.evening for game in games})
    name = player.name if player else group.name
    review = Year(year, name, len(games), len(days), [], None, [])
    if len(games) < MIN_GAMES:
        return review
    matches = matches_in(games, ALL_GAMES)
    inputs = _YearGames(
        group, player, games, matches, sums_by_player(matches), days, level_names(group)
    )
    sheets = crossed_sheets(games, inputs.who)
    crossed = {
        level.digest: found
        for level in group.levels.all()
        if (found := crossed_in(level, sheets)) is not None
    }
    favourite = _favourite(Counter(game.level for game in games), crossed, inputs.names)
    people = (
        []
        if player
        else [pk for pk, one in sums_by_player(games).items() if one.games >= MIN_GAMES]
    )
    return review._replace(
        tiles=list(_tiles(inputs, crossed, favourite)),
        favourite=favourite,
        people=list(group.players.filter(pk__in=people).order_by("number")),
    )


class ReviewLink(NamedTuple):
    """The year whose review a group's page links to; ``is_now``: the review is due."""

    year: int
    is_now: bool


def review_link(years: Sequence[int], today: date) -> ReviewLink | None:
    """Return the year to link to; None without games.

    The review of a year is due in its December and in the January after it. If no review is due,
    the link leads to the latest year. ``years`` are those with games, the latest first.
    """
    ending = today.year if today.month == 12 else today.year - 1 if today.month == 1 else 0
    if ending in years:
        return ReviewLink(ending, True)
    return ReviewLink(years[0], False) if years else None


def _favourite(
    counts: Mapping[str, int], crossed: Mapping[str, Crossed], names: Mapping[str, str]
) -> Favourite | None:
    most = sorted((-count, digest) for digest, count in counts.items() if digest)
    if not most:
        return None
    games, digest = -most[0][0], most[0][1]
    title = names[digest]
    as_often = [names[other] for count, other in most[1:] if -count == games]
    found = crossed.get(digest)
    if found is None or found.games < MIN_GAMES:
        return Favourite(title, games, None, {}, as_often)
    usual = {
        field
        for field, share in found.shares.items()
        if share >= MIN_USUAL_SHARE and field in found.by_hand
    }
    return Favourite(title, games, found, usual_marks(found, usual), as_often)


def _tiles(
    inputs: _YearGames, crossed: Mapping[str, Crossed], favourite: Favourite | None
) -> Iterator[Tile]:
    """Yield the tiles, the most personal first, because not all of them fit into a picture."""
    yield from _champions(inputs)
    yield from _best(inputs)
    yield from _wins(inputs)
    yield from _streak(inputs)
    yield from _together(inputs)
    yield from _closest(inputs)
    yield from _pen(crossed)
    yield from _field(favourite)
    yield from _lost(inputs)
    yield from _weekday(inputs.days)


def _champions(inputs: _YearGames) -> Iterator[Tile]:
    first = None if inputs.player else champions_of(inputs.group, inputs.matches)
    if first and first.wins:
        is_over = first.year < timezone.localdate().year
        detail = _("Champion: %(names)s") if is_over else _("In the lead: %(names)s")
        words = win_word(first.wins)
        champion = detail % {"names": _named(first.winners)}
        if first.by_average:
            champion = _("%(champion)s, by the average") % {"champion": champion}
        yield Tile("flag-yellow", wins_words(first.wins), words, champion)


def win_word(wins: float) -> str:
    """Return the word after a number of wins: in French, all below 2 have the singular, as 0."""
    return ngettext("win", "wins", int(wins) if wins == 1 or wins >= 2 else 0)


def _best(inputs: _YearGames) -> Iterator[Tile]:
    best = best_results(inputs.games, inputs.who).get(TOTAL)
    if best is None:
        return
    first = best.holders[0]
    titles = titles_of(inputs.group, inputs.names, [first.game.number])
    words = {"level": titles[first.game.number], "day": _day(first.game.evening)}
    names = names_of([holder.seat for holder in best.holders])
    if len(names) > 1:
        detail = _named(names)
    elif inputs.player or first.seat.player is None:
        detail = _("%(level)s, %(day)s") % words
    else:
        detail = _("%(name)s: %(level)s, %(day)s") % {"name": names[0], **words}
    yield Tile("gem-yellow", format_amount(best.points), _("The best total"), detail)


def _wins(inputs: _YearGames) -> Iterator[Tile]:
    sums = inputs.by_player.get(inputs.who)
    if sums and sums.wins:
        words = win_word(sums.wins)
        detail = ngettext(
            "Of %(count)d game with others", "Of %(count)d games with others", sums.games
        )
        yield Tile("flag-green", wins_words(sums.wins), words, detail % {"count": sums.games})


def _streak(inputs: _YearGames) -> Iterator[Tile]:
    """Yield the tile of the longest streak of won games with others; a shared win ends a streak."""
    found = streaks(inputs.matches)
    longest = {
        player: one.longest for player, one in found.items() if inputs.who in (ALL_PLAYERS, player)
    }
    best = max(longest.values(), default=0)
    if best > 1:
        holders = [player for player, count in longest.items() if count == best]
        people = GroupPlayer.objects.filter(pk__in=holders).order_by("number")
        detail = _("The longest streak") if inputs.player else _named([one.name for one in people])
        yield Tile("flag-red", str(best), _("outright wins in a row"), detail)


def _together(inputs: _YearGames) -> Iterator[Tile]:
    pairs = pairs_in(inputs.games)
    if inputs.player:
        pairs = Counter({pair: count for pair, count in pairs.items() if inputs.who in pair})
    elif len(sums_by_player(inputs.games)) < 3:
        return
    if not pairs:
        return
    most = max(pairs.values())
    names = dict(inputs.group.players.values_list("pk", "name"))
    found = sorted(pair for pair, games in pairs.items() if games == most)
    if inputs.player is None:
        detail = _named([f"{names[one]} – {names[other]}" for one, other in found])
    else:
        others = [one for pair in found for one in pair if one != inputs.who]
        detail = _("with %(name)s") % {"name": _named([names[one] for one in others])}
    words = ngettext("game together", "games together", most)
    yield Tile("key-blue", str(most), words, detail)


def _closest(inputs: _YearGames) -> Iterator[Tile]:
    """Yield the tile of the game with others that was decided by the fewest points."""
    close = closest_in(inputs.matches, inputs.who)
    if close is None:
        return
    names = " – ".join(names_of([close.first, close.second]))
    words = ngettext(
        "point ahead in the closest game", "points ahead in the closest game", close.gap
    )
    more = close.as_close - 1
    if more:
        detail = ngettext("%(names)s, %(count)d more game", "%(names)s, %(count)d more games", more)
    else:
        detail = _("%(names)s, %(day)s")
    detail %= {"names": names, "day": _day(close.game.evening), "count": more}
    yield Tile("rocket", str(close.gap), words, detail)


def _pen(crossed: Mapping[str, Crossed]) -> Iterator[Tile]:
    drawn = sum(sum(one.by_hand.values()) for one in crossed.values())
    if drawn:
        metres = number_format(max(1, round(drawn * METRES_PER_CROSS)))
        detail = _("That makes some %(metres)s m of felt pen") % {"metres": metres}
        yield Tile("cross-2", number_format(drawn, force_grouping=True), _("crosses"), detail)


def _field(favourite: Favourite | None) -> Iterator[Tile]:
    if favourite and favourite.crossed:
        by_hand = favourite.crossed.by_hand
        count = max(by_hand.values(), default=0)
        fields = [field for field, crossed in by_hand.items() if crossed == count]
        if count and len(fields) <= MAX_NAMED_HOLDERS:
            facts = {"level": favourite.title, "count": count, "sheets": favourite.crossed.sheets}
            detail = _("%(level)s: on %(count)d of %(sheets)d sheets") % facts
            words = ngettext("the field most loved", "the fields most loved", len(fields))
            yield Tile("sign-area", ", ".join(fields), words, detail)


def _lost(inputs: _YearGames) -> Iterator[Tile]:
    """Yield the tile of the points that bombs and heaps cost; in solo games, bombs earn points."""
    lost = points_lost(inputs.games, inputs.who)
    if lost:
        yield Tile(
            "bomb",
            format_amount(lost),
            _("points for bombs and heaps"),
            _("It was worth it. Mostly."),
        )


def _weekday(evenings: Sequence[date]) -> Iterator[Tile]:
    days = Counter(day.weekday() for day in evenings)
    count = max(days.values())
    if count > 1:
        most = sorted(day for day, evenings_on_it in days.items() if evenings_on_it == count)
        names = [date_format(date(2024, 1, 1 + day), "l") for day in most]  # a Monday
        facts = {"count": count, "all": sum(days.values())}
        detail = _("%(count)d of %(all)d evenings")
        if len(most) > 1:
            detail = _("%(count)d of %(all)d evenings each")
        if len(most) <= MAX_NAMED_WEEKDAYS:
            words = _("is when you play most")
            yield Tile("planet", ", ".join(names), words, detail % facts)


def _named(names: Sequence[str]) -> str:
    """Join the names of at most `MAX_NAMED_HOLDERS` holders of a record, and count the others."""
    if len(names) <= MAX_NAMED_HOLDERS:
        return join_names(names)
    more = len(names) - MAX_NAMED_HOLDERS
    words = ngettext("%(names)s and %(count)d more", "%(names)s and %(count)d more", more)
    return words % {"names": ", ".join(names[:MAX_NAMED_HOLDERS]), "count": more}


def _day(day: date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")
